"""What the tests of the checkers share."""
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


def run_tool(name, *arguments, env=None):
    """(exit status, standard output, standard error) of a program in tools/."""
    result = subprocess.run([str(ROOT / "tools" / name), *map(str, arguments)], capture_output=True, text=True, check=False,
                            env=dict(os.environ, **(env or {})))
    return result.returncode, result.stdout, result.stderr


class TreeCopyTest(unittest.TestCase):
    """Each test gets its own copy of the parts of the tree in COPIED, to plant a fault in."""

    COPIED = ()
    TOOL = None

    def expect_clean(self, tree=None):
        status, output, _ = run_tool(self.TOOL, tree or self.tree)
        self.assertEqual(status, 0, output)

    def expect_finding(self, *parts):
        """One line of what TOOL finds in the copy holds all of `parts`."""
        status, output, _ = run_tool(self.TOOL, self.tree)
        self.assertEqual(status, 1, output)
        self.assertTrue(any(all(part in line for part in parts) for line in output.splitlines()), f"{parts} not in:\n{output}")

    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="shosa_house_")
        self.addCleanup(temporary.cleanup)
        self.tree = Path(temporary.name).resolve()
        for name in self.COPIED:
            source = ROOT / name
            if source.is_dir():
                shutil.copytree(source, self.tree / name)
            elif source.exists():
                shutil.copy(source, self.tree / name)

    def write(self, name, text):
        path = self.tree / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

"""What the package tests share."""
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
BUILD, COMPILER = Path(sys.argv[1]), sys.argv[2]


def run(*command, fails=False):
    """Standard output and error of a command; ends the test when the exit status is not the one expected."""
    result = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if (result.returncode != 0) != fails:
        print(result.stdout)
        sys.exit(f"exit status {result.returncode} from: {' '.join(map(str, command))}")
    return result.stdout


def configure(source, build, *options, fails=False):
    return run("cmake", "-G", "Ninja", "-S", source, "-B", build, f"-DCMAKE_CXX_COMPILER={COMPILER}", *options, fails=fails)


def expect(pattern, text):
    if not re.search(pattern, text, re.MULTILINE):
        sys.exit(f"expected /{pattern}/ in:\n{text}")


def readme_example():
    """The C++ block of README.md."""
    blocks = re.findall(r"^```cpp\n(.*?)^```$", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    if len(blocks) != 1:
        sys.exit(f"README.md: {len(blocks)} C++ blocks, expected 1")
    return blocks[0]

"""What the package tests share."""
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
BUILD, COMPILER = Path(sys.argv[1]), sys.argv[2]


def run(*command, fails=False, cwd=None):
    """Standard output and error of a command; ends the test when the exit status is not the one expected."""
    result = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, cwd=cwd)
    if (result.returncode != 0) != fails:
        print(result.stdout)
        sys.exit(f"exit status {result.returncode} from: {' '.join(map(str, command))}")
    return result.stdout


def configure(source, build, *options, fails=False):
    return run("cmake", "-G", "Ninja", "-S", source, "-B", build, f"-DCMAKE_CXX_COMPILER={COMPILER}", *options, fails=fails)


def expect(pattern, text):
    if not re.search(pattern, text, re.MULTILINE):
        sys.exit(f"expected /{pattern}/ in:\n{text}")


def readme_programs():
    """The C++ blocks of README.md by the name in their first line, each at most 15 lines of code."""
    blocks = re.findall(r"^```cpp\n(// (\w+)\.cpp\n.*?)^```$", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    for text, name in blocks:
        if len(text.splitlines()) - 1 > 15:
            sys.exit(f"README.md: {name}.cpp has {len(text.splitlines()) - 1} lines, expected at most 15")
    return {name: text for text, name in blocks}


def embed_programs():
    """The programs of docs/embed.md by the file name in their first line."""
    text = (ROOT / "docs" / "embed.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```c(?:pp)?\n((?://|/\*) (\w+\.c(?:pp)?)\b.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return {name: text for text, name in blocks}


def embed_command():
    """How docs/embed.md compiles game.c without CMake."""
    return re.search(r"^cc game\.c .* -o game$", (ROOT / "docs" / "embed.md").read_text(encoding="utf-8"), re.MULTILINE)[0]


def configure_options():
    """Compiled before is compiled: ccache where it is installed, and little optimisation."""
    ccache = shutil.which("ccache")
    return ["-DCMAKE_CXX_FLAGS=-O1", *([f"-DCMAKE_CXX_COMPILER_LAUNCHER={ccache}"] if ccache else [])]

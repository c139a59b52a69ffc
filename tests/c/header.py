"""Reads include/shosa/c/*.h: the functions and structs that other languages rely on."""
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
FOLDER = ROOT / "include" / "shosa" / "c"
HANDLES = {"shosa_handle", "shosa_buffer", "shosa_clip", "shosa_folder", "shosa_graph", "shosa_character_kind", "shosa_character",
           "shosa_ground", "shosa_pin_drag"}


class Function:
    def __init__(self, result, name, parameters):
        self.result, self.name = result, name
        # (type, name), arrays as pointers.
        self.parameters = []
        for text in parameters:
            match = re.fullmatch(r"(.*?)\s*(\w+)(\[\d+\])?", text.strip())
            self.parameters.append((match[1].strip() + ("*" if match[3] else ""), match[2]))

    @property
    def on_context(self):
        return bool(self.parameters) and self.parameters[0][0] == "shosa_context*"


def read():
    """All functions in the order of the header, and {struct: [fields]}."""
    functions, structs = [], {}
    for path in sorted(FOLDER.glob("*.h")):
        text = re.sub(r"//[^\n]*|^#(?:[^\n]*\\\n)*[^\n]*", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
        for match in re.finditer(r"SHOSA_API\s+([\w\s*]+?)(\w+)\(([^;]*)\);", text):
            inside = match[3].strip()
            functions.append(Function(match[1].strip(), match[2], [] if inside == "void" else inside.split(",")))
        for match in re.finditer(r"typedef struct (\w+) \{(.*?)\} \1;", text, re.DOTALL):
            structs[match[1]] = fields(match[2])
    return functions, structs


def fields(body):
    names = []
    for line in body.split(";"):
        function = re.search(r"\(\*(\w+)\)", line)
        if function:
            names.append(function[1])
        elif line.strip():
            names += [re.search(r"(\w+)(\[\d+\])?$", part.strip())[1] for part in line.split(",")]
    return names


def run_c(compiler, folder, name, source, *options):
    """Standard output of a C99 program that is compiled with all warnings as errors."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.c"
    path.write_text(source, encoding="utf-8")
    strict = ["-x", "c", "-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror", f"-I{ROOT / 'include'}", path, "-x", "none"]
    for command in ([compiler, *strict, *options, "-o", folder / name], [folder / name]):
        result = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        if result.returncode != 0:
            sys.exit(f"exit status {result.returncode} from {' '.join(map(str, command))}\n{result.stdout}")
    return result.stdout

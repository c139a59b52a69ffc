"""Compares what the library exports and how its structs lie in memory with abi.txt.

    abi_test.py LIBSHOSA COMPILER WORK_FOLDER [--write]

A line of abi.txt that is missing or different breaks programs that are there; `--write` adds lines for what is new, and refuses to
change those that stand.
"""
import subprocess
import sys
from pathlib import Path

import header

library, compiler, work = sys.argv[1:4]
stored = Path(__file__).resolve().parent / "abi.txt"
functions, structs = header.read()

exported = {line.split()[-1] for line in
            subprocess.run(["nm", "-D", "--defined-only", library], stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()}
declared = {function.name for function in functions}
if exported != declared:
    sys.exit(f"exported but in no header: {sorted(exported - declared)}; in a header but not exported: {sorted(declared - exported)}")

lines = [f"function {function.result} {function.name}({', '.join(' '.join(p) for p in function.parameters)})" for function in functions]
lines += header.run_c(compiler, work, "abi", "\n".join([
    "#include <stdio.h>", '#include "shosa/c/shosa.h"', "int main(void) {",
    *(f'  printf("struct {name} %zu\\n", sizeof({name}));\n' +
      "".join(f'  printf("field {name}.{field} %zu %zu\\n", offsetof({name}, {field}), sizeof((({name}*)0)->{field}));\n' for field in names)
      for name, names in structs.items()), "  return 0;", "}\n"])).splitlines()

# Fields follow each other without a gap, so that other languages need no rules of alignment.
for name in structs:
    end = 0
    for line in lines:
        if line.startswith(f"field {name}."):
            place, size = map(int, line.split()[-2:])
            if place != end:
                sys.exit(f"{line}: expected at {end}; order the fields so that there is no padding")
            end = place + size
    if f"struct {name} {end}" not in lines:
        sys.exit(f"{name}: has padding at its end")

before = stored.read_text(encoding="utf-8").splitlines() if stored.exists() else []
broken = [line for line in before if line not in lines]
if broken:
    sys.exit("no longer so (abi.txt):\n" + "\n".join(broken))
added = [line for line in lines if line not in before]
if "--write" in sys.argv:
    stored.write_text("\n".join(lines) + "\n", encoding="utf-8")
elif added:
    sys.exit("not in abi.txt yet (abi_test.py … --write adds them):\n" + "\n".join(added))
print(f"{len(functions)} functions, {len(structs)} structs as they were")

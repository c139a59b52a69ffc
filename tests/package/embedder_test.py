"""Takes the source tree into another project with add_subdirectory, and builds and runs a program with one room of it."""
import os
import shutil

from support import BUILD, ROOT, configure, expect, run

work = BUILD / "package_embedder"
shutil.rmtree(work, ignore_errors=True)
os.environ.pop("CMAKE_CXX_COMPILER_LAUNCHER", None)
os.environ.pop("CXXFLAGS", None)
configure(ROOT / "tests" / "package" / "embedder", work, f"-DSHOSA_SOURCE={ROOT}")
run("cmake", "--build", work, "--target", "embedder")
expect(r"^1 joint$", run(work / "embedder"))

# The embedding project decides what it installs.
run("cmake", "--install", work, "--prefix", work / "prefix")
if (work / "prefix").exists() and any(path.is_file() for path in (work / "prefix").rglob("*")):
    raise SystemExit("embedding installed files unasked")
print("embedded tree: built and run")

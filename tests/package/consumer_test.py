"""Installs into a fresh prefix and builds and runs a project that knows nothing but find_package(shosa CONFIG REQUIRED)."""
import shutil

from support import BUILD, ROOT, configure, expect, readme_example, run

work = BUILD / "package_consumer"
shutil.rmtree(work, ignore_errors=True)
prefix = work / "prefix"
source = work / "source"
run("cmake", "--install", BUILD, "--prefix", prefix)

# The project is built from a copy, with the example of the README beside it, so that no header of the tree is within reach.
shutil.copytree(ROOT / "tests" / "package" / "consumer", source)
(source / "readme_example.cpp").write_text(readme_example(), encoding="utf-8")
find = f"-DCMAKE_PREFIX_PATH={prefix}"
configure(source, work / "build", find)
run("cmake", "--build", work / "build")

walked = run(work / "build" / "consumer")
expect(r"^joints 2, at 0\.05 s the tip stands at 0\.7071 0\.7071 0\.0000$", walked)

# The README's example reads the clip named on its command line; the consumer writes one.
clip = work / "swing.bvh"
run(work / "build" / "consumer", clip)
expect(r"2 joints.*2 frames", run(work / "build" / "readme_example", clip))
run(work / "build" / "readme_example", work / "no_such.bvh", fails=True)

# A room that does not exist is named, and what there is instead.
expect(r"shosa has no room 'attic'; it\s+has:\s+core", configure(source, work / "build_attic", find, "-DROOMS=core;attic", fails=True))
# Another minor version is not taken for this one.
expect(r"version", configure(source, work / "build_version", find, "-DVERSION=0.99", fails=True))

print("installed package: consumer and README example built and run")

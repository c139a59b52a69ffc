"""Installs into a fresh prefix and builds and runs a project that knows nothing but find_package(shosa CONFIG REQUIRED)."""
import shutil

from support import BUILD, ROOT, configure, configure_options, expect, readme_programs, run

work = BUILD / "package_consumer"
shutil.rmtree(work, ignore_errors=True)
prefix = work / "prefix"
source = work / "source"
run("cmake", "--install", BUILD, "--prefix", prefix)

# The project is built from a copy, with the programs of the README beside it, so that no header of the tree is within reach.
shutil.copytree(ROOT / "tests" / "package" / "consumer", source)
for name, text in readme_programs().items():
    (source / f"{name}.cpp").write_text(text, encoding="utf-8")
find = f"-DCMAKE_PREFIX_PATH={prefix}"
configure(source, work / "build", find, *configure_options())
run("cmake", "--build", work / "build")

walked = run(work / "build" / "consumer")
expect(r"^joints 2, at 0\.05 s the tip stands at 0\.7071 0\.7071 0\.0000$", walked)

# The README's programs, in a folder with the motions that they name; without them they say which is missing.
run(BUILD / "make_motions", work / "motions")
clips = work / "clips"
clips.mkdir()
expect(r"walk\.bvh", run(work / "build" / "drag", cwd=clips, fails=True))
for name, motion in {"walk": "walk_normal", "kick": "kick", "idle": "idle", "start": "start", "stop": "stop"}.items():
    shutil.copy(work / "motions" / f"{motion}.bvh", clips / f"{name}.bvh")
expect(r"^the kick starts at [1-9]\S* s$", run(work / "build" / "join", cwd=clips))
expect(r"^the hand misses by (0\.0[0-4]\d*|\d\S*e-\d+) m$", run(work / "build" / "drag", cwd=clips))
expect(r"^after 5 s it is at \S+, [3-9]\S* m$", run(work / "build" / "play", cwd=clips))
for name in ("both.bvh", "reach.glb"):
    if not (clips / name).exists():
        raise SystemExit(f"{name} was not written")

# A room that does not exist is named, and what there is instead.
expect(r"shosa has no room 'attic'; it\s+has:\s+core", configure(source, work / "build_attic", find, "-DROOMS=core;attic", fails=True))
# Another minor version is not taken for this one.
expect(r"version", configure(source, work / "build_version", find, "-DVERSION=0.99", fails=True))

print("installed package: consumer and README's programs built and run")

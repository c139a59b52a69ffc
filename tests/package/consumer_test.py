"""Installs into a fresh prefix and builds and runs a project that knows nothing but find_package(shosa CONFIG REQUIRED)."""
import shutil

from support import BUILD, COMPILER, ROOT, configure, configure_options, embed_command, embed_programs, expect, readme_programs, run

work = BUILD / "package_consumer"
shutil.rmtree(work, ignore_errors=True)
prefix = work / "prefix"
source = work / "source"
run("cmake", "--install", BUILD, "--prefix", prefix)

# The project is built from a copy, with the programs of the README beside it, so that no header of the tree is within reach.
shutil.copytree(ROOT / "tests" / "package" / "consumer", source)
for name, text in readme_programs().items():
    (source / f"{name}.cpp").write_text(text, encoding="utf-8")
for name, text in embed_programs().items():
    (source / name).write_text(text, encoding="utf-8")
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
expect(r"^done, hips at \(1\.\d, 0\.9, 5\.\d\)$|^done, hips at \(0\.9, \S+ 4\.9\)$", run(work / "build" / "hero_c"))
expect(r"^done at (0\.9|1\.)", run(work / "build" / "hero_cpp", cwd=clips))
# Without CMake, as pkg-config says it.
(work / "c").mkdir()
shutil.copy(source / "hero.c", work / "c" / "game.c")
command = embed_command().replace("cc ", f"{COMPILER} -x c -std=c99 ", 1).replace("game.c ", "game.c -x none ", 1)
run("env", f"PKG_CONFIG_PATH={next(prefix.rglob('shosa.pc')).parent}", "sh", "-c", command, cwd=work / "c")
expect(r"^done, hips", run(work / "c" / "game"))
# With CMake, where the program itself is installed.
run("cmake", "--install", work / "build", "--prefix", work / "game")
expect(r"^done, hips", run(work / "game" / "bin" / "hero_c"))
for name in ("both.bvh", "reach.glb"):
    if not (clips / name).exists():
        raise SystemExit(f"{name} was not written")

# A room that does not exist is named, and what there is instead.
expect(r"shosa has no room 'attic'; it\s+has:\s+core", configure(source, work / "build_attic", find, "-DROOMS=core;attic", fails=True))
# Another minor version is not taken for this one.
expect(r"version", configure(source, work / "build_version", find, "-DVERSION=0.99", fails=True))

print("installed package: consumer and README's programs built and run")

"""Reads .glb files with Blender and compares every bone with NAME.csv beside it, world positions as `shosa convert NAME.bvh NAME.csv` writes
them: blender -b --factory-startup --python-exit-code 1 --python blender_check.py -- FOLDER [PICTURE_FOLDER NAME...]

Standard output: one JSON object a file and line; the exit status is 1 when one is wrong. With a picture folder the named files are also drawn.
"""
import builtins
import csv
import json
import math
import pathlib
import sys

# Another Python that comes first in PATH hides Debian's own packages from Blender.
sys.path.append("/usr/lib/python3/dist-packages")
import numpy  # noqa: E402

# Debian 12's Blender 3.4 add-ons were written for an older Python and NumPy.
_open = builtins.open
builtins.open = lambda file, mode="r", *rest, **more: _open(file, mode.replace("U", ""), *rest, **more)
for _name, _type in (("bool", bool), ("object", object), ("int", int), ("float", float)):
    setattr(numpy, _name, _type)

import bpy  # noqa: E402
from mathutils import Vector  # noqa: E402

ALLOWED_M = 0.001


def read_csv(path):
    with _open(path, newline="", encoding="utf-8") as file:
        head, *lines = csv.reader(file)
    columns = {name[:-2]: column for column, name in enumerate(head) if name.endswith(".x")}
    times = [float(line[1]) for line in lines]
    return times, {name: [Vector(float(v) for v in line[at:at + 3]) for line in lines] for name, at in columns.items()}


def load(path, fps):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.scene.render.fps = round(fps)
    bpy.context.scene.render.fps_base = round(fps) / fps
    bpy.ops.import_scene.gltf(filepath=str(path))
    return next(thing for thing in bpy.data.objects if thing.type == "ARMATURE")


def our_axes(at):
    """Blender is Z up and looks along +Y: its (x, y, z) is our (x, z, -y)."""
    return Vector((at.x, at.z, -at.y))


def check(folder, name):
    times, joints = read_csv(folder / f"{name}.csv")
    fps = 1.0 / (times[1] - times[0])
    armature = load(folder / f"{name}.glb", fps)
    wrong = []
    begin, end = armature.animation_data.action.frame_range
    duration_s = (end - begin) / fps
    if abs(duration_s - times[-1]) > 1e-3:
        wrong.append(f"lasts {duration_s} s, expected {times[-1]}")
    bones = {bone.name: bone for bone in armature.pose.bones}
    worst_m, compared, height_m = 0.0, 0, 0.0
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        frame = round(share * (len(times) - 1))
        bpy.context.scene.frame_set(int(begin) + frame)
        heights = []
        for joint, track in joints.items():
            if joint not in bones:
                continue
            at = our_axes(armature.matrix_world @ bones[joint].head)
            worst_m = max(worst_m, (at - track[frame]).length)
            heights.append(at.y)
            compared += 1
        height_m = max(height_m, max(heights) - min(heights))
    missing = [joint for joint in joints if joint not in bones and not joint.endswith("_end")]
    if missing:
        wrong.append("no bone " + ", ".join(missing))
    if not compared or not worst_m <= ALLOWED_M:
        wrong.append(f"a bone is {worst_m} m off")
    return {"client": "Blender " + bpy.app.version_string, "file": name + ".glb", "duration_s": duration_s, "height_m": height_m, "compared": compared,
            "worst_mm": worst_m * 1000, "wrong": wrong}


def draw(folder, name, picture):
    """The middle of the motion from the front and the side, drawn by Cycles."""
    times, _ = read_csv(folder / f"{name}.csv")
    armature = load(folder / f"{name}.glb", 1.0 / (times[1] - times[0]))
    scene = bpy.context.scene
    scene.frame_set(len(times) // 2)
    hips = armature.matrix_world @ armature.pose.bones[0].head
    scene.collection.objects.link(bpy.data.objects.new("sun", bpy.data.lights.new("sun", "SUN")))
    sun = scene.objects["sun"]
    sun.data.energy = 4.0
    sun.rotation_euler = (0.7, 0.3, 0.4)
    scene.world = bpy.data.worlds.new("world")
    scene.world.use_nodes = True
    scene.world.node_tree.nodes["Background"].inputs[0].default_value = (0.6, 0.65, 0.7, 1.0)
    bpy.ops.mesh.primitive_plane_add(size=20, location=(hips.x, hips.y, 0))
    camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
    scene.collection.objects.link(camera)
    camera.location = hips + Vector((3.2, -3.2, 0.6))
    camera.rotation_euler = (hips - camera.location).to_track_quat("-Z", "Y").to_euler()
    scene.camera = camera
    scene.render.engine = "CYCLES"
    scene.cycles.samples = 12
    scene.cycles.use_denoising = False
    scene.render.resolution_x, scene.render.resolution_y = 480, 480
    scene.render.filepath = str(picture)
    bpy.ops.render.render(write_still=True)


def main():
    folder, *rest = sys.argv[sys.argv.index("--") + 1:]
    folder = pathlib.Path(folder)
    names = sorted(path.stem for path in folder.glob("*.glb"))
    bad = not names
    for name in names:
        result = check(folder, name)
        bad = bad or bool(result["wrong"]) or not math.isfinite(result["worst_mm"])
        print(json.dumps(result), flush=True)
    for name in rest[1:]:
        draw(folder, name, pathlib.Path(rest[0]) / f"{name}.png")
    if bad:
        raise SystemExit(1)


main()

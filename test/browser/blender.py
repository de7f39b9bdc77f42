# blender -b --factory-startup --python-exit-code 1 --python blender.py -- FILE.glb CLIP.csv...: opens a GLB file in an
# empty scene. It must hold a body, a bone "root" with the hips below it, and for each table of joints an action of that
# name, as long as the table, whose bones are where the table has them.
import csv
import os
import sys
import warnings

import bpy
import numpy

# Blender 3.4 of Debian 12 asks for a name that its NumPy 1.24 no longer has: nothing to do with the file.
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    if not hasattr(numpy, "bool"):
        numpy.bool = bool

NEAR = 1e-4  # metres: Blender keeps rotations as floats of bones of its own axes


def check_action(armature, table):
    name = os.path.splitext(os.path.basename(table))[0]
    with open(table, newline="") as file:
        rows = list(csv.DictReader(file))
    action = next(a for a in bpy.data.actions if a.name.startswith(name + "_"))
    armature.animation_data.action = action
    scene = bpy.context.scene
    rate = scene.render.fps / scene.render.fps_base
    last = float(rows[-1]["time"])
    assert abs(action.frame_range[1] / rate - last) < 1e-4, (name, tuple(action.frame_range), last)
    worst = 0.0
    for row in rows[:: len(rows) // 7]:
        frame = float(row["time"]) * rate
        scene.frame_set(int(frame), subframe=frame - int(frame))
        for bone in armature.pose.bones:
            if bone.name != "root":
                # Blender's z is up.
                p = armature.matrix_world @ bone.head
                wanted = [float(row[f"{bone.name}.{axis}"]) for axis in "xyz"]
                worst = max(worst, *(abs(a - b) for a, b in zip((p.x, p.z, -p.y), wanted)))
    assert worst < NEAR, (name, worst)
    print(f"CHECKED {name}: {len(rows)} frames, bones within {1e3 * worst:.4f} mm")


path, *tables = sys.argv[sys.argv.index("--") + 1:]
bpy.ops.wm.read_factory_settings(use_empty=True)
assert bpy.ops.import_scene.gltf(filepath=path) == {"FINISHED"}
armature = next(o for o in bpy.data.objects if o.type == "ARMATURE")
assert sum(o.type == "MESH" for o in bpy.data.objects) == 1
assert armature.data.bones["Hips"].parent.name == "root" and armature.data.bones["root"].parent is None
assert len(bpy.data.actions) == len(tables)
for table in tables:
    check_action(armature, table)

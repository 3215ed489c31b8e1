"""Can a part be taken along a path without touching its surroundings, and how close does it come?"""
import numpy as np

import toccata

part, wall = toccata.box([1, 1, 1]), toccata.box([0.2, 2, 2])
gate = toccata.Mesh(  # two walls with a gap of 1.2 between them
    np.concatenate([wall.vertices - [0, 1.6, 0], wall.vertices + [0, 1.6, 0]]),
    np.concatenate([wall.faces, wall.faces + len(wall.vertices)]),
)
paths = {
    "straight through": ([[-3, 0.05, 0], [3, 0.05, 0]], [0, 1]),
    "off the middle": ([[-3, 0.3, 0], [3, 0.3, 0]], [0, 1]),
    "around a corner": ([[-3, 2, 0], [-1.5, 0, 0], [3, 0, 0]], [0, 0.4, 1]),
}
for name, (poses, times) in paths.items():
    motion = toccata.PiecewiseMotion(poses, times)
    closest = toccata.closest_approach(part, motion, gate)
    if closest.status == "separated":
        print(f"{name}: free, clearance {closest.distance:.4f}")
    else:
        print(f"{name}: blocked at t = {toccata.first_contact(part, motion, gate).time:.4f}")
# Output:
# straight through: free, clearance 0.0500
# off the middle: blocked at t = 0.4000
# around a corner: free, clearance 0.1000

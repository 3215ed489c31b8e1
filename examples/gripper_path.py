"""A gripper carries a rod out of a bin and over a fence. Is its path free? If not, where must it give way?"""
import numpy as np

import toccata


def assembly(*boxes):
    """One mesh of several boxes, each (size, centre)."""
    vertices, faces, count = [], [], 0
    for size, centre in boxes:
        box = toccata.box(size)
        vertices.append(box.vertices + centre)
        faces.append(box.faces + count)
        count += len(box.vertices)
    return toccata.Mesh(np.concatenate(vertices), np.concatenate(faces))


def pose(x, y, z, turned):
    """Degrees about z."""
    return toccata.rotation_about([0, 0, 1], np.radians(turned)), np.array([x, y, z])


# Metres. The origin of the gripper is between its fingers, where it holds a rod of half a metre.
gripper = assembly(
    ([0.12, 0.08, 0.05], [0, 0, 0.12]),
    ([0.02, 0.06, 0.12], [-0.04, 0, 0.04]),
    ([0.02, 0.06, 0.12], [0.04, 0, 0.04]),
    ([0.06, 0.50, 0.03], [0, 0, 0]),
)
station = assembly(
    ([0.40, 0.02, 0.20], [0, -0.30, 0.10]),  # the bin: four walls around the origin
    ([0.40, 0.02, 0.20], [0, 0.30, 0.10]),
    ([0.02, 0.60, 0.20], [-0.20, 0, 0.10]),
    ([0.02, 0.60, 0.20], [0.20, 0, 0.10]),
    ([0.03, 1.20, 0.50], [0.60, 0, 0.25]),  # the fence
)
path = [  # when, and where
    (0.0, pose(0, 0, 0.10, 0)),  # in the bin
    (0.2, pose(0, 0, 0.35, 0)),  # lifted out
    (0.6, pose(0.60, 0, 0.62, 90)),  # above the fence, turned on the way
    (0.8, pose(0.95, 0, 0.55, 90)),
    (1.0, pose(1.10, 0, 0.10, 90)),  # set down
]


def motion_along(path):
    return toccata.PiecewiseMotion([pose for _, pose in path], [time for time, _ in path])


# 1. Every way point is free, and so are a hundred poses on the way.
motion = motion_along(path)
hits = sum(bool(toccata.intersects(gripper, motion(t), station)) for t in np.linspace(0, 1, 101))
print(f"101 poses: {hits} in collision")

# 2. The path is not.
found = toccata.first_contact(gripper, motion, station)
print(f"the path: {found.status} at t = {found.time:.4f}, at {found.contact.point_b.round(3)}")
print(toccata.contact_intervals(gripper, motion, station))

# 3. Repair: where the gripper comes closer than three centimetres it goes higher, by what is missing. Ask again.
wanted = 0.03
for attempt in range(20):
    closest = toccata.closest_approach(gripper, motion, station)
    if closest.status == "separated" and closest.lower_distance >= wanted:
        break
    here = motion(closest.time)
    higher = here[:3, 3] + [0, 0, wanted + 0.005 - closest.distance]
    path = [way for way in path if abs(way[0] - closest.time) > 0.01] + [(closest.time, (here[:3, :3], higher))]
    path.sort(key=lambda way: way[0])
    motion = motion_along(path)
    print(f"  {1000 * closest.distance:4.1f} mm at t = {closest.time:.4f}: there to z = {higher[2]:.3f}")

# 4. The proof.
print(f"{len(path)} way points, {closest.status}: never closer than {1000 * closest.lower_distance:.2f} mm")
# Output:
# 101 poses: 0 in collision
# the path: contact at t = 0.4426, at [ 0.585 -0.12   0.5  ]
# They touch from t = 0.442585 to t = 0.444446.
#    0.0 mm at t = 0.4426: there to z = 0.549
# 6 way points, separated: never closer than 31.19 mm

"""Crates and balls that bounce off each other in a closed room, event by event: no steps to tune, nothing passes through."""
import numpy as np

import toccata

random = np.random.default_rng(7)
crate, ball = toccata.Box([0.4, 0.3, 0.3]), toccata.Ball(0.2)
world = toccata.World()
for axis in range(3):  # the room: six half spaces
    for side in (-1, 1):
        normal = np.zeros(3)
        normal[axis] = -side
        world.insert(toccata.HalfSpace(normal, -2.0), static=True)
velocities = {}
for cell in np.ndindex(4, 4, 4):
    body = world.insert(ball if sum(cell) % 2 else crate, np.array(cell) - 1.5)
    velocities[body] = random.uniform(-1, 1, 3)


def energy():
    return sum(v @ v for v in velocities.values()) / 2


def bounce(event, response):
    """Equal masses, no friction, no rotation: what each has along the normal changes hands."""
    normal = event.contact.normal
    a, b = event.body_a, event.body_b
    change = (velocities[b] - velocities.get(a, 0)) @ normal
    if a in velocities:
        velocities[a] = velocities[a] + change * normal
        velocities[b] = velocities[b] - change * normal
        response.set_motion(a, toccata.RigidMotion.through(event.time, event.pose_a, velocities[a]))
    else:  # a wall
        velocities[b] = velocities[b] - 2 * change * normal
    response.set_motion(b, toccata.RigidMotion.through(event.time, event.pose_b, velocities[b]))
    return True


before, bounces = energy(), 0
for second in range(5):
    for body, pose in zip(world.ids.tolist(), world.poses(1.0)):
        if body in velocities:
            world.set_motion(body, toccata.RigidMotion(pose, velocity=velocities[body]))
    played = world.play(bounce)
    bounces += len(played)
    assert len(world.within(0, t=1.0)) == 0  # none touches another

print(f"{len(velocities)} bodies, five seconds: more than 300 bounces: {'yes' if bounces > 300 else 'no'}")
print(f"energy kept to 1e-12: {'yes' if abs(energy() / before - 1) < 1e-12 else 'no'}")
# Output:
# 64 bodies, five seconds: more than 300 bounces: yes
# energy kept to 1e-12: yes

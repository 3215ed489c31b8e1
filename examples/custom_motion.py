"""A motion of your own: a pendulum. All that is needed is its pose and bounds on its speed."""
import math

import toccata

LENGTH, SWING, RATE = 2.0, 1.0, 6.0


def pendulum(t):
    turn = toccata.rotation_about([0, 1, 0], SWING * math.cos(RATE * t))
    return turn, turn @ [0, 0, -LENGTH]


motion = toccata.CustomMotion(pendulum, speed=SWING * RATE * LENGTH, angular_speed=SWING * RATE)
bob, post = toccata.box([0.4, 0.4, 0.4]), toccata.box([0.2, 0.2, 1.0])
result = toccata.first_contact(bob, motion, post, [0.5, 0, -2.2])
print(f"{result.status} at t = {result.time:.4f}")
# Output:
# contact at t = 0.2771

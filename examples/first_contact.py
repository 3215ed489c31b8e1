"""Two meshes, two poses: when do they first touch, and where?"""
import numpy as np

import toccata

bar, stop = toccata.box([4, 0.1, 0.1]), toccata.box([0.1, 0.1, 0.1])
turn = toccata.RigidMotion(angular_velocity=[0, 0, np.pi / 2])  # a quarter turn; the stop waits at 45 degrees
result = toccata.first_contact(bar, turn, stop, [1, 1, 0])

print(f"{result.status} at t = {result.time:.4f}")
contact = result.contact
print(f"{contact.feature_a[0]} of the bar against {contact.feature_b[0]} of the stop, "
      f"x = {contact.point_a[0]:.3f}, y = {contact.point_a[1]:.3f}")
# Output:
# contact at t = 0.4457
# edge of the bar against edge of the stop, x = 1.050, y = 0.950

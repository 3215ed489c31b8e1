"""Ten thousand trials of one pair of bodies, from arrays and on all cores."""
import numpy as np

import toccata

moving, fixed = toccata.box([1, 1, 1]), toccata.box([1, 2, 3])
start = np.tile(np.eye(4), (10_000, 1, 1))  # 4x4 poses, one per trial
start[:, 0, 3] = -5
start[:, 1, 3], start[:, 2, 3] = 0.05 * np.mgrid[:100, :100].reshape(2, -1)
end = start.copy()
end[:, 0, 3] = 5
end[:, :3, :3] = toccata.rotation_about([0, 0, 1], 1.0)  # radians
batch = toccata.first_contacts(moving, (start, end), fixed)
print(batch)
print(f"{int((batch.time < 0.42).sum())} before t = 0.42")
touching = batch[batch.touches]  # a part of a batch is a batch
print(f"trials {touching.trial[:3]} at {touching.time[:3].round(3)}")
# Output:
# 1,394 of 10,000 trials touch.
# 1189 before t = 0.42
# trials [0 1 2] at [0.385 0.385 0.385]

"""A sheet falls onto a ball, step by step. Each step goes only as far as it is proven free of contact, so the
sheet never passes through, whatever the size of the step."""
import numpy as np

import toccata

sheet, ball = toccata.sheet(10, 10, (2, 2)), toccata.sphere(0.5, 2)
scene = toccata.DeformableScene([sheet, ball])
positions = np.concatenate([sheet.vertices + [0, 0, 0.6], ball.vertices])
moving = np.arange(len(positions)) < len(sheet.vertices)

for step in range(4):
    # The sheet falls faster at its rim, so that it bends over the ball.
    target = positions.copy()
    target[moving, 2] -= 0.06 + 0.2 * (positions[moving, :2] ** 2).sum(axis=1)
    scene.update(positions, target)
    safe = scene.safe_step()
    print(f"step {step}: {len(scene.all_contacts())} contacts on the way, free up to {safe:.4f}")
    fraction = 1.0 if safe == 1.0 else 0.9 * safe  # stop short of the contact
    positions += fraction * (target - positions)
# Output:
# step 0: 0 contacts on the way, free up to 1.0000
# step 1: 80 contacts on the way, free up to 0.6667
# step 2: 176 contacts on the way, free up to 0.0667
# step 3: 180 contacts on the way, free up to 0.0067

"""Ten thousand trials of one pair of bodies, on all cores."""
import toccata

moving, fixed = toccata.box([1, 1, 1]), toccata.box([1, 2, 3])
trials = [
    toccata.RigidMotion([-5, 0.05 * i, 0.05 * j], velocity=[10, 0, 0], angular_velocity=[0, 0, 1])
    for i in range(100)
    for j in range(100)
]
batch = toccata.first_contacts(moving, trials, fixed)
print(batch)
print(f"{int((batch.time < 0.42).sum())} before t = 0.42")
# Output:
# FirstContactBatch(10000 trials, 1394 touch, first at t=0.384885)
# 1189 before t = 0.42

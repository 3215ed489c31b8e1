"""A batch of motions from (n, 4, 4) arrays in Python against the same batch in C++, pass by pass in one run.

usage: compare.py BENCH_PYTHON_BATCH [TRIALS] [PASSES]     prints CSV; exits 1 if the answers differ

CPU time of one thread, the least of the passes, which take turns. Both sides start from poses in memory: C++ from Pose,
Python from two numpy arrays that nobody has looked at, so that the Python column holds the parsing and all checks.
"""
import os
import subprocess
import sys
import tempfile
import time

import numpy as np

import toccata


def random_poses(rng, count, spread):
    quaternions = rng.normal(size=(count, 4))
    quaternions /= np.linalg.norm(quaternions, axis=1, keepdims=True)
    return toccata.as_poses(np.concatenate([rng.normal(size=(count, 3)) * spread, quaternions], axis=1))


def cpu(function):
    start = time.process_time()
    result = function()
    return time.process_time() - start, result


def compare(program, name, mesh_a, mesh_b, start, end, passes, folder):
    paths = [os.path.join(folder, f"{name}-{part}") for part in ("a.ply", "b.ply", "poses")]
    toccata.save(paths[0], mesh_a)
    toccata.save(paths[1], mesh_b)
    np.concatenate([start, end]).tofile(paths[2])
    mesh_a.prepare(), mesh_b.prepare()
    peer = subprocess.Popen([program, *paths], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    in_cpp, in_python, parsing = [], [], []
    for _ in range(passes):
        peer.stdin.write("\n")
        peer.stdin.flush()
        seconds, touching, times = peer.stdout.readline().split()
        in_cpp.append(float(seconds))
        seconds, batch = cpu(lambda: toccata.first_contacts(mesh_a, (start, end), mesh_b, threads=1))
        in_python.append(seconds)
        if int(touching) != int(batch.touches.sum()) or float(times) != sum(batch.time.tolist()):
            raise SystemExit(f"{name}: the answers differ")
        parsing.append(cpu(lambda: toccata.MotionList((start, end)))[0])
    peer.stdin.close()
    peer.wait()
    trials = len(start)
    print(f"{name},{trials},{int(touching)},{1e6 * min(in_cpp) / trials:.3f},{1e6 * min(in_python) / trials:.3f},"
          f"{min(in_python) / min(in_cpp):.3f},{1e6 * min(parsing) / (2 * trials):.3f}", flush=True)


def main():
    program = sys.argv[1]
    trials = int(sys.argv[2]) if len(sys.argv) > 2 else 10_000
    passes = int(sys.argv[3]) if len(sys.argv) > 3 else 15
    rng = np.random.default_rng(7)
    ball, knob, cube = toccata.sphere(0.5, 4), toccata.sphere(0.4, 3), toccata.box()
    print("scene,trials,touching,cpp_microseconds,python_microseconds,ratio,microseconds_per_pose")
    with tempfile.TemporaryDirectory() as folder:
        near, far = random_poses(rng, trials, 1.0), random_poses(rng, trials, 1.0)
        compare(program, "spheres", ball, knob, near, far, passes, folder)
        compare(program, "boxes", cube, cube, near, far, passes, folder)
        away = near.copy()
        away[:, 0, 3] += 20  # most motions are proven free by one look at the boxes
        # A pass is over in milliseconds: more of them, so that some are not disturbed.
        compare(program, "far_boxes", cube, cube, away, away @ far, 20 * passes, folder)


if __name__ == "__main__":
    main()

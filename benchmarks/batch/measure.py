"""What dividing a batch among processes costs, in CPU time, which other work on the machine stretches little.

usage: measure.py CSV_FILE [ROWS]     (Python with toccata and numpy; with python3-distributed also on two Dask workers)

local: `batch` on two processes against `first_contacts` on two threads, for knots of 240 triangles: the CPU time of the
client and of its processes over that of the call; asked: at most 10 % more. dask: the part of the CPU time of two Dask
workers that they spend on answers, for knots of 34,560 triangles, as Dask comes, which the batch has look at itself less often,
and left alone; asked: at least 95 %. Chunks are as they are measured. Bits are compared.
"""
import csv
import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

import toccata

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "truth"))
import mesh_makers  # noqa: E402

COLUMNS = ("task", "triangles", "rows", "chunks", "chunk_rows", "chunk_cpu_milliseconds", "answers_cpu", "all_cpu", "percent", "same_bits")


def knots(along, around):
    return toccata.Mesh(*mesh_makers.knot(along, around))


def motions(count):
    rng = np.random.default_rng(1)
    poses = np.tile(np.eye(4), (count, 2, 1, 1))
    poses[:, 0, :3, 3] = 0.4 * rng.normal(size=(count, 3)) + [-5, 0, 0]
    poses[:, 1, :3, 3] = 0.4 * rng.normal(size=(count, 3)) + [5, 0, 0]
    turn = np.array([[np.cos(1.0), -np.sin(1.0), 0], [np.sin(1.0), np.cos(1.0), 0], [0, 0, 1]])
    poses[:, 1, :3, :3] = turn
    return poses


def same(answers, truth):
    return all((answers[name] == np.asarray(getattr(truth, name))).all() for name in answers)


def row(task, knot, answers, answers_cpu, all_cpu, percent, is_same):
    s = answers.stats
    return (task, len(knot.faces), s.rows, s.chunks, s.chunk_rows, f"{1e3 * s.worker_cpu / max(s.computed, 1):.0f}",
            f"{answers_cpu:.2f}", f"{all_cpu:.2f}", f"{percent:.1f}", "yes" if is_same else "NO")


def local(count):
    knot, poses = knots(24, 5), motions(count)
    start = time.process_time()
    truth = toccata.first_contacts(knot, poses, knot, threads=2)
    direct = time.process_time() - start
    before = os.times()
    answers = toccata.batch("first_contact", (knot, knot), poses, workers=2, progress=False)
    after = os.times()
    divided = sum(after[:4]) - sum(before[:4])
    return row("local", knot, answers, direct, divided, 100 * (divided / direct - 1), same(answers, truth))


def on_dask(count, name):
    import distributed
    from toccata.batch_crew import DaskCrew

    if name == "dask_left_alone":
        DaskCrew._calm_workers = lambda self: None
    knot, poses = knots(720, 24), motions(count)
    with distributed.Client(n_workers=2, threads_per_worker=1, dashboard_address=None) as client:
        toccata.batch("first_contact", (knot, knot), poses[:64], executor=client, chunk=32, progress=False)
        before = client.run(time.process_time)
        answers = toccata.batch("first_contact", (knot, knot), poses, executor=client, progress=False)
        after = client.run(time.process_time)
    everything = sum(after.values()) - sum(before.values())
    truth = toccata.first_contacts(knot, poses, knot)
    return row(name, knot, answers, answers.stats.worker_cpu, everything, 100 * answers.stats.worker_cpu / everything,
               same(answers, truth))


def main():
    if len(sys.argv) > 3 and sys.argv[1] == "--one":  # in a process of its own
        task, count = sys.argv[2], int(sys.argv[3])
        made = local(count) if task == "local" else on_dask(count, task)
        print(",".join(map(str, made)))
        return
    path, count = Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1_000_000
    lines = []
    for task, rows in (("local", count), ("dask", count // 8), ("dask_left_alone", count // 8)):
        ended = subprocess.run([sys.executable, "-B", __file__, "--one", task, str(rows)], stdout=subprocess.PIPE, text=True)
        if ended.returncode != 0:
            print(f"measure: {task} was left out", file=sys.stderr)
            continue
        print(ended.stdout.strip(), flush=True)
        lines.append(ended.stdout.strip().split(","))
    with open(path, "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows(lines)


if __name__ == "__main__":
    main()

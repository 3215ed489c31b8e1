"""Batches on a Dask cluster of this machine: workers, all workers and the scheduler killed, a poisoned row, versions.

usage: PYTHONPATH=FOLDER_WITH_TOCCATA /usr/bin/python3 test_on_dask.py     (needs python3-distributed; without it: skipped)
"""
import contextlib
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

import numpy as np

import toccata

try:
    import distributed
except ModuleNotFoundError:
    print("skipped: there is no python3-distributed")
    sys.exit(77)

POISON = """
import os
import toccata.batch_worker as worker
if not hasattr(worker, "sound"):
    worker.sound = worker.answered
    def answered(question, subject, rows, options):
        if (rows["motions_a"][:, 0, 0, 3] == 1234.5).any():
            os.kill(os.getpid(), 9)
        return worker.sound(question, subject, rows, options)
    worker.answered = answered
"""
OLD = "import toccata.batch_worker as worker\nworker.__version__ = '0.0.1'\n"


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def motions(count):
    rng = np.random.default_rng(1)
    poses = np.tile(np.eye(4), (count, 2, 1, 1))
    poses[:, 0, :3, 3] = rng.normal(size=(count, 3)) + [-4, 0, 0]
    poses[:, 1, :3, 3] = rng.normal(size=(count, 3)) + [4, 0, 0]
    return poses


class Cluster:
    """A scheduler and two workers as processes of their own, so that they can be killed."""

    def __init__(self, preload=""):
        self.port = free_port()
        self.address = f"tcp://127.0.0.1:{self.port}"
        self.folder = tempfile.TemporaryDirectory()
        self.preload = Path(self.folder.name, "preload.py")
        self.preload.write_text(preload)
        self.start()

    def start(self):
        self.scheduler = self._run("distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", str(self.port), "--no-dashboard")
        self.workers = [self._run("distributed.cli.dask_worker", self.address, "--nworkers", "1", "--nthreads", "1", "--no-dashboard",
                                  "--preload", str(self.preload), "--death-timeout", "60",
                                  "--local-directory", self.folder.name) for _ in range(2)]

    def _run(self, module, *arguments):
        return subprocess.Popen([sys.executable, "-m", module, *arguments], stdout=subprocess.DEVNULL,
                                stderr=subprocess.DEVNULL, start_new_session=True)

    def kill(self, process):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def stop(self):
        for process in [*self.workers, self.scheduler]:
            self.kill(process)
        self.folder.cleanup()


class DaskTest(unittest.TestCase):
    def setUp(self):
        self.pair = (toccata.sphere(0.7), toccata.box())
        self.rows = motions(1500)
        self.truth = toccata.first_contacts(self.pair[0], self.rows, self.pair[1])

    @contextlib.contextmanager
    def cluster(self, preload=""):
        cluster = Cluster(preload)
        client = distributed.Client(cluster.address, timeout=30, set_as_default=False)
        try:
            client.wait_for_workers(2, timeout=30)
            yield cluster, client
        finally:
            with contextlib.suppress(Exception):
                client.close(timeout=2)
            cluster.stop()

    def same(self, answers, rows=slice(None)):
        for name in ("status", "time", "lower", "upper", "point_a", "triangle_b"):
            np.testing.assert_array_equal(answers[name][rows], getattr(self.truth, name)[rows], err_msg=name)

    def test_answers_and_dead_workers(self):
        with self.cluster() as (cluster, client):
            with tempfile.TemporaryDirectory() as store:
                for kept in (None, store):  # shapes from bytes of tasks, and from files
                    answers = toccata.batch("first_contact", self.pair, self.rows, executor=client, chunk=100, store=kept)
                    self.same(answers)
            pids = lambda: list(client.run(os.getpid).values())
            killed = []

            def kill(done, _):
                if (done == 2 and not killed) or (done == 8 and len(killed) == 1):
                    some = pids()
                    for pid in some[:1] if done == 2 else some:  # one, and later all of them
                        os.kill(pid, signal.SIGKILL)
                        killed.append(pid)

            answers = toccata.batch("first_contact", self.pair, self.rows, executor=client, chunk=50, progress=kill)
            self.assertGreaterEqual(len(killed), 2)
            self.same(answers)
            self.assertEqual(answers.failures, {})

    def test_workers_are_calm_while_they_answer(self):
        def intervals(dask_worker):
            return {name: callback.callback_time for name, callback in dask_worker.periodic_callbacks.items()}

        with self.cluster() as (cluster, client):
            names = ("profile", "tick", "monitor", "memory_monitor")
            told = lambda: [[found[name] for name in names if name in found] for found in client.run(intervals).values()]
            before, seen = told(), []
            answers = toccata.batch("first_contact", self.pair, self.rows, executor=client, chunk=100,
                                    progress=lambda done, _: seen.append(told()) if done in (1, 14) else None)
            self.same(answers)
            for during in seen:
                for calm, usual in zip(during, before):
                    self.assertTrue(all(a >= 1000.0 and a >= b for a, b in zip(calm, usual)), (calm, usual))
            self.assertEqual(told(), before)

    def test_dead_scheduler(self):
        with self.cluster() as (cluster, client), tempfile.TemporaryDirectory() as store:
            seen = []

            def kill(done, _):
                seen.append(done)
                if done == 3 and seen.count(3) == 1:
                    cluster.kill(cluster.scheduler)
                    for worker in cluster.workers:
                        cluster.kill(worker)
                    cluster.start()

            answers = toccata.batch("first_contact", self.pair, self.rows, executor=client, chunk=100, progress=kill, store=store)
            self.same(answers)
            self.assertEqual(len(list(Path(store).glob("chunks/*/*.npz"))), 15)

            def gone(done, _):
                if done == 2:
                    cluster.kill(cluster.scheduler)

            other = distributed.Client(cluster.address, timeout=30, set_as_default=False)
            with self.assertRaisesRegex(toccata.BatchStopped, "scheduler at tcp.* is gone"):
                toccata.batch("first_contact", self.pair, self.rows[::-1], executor=other, chunk=100, progress=gone,
                              patience=4, store=store)
            with contextlib.suppress(Exception):
                other.close(timeout=2)
            again = toccata.batch("first_contact", self.pair, self.rows[::-1], workers=2, store=store)
            self.assertGreaterEqual(again.stats.from_store, 2)
            np.testing.assert_array_equal(again.time, self.truth.time[::-1])

    def test_a_row_that_kills_its_worker(self):
        rows = self.rows[:64].copy()
        rows[41, 0, 0, 3] = 1234.5
        with self.cluster(POISON) as (cluster, client):
            answers = toccata.batch("first_contact", self.pair, rows, executor=client, chunk=4)
            self.assertEqual(list(answers.failures), [41])
            self.assertIn("dies", answers.failures[41])
            self.same({**answers, "x": answers.time}, np.setdiff1d(np.arange(64), [41]))

    def test_workers_of_another_version(self):
        with self.cluster(OLD) as (cluster, client):
            with self.assertRaisesRegex(RuntimeError, "0.0.1"):
                toccata.batch("first_contact", self.pair, self.rows, executor=client, chunk=100)


if __name__ == "__main__":
    unittest.main()

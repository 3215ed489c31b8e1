"""Ctrl-C and limits in seconds: what is finished is kept, and nothing unfinished looks free."""
import os
import pickle
import signal
import threading
import time
import unittest

import numpy as np

import toccata

# Times are of this process, which may have to share the machine: 0.1 seconds of the clock on each of two cores.
PATIENCE = 0.2


class CtrlC:
    """Sends SIGINT after some work; the block must end with KeyboardInterrupt, soon after."""

    def __init__(self, test, seconds=0.15):
        self.test, self.error, self.ended = test, None, False
        self.sender = threading.Thread(target=self.send, args=(time.process_time() + seconds,))

    def send(self, when):
        give_up = time.monotonic() + 2  # what sleeps takes no time of the process
        while time.process_time() < when and time.monotonic() < give_up and not self.ended:
            time.sleep(0.01)
        self.sent = time.process_time()
        if not self.ended:
            os.kill(os.getpid(), signal.SIGINT)

    def __enter__(self):
        self.sender.start()
        return self

    def __exit__(self, kind, error, trace):
        ended = time.process_time()
        self.ended = True
        self.sender.join()
        if kind is None or not issubclass(kind, KeyboardInterrupt):
            self.test.assertIsNone(error, f"ended by {error!r}")
            self.test.fail("the question ended before it was interrupted")
        self.error, self.late = error, ended - self.sent
        self.test.assertLess(self.late, PATIENCE)
        return True


def hours():
    """All that is known of this motion is a bound on its speed, and a wild one."""
    motion = toccata.CustomMotion(lambda t: [3.0 - t, 0, 0], speed=1e12, angular_speed=0)
    return toccata.box(), motion, toccata.box()


def turns(count):
    """Motions that meet, and cost about the same each."""
    rng = np.random.default_rng(51)
    sevens = np.concatenate([rng.normal(size=(count, 2, 3)), rng.normal(size=(count, 2, 4))], axis=2)
    sevens[:, :, 3:] /= np.linalg.norm(sevens[:, :, 3:], axis=2, keepdims=True)
    return sevens


class CtrlCTest(unittest.TestCase):
    def test_single_questions(self):
        a, motion, b = hours()
        for ask in (toccata.first_contact, toccata.closest_approach, toccata.contact_intervals):
            with self.subTest(ask=ask.__name__), CtrlC(self) as stopped:
                ask(a, motion, b)
            self.assertNotIsInstance(stopped.error, toccata.Interrupted)

    def test_without_motions_of_python(self):
        # the main thread is in C++ alone, so that Python itself does not get to see the signal
        thick = toccata.sphere(0.5, 5)
        shell = toccata.sphere(0.5000001, 5)
        with CtrlC(self):
            for _ in range(1000):
                toccata.closest_approach(shell, toccata.RigidMotion(angular_velocity=[60, 80, 0]), thick, tolerance=1e-12)

    def test_batches_keep_what_is_finished(self):
        ball, knob = toccata.sphere(0.5, 4).prepare(), toccata.sphere(0.4, 3).prepare()
        motions = toccata.MotionList(np.tile(turns(1000), (40, 1, 1)))
        whole = toccata.first_contacts(ball, motions[:1000], knob)
        for threads in (1, 0):
            with CtrlC(self) as stopped:
                toccata.first_contacts(ball, motions, knob, threads=threads)
            self.assertIsInstance(stopped.error, toccata.Interrupted)
            partial = stopped.error.partial
            self.assertEqual(len(partial), len(motions))
            finished = partial.status != toccata.STATUSES.index("out_of_budget")
            self.assertLess(finished.sum(), len(partial))
            if threads == 1:
                self.assertGreater(finished.sum(), 0)
            rows = partial.trial[finished] % 1000
            np.testing.assert_array_equal(partial.status[finished], whole.status[rows])
            np.testing.assert_array_equal(partial.time[finished], whole.time[rows])
            unfinished = partial[~finished]
            self.assertFalse(unfinished.free.any())
            self.assertTrue((unfinished.lower < 1).all())
            self.assertTrue(all(unfinished[:3]))  # each is true: in the way
            self.assertIn("ran out of budget", str(partial))

    def test_batch_of_python_motions(self):
        a, motion, b = hours()
        with CtrlC(self) as stopped:
            toccata.first_contacts(a, [[-3, 0, 0], motion, motion, [3, 0, 0]], b)
        self.assertIsInstance(stopped.error, toccata.Interrupted)
        names = [toccata.STATUSES[i] for i in stopped.error.partial.status]
        self.assertEqual(names[1:3], ["out_of_budget"] * 2)
        self.assertIn(names[0], ("separated", "out_of_budget"))

    def test_other_batches(self):
        ball, knob = toccata.sphere(0.5, 4).prepare(), toccata.sphere(0.4, 4).prepare()
        poses = np.tile(turns(1000)[:, 0] + [0.45, 0, 0, 0, 0, 0, 0], (200, 1))
        motions = np.tile(turns(500), (20, 1, 1))
        with CtrlC(self) as stopped:
            toccata.distances(ball, poses, knob)
        partial = stopped.error.partial
        self.assertGreater(partial.stopped.sum(), 0)
        self.assertTrue((partial.lower_distance[partial.stopped] <= partial.distance[partial.stopped]).all())
        self.assertTrue((partial[partial.stopped].lower_distance == 0).any())
        with CtrlC(self) as stopped:
            toccata.intersections(ball, poses * [0, 0, 0, 1, 1, 1, 1], toccata.sphere(0.499, 4))  # nearly touching all around
        self.assertTrue(stopped.error.partial[-100:].all())
        with CtrlC(self) as stopped:
            toccata.closest_approaches(ball, motions, knob)
        self.assertTrue((stopped.error.partial.status[-10:] == toccata.STATUSES.index("out_of_budget")).all())
        rng = np.random.default_rng(52)
        points = rng.normal(size=(100_000, 3))
        with CtrlC(self) as stopped:
            for _ in range(100):
                toccata.ray_casts(ball, points, -points, threads=1)
        partial = stopped.error.partial
        self.assertTrue(partial.hit[partial.stopped].all())
        with CtrlC(self) as stopped:
            for _ in range(100):
                toccata.point_containments(points, ball, threads=1)
        self.assertIsInstance(stopped.error, toccata.Interrupted)

    def test_deforming(self):
        rng = np.random.default_rng(53)
        cloth = toccata.sheet(60, 60)
        end = cloth.vertices + 0.4 * rng.normal(size=cloth.vertices.shape)
        with CtrlC(self) as stopped:
            for _ in range(1000):
                toccata.ccd(cloth.vertices, end, cloth.faces, method="brute_force")
        if isinstance(stopped.error, toccata.Interrupted):  # and not while the scene was built
            self.assertFalse(stopped.error.partial.complete)

    def test_the_solver_goes_on_afterwards(self):
        a, motion, b = hours()
        solver = toccata.ContactSolver(a, b)
        self.assertFalse(solver.first_contact([3, 0, 0]))
        with CtrlC(self):
            solver.first_contact(motion)
        self.assertEqual(solver.first_contact(([3, 0, 0], [2, 0, 0])).status, "separated")
        with CtrlC(self):
            solver.closest_approach(motion)
        self.assertEqual(solver.first_contact(([3, 0, 0], [0, 0, 0])).status, "contact")

    def test_handlers_of_ones_own(self):
        a, b = toccata.sphere(0.5, 4), toccata.sphere(0.4, 3)
        motions = turns(3000)
        expected = toccata.first_contacts(a, motions, b).time
        seen = []
        before = signal.signal(signal.SIGINT, lambda *_: seen.append(1))
        try:
            timer = threading.Timer(0.05, lambda: os.kill(os.getpid(), signal.SIGINT))
            timer.start()
            np.testing.assert_array_equal(toccata.first_contacts(a, motions, b).time, expected)
            timer.join()
            time.sleep(0.01)
            self.assertEqual(seen, [1])
        finally:
            signal.signal(signal.SIGINT, before)
        self.assertIs(signal.getsignal(signal.SIGINT), before)

    def test_other_threads_are_not_interrupted(self):
        a, b = toccata.sphere(0.5, 3), toccata.sphere(0.4, 3)
        motions = turns(3000)
        expected = toccata.first_contacts(a, motions, b).time
        answers = []
        thread = threading.Thread(target=lambda: answers.append(toccata.first_contacts(a, motions, b).time))
        long, motion, still = hours()
        with CtrlC(self):
            thread.start()
            toccata.first_contact(long, motion, still)
        thread.join()
        np.testing.assert_array_equal(answers[0], expected)

    def test_questions_inside_of_motions(self):
        cube = toccata.box()

        def watched(t):
            self.assertFalse(toccata.intersects(cube, [9, 0, 0], cube))
            return [3.0 - t, 0, 0]

        motion = toccata.CustomMotion(watched, speed=1e12, angular_speed=0)
        with CtrlC(self):
            toccata.first_contact(cube, motion, cube)
        with CtrlC(self):  # and the handler is in order again
            time.sleep(30)


class SecondsTest(unittest.TestCase):
    def limited(self, ask):
        """The limit is 0.1 seconds; two cores may have worked so long."""
        start = time.process_time()
        result = ask()
        self.assertLess(time.process_time() - start, 0.2 + PATIENCE)
        return result

    def test_moving_bodies(self):
        a, motion, b = hours()
        found = self.limited(lambda: toccata.first_contact(a, motion, b, seconds=0.1))
        self.assertEqual(found.status, "out_of_budget")
        self.assertTrue(found)
        self.assertEqual(self.limited(lambda: toccata.closest_approach(a, motion, b, seconds=0.1)).status, "out_of_budget")
        touching = self.limited(lambda: toccata.contact_intervals(a, motion, b, seconds=0.1))
        self.assertEqual(touching.status, "out_of_budget")
        self.assertLess(touching.proven_until, 1)
        batch = self.limited(lambda: toccata.first_contacts(a, [motion] * 50, b, seconds=0.1))
        self.assertTrue((batch.status == 3).all())
        among = self.limited(lambda: toccata.first_contact_among(a, motion, [b] * 5, seconds=0.1))
        self.assertEqual(among.result.status, "out_of_budget")
        near = self.limited(lambda: toccata.closest_approaches(a, [motion] * 50, b, seconds=0.1))
        self.assertTrue((near.status == 3).all())
        solver = toccata.ContactSolver(a, b, seconds=0.1)
        self.assertEqual(self.limited(lambda: solver.first_contact(motion)).status, "out_of_budget")
        self.assertEqual(self.limited(lambda: solver.closest_approach(motion, seconds=0.1)).status, "out_of_budget")

    def test_at_rest(self):
        ball = toccata.sphere(0.5, 5)
        shell = toccata.sphere(0.4999, 5)  # inside: everything is as close as everything else
        poses = np.zeros((30_000, 3))
        batch = self.limited(lambda: toccata.distances(ball, poses, shell, seconds=0.1))
        self.assertTrue(batch.stopped[-100:].all())
        meet = self.limited(lambda: toccata.intersections(ball, poses, shell, seconds=0.1))
        self.assertTrue(meet[-100:].all())
        short = toccata.distance(ball, None, shell, seconds=1e-9)
        self.assertTrue(short.stopped)
        self.assertLessEqual(short.lower_distance, float(toccata.distance(ball, None, shell)))
        near = toccata.within(ball, None, shell, distance=1e-9, seconds=1e-9)
        self.assertEqual((near.stopped, bool(near), near.contact), (True, True, None))
        crossed = toccata.self_intersects(ball, curvature_test=False, seconds=1e-9)
        self.assertEqual((crossed.stopped, bool(crossed)), (True, True))
        points = np.zeros((100_000, 3))
        rays = self.limited(lambda: toccata.ray_casts(ball, points, [1, 0, 0], seconds=1e-6))
        self.assertTrue(rays.stopped.any() and rays.hit[rays.stopped].all())

    def test_deforming_and_elementary(self):
        rng = np.random.default_rng(54)
        cloth = toccata.sheet(20, 20)
        end = cloth.vertices + 0.1 * rng.normal(size=cloth.vertices.shape)
        scene = toccata.DeformableScene(cloth)
        scene.update(cloth.vertices, end)
        part = scene.all_contacts(seconds=1e-9)
        self.assertFalse(part.complete)
        self.assertIn("not complete", repr(part))
        self.assertTrue(scene.all_contacts().complete)
        self.assertEqual(scene.safe_step(seconds=1e-9), 0)
        self.assertEqual(scene.first_contact(seconds=1e-9).status, "out_of_budget")
        points = rng.normal(size=(200_000, 4, 3))
        impacts = toccata.edge_edge_impact(points, points[::-1], seconds=1e-9)
        self.assertTrue((impacts.status == 3).any())
        self.assertEqual(impacts[int(impacts.indices[-1])].status, "out_of_budget")

    def test_no_limit(self):
        a, b = toccata.box(), toccata.box()
        for seconds in (0, None, float("inf"), 1e30, 60):
            self.assertTrue(toccata.first_contact(a, ([-3, 0, 0], [0, 0, 0]), b, seconds=seconds))
        for seconds in (-1, float("nan")):
            with self.assertRaisesRegex(ValueError, "seconds must be"):
                toccata.first_contact(a, None, b, seconds=seconds)

    def test_interrupted_travels(self):
        error = toccata.Interrupted([1, 2])
        self.assertIsInstance(error, KeyboardInterrupt)
        self.assertEqual(pickle.loads(pickle.dumps(error)).partial, [1, 2])


if __name__ == "__main__":
    unittest.main()

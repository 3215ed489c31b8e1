import inspect
import pickle
import threading
import time
import unittest

import numpy as np

import toccata


def random_queries(seed, count):
    rng = np.random.default_rng(seed)
    return rng.uniform(-1, 1, size=(count, 4, 3)), rng.uniform(-1, 1, size=(count, 4, 3))


def coplanar_times(start, end):
    """The real roots in [0, 1] of the cubic of coplanarity, by numpy: an independent answer."""
    at = lambda t: (1 - t) * start + t * end
    samples = np.linspace(0, 1, 4)
    values = [np.linalg.det(at(t)[1:] - at(t)[0]) for t in samples]
    roots = np.roots(np.polyfit(samples, values, 3))
    return sorted(float(r.real) for r in roots if abs(r.imag) < 1e-9 and -1e-9 <= r.real <= 1 + 1e-9)


def meets_at(start, end, t, kind):
    """The weights of the meeting at a coplanar time, by least squares; None if they do not meet."""
    p = (1 - t) * start + t * end
    if kind == "vertex_face":
        sides = np.stack([p[2] - p[1], p[3] - p[1]], axis=1)
        u, v = np.linalg.lstsq(sides, p[0] - p[1], rcond=None)[0]
        return min(u, v, 1 - u - v)
    sides = np.stack([p[1] - p[0], p[2] - p[3]], axis=1)
    u, v = np.linalg.lstsq(sides, p[2] - p[0], rcond=None)[0]
    return min(u, v, 1 - u, 1 - v)


class BatchTest(unittest.TestCase):
    def test_against_roots_by_numpy(self):
        for kind, solve in (("vertex_face", toccata.vertex_face_impact), ("edge_edge", toccata.edge_edge_impact)):
            start, end = random_queries(7, 2000)
            batch = solve(start, end)
            collides, times, doubtful = batch.collides, batch.times, 0
            for i in range(len(start)):
                margins = [(t, meets_at(start[i], end[i], t, kind)) for t in coplanar_times(start[i], end[i])]
                if any(abs(margin) < 1e-6 for _, margin in margins):
                    doubtful += 1
                    continue
                expected = [t for t, margin in margins if margin > 0]
                self.assertEqual(bool(expected), bool(collides[i]), (kind, i))
                if expected:
                    self.assertAlmostEqual(expected[0], times[i], places=6)
            self.assertLess(doubtful, 20)
            self.assertGreater(collides.sum(), 100)

    def test_layouts_threads_and_single_queries_agree(self):
        start, end = random_queries(8, 3000)
        expected = toccata.edge_edge_impact(start, end)
        wide = np.zeros((3000, 4, 6))
        wide[:, :, ::2] = start
        for variant in (
            toccata.edge_edge_impact(np.asfortranarray(start), np.asfortranarray(end)),
            toccata.edge_edge_impact(wide[:, :, ::2], end),
            toccata.edge_edge_impact(start, end, threads=1),
        ):
            np.testing.assert_array_equal(variant.indices, expected.indices)
            np.testing.assert_array_equal(variant.lower, expected.lower)
            np.testing.assert_array_equal(variant.weights, expected.weights)
        for i in (0, 1, int(expected.indices[0]), int(expected.indices[-1])):
            single = toccata.edge_edge_impact(start[i], end[i])
            self.assertEqual(single.to_dict(), expected[i].to_dict())

    def test_contact_is_where_the_weights_say(self):
        start, end = random_queries(9, 2000)
        batch = toccata.vertex_face_impact(start, end)
        self.assertTrue((batch.lower == batch.time).all() and (batch.upper >= batch.lower).all())
        self.assertLessEqual((batch.upper - batch.lower).max(), 1e-11)
        t = batch.time[:, None, None]
        at = (1 - t) * start[batch.indices] + t * end[batch.indices]
        face_point = np.einsum("ij,ijk->ik", batch.weights[:, 1:], at[:, 1:])
        np.testing.assert_allclose(at[:, 0], face_point, atol=1e-9)
        np.testing.assert_allclose(np.linalg.norm(batch.normal, axis=1), 1, atol=1e-12)

    def test_minimum_distance_is_conservative(self):
        face = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]
        near = toccata.vertex_face_impact([[0.2, 0.2, 1], *face], [[0.2, 0.2, 0], *face], minimum_distance=0.25)
        self.assertLessEqual(near.time, 0.75)
        self.assertAlmostEqual(near.time, 0.75, places=5)

    def test_options(self):
        face = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]
        start, end = [[0.2, 0.2, 1], *face], [[0.2, 0.2, -1], *face]
        self.assertTrue(toccata.vertex_face_impact(start, end, boolean_only=True))
        self.assertFalse(toccata.vertex_face_impact(start, end, t_max=0.4))

    def test_only_what_is_proven_free_is_false(self):
        rng = np.random.default_rng(4)
        start, end = rng.uniform(-1, 1, (20000, 4, 3)), rng.uniform(-1, 1, (20000, 4, 3))
        whole = toccata.vertex_face_impact(start, end)
        np.testing.assert_array_equal(whole.free, ~whole.collides)
        stopped = toccata.vertex_face_impact(start, end, seconds=1e-9)
        undecided = ~stopped.free & ~stopped.collides
        self.assertTrue(undecided.any())
        self.assertTrue((stopped.times[undecided] <= whole.times[undecided]).all())
        self.assertFalse((stopped.free & whole.collides).any())
        query = int(np.flatnonzero(undecided)[0])
        self.assertEqual(stopped[query].status, "out_of_budget")
        self.assertTrue(stopped[query])
        near = [toccata.vertex_face_impact(start[i], end[i], minimum_distance=0.1, budget=1) for i in range(200)]
        self.assertIn("out_of_budget", {answer.status for answer in near})
        for answer in near:
            self.assertEqual(bool(answer), answer.status != "separated")

    def test_touching_at_the_start_is_said_whatever_is_asked(self):
        face = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]
        on_a_corner, inside = [[0, 0, 0], *face], [[0.25, 0.25, 0], *face]
        away = [[0.25, 0.25, 1], *face]
        for start, stage in ((on_a_corner, "start"), (inside, "integer")):
            for options in ({}, {"boolean_only": True}):
                with self.subTest(start=start[0], **options):
                    found = toccata.vertex_face_impact(start, away, **options)
                    self.assertEqual((found.status, found.decided_by), ("overlap_at_start", stage))
                    self.assertEqual((found.time, found.upper), (0, 0))
        batch = toccata.vertex_face_impact([away, inside], [inside, away], boolean_only=True)
        self.assertEqual([answer.status for answer in batch], ["contact", "overlap_at_start"])
        self.assertEqual(batch[0].upper, 1)

    def test_names_and_defaults_are_those_of_the_library(self):
        self.assertEqual(toccata.STATUSES[-1], "failed")
        self.assertEqual(toccata.IMPACT_STAGES[-1], "distance")
        face = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]
        near = toccata.vertex_face_impact([[0.2, 0.2, 1], *face], [[0.2, 0.2, 0], *face], minimum_distance=0.25)
        self.assertEqual(near.decided_by, "distance")
        for function in (toccata.vertex_face_impact, toccata.edge_edge_impact):
            defaults = {name: p.default for name, p in inspect.signature(function).parameters.items()}
            for name, value in toccata._toccata.linear_impact_defaults.items():
                self.assertEqual(defaults[name], value, name)

    def test_pickle_and_to_dict(self):
        batch = toccata.vertex_face_impact(*random_queries(10, 500))
        again = pickle.loads(pickle.dumps(batch))
        self.assertEqual(again.to_dict(), batch.to_dict())
        self.assertEqual(len(list(again)), 500)
        self.assertEqual(pickle.loads(pickle.dumps(batch[3])).to_dict(), batch[3].to_dict())

    def test_answers_outlive_the_call_and_are_read_only(self):
        times = toccata.vertex_face_impact(*random_queries(11, 100)).time
        self.assertTrue(np.isfinite(times).all())
        with self.assertRaises(ValueError):
            times[0] = 0

    def test_empty(self):
        batch = toccata.vertex_face_impact(np.zeros((0, 4, 3)), np.zeros((0, 4, 3)))
        self.assertEqual((len(batch), len(batch.indices)), (0, 0))

    def test_pairs_by_numbers_of_vertices(self):
        rng = np.random.default_rng(21)
        start = rng.uniform(-1, 1, (60, 3))
        end = start + rng.normal(0, 0.5, (60, 3))
        pairs = np.array([rng.permutation(60)[:4] for _ in range(3000)])
        for options in ({}, {"t_max": 0.4}, {"boolean_only": True}, {"threads": 1}):
            found = toccata.impacts(start, end, pairs, pairs[::-1].astype(np.int32), **options)
            for batch, rows, solve in ((found.vertex_face, pairs, toccata.vertex_face_impact),
                                       (found.edge_edge, pairs[::-1], toccata.edge_edge_impact)):
                expected = solve(start[rows], end[rows], **options)
                self.assertGreater(len(expected.indices), 20)
                for name in ("stage", "indices", "status", "time", "upper", "weights", "point", "normal"):
                    np.testing.assert_array_equal(getattr(batch, name), getattr(expected, name))
        self.assertEqual(len(toccata.impacts(start, end).edge_edge), 0)
        for call, message in (
            (lambda: toccata.impacts(start, end[1:], pairs), "same vertices"),
            (lambda: toccata.impacts(start, end, pairs[:, :3]), r"vertex_face must have shape \(m, 4\)"),
            (lambda: toccata.impacts(start, end, edge_edge=[[0, 1, 2, 60]]), r"edge_edge\[0\]"),
            (lambda: toccata.impacts(start, end, [[0, 1, 2, -1]]), r"vertex_face\[0\]"),
            (lambda: toccata.impacts(start * np.nan, end, pairs), r"vertices_t0"),
        ):
            with self.subTest(message=message), self.assertRaisesRegex((ValueError, IndexError), message):
                call()

    def test_errors(self):
        good = np.zeros((5, 4, 3))
        bad = good.copy()
        bad[3, 1, 2] = np.nan
        for call, kind, message in (
            (lambda: toccata.vertex_face_impact(np.zeros((5, 3, 3)), good), ValueError, r"\(n, 4, 3\).*\(5, 3, 3\)"),
            (lambda: toccata.vertex_face_impact(good, good[:3]), ValueError, "same number"),
            (lambda: toccata.vertex_face_impact(good, bad), ValueError, r"points_t1\[3\]"),
            (lambda: toccata.vertex_face_impact(np.asfortranarray(bad), good), ValueError, r"points_t0\[3\]"),
            (lambda: toccata.vertex_face_impact(good, good, t_max=2), ValueError, "t_max"),
            (lambda: toccata.vertex_face_impact(good, good, minimum_distance=-1), ValueError, "minimum_distance"),
            (lambda: toccata.vertex_face_impact(good, good, threads=-1), ValueError, "threads"),
            (lambda: toccata.vertex_face_impact(good, good)[5], IndexError, "batch of 5"),
        ):
            with self.subTest(message=message), self.assertRaisesRegex(kind, message):
                call()

    def test_the_gil_is_released(self):
        start, end = (np.asfortranarray(x) for x in random_queries(12, 400_000))
        ticks, done = [], threading.Event()

        def tick():
            while not done.is_set():
                ticks.append(time.perf_counter())
                time.sleep(0.001)

        thread = threading.Thread(target=tick)
        thread.start()
        begin = time.perf_counter()
        toccata.edge_edge_impact(start, end, threads=1)
        end_time = time.perf_counter()
        done.set()
        thread.join()
        inside = [t for t in ticks if begin + 0.1 * (end_time - begin) < t < begin + 0.9 * (end_time - begin)]
        self.assertGreater(len(inside), 3)


if __name__ == "__main__":
    unittest.main()

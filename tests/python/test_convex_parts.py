"""Convex parts from numpy and back."""
import pickle
import unittest

import numpy as np

import toccata


def bent():
    """Two bars at a right angle, as one surface."""
    outline = np.array([[0, 0], [3, 0], [3, 1], [1, 1], [1, 4], [0, 4]], float)
    points = np.array([[x, y, z] for z in (0, 1) for x, y in outline])
    sides = [f for i in range(6) for k in [(i + 1) % 6] for f in ([i, k, i + 6], [k, k + 6, i + 6])]
    ends = [f for a, b, c in [(0, 1, 2), (0, 2, 3), (0, 3, 4), (0, 4, 5)] for f in ([a, c, b], [a + 6, b + 6, c + 6])]
    return toccata.Mesh(points, sides + ends)


class ConvexParts(unittest.TestCase):
    def test_hulls_hold_the_inside(self):
        mesh = bent()
        parts = toccata.convex_parts(mesh, error=0.1)
        self.assertEqual((len(parts), len(parts.errors), len(parts.hulls)), (2, 2, 2))
        points = np.random.default_rng(3).uniform([0, 0, 0], [3, 4, 1], (300, 3))
        inside = toccata.signed_distance(points, mesh).distance < -1e-9
        for point in points[inside]:
            self.assertEqual(toccata.distance(parts.shape, [0, 0, 0], toccata.Ball(0), point).distance, 0.0)
        one = toccata.convex_parts(mesh, count=1)
        self.assertEqual(len(one), 1)
        self.assertGreater(one.error, 0.5)
        self.assertIn("1 hull", repr(one))
        self.assertEqual(pickle.loads(pickle.dumps(parts)).error, parts.error)

    def test_errors(self):
        box = toccata.box()
        for call in (
            lambda: toccata.convex_parts(box),
            lambda: toccata.convex_parts(box, error=0.1, count=3),
            lambda: toccata.convex_parts(box, error=-1.0),
            lambda: toccata.convex_parts(box, count=0),
            lambda: toccata.convex_parts(toccata.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]), error=0.1),
        ):
            with self.assertRaises(ValueError):
                call()


if __name__ == "__main__":
    unittest.main()

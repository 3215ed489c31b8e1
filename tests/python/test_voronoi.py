"""Voronoi grids, penetration fields and image space, from numpy and back."""
import unittest

import numpy as np

import toccata


def moved(mesh, by):
    return toccata.Mesh(mesh.vertices + np.asarray(by), mesh.faces)


class Voronoi(unittest.TestCase):
    def test_points_against_all_of_them(self):
        rng = np.random.default_rng(1)
        points = rng.random((200, 2))
        grid = toccata.voronoi(points, (50, 40), refine=1, neighbours=True)
        away = np.linalg.norm(grid.centers()[..., None, :2] - points, axis=-1)
        self.assertEqual(grid.site.shape, (40, 50))
        np.testing.assert_allclose(grid.distance, away.min(axis=-1), atol=grid.error)
        self.assertTrue((np.take_along_axis(away, grid.site[..., None], -1)[..., 0] <= away.min(axis=-1) + grid.error).all())
        # A certified cell belongs to its site at its corners, too.
        half = grid.cell_size[:2] / 2
        for corner in ([-1, -1], [1, -1], [-1, 1], [1, 1]):
            there = np.linalg.norm((grid.centers()[..., :2] + corner * half)[..., None, :] - points, axis=-1)
            mine = np.take_along_axis(there, grid.site[..., None], -1)[..., 0]
            self.assertTrue((mine <= there.min(axis=-1) + 1e-12)[grid.certified].all())
        self.assertTrue(grid.certified.any() and not grid.certified.all())
        self.assertTrue((~grid.certified <= grid.boundary).all())
        self.assertGreater(len(grid.parts["cell"]), 0)
        self.assertTrue((grid.neighbours[:, 0] < grid.neighbours[:, 1]).all())

    def test_counts(self):
        points = np.random.default_rng(2).random((5, 3))
        self.assertEqual(toccata.voronoi(points[:, :2]).site.shape, (128, 128))
        self.assertEqual(toccata.voronoi(points[:, :2], np.int64(6)).site.shape, (6, 6))
        self.assertEqual(toccata.voronoi(points).site.shape, (64, 64, 64))
        self.assertEqual(toccata.voronoi(points, 4).site.shape, (4, 4, 4))
        self.assertEqual(toccata.voronoi(toccata.box(), 4).site.shape, (4, 4, 4))
        self.assertEqual(toccata.voronoi(points, 4, box=([0, 0, 0.5], [1, 1, 0.5])).site.shape, (4, 4))
        self.assertEqual(toccata.voronoi(points, (3, 2)).site.shape, (2, 3))
        self.assertEqual(toccata.voronoi(np.empty((0, 2)), 2).site.shape, (2, 2))
        for wrong in ((4,), (1, 2, 3, 4)):
            with self.assertRaisesRegex(ValueError, "counts must be one integer, or 2 or 3"):
                toccata.voronoi(points, wrong)
        with self.assertRaisesRegex((TypeError, ValueError), "counts"):
            toccata.voronoi(points, "many")
        in_plane = toccata.voronoi(points[:, :2], 4, box=([0, 0], [1, 2]))
        np.testing.assert_allclose(in_plane.cell_size, [0.25, 0.5, 0])
        for wrong in (toccata.Ball(1.0), [[1, 2], [3]]):
            with self.assertRaisesRegex(TypeError, "sites must be points"):
                toccata.voronoi(wrong)

    def test_drawn_by_opengl(self):
        points = np.random.default_rng(3).random((40, 2))
        try:
            drawn = toccata.voronoi(points, (40, 30), method="gl")
        except ValueError as problem:
            self.assertIn("OpenGL", str(problem))
            self.skipTest(str(problem))
        plain = toccata.voronoi(points, (40, 30))
        np.testing.assert_array_equal(drawn.site, plain.site)
        self.assertEqual(drawn.drawn["beyond_bound"], 0)
        self.assertEqual(plain.drawn, {})
        ball = toccata.sphere(0.5)
        bodies = [ball, moved(ball, [0.6, 0.6, 0]), moved(ball, [5, 0, 0])]
        found = toccata.image_space_pairs(bodies, method="gl", part_size=20)
        self.assertEqual(found.pairs.tolist(), [[0, 1]])
        self.assertGreater(len(found.part_pairs), 0)
        with self.assertRaisesRegex(ValueError, "method"):
            toccata.voronoi(points, method="cones")

    def test_weights_segments_and_meshes(self):
        points = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, 1.0]])
        wide = toccata.voronoi(points, (30, 30), additive=[0.0, 0.5, 0.0])
        plain = toccata.voronoi(points, (30, 30))
        self.assertGreater((wide.site == 1).sum(), (plain.site == 1).sum())
        far = toccata.voronoi(points, (30, 30), kind="farthest")
        self.assertTrue((far.distance >= plain.distance).all())
        lines = toccata.voronoi(points, (30, 30), segments=[[0, 1], [1, 2]])
        self.assertEqual(list(lines.site_kind), [0, 0, 0, 1, 1])
        self.assertTrue((lines.distance <= plain.distance + 1e-12).all())
        box = toccata.voronoi(toccata.box(), (8, 8, 8))
        near = toccata.signed_distance(box.centers().reshape(-1, 3), toccata.box())
        np.testing.assert_allclose(box.distance.ravel(), abs(near.distance), atol=1e-12)

    def test_filled_polygons(self):
        points = np.array([[0, 0], [2, 0], [2, 1], [1, 1], [1, 2], [0, 2], [3, 3], [4, 3], [4, 4], [3, 4], [3, 0.5]], float)
        rings = [[0, 1, 2, 3, 4, 5], [9, 8, 7, 6]]
        grid = toccata.voronoi(points, (60, 60), polygons=rings, neighbours=True)
        self.assertEqual((list(grid.site_kind), list(grid.site_index)), ([0, 2, 2], [10, 0, 1]))
        p = grid.centers()[..., :2]

        def box(lower, upper):
            return np.linalg.norm(np.maximum(0, np.maximum(np.array(lower) - p, p - np.array(upper))), axis=-1)

        away = np.stack([np.linalg.norm(p - points[10], axis=-1), np.minimum(box([0, 0], [2, 1]), box([0, 0], [1, 2])), box([3, 3], [4, 4])])
        np.testing.assert_allclose(grid.distance, away.min(axis=0), atol=1e-12)
        chosen = np.take_along_axis(away, grid.site[None].astype(np.int64), axis=0)[0]
        np.testing.assert_allclose(chosen, away.min(axis=0), atol=1e-12)
        self.assertGreater(grid.certified.mean(), 0.8)
        wide = toccata.voronoi(points, (60, 60), polygons=rings, additive=[1.0, 0.0, 0.0])
        self.assertGreater((wide.site == 0).sum(), (grid.site == 0).sum())

    def test_refuses(self):
        for wrong in (
            lambda: toccata.voronoi([[0, 0], [1, 1], [1, 0], [0, 1]], (4, 4), polygons=[[0, 1, 2, 3]]),
            lambda: toccata.voronoi([[0, 0], [1, 1], [1, 0]], (4, 4), polygons=[[0, 1, 3]]),
            lambda: toccata.voronoi([[0, 0], [1, 1], [1, 0]], (4, 4), polygons=[[0, 1, 2]], kind="farthest"),
            lambda: toccata.voronoi([[0, 0]], (0, 4)),
            lambda: toccata.voronoi([[0, 0]], (4,)),
            lambda: toccata.voronoi([[0, np.nan]], (4, 4)),
            lambda: toccata.voronoi([0.0, 1.0], (4, 4)),
            lambda: toccata.voronoi([[0, 0]], (4, 4), additive=[1, 2]),
            lambda: toccata.voronoi([[0, 0]], (4, 4), kind="near"),
            lambda: toccata.voronoi([[0, 0]], (4, 4), segments=[[0, 1]]),
        ):
            with self.assertRaises((ValueError, IndexError)):
                wrong()


class Penetration(unittest.TestCase):
    def test_boxes(self):
        box = toccata.box()
        field = toccata.penetration_field(box, moved(box, [0.5, 0.25, 0]), cell=0.05)
        self.assertAlmostEqual(field.volume, 0.5 * 0.75, delta=0.12)
        near = toccata.signed_distance(field.point, moved(box, [0.5, 0.25, 0]))
        np.testing.assert_allclose(field.depth_b, -near.distance, atol=1e-9)
        self.assertEqual(field.distance_a.shape, field.counts[::-1])
        apart = toccata.penetration_field(box, moved(box, [1.25, 0, 0]), cell=0.05)
        self.assertEqual(len(apart), 0)
        self.assertLessEqual(apart.separation[0], 0.25)
        self.assertGreaterEqual(apart.separation[1], 0.25 - 1e-9)

    def test_plane_self_and_errors(self):
        square = np.array([[0, 0], [1, 0], [1, 1], [0, 1.0]])
        self.assertEqual(toccata.penetration_field(square, square + [0.5, 0], cell=0.125).volume, 0.5)
        self.assertEqual(len(toccata.penetration_field(toccata.box(), cell=0.1)), 0)
        with self.assertRaisesRegex(ValueError, "not closed"):
            toccata.penetration_field(toccata.sheet(2, 2), toccata.box())
        with self.assertRaisesRegex(ValueError, "larger"):
            toccata.penetration_field(toccata.box(), toccata.box(), cell=1e-9)


class ImageSpace(unittest.TestCase):
    def test_pairs_of_balls(self):
        rng = np.random.default_rng(2)
        ball = toccata.sphere(0.1)
        places = rng.random((40, 3))
        balls = [moved(ball, p) for p in places]
        found = toccata.image_space_pairs(balls, part_size=8)
        pairs = {tuple(p) for p in found.pairs}
        still = [0, 0, 0]
        touching = {(i, j) for i in range(40) for j in range(i + 1, 40) if toccata.intersects(balls[i], still, balls[j])}
        self.assertLessEqual(touching, pairs)
        self.assertLessEqual(len(pairs), found.box_pairs)
        self.assertGreater(len(touching), 0)
        for i, j in touching:
            self.assertTrue(any({found.part_body[a], found.part_body[b]} == {i, j} for a, b in found.part_pairs))

    def test_steps_and_errors(self):
        ball = toccata.sphere(0.1)
        start = moved(ball, [3, 0, 0])
        self.assertEqual(len(toccata.image_space_pairs([ball, start])), 0)
        self.assertEqual(len(toccata.image_space_pairs([ball, start], ends=[None, ball.vertices - [3, 0, 0]])), 1)
        with self.assertRaises(ValueError):
            toccata.image_space_pairs([ball], ends=[])
        with self.assertRaises(ValueError):
            toccata.image_space_pairs([ball], resolution=0)


if __name__ == "__main__":
    unittest.main()

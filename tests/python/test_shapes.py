"""Every kind of shape in every question: all of them reach from x = -0.5 to x = 0.5 on the x axis, and no farther."""
import pickle
import unittest

import numpy as np

import toccata

UPRIGHT = toccata.as_pose(None)
ALONG_X = toccata.as_pose((toccata.rotation_about([0, 1, 0], np.pi / 2), [0, 0, 0]))


def kinds(facing):
    """Name, shape and the pose in which it is between the planes x = -0.5 and x = 0.5, touching both on the x axis;
    of the half space, the side that looks along ``facing``."""
    rng = np.random.default_rng(7)
    corners = np.concatenate([rng.uniform(-0.4, 0.4, (30, 3)), [[-0.5, 0, 0], [0.5, 0, 0]]])
    box = toccata.Box([1, 1.5, 0.8])
    return {
        "mesh": (toccata.box([1, 1.5, 0.8]), UPRIGHT),
        "ball": (toccata.Ball(0.5), UPRIGHT),
        "capsule": (toccata.Capsule(0.5, 1), UPRIGHT),
        "box": (box, UPRIGHT),
        "rounded box": (toccata.Box([0.6, 1, 1], radius=0.2), UPRIGHT),
        "cylinder": (toccata.Cylinder(0.5, 1), UPRIGHT),
        "cone": (toccata.Cone(0.5, 1), ALONG_X),
        "ellipsoid": (toccata.Ellipsoid([0.5, 0.7, 0.3]), UPRIGHT),
        "hull": (toccata.ConvexHull(corners), UPRIGHT),
        "height field": (toccata.HeightField(np.full((3, 2), 0.5), (1, 1), floor=-0.5), toccata.as_pose([-0.5, -1, 0])),
        "compound": (toccata.Compound([(toccata.Ball(0.2), [0.3, 0, 0]), (toccata.Ball(0.2), [-0.3, 0, 0]),
                                       toccata.Cylinder(0.3, 1)]), UPRIGHT),
        "half space": (toccata.HalfSpace([facing, 0, 0], 0.5), UPRIGHT),
    }


def at(x, pose, y=0.0):
    return toccata.as_pose([x, y, 0]) @ pose


def pairs():
    for name_a, (a, pose_a) in kinds(1).items():
        for name_b, (b, pose_b) in kinds(-1).items():
            yield f"{name_a} and {name_b}", a, pose_a, b, pose_b


class EveryPairTest(unittest.TestCase):
    def test_at_rest(self):
        for name, a, pose_a, b, pose_b in pairs():
            with self.subTest(name):
                apart = (a, at(-2, pose_a), b, at(2, pose_b))
                result = toccata.distance(*apart)
                self.assertAlmostEqual(result.distance, 3, delta=1e-6)
                self.assertLessEqual(result.lower_distance, 3 + 1e-12)
                np.testing.assert_allclose(result.contact.normal, [1, 0, 0], atol=1e-3)
                self.assertTrue(toccata.within(*apart, distance=3.01))
                self.assertFalse(toccata.within(*apart, distance=2.99))
                self.assertFalse(toccata.intersects(*apart))
                self.assertTrue(toccata.intersects(a, at(-2, pose_a), b, at(-1.1, pose_b)))
                self.assertEqual(toccata.penetration(*apart).status, "separated")
                places = np.stack([at(2, pose_b), at(-1.1, pose_b), at(5, pose_b)])
                many = toccata.distances(a, at(-2, pose_a), b, places)
                np.testing.assert_allclose(many.distance, [3, 0, 6], atol=1e-6)
                self.assertEqual(toccata.intersections(a, at(-2, pose_a), b, places).tolist(), [False, True, False])

    def test_depth(self):
        for name, a, pose_a, b, pose_b in pairs():
            with self.subTest(name):
                deep = toccata.penetration(a, pose_a, b, at(0.9, pose_b))
                self.assertEqual(deep.status, "overlap_at_start")
                self.assertTrue(deep)
                self.assertLessEqual(deep.lower_depth, deep.upper_depth)
                self.assertLessEqual(deep.lower_depth, 0.1 + 1e-9)     # along x that much is enough
                self.assertGreater(deep.upper_depth, 0.0)
                # Moved out by the depth, and a hair more, they are apart.
                way = toccata.as_pose((deep.upper_depth + 1e-6) * deep.contact.normal)
                self.assertFalse(toccata.intersects(a, pose_a, b, way @ at(0.9, pose_b)))
                if not {"mesh", "height field", "compound"} & set(name.split(" and ")):
                    self.assertLessEqual(deep.upper_depth, 0.1 + 1e-4)
                    self.assertLess(deep.upper_depth - deep.lower_depth, 1e-3)

    def test_in_motion(self):
        for name, a, pose_a, b, pose_b in pairs():
            with self.subTest(name):
                motion = (at(-2, pose_a), at(2, pose_a))
                tolerance = 1e-5
                first = toccata.first_contact(a, motion, b, at(2, pose_b), tolerance=tolerance)
                self.assertEqual(first.status, "contact", first)
                self.assertLessEqual(first.time, 0.75 + 1e-12)
                self.assertAlmostEqual(first.time, 0.75, delta=1e-5)
                solver = toccata.ContactSolver(a, b, tolerance=tolerance)
                self.assertEqual(solver.first_contact(motion, at(2, pose_b)).time, first.time)
                cast = toccata.shape_cast(a, at(-2, pose_a), [4, 0, 0], b, at(2, pose_b), tolerance=tolerance)
                self.assertLessEqual(cast.time, 0.75 + 1e-12)
                self.assertAlmostEqual(cast.time, 0.75, delta=1e-5)
                self.assertFalse(toccata.shape_cast(a, at(-2, pose_a), [2.9, 0, 0], b, at(2, pose_b)))
                batch = toccata.first_contacts(a, [motion, (at(-2, pose_a), at(0, pose_a))], b, at(2, pose_b),
                                               tolerance=tolerance)
                self.assertEqual(batch.status.tolist(), [1, 0])
                self.assertEqual(batch.time[0], first.time)

                past = (a, (at(-2, pose_a, -0.1), at(-2, pose_a, 0.2)), b, at(2, pose_b))
                closest = toccata.closest_approach(*past, tolerance=1e-4)
                self.assertEqual(closest.status, "separated")
                self.assertAlmostEqual(closest.distance, 3, delta=2e-4)
                self.assertLessEqual(closest.lower_distance, 3 + 1e-12)
                many = toccata.closest_approaches(a, [past[1]], b, at(2, pose_b), tolerance=1e-4)
                self.assertAlmostEqual(many.distance[0], 3, delta=2e-4)
                touching = toccata.contact_intervals(a, motion, b, at(2, pose_b), tolerance=1e-4, time_resolution=1e-3)
                self.assertEqual(touching.status, "contact")
                self.assertAlmostEqual(touching.intervals[0].begin_lower, 0.75, delta=2e-3)


class EveryKindTest(unittest.TestCase):
    def test_rays_and_containment(self):
        for name, (shape, pose) in kinds(1).items():
            with self.subTest(name):
                place = at(-2, pose)
                self.assertEqual(toccata.point_containment([-2.1, 0.01, 0.02], shape, place), "inside")
                self.assertEqual(toccata.point_containment([0, 0, 0], shape, place), "outside")
                # Clear of the seams of the compound: parts are asked one by one.
                self.assertEqual(toccata.containment(toccata.Ball(0.05), [-2.02, 0.01, 0.02], shape, place), "inside")
                hits = toccata.ray_casts(shape, [[3, 0, 0], [3, 0, 9]], [-1, 0, 0], place)
                self.assertTrue(hits.hit[0])
                self.assertAlmostEqual(hits.parameter[0], 4.5, delta=1e-6)
                self.assertEqual(hits.hit[1], name == "half space")

    def test_first_contact_among(self):
        walls = [toccata.Body(shape, at(x, pose), name=name)
                 for x, (name, (shape, pose)) in zip(range(20, 2, -1), kinds(-1).items()) if name != "half space"]
        found = toccata.first_contact_among(toccata.Ball(0.5), ([0, 0, 0], [25, 0, 0]), walls)
        self.assertEqual(found.name, "compound")
        self.assertAlmostEqual(found.result.time, (10 - 1) / 25, delta=1e-5)
        self.assertEqual(toccata.first_contact_among(toccata.Ball(0.5), ([0, 0, 0], [25, 0, 0]), [toccata.Ball(1)]).body, 0)

    def test_view(self):
        falling = ([0, 0, 3], [0, 0, -1])
        for name, (shape, pose) in kinds(1).items():
            with self.subTest(name):
                found = toccata.first_contact(toccata.Ball(0.3), (at(3, UPRIGHT), at(0, UPRIGHT)), shape, pose)
                page = toccata.view(found, clearance_samples=3)
                self.assertIn("They first touch at t = 0.7", page.answer)
                self.assertGreater(len(page.html), 100_000)
                self.assertEqual(toccata.view(toccata.distance(toccata.Ball(0.3), [3, 0, 0], shape, pose)).answer[:9], "They are ")
        cast = toccata.shape_cast(toccata.Ball(0.3), [0, 0, 3], [0, 0, -4], toccata.HalfSpace())
        self.assertIn("They first touch at t = 0.67", toccata.view(cast, clearance_samples=0).answer)
        self.assertAlmostEqual(toccata.first_contact(toccata.Ball(0.3), falling, toccata.HalfSpace()).time, cast.time, delta=1e-6)

    def test_pickle(self):
        for name, (shape, pose) in kinds(1).items():
            with self.subTest(name):
                again = pickle.loads(pickle.dumps(shape))
                self.assertEqual(repr(again), repr(shape))
                self.assertIsNot(type(again), toccata.Shape)
                there = [1.3, 0.2, -0.1]
                self.assertEqual(float(toccata.distance(again, pose, toccata.Ball(0.1), there)),
                                 float(toccata.distance(shape, pose, toccata.Ball(0.1), there)))

    def test_what_they_tell(self):
        for name, (shape, pose) in kinds(1).items():
            with self.subTest(name):
                self.assertIsInstance(shape, toccata.Shape)
                self.assertIs(toccata.as_shape(shape), shape)
                self.assertTrue(shape.is_closed)
                self.assertGreater(shape.memory_bytes, 0)
                self.assertEqual(np.isinf(shape.size), name == "half space")
        self.assertEqual(repr(toccata.Ball(0.5)), "Ball(radius=0.5)")
        self.assertEqual(repr(toccata.Capsule(0.5, 2)), "Capsule(radius=0.5, height=2)")
        self.assertEqual(repr(toccata.HalfSpace([0, 0, 2], 1)), "HalfSpace(normal=[0, 0, 2], offset=1)")
        self.assertEqual(toccata.Capsule(0.5, 2).height, 2)
        self.assertEqual(toccata.Box([1, 2, 3], 0.1).sides.tolist(), [1, 2, 3])
        self.assertEqual(toccata.Box([1, 2, 3], 0.1).radius, 0.1)
        self.assertEqual(toccata.HalfSpace([0, 0, 2], 1).offset, 1)

    def test_display_meshes_lie_in_the_shape(self):
        for name, (shape, pose) in kinds(1).items():
            if name in ("mesh", "half space"):
                continue
            with self.subTest(name):
                mesh = shape.display_mesh()
                points = mesh.vertices @ pose[:3, :3].T + pose[:3, 3]
                self.assertAlmostEqual(np.abs(points[:, 0]).max(), 0.5, delta=0.01 * shape.size)
                self.assertTrue(mesh.is_closed)


class HullTest(unittest.TestCase):
    def test_of_a_cube_with_points_inside(self):
        rng = np.random.default_rng(3)
        corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
        points = np.concatenate([rng.uniform(-1, 1, (50, 3)), corners, corners])
        hull = toccata.ConvexHull(points)
        self.assertEqual(hull.sources.tolist(), list(range(50, 58)))
        np.testing.assert_array_equal(hull.vertices, points[hull.sources])
        self.assertEqual(len(hull.faces), 12)
        a, b, c = (hull.vertices[hull.faces[:, k]] for k in range(3))
        self.assertAlmostEqual(np.einsum("ij,ij->i", np.cross(a, b), c).sum() / 6, 8)   # outward: the volume
        with self.assertRaises(ValueError):
            hull.vertices[0, 0] = 3
        rounded = toccata.ConvexHull(points, radius=0.25)
        self.assertAlmostEqual(float(toccata.distance(rounded, None, toccata.Ball(0.5), [3, 0, 0])), 1.25)

    def test_arrays_outlive_the_hull(self):
        vertices = toccata.ConvexHull(np.eye(3)).vertices
        np.testing.assert_array_equal(vertices, np.eye(3))
        self.assertEqual(len(toccata.ConvexHull([[1, 2, 3]]).faces), 0)


class HeightFieldTest(unittest.TestCase):
    def test_rows_are_along_y(self):
        heights = np.zeros((4, 3))
        heights[3, 1] = 2.0
        field = toccata.HeightField(heights, spacing=(0.5, 2))
        hit = toccata.ray_cast(field, [0.5, 6, 10], [0, 0, -1])
        self.assertAlmostEqual(hit.point[2], 2)
        np.testing.assert_array_equal(field.heights, heights)
        self.assertEqual(field.heights.flags.writeable, False)
        self.assertEqual(field.spacing.tolist(), [0.5, 2])
        self.assertEqual(field.floor, -6)
        # Any memory layout and type
        self.assertAlmostEqual(toccata.ray_cast(toccata.HeightField(np.asfortranarray(heights), (0.5, 2)), [0.5, 6, 10],
                                                [0, 0, -1]).point[2], 2)
        self.assertEqual(toccata.HeightField(heights.astype(np.float32)).heights.dtype, np.float64)

    def test_holes(self):
        heights = np.zeros((5, 5))
        heights[2, 2] = np.nan
        field = toccata.HeightField(heights, floor=-1)
        self.assertFalse(toccata.ray_cast(field, [2.1, 2.1, 5], [0, 0, -1]))
        self.assertTrue(toccata.ray_cast(field, [0.5, 0.2, 5], [0, 0, -1]))
        self.assertFalse(toccata.intersects(toccata.Ball(0.3), [2, 2, 0], field))
        self.assertTrue(toccata.intersects(toccata.Ball(0.3), [0.5, 0.5, 0], field))


class CompoundTest(unittest.TestCase):
    def test_parts(self):
        inner = toccata.Compound([toccata.Ball(0.1), (toccata.box(), [5, 0, 0])])
        whole = toccata.Compound([(inner, [0, 0, 1]), [toccata.Box([1, 1, 1]), (np.eye(3), [0, 5, 0])]])
        self.assertEqual(repr(whole), "Compound(Compound, Box)")
        self.assertEqual([type(shape) for shape, _ in whole.parts], [toccata.Compound, toccata.Box])
        hit = toccata.ray_cast(whole, [0, 9, 0], [0, -1, 0])
        self.assertEqual(whole.part_of(hit.triangle), (2, 0))     # parts of parts count in their place
        self.assertAlmostEqual(hit.point[1], 5.5)
        part, triangle = whole.part_of(toccata.ray_cast(whole, [9, 0.1, 1.2], [-1, 0, 0]).triangle)
        self.assertEqual(part, 1)
        self.assertTrue(0 <= triangle < 12)
        with self.assertRaisesRegex(IndexError, "piece 99 of a compound"):
            whole.part_of(99)


class FirstContactFieldsTest(unittest.TestCase):
    def test_minimum_distance_and_apart_from(self):
        ball = toccata.Ball(0.5)
        near = toccata.first_contact(ball, ([-3, 0, 0], [0, 0, 0]), ball, minimum_distance=0.5)
        self.assertEqual(near.minimum_distance, 0.5)
        self.assertAlmostEqual(near.time, 0.5, delta=1e-5)
        self.assertEqual(near.apart_from, 0)
        # They touch, part at t = 0.25, and meet the other side of nothing again.
        leaving = toccata.first_contact(ball, ([0, 0, 0], [4, 0, 0]), ball, at_start="skip")
        self.assertEqual(leaving.status, "separated")
        self.assertAlmostEqual(leaving.apart_from, 0.25, delta=1e-3)
        self.assertIn("apart_from", leaving.to_dict())


class WrongInputTest(unittest.TestCase):
    def test_numbers(self):
        for make, error, message in (
            (lambda: toccata.Ball(-1), ValueError, "radius must be a finite number of at least 0, not -1"),
            (lambda: toccata.Ball(np.nan), ValueError, "radius must be a finite number"),
            (lambda: toccata.Ball("big"), TypeError, "radius must be a number, not 'big'"),
            (lambda: toccata.Capsule(1, -2), ValueError, "height must be a finite number of at least 0"),
            (lambda: toccata.Cylinder(-1, 2), ValueError, "radius must be"),
            (lambda: toccata.Cone(1, np.inf), ValueError, "height must be"),
            (lambda: toccata.Box(1), ValueError, "size must be three numbers"),
            (lambda: toccata.Box([1, 2, -3]), ValueError, "size must be three numbers of at least 0"),
            (lambda: toccata.Box([1, 2, 3], -1), ValueError, "radius must be"),
            (lambda: toccata.Ellipsoid([1, np.nan, 3]), ValueError, "radii holds NaN"),
            (lambda: toccata.HalfSpace([0, 0, 0]), ValueError, "normal must not be zero"),
            (lambda: toccata.ConvexHull(np.zeros((0, 3))), ValueError, "point"),
            (lambda: toccata.ConvexHull([[0, 0, np.inf]]), ValueError, r"points\[0\] holds infinity"),
            (lambda: toccata.ConvexHull(np.zeros((3, 4))), ValueError, r"points must have shape \(n, 3\)"),
            (lambda: toccata.HeightField([1, 2, 3]), ValueError, r"heights must have shape \(rows, columns\)"),
            (lambda: toccata.HeightField(np.zeros((1, 5))), ValueError, "at least 2"),
            (lambda: toccata.HeightField([[0, 1], [np.inf, 0]]), ValueError, "infinite"),
            (lambda: toccata.HeightField(np.zeros((2, 2)), spacing=(1, 0)), ValueError, "spacing must be two finite numbers above 0"),
            (lambda: toccata.HeightField(np.zeros((2, 2)), spacing=1), ValueError, "spacing must be two numbers"),
            (lambda: toccata.HeightField(np.zeros((2, 2)), floor=1), ValueError, "floor"),
            (lambda: toccata.HeightField("map.png"), TypeError, "heights must be"),
            (lambda: toccata.Compound([]), ValueError, "no parts"),
            (lambda: toccata.Compound(toccata.Ball(1)), TypeError, "list of pairs"),
            (lambda: toccata.Compound([(toccata.Ball(1), None, 3)]), ValueError, r"parts\[0\] must be a pair"),
            (lambda: toccata.Compound([(toccata.Ball(1), 2 * np.eye(4))]), ValueError, r"parts\[0\]\[1\]"),
            (lambda: toccata.Compound([toccata.Ball(1), "x"]), TypeError, r"parts\[1\]"),
            (lambda: toccata.Compound([toccata.HalfSpace()]), ValueError, r"parts\[0\]: a half space has no end"),
            (lambda: toccata.distance(5, None, toccata.Ball(1)), TypeError, "mesh_a must be a shape"),
            (lambda: toccata.self_intersects(toccata.Ball(1)), TypeError, "must be a mesh, and a Ball is none"),
            (lambda: toccata.save("ball.obj", toccata.Ball(1)), TypeError, "must be a mesh, and a Ball is none"),
            (lambda: toccata.shape_cast(toccata.Ball(1), None, [1, 2], toccata.Ball(1)), ValueError, "way must be three numbers"),
        ):
            with self.subTest(message), self.assertRaisesRegex(error, message):
                make()

    def test_methods_for_meshes_only(self):
        failed = toccata.first_contact(toccata.Ball(1), ([3, 0, 0], [0, 0, 0]), toccata.Ball(1), method="interval")
        self.assertEqual(failed.status, "failed")
        self.assertTrue(failed.failure)


if __name__ == "__main__":
    unittest.main()

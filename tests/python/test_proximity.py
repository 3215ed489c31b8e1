"""Bodies at rest, rays, a mesh against itself."""
import os
import threading
import pathlib
import tempfile
import unittest

import numpy as np

import toccata


class ContainmentTest(unittest.TestCase):
    def test_meshes(self):
        nut, cube = toccata.box([0.1, 0.1, 0.1]), toccata.box()
        torn = toccata.Mesh(cube.vertices, cube.faces[1:])
        two = toccata.Mesh(np.concatenate([nut.vertices, nut.vertices + [5, 0, 0]]),
                           np.concatenate([nut.faces, nut.faces + 8]))
        for inner, place, outer, answer in ((nut, None, cube, "inside"), (nut, [5, 0, 0], cube, "outside"),
                                            (nut, [0.5, 0, 0], cube, "crossing"), (two, None, cube, "mixed"),
                                            (nut, None, torn, "undefined")):
            self.assertEqual(toccata.containment(inner, place, outer), answer)
        self.assertEqual(toccata.containment(nut, [5, 0, 0], cube, [5, 0, 0]), "inside")

    def test_points_against_the_box_itself(self):
        rng = np.random.default_rng(41)
        points = rng.uniform(-1, 1, (500, 3))
        turn = toccata.rotation_about([1, 2, 3], 0.7)
        found = toccata.point_containments(points @ turn.T + [1, 2, 3], toccata.box([1, 1.5, 0.5]), (turn, [1, 2, 3]))
        inside = (np.abs(points) < [0.5, 0.75, 0.25]).all(axis=1)
        self.assertEqual([toccata.CONTAINMENTS[i] for i in found], ["inside" if i else "outside" for i in inside])
        self.assertEqual(toccata.point_containment([0.5, 0, 0], toccata.box()), "crossing")
        with self.assertRaisesRegex(ValueError, r"points\[1\] holds NaN"):
            toccata.point_containments([[0, 0, 0], [0, np.nan, 0]], toccata.box())


class WithinTest(unittest.TestCase):
    def test_against_distance(self):
        rng = np.random.default_rng(42)
        ball, cube = toccata.sphere(0.5, 2), toccata.box()
        for place in rng.normal(size=(30, 3)) * 2:
            apart = float(toccata.distance(ball, place, cube))
            for limit in (0.5 * apart, 0.99 * apart, 1.01 * apart + 1e-9, 3 * apart + 1):
                near = toccata.within(ball, place, cube, distance=limit)
                self.assertEqual(bool(near), apart <= limit)
                if near:
                    self.assertLessEqual(near.contact.distance, limit)
                else:
                    self.assertIsNone(near.contact)
        with self.assertRaisesRegex(ValueError, "distance must be"):
            toccata.within(ball, None, cube, distance=-1)


class SignedDistanceTest(unittest.TestCase):
    def test_against_the_box_formula(self):
        rng = np.random.default_rng(47)
        points = rng.uniform(-1.5, 1.5, size=(500, 3))
        beyond = np.abs(points) - 0.5
        truth = np.linalg.norm(np.maximum(beyond, 0), axis=1) + np.minimum(beyond.max(axis=1), 0)
        for shape in (toccata.box(), toccata.Box([1, 1, 1])):
            found = toccata.signed_distance(points, shape)
            np.testing.assert_allclose(found.distance, truth, atol=1e-12)
            self.assertTrue((found.lower <= truth + 1e-15).all() and (found.upper >= truth - 1e-15).all())
            np.testing.assert_array_equal(found.side == 0, truth < 0)
            apart = np.linalg.norm(found.point - points, axis=1)
            np.testing.assert_allclose(apart, np.abs(truth), atol=1e-9)

    def test_open_meshes_have_no_sign(self):
        box = toccata.box()
        lid = toccata.Mesh(box.vertices, box.faces[:-1])
        found = toccata.signed_distance([0, 0, 0], lid)
        self.assertEqual(toccata.CONTAINMENTS[found.side[0]], "undefined")
        self.assertEqual(found.distance[0], 0.5)

    def test_what_is_wrong_is_said(self):
        with self.assertRaisesRegex(ValueError, r"points\[1\] holds NaN"):
            toccata.signed_distance([[0, 0, 0], [0, np.nan, 0]], toccata.box())
        with self.assertRaisesRegex(ValueError, "limit must be"):
            toccata.signed_distance([[0, 0, 0]], toccata.box(), limit=-1)
        self.assertEqual(len(toccata.signed_distance(np.zeros((0, 3)), toccata.box())), 0)


class RayCastTest(unittest.TestCase):
    def test_against_slabs(self):
        rng = np.random.default_rng(43)
        origins = rng.normal(size=(400, 3)) * 2
        origins = origins[(np.abs(origins) > 0.5).any(axis=1)][:300]
        directions = 0.7 * rng.normal(size=origins.shape) - origins
        batch = toccata.ray_casts(toccata.box(), origins, directions)
        near, far = np.sort([(-0.5 - origins) / directions, (0.5 - origins) / directions], axis=0)
        enter, leave = near.max(axis=1), far.min(axis=1)
        hit = (enter <= leave) & (leave >= 0)
        np.testing.assert_array_equal(batch.hit, hit)
        self.assertGreater(hit.sum(), 20)
        np.testing.assert_allclose(batch.parameter[hit], enter[hit], rtol=1e-12)
        np.testing.assert_allclose(batch[hit].point, (origins + enter[:, None] * directions)[hit], atol=1e-12)
        self.assertTrue((batch.triangle[~hit] == -1).all())
        row = int(np.flatnonzero(hit)[0])
        single = toccata.ray_cast(toccata.box(), origins[row], directions[row])
        self.assertEqual(single.to_dict(), batch[row].to_dict())
        triangles, parameters = toccata.ray_crossings(toccata.box(), origins[row], directions[row])
        self.assertEqual((triangles[0], parameters[0]), (single.triangle, single.parameter))
        np.testing.assert_allclose(parameters[-1], leave[row], rtol=1e-12)

    def test_limit_and_pose(self):
        cube = toccata.box()
        self.assertFalse(toccata.ray_cast(cube, [-3, 0, 0], [1, 0, 0], limit=2))
        self.assertTrue(toccata.ray_cast(cube, [-3, 0, 0], [1, 0, 0], [-1, 0, 0], limit=2))
        self.assertEqual(repr(toccata.ray_cast(cube, [-3, 0, 0], [-1, 0, 0])), "RayCastResult(no hit)")

    def test_errors(self):
        cube = toccata.box()
        for call, kind, message in (
            (lambda: toccata.ray_casts(cube, np.zeros((3, 3)), np.zeros((2, 3))), ValueError, "3 origins but 2 dir"),
            (lambda: toccata.ray_casts(cube, np.zeros((3, 3)), [[1, 0, 0], [0, 0, 0], [1, 0, 0]]), ValueError,
             r"directions\[1\] must not be zero"),
            (lambda: toccata.ray_casts(cube, [[0, 0, np.inf]], [[1, 0, 0]]), ValueError, r"origins\[0\] holds inf"),
            (lambda: toccata.ray_casts(cube, np.zeros((3, 2)), np.ones((3, 3))), ValueError, "origins must have shape"),
            (lambda: toccata.ray_casts(cube, np.zeros((3, 3), complex), [1, 0, 0]), TypeError, "origins.*complex128"),
            (lambda: toccata.ray_cast(cube, [0, 0, 0], [1, 0, 0], limit=-1), ValueError, "limit"),
        ):
            with self.subTest(message=message), self.assertRaisesRegex(kind, message):
                call()


class SelfIntersectionTest(unittest.TestCase):
    def test_against_every_pair(self):
        rng = np.random.default_rng(44)
        sheet = toccata.sheet(5, 5)
        crumpled = sheet.vertices + 0.15 * rng.normal(size=sheet.vertices.shape)
        mesh = toccata.Mesh(crumpled, sheet.faces)
        found = {tuple(pair) for pair in toccata.self_intersects(mesh).pairs.tolist()}
        expected = set()
        for i in range(len(mesh.faces)):
            for j in range(i):
                if not set(mesh.faces[i]) & set(mesh.faces[j]):
                    one, other = (toccata.Mesh(crumpled, mesh.faces[[k]]) for k in (i, j))
                    if toccata.intersects(one, None, other):
                        expected.add((j, i))
        apart = {pair for pair in found if not set(mesh.faces[pair[0]]) & set(mesh.faces[pair[1]])}
        self.assertEqual(apart, expected)
        self.assertGreater(len(expected), 3)
        checker = toccata.SelfIntersectionChecker(sheet)
        np.testing.assert_array_equal(checker.check(crumpled).pairs, toccata.self_intersects(mesh).pairs)
        np.testing.assert_array_equal(
            checker.check(crumpled, curvature_test=False).pairs, toccata.self_intersects(mesh).pairs)
        self.assertEqual(len(toccata.self_intersects(mesh, first_only=True)), 1)
        self.assertFalse(checker.check(sheet.vertices))
        with self.assertRaisesRegex(ValueError, "35 points, but the mesh has 36"):
            checker.check(sheet.vertices[1:])


class ContactSolverTest(unittest.TestCase):
    def test_answers_are_those_of_the_function(self):
        rng = np.random.default_rng(45)
        ball, cube = toccata.sphere(0.4, 2), toccata.box()
        solver = toccata.ContactSolver(ball, cube, tolerance=1e-6)
        place, touched = np.array([1.1, 0, 0]), 0
        for _ in range(60):
            step = place + 0.15 * rng.normal(size=3)
            found, single = solver.first_contact((place, step)), toccata.first_contact(ball, (place, step), cube, tolerance=1e-6)
            mine, other = found.to_dict(), single.to_dict()
            del mine["stats"], other["stats"]
            self.assertEqual(mine, other)
            near = solver.closest_approach((place, step), tolerance=1e-6)
            self.assertAlmostEqual(
                near.distance, toccata.closest_approach(ball, (place, step), cube, tolerance=1e-6).distance, 5)
            touched += bool(found)
            if not found:
                place = step
        self.assertGreater(touched, 1)
        self.assertIn("touch", toccata.view(solver.first_contact((place, [0, 0, 0]))).answer)

    def test_threads_take_turns(self):
        cube = toccata.box()
        solver = toccata.ContactSolver(cube, cube)
        # a motion of Python's wants the GIL while the solver is taken
        swing = toccata.CustomMotion(lambda t: [3 - 2.5 * t, 0, 0], speed=2.5, angular_speed=0, acceleration=0,
                                     angular_acceleration=0)
        times = []

        def ask():
            for _ in range(5):
                times.append(solver.first_contact(swing).time)

        threads = [threading.Thread(target=ask) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        self.assertEqual(len(times), 20)
        np.testing.assert_allclose(times, 0.8, atol=1e-5)

    def test_solids_and_options(self):
        nut, cube = toccata.box([0.1, 0.1, 0.1]), toccata.box()
        self.assertEqual(toccata.ContactSolver(nut, cube, solid=True).first_contact(None).inside, "first_in_second")
        near = toccata.ContactSolver(cube, cube, minimum_distance=0.5).first_contact(([-3, 0, 0], [0, 0, 0]))
        self.assertAlmostEqual(near.time, 0.5, 5)
        with self.assertRaisesRegex(ValueError, "'advancement'"):
            toccata.ContactSolver(cube, cube, method="magic")


class AccelerationTest(unittest.TestCase):
    def test_bounds_make_near_passes_cheap(self):
        cube = toccata.box()
        poses = []

        def arc(t):
            poses.append(t)
            return [3 - 6 * t, 1.001 + 0.5 * (2 * t - 1) ** 2, 0]

        bounds = {"speed": 6.4, "angular_speed": 0}
        slow = toccata.closest_approach(cube, toccata.CustomMotion(arc, **bounds), cube, tolerance=1e-3)
        first_order = len(poses)
        poses.clear()
        fast = toccata.closest_approach(
            cube, toccata.CustomMotion(arc, **bounds, acceleration=4, angular_acceleration=0), cube, tolerance=1e-3)
        self.assertAlmostEqual(slow.distance, 0.001, 3)
        self.assertAlmostEqual(fast.distance, 0.001, 3)
        self.assertLess(len(poses), first_order)
        with self.assertRaisesRegex(ValueError, "both"):
            toccata.CustomMotion(arc, **bounds, acceleration=4)
        with self.assertRaisesRegex(ValueError, "acceleration must be"):
            toccata.CustomMotion(arc, **bounds, acceleration=-4, angular_acceleration=0)


class SolidPenetration(unittest.TestCase):
    def test_deepest_points_of_boxes(self):
        box = toccata.box([2, 2, 2])
        deep = toccata.penetration(box, None, box, [1.5, 0.3, 0.2], solid=True, absolute_error=1e-6)
        for side in (deep.a_in_b, deep.b_in_a):
            self.assertLessEqual(side.lower, 0.5)
            self.assertGreaterEqual(side.upper, 0.5)
            self.assertLessEqual(side.upper - side.lower, 1e-6)
        self.assertGreaterEqual(deep.upper_depth, deep.lower_depth)
        self.assertIsNone(toccata.penetration(box, None, box, [1.5, 0.3, 0.2]).a_in_b)
        without = toccata.penetration(box, None, box, [1.5, 0.3, 0.2], solid=True, with_way_out=False)
        self.assertIsNone(without.contact)
        self.assertEqual(without.upper_depth, np.inf)
        rows = toccata.penetrations(box, [[1.5, 0.3, 0.2], [5, 0, 0]], box, solid=True)
        self.assertEqual(rows[0].a_in_b.lower, toccata.penetration(box, [1.5, 0.3, 0.2], box, solid=True).a_in_b.lower)
        self.assertIsNone(rows[1].a_in_b)

    def test_open_meshes_are_refused(self):
        sheet = toccata.sheet(2, 2)
        self.assertIn("not closed", toccata.penetration(sheet, None, toccata.box(), solid=True).failure)


class DistanceFields(unittest.TestCase):
    def test_level_sets_of_openvdb(self):
        field = toccata.DistanceField(toccata.box(), error=0.02)
        path = os.path.join(tempfile.mkdtemp(), "box.vdb")
        try:
            voxels = field.save_openvdb(path, voxel=0.1)
        except ImportError as problem:
            self.assertIn("OpenVDB", str(problem))
            self.skipTest(str(problem))
        self.assertGreater(voxels, 500)
        with open(path, "rb") as file:
            self.assertEqual(file.read(4), b" BDV")
        with self.assertRaisesRegex(ValueError, "exists"):
            field.save_openvdb(path, force=False)
        with self.assertRaisesRegex(ValueError, "half_width"):
            field.save_openvdb(path, half_width=1)
        opened = toccata.Mesh(toccata.box().vertices, toccata.box().faces[:-1])
        with self.assertRaisesRegex(ValueError, "closed"):
            toccata.DistanceField(opened, error=0.02).save_openvdb(path)

    def test_intervals_hold_exact_distances(self):
        mesh = toccata.sphere(1.0)
        field = toccata.DistanceField(mesh, error=0.02)
        points = np.random.default_rng(3).uniform(-1.5, 1.5, (500, 3))
        exact, found = toccata.signed_distance(points, mesh), field.at(points)
        self.assertTrue((found.lower <= exact.upper).all() and (found.upper >= exact.lower).all())
        self.assertLessEqual((found.upper - found.lower).max(), 0.04 * 1.001)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "ball.field"
            field.save(path)
            again = toccata.DistanceField.load(path).at(points)
            np.testing.assert_array_equal(again.lower, found.lower)
            path.write_bytes(path.read_bytes()[:-1])
            with self.assertRaisesRegex(ValueError, "promises"):
                toccata.DistanceField.load(path)
        with self.assertRaisesRegex(ValueError, "triangles"):
            toccata.DistanceField(toccata.Mesh(np.zeros((0, 3)), np.zeros((0, 3), dtype=np.int32)))


if __name__ == "__main__":
    unittest.main()

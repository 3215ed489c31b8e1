"""Batches equal their single answers, and can be cut into parts."""
import pickle
import unittest

import numpy as np

import toccata


def random_motions(rng, count):
    sevens = np.concatenate([rng.normal(size=(count, 2, 3)) * 1.5, rng.normal(size=(count, 2, 4))], axis=2)
    sevens[:, :, 3:] /= np.linalg.norm(sevens[:, :, 3:], axis=2, keepdims=True)
    return sevens


class FirstContactsTest(unittest.TestCase):
    def setUp(self):
        rng = np.random.default_rng(31)
        self.ball, self.cube = toccata.sphere(0.4, 2), toccata.box()
        self.motions = random_motions(rng, 60)
        self.others = random_motions(rng, 60)

    def test_arrays_equal_single_answers(self):
        batch = toccata.first_contacts(self.ball, self.motions, self.cube, self.others)
        self.assertGreater(batch.touches.sum(), 5)
        self.assertGreater(batch.free.sum(), 3)
        for i in range(0, 60, 7):
            single = toccata.first_contact(self.ball, self.motions[i], self.cube, self.others[i])
            self.assertEqual((single.status, single.time), (toccata.STATUSES[batch.status[i]], batch.time[i]))
            self.assertEqual(batch[i].to_dict(), single.to_dict())

    def test_one_motion_for_all(self):
        for alone in (toccata.FixedMotion([0.5, 0, 0]), toccata.as_pose([0.5, 0, 0]), np.array([0.5, 0, 0])):
            batch = toccata.first_contacts(self.ball, self.motions, self.cube, alone)
            other = toccata.first_contacts(self.ball, self.motions, self.cube, [[0.5, 0, 0]] * 60)
            np.testing.assert_array_equal(batch.time, other.time)
        moving = toccata.RigidMotion([-3, 0, 0], [3, 0, 0])
        self.assertEqual(len(toccata.first_contacts(self.ball, moving, self.cube, self.others)), 60)
        self.assertEqual(len(toccata.first_contacts(self.ball, moving, self.cube)), 1)

    def test_parts(self):
        batch = toccata.first_contacts(self.ball, self.motions, self.cube, self.others)
        touching = batch[batch.touches]
        self.assertIsInstance(touching, toccata.FirstContactBatch)
        self.assertEqual(len(touching), batch.touches.sum())
        np.testing.assert_array_equal(touching.trial, np.flatnonzero(batch.touches))
        np.testing.assert_array_equal(touching.point_a, batch.point_a[batch.touches])
        again = touching[::-1][1:3]
        np.testing.assert_array_equal(again.trial, np.flatnonzero(batch.touches)[::-1][1:3])
        self.assertEqual(again[0].to_dict(), batch[int(again.trial[0])].to_dict())
        self.assertEqual(len(batch[[]]), 0)
        np.testing.assert_array_equal(batch[[3, -1]].trial, [3, 59])
        self.assertEqual([row.time for row in batch[:4]], batch.time[:4].tolist())
        with self.assertRaises(ValueError):
            touching.time[0] = 0
        for key, kind in (([60], IndexError), (60, IndexError), (np.ones(5, bool), IndexError), (True, TypeError),
                          ([0.5], TypeError), ("first", TypeError), (np.zeros((2, 2), int), TypeError)):
            with self.subTest(key=key), self.assertRaises(kind):
                batch[key]

    def test_parts_are_shown_and_kept(self):
        batch = toccata.first_contacts(self.ball, self.motions, self.cube)
        part = batch[batch.touches]
        report = toccata.view(part, names=("ball", "cube")).report
        self.assertEqual(len(report["results"]), len(part))
        self.assertEqual([result["time"] for result in report["results"]], part.time.tolist())
        self.assertEqual([body["name"] for body in report["bodies"]], ["ball", "cube"])
        self.assertEqual(str(part), f"{len(part)} of {len(part)} trials touch.")
        kept = pickle.loads(pickle.dumps(part))
        self.assertEqual(str(kept), str(part))
        np.testing.assert_array_equal(kept[1:].trial, part[1:].trial)
        with self.assertRaisesRegex(TypeError, "pickle"):
            kept[0]

    def test_empty(self):
        for empty in ([], np.zeros((0, 2, 4, 4)), (np.zeros((0, 4, 4)), np.zeros((0, 4, 4)))):
            batch = toccata.first_contacts(self.ball, empty, self.cube)
            self.assertEqual((len(batch), batch.touches.sum(), batch.point_a.shape), (0, 0, (0, 3)))
        self.assertEqual(len(toccata.closest_approaches(self.ball, [], self.cube)), 0)
        self.assertEqual(len(toccata.distances(self.ball, [], self.cube)), 0)
        self.assertEqual(toccata.intersections(self.ball, [], self.cube).shape, (0,))
        self.assertEqual(len(toccata.ray_casts(self.ball, np.zeros((0, 3)), np.zeros((0, 3)))), 0)

    def test_wrong_counts(self):
        with self.assertRaisesRegex(ValueError, "60 motions_a but 10 motions_b"):
            toccata.first_contacts(self.ball, self.motions, self.cube, self.others[:10])
        with self.assertRaisesRegex(ValueError, "2 poses_a but 3 poses_b"):
            toccata.distances(self.ball, np.zeros((2, 3)), self.cube, np.zeros((3, 3)))


class OtherBatchesTest(unittest.TestCase):
    def test_closest_approaches(self):
        rng = np.random.default_rng(32)
        ball, cube = toccata.sphere(0.4, 1), toccata.box()
        motions = random_motions(rng, 20)
        batch = toccata.closest_approaches(ball, motions, cube, tolerance=1e-6)
        for i in range(20):
            single = toccata.closest_approach(ball, motions[i], cube, tolerance=1e-6)
            self.assertEqual((single.status, single.time, single.distance),
                             (toccata.STATUSES[batch.status[i]], batch.time[i], batch.distance[i]))
            self.assertEqual(batch[i].to_dict(), single.to_dict())
        apart = batch[batch.status == 0]
        self.assertGreater(len(apart), 2)
        self.assertTrue((apart.lower_distance <= apart.distance).all())
        self.assertEqual(toccata.view(batch[0]).answer, batch[0].sentence)

    def test_distances_and_intersections(self):
        rng = np.random.default_rng(33)
        ball, cube = toccata.sphere(0.6, 2), toccata.box()
        poses = toccata.as_poses(random_motions(rng, 40)[:, 0])
        batch = toccata.distances(ball, poses, cube)
        meet = toccata.intersections(ball, poses, cube)
        self.assertEqual(meet.dtype, bool)
        self.assertGreater(meet.sum(), 3)
        np.testing.assert_array_equal(meet, batch.distance == 0)
        for i in range(40):
            single = toccata.distance(ball, poses[i], cube)
            self.assertEqual(batch[i].to_dict(), single.to_dict())
            self.assertEqual(bool(meet[i]), toccata.intersects(ball, poses[i], cube))
        swapped = toccata.distances(cube, None, ball, poses)
        np.testing.assert_array_equal(swapped.distance, batch.distance)
        np.testing.assert_array_equal(toccata.distances(ball, poses, cube, threads=1).distance, batch.distance)
        self.assertIn("apart", toccata.view(batch[~meet][0]).answer)
        limited = toccata.distances(ball, poses, cube, limit=0.1)
        np.testing.assert_array_equal(np.isfinite(limited.distance), batch.distance <= 0.1)

    def test_pairs_of_many_shapes(self):
        rng = np.random.default_rng(35)
        poses = toccata.as_poses(random_motions(rng, 30)[:, 0])
        kinds = [toccata.Box([1, 2, 0.5]), toccata.Ball(0.4), toccata.ConvexHull(rng.normal(size=(30, 3)))]
        many = [kinds[i % 3] for i in range(30)]
        batch = toccata.distances(many, poses, toccata.Capsule(0.3, 1))
        depths = toccata.penetrations(many, poses, toccata.Capsule(0.3, 1))
        meet = toccata.intersections(many, poses, toccata.Capsule(0.3, 1))
        np.testing.assert_array_equal(meet, depths.overlaps)
        self.assertGreater(meet.sum(), 2)
        for i in range(30):
            pair = many[i], poses[i], toccata.Capsule(0.3, 1)
            self.assertEqual(batch[i].to_dict(), toccata.distance(*pair).to_dict())
            self.assertEqual(depths[i].to_dict(), toccata.penetration(*pair).to_dict())
        one = toccata.penetrations(many, poses, toccata.Capsule(0.3, 1), threads=1)
        np.testing.assert_array_equal(one.upper_depth, depths.upper_depth)
        self.assertEqual(len(toccata.distances(kinds, None, [toccata.Ball(1)] * 3)), 3)
        with self.assertRaisesRegex(ValueError, "3 shapes in mesh_a but 30 rows"):
            toccata.distances(kinds, poses, toccata.Ball(1))
        with self.assertRaisesRegex(ValueError, "method must be one of 'gjk', 'feature_walk', 'levels'"):
            toccata.distance(kinds[0], None, kinds[1], method="gilbert")

    def test_methods_give_one_answer(self):
        rng = np.random.default_rng(36)
        hulls = [toccata.ConvexHull(rng.normal(size=(n, 3))) for n in (200, 40)]
        poses = toccata.as_poses(random_motions(rng, 50)[:, 0] * [4, 4, 4, 1, 1, 1, 1])
        plain = toccata.distances(hulls[0], poses, hulls[1])
        for method in ("feature_walk", "levels"):
            other = toccata.distances(hulls[0], poses, hulls[1], method=method)
            np.testing.assert_allclose(other.distance, plain.distance, rtol=0, atol=1e-13)
            np.testing.assert_array_equal(other.distance == 0, plain.distance == 0)

    def test_still_apart(self):
        rng = np.random.default_rng(37)
        poses = toccata.as_poses(random_motions(rng, 200)[:, 0] * [3, 3, 3, 1, 1, 1, 1])
        box, ball = toccata.Box([1, 1, 2]), toccata.Ball(0.3)
        batch = toccata.distances(box, poses, ball)
        apart = toccata.still_apart(box, poses, ball, None, batch.normal)
        np.testing.assert_array_equal(apart, batch.distance > 0)
        np.testing.assert_array_equal(toccata.still_apart(box, poses, ball, None, batch.normal, distance=0.5),
                                      batch.lower_distance > 0.5)
        self.assertFalse(toccata.still_apart(box, poses, ball, None, np.zeros((200, 3))).any())
        with self.assertRaisesRegex(ValueError, r"axes must have the shape \(200, 3\)"):
            toccata.still_apart(box, poses, ball, None, batch.normal[:3])

    def test_parts_of_impacts_and_contacts(self):
        rng = np.random.default_rng(34)
        start, end = rng.uniform(-1, 1, (200, 4, 3)), rng.uniform(-1, 1, (200, 4, 3))
        batch = toccata.edge_edge_impact(start, end)
        mask = rng.uniform(size=200) < 0.4
        part = batch[mask]
        whole = toccata.edge_edge_impact(start[mask], end[mask])
        self.assertEqual(len(part), mask.sum())
        for name in ("stage", "indices", "status", "time", "weights", "point"):
            np.testing.assert_array_equal(getattr(part, name), getattr(whole, name))
        np.testing.assert_array_equal(batch[::-1].times, batch.times[::-1])
        self.assertEqual(part[0].to_dict(), batch[int(np.flatnonzero(mask)[0])].to_dict())

        cloth = toccata.sheet(6, 6)
        moved = cloth.vertices + 0.3 * rng.normal(size=cloth.vertices.shape)
        contacts = toccata.ccd(cloth.vertices, moved, cloth.faces)
        early = contacts[contacts.time < 0.5]
        self.assertIsInstance(early, toccata.DeformableContacts)
        self.assertTrue(0 < len(early) < len(contacts))
        self.assertEqual(early[0].to_dict(), contacts[int(np.flatnonzero(contacts.time < 0.5)[0])].to_dict())
        shown = toccata.view(early).report["sequence"]["steps"][0]
        self.assertEqual(shown["vertex_face"] + shown["edge_edge"], len(early))
        self.assertEqual(toccata.view(early).answer, str(early))


class AmongTest(unittest.TestCase):
    def test_who_is_hit(self):
        rng = np.random.default_rng(35)
        ball = toccata.sphere(0.3, 1)
        meshes = [toccata.box(rng.uniform(0.2, 1, 3)) for _ in range(12)]
        bodies = [toccata.Body(mesh, ([*rng.normal(size=2) * 2, 3], [*rng.normal(size=2) * 2, -3]), name=f"part {i}")
                  for i, mesh in enumerate(meshes)]
        touched = 0
        for _ in range(15):
            motion = (rng.normal(size=3) * 2, rng.normal(size=3) * 2)
            hit = toccata.first_contact_among(ball, motion, bodies)
            singles = [toccata.first_contact(ball, motion, body.mesh, body.motion) for body in bodies]
            times = [single.time if single else np.inf for single in singles]
            if np.isinf(min(times)):
                self.assertFalse(hit)
                self.assertEqual((hit.body, hit.name, str(hit)), (None, "", "They do not touch."))
                continue
            touched += 1
            self.assertEqual((hit.body, hit.name), (int(np.argmin(times)), f"part {int(np.argmin(times))}"))
            self.assertEqual(hit.result.to_dict(), singles[hit.body].to_dict())
            self.assertEqual(hit.all.time.tolist(), [single.time for single in singles])
            self.assertTrue(str(hit).startswith(f"part {hit.body}: "))
        self.assertGreater(touched, 3)

    def test_what_is_undecided_comes_first(self):
        cube = toccata.box()
        wall, turning = toccata.Body(cube, [4, 0, 0]), toccata.Body(cube, (([0, 1, 0, 0], [2, 0.9, 0]), [2, 0.9, 2]))
        hit = toccata.first_contact_among(cube, ([0, 0, 0], [8, 0, 0]), [wall, turning], budget=1)
        self.assertEqual(hit.result.status, "out_of_budget")
        self.assertTrue(hit)

    def test_solids_and_names(self):
        nut, cube = toccata.box([0.1, 0.1, 0.1]), toccata.box()
        hit = toccata.first_contact_among(nut, None, [toccata.Body(cube, [5, 0, 0]), toccata.Body(cube, solid=True)], solid=True)
        self.assertEqual((hit.body, hit.name, hit.result.inside), (1, "body 1", "first_in_second"))
        page = toccata.view(hit, names=("nut", "?"))
        self.assertEqual([body["name"] for body in page.report["bodies"]], ["nut", "body 1"])
        self.assertEqual(page.answer, "nut is inside body 1 at the start.")
        with self.assertRaisesRegex(ValueError, "different bodies"):
            toccata.view(hit.all)
        with self.assertRaisesRegex(ValueError, "empty"):
            toccata.first_contact_among(nut, None, [])
        with self.assertRaisesRegex(TypeError, r"bodies\[1\].mesh"):
            toccata.first_contact_among(nut, None, [cube, 3])


if __name__ == "__main__":
    unittest.main()

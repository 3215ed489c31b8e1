import math
import pickle
import unittest

import numpy as np

import toccata


def moved(mesh, pose):
    return mesh.vertices @ pose[:3, :3].T + pose[:3, 3]


def exact_translation_contact(a, from_a, to_a, b):
    """Under translations every vertex moves straight, so the exact deformable answer applies."""
    scene = toccata.DeformableScene([a, b])
    scene.update(
        np.concatenate([a.vertices + from_a, b.vertices]), np.concatenate([a.vertices + to_a, b.vertices])
    )
    return scene.first_contact(scope="between_objects")


class FirstContactTest(unittest.TestCase):
    def test_boxes(self):
        cube = toccata.box()
        result = toccata.first_contact(cube, ([-3, 0, 0], [0, 0, 0]), cube, tolerance=1e-9)
        self.assertTrue(result)
        self.assertLessEqual(result.time, 2 / 3)
        self.assertAlmostEqual(result.time, 2 / 3, places=8)
        self.assertAlmostEqual(float(np.linalg.norm(result.contact.normal)), 1.0)
        self.assertGreater(result.contact.normal[0], 0.5)  # from a to b; at an edge it may lean
        self.assertAlmostEqual(result.pose_a[0, 3], -1, places=7)

    def test_translations_against_the_exact_answer(self):
        rng = np.random.default_rng(21)
        ball, knob = toccata.sphere(0.5, 2), toccata.box([0.3, 0.5, 0.9])
        touching = 0
        for _ in range(60):
            start, end = rng.normal(size=3) * 1.5, rng.normal(size=3) * 0.8
            exact = exact_translation_contact(ball, start, end, knob)
            result = toccata.first_contact(ball, (start, end), knob, tolerance=1e-9)
            if exact.status == "overlap_at_start":
                self.assertEqual(result.status, "overlap_at_start")
            elif exact:
                touching += 1
                self.assertLessEqual(result.time, exact.upper)
                # at the reported time they are within the tolerance, so nearly at the exact one
                self.assertLessEqual(result.distance, 1e-9 * 1.001)
            elif result:  # a near miss within the tolerance
                self.assertLessEqual(result.distance, 1e-9 * 1.001)
        self.assertGreater(touching, 5)

    def test_rotation_is_never_late(self):
        # A bar turns by a quarter and meets a small box that lies at 45 degrees.
        bar, stop = toccata.box([4, 0.1, 0.1]), toccata.box([0.1, 0.1, 0.1])
        place = toccata.as_pose([1, 1, 0])
        spin = toccata.RigidMotion(angular_velocity=[0, 0, math.pi / 2])
        result = toccata.first_contact(bar, spin, stop, place, tolerance=1e-8)
        self.assertTrue(result)
        # the corner of the stop nearest to the bar, turned into the bar's frame, is on its upper side then
        turned = moved(stop, np.linalg.inv(spin(result.time)) @ place)
        self.assertAlmostEqual(turned[:, 1].min(), 0.05, places=7)
        self.assertGreaterEqual(turned[:, 1].min(), 0.05 - 1e-12)

    def test_the_forms_of_arguments(self):
        cube = toccata.box()
        expected = toccata.first_contact(cube, ([-3, 0, 0], [0, 0, 0]), cube).time
        identity = ([1, 0, 0, 0], [0, 0, 0])
        for mesh, motion, other in (
            ((cube.vertices, cube.faces), toccata.RigidMotion([-3, 0, 0], [0, 0, 0]), None),
            (cube, (toccata.as_pose([-3, 0, 0]), np.eye(4)), identity),
            (cube, (([1, 0, 0, 0], [-3, 0, 0]), (np.eye(3), [0, 0, 0])), np.eye(4)),
        ):
            self.assertEqual(toccata.first_contact(mesh, motion, cube, other).time, expected)

    def test_all_contacts(self):
        cube = toccata.box()
        contacts = toccata.all_contacts(cube, ([-3, 0, 0], [0, 0, 0]), cube)
        self.assertGreater(len(contacts), 1)
        pairs = [(contact.triangle_a, contact.triangle_b) for contact in contacts]
        self.assertEqual(pairs, sorted(set(pairs)))
        self.assertEqual(toccata.all_contacts(cube, ([-3, 0, 5], [0, 0, 5]), cube), [])

    def test_minimum_distance(self):
        cube = toccata.box()
        result = toccata.first_contact(cube, ([-3, 0, 0], [0, 0, 0]), cube, minimum_distance=0.5)
        self.assertAlmostEqual(result.time, 0.5, places=5)
        self.assertLessEqual(result.time, 0.5)

    def test_batches_equal_single_answers(self):
        rng = np.random.default_rng(22)
        ball, cube = toccata.sphere(0.4, 2), toccata.box()
        trials = [
            toccata.RigidMotion(rng.normal(size=3) * 2, rng.normal(size=3) * 0.5) for _ in range(100)
        ]
        batch = toccata.first_contacts(ball, trials, cube)
        self.assertGreater(batch.touches.sum(), 10)
        self.assertGreater((~batch.touches).sum(), 3)
        for i in range(0, 100, 7):
            single = toccata.first_contact(ball, trials[i], cube)
            self.assertEqual(single.status, toccata.STATUSES[batch.status[i]])
            self.assertEqual(single.time, batch.time[i])
            self.assertEqual(batch[i].time, single.time)
        again = toccata.first_contacts(ball, trials, cube, threads=1)
        np.testing.assert_array_equal(again.time, batch.time)

    def test_custom_motion(self):
        cube = toccata.box()
        # the same straight motion, by a function with an honest bound
        motion = toccata.CustomMotion(lambda t: [-3 + 3 * t, 0, 0], speed=3, angular_speed=0)
        result = toccata.first_contact(cube, motion, cube, tolerance=1e-6)
        self.assertLessEqual(result.time, 2 / 3)
        self.assertAlmostEqual(result.time, 2 / 3, places=5)

    def test_errors_of_a_custom_motion_come_through(self):
        cube = toccata.box()

        def broken(t):
            if t > 0.3:
                raise RuntimeError("lost the track")
            return [-3 + 3 * t, 0, 0]

        motion = toccata.CustomMotion(broken, speed=3, angular_speed=0)
        with self.assertRaisesRegex(RuntimeError, "lost the track"):
            toccata.first_contact(cube, motion, cube)
        with self.assertRaisesRegex(RuntimeError, "lost the track"):
            toccata.first_contacts(cube, [motion] * 20, cube)

    def test_all_methods_find_the_same_contact(self):
        ball, bar = toccata.sphere(0.3, 1), toccata.box([2, 0.2, 0.2])
        turned = (toccata.rotation_about([1, 2, 3], 1.0), [0.2, 0.1, 0])
        scenes = {"advancement": None, "controlled": None, "interval": None, "screw": None}
        for method in scenes:
            hit = toccata.first_contact(ball, ([-3, 0.1, 0.2], [3, 0, 0.1]), bar, method=method)
            turning = toccata.first_contact(bar, toccata.ScrewMotion(None, turned), ball, [0, 0.6, 0], method=method)
            miss = toccata.first_contact(ball, ([-3, 2, 0], [3, 2, 0]), bar, method=method)
            self.assertEqual((hit.status, miss.status), ("contact", "separated"), method)
            scenes[method] = (hit.time, turning.status, turning.time)
        first = scenes["advancement"]
        for method, (time, status, turned_time) in scenes.items():
            self.assertAlmostEqual(time, first[0], 4, method)
            self.assertEqual(status, first[1], method)
            self.assertAlmostEqual(turned_time, first[2], 4, method)
        batch = toccata.first_contacts(ball, [([-3, y, 0], [3, y, 0]) for y in (0, 0.3, 2)], bar, method="controlled")
        self.assertEqual(batch.touches.tolist(), [True, True, False])

    def test_pickle_and_to_dict(self):
        cube = toccata.box()
        result = toccata.first_contact(cube, ([-3, 0, 0], [0, 0, 0]), cube)
        again = pickle.loads(pickle.dumps(result))
        self.assertEqual(again.to_dict(), result.to_dict())
        self.assertEqual(again.to_dict()["contact"]["feature_a"], list(result.contact.feature_a))
        batch = toccata.first_contacts(cube, [([-3, 0, 0], [0, 0, 0])] * 3, cube)
        np.testing.assert_array_equal(pickle.loads(pickle.dumps(batch)).time, batch.time)

    def test_errors(self):
        cube = toccata.box()
        for call, kind, message in (
            (lambda: toccata.first_contact(cube, np.eye(3), cube), ValueError, "motion_a must be a 4x4"),
            (lambda: toccata.first_contact("a.stl", None, cube), TypeError, "toccata.load"),
            (lambda: toccata.first_contact(cube, None, cube, method="magic"), ValueError, "'advancement'"),
            (lambda: toccata.first_contact(cube, None, cube, tolerance=math.nan), ValueError, "tolerance"),
            (lambda: toccata.first_contact(cube, None, cube, tolerance=-1e-6), ValueError, "relative_tolerance"),
            (lambda: toccata.first_contact(cube, None, cube, relative_tolerance=0), ValueError, "above 0"),
            (lambda: toccata.first_contact(cube, None, cube, at_start="later"), ValueError, "'report', 'skip'"),
            (lambda: toccata.first_contact(cube, None, cube, solid=(True,)), ValueError, "pair"),
            (lambda: toccata.first_contacts(cube, [None] * 3, cube, [None] * 2), ValueError, "one of each"),
        ):
            with self.subTest(message=message), self.assertRaisesRegex(kind, message):
                call()


class EndingsTest(unittest.TestCase):
    def test_only_what_is_proven_free_is_false(self):
        cube = toccata.box()
        apart = toccata.first_contact(cube, ([-3, 0, 5], [0, 0, 5]), cube)
        self.assertFalse(apart)
        self.assertEqual(str(apart), "They do not touch.")
        turned = (toccata.rotation_about([1, 2, 3], 2.0), [3, 0, 0])
        stopped = toccata.first_contact(cube, ([-3, 0, 0], turned), cube, budget=1)
        self.assertEqual(stopped.status, "out_of_budget")
        self.assertTrue(stopped)
        self.assertIn("Out of budget", str(stopped))
        self.assertTrue(toccata.contact_intervals(cube, ([-3, 0, 0], turned), cube, budget=1))

    def test_solids(self):
        nut, box = toccata.box([0.1, 0.1, 0.1]), toccata.box()
        self.assertFalse(toccata.first_contact(nut, None, box))
        inside = toccata.first_contact(nut, None, box, solid=True)
        self.assertEqual((inside.status, inside.inside, inside.time), ("overlap_at_start", "first_in_second", 0))
        self.assertEqual(str(inside), "a is inside b at the start.")
        self.assertEqual(toccata.first_contact(box, None, nut, solid=True).inside, "second_in_first")
        leaving = toccata.contact_intervals(nut, ([0, 0, 0], [3, 0, 0]), box, solid=True)
        self.assertEqual(leaving.intervals[0].begin_lower, 0)
        self.assertEqual(toccata.closest_approach(nut, None, box, solid=True).status, "overlap_at_start")
        batch = toccata.first_contacts(nut, [([0, 0, 0], [0.1, 0, 0])], box, solid=True)
        self.assertEqual(batch[0].inside, "first_in_second")
        self.assertEqual((batch.touches.tolist(), batch.free.tolist()), ([True], [False]))

    def test_a_solid_must_be_closed(self):
        box = toccata.box()
        torn = toccata.Mesh(box.vertices, box.faces[1:])
        self.assertTrue(box.is_closed)
        self.assertFalse(torn.is_closed)
        failed = toccata.first_contact(torn, ([-3, 0, 0], [0, 0, 0]), box, solid=(True, False))
        self.assertEqual(failed.status, "failed")
        self.assertTrue(failed)
        self.assertIn("not closed", failed.failure)
        self.assertIn("not closed", str(failed))
        self.assertEqual(toccata.first_contact(torn, ([-3, 0, 0], [0, 0, 0]), box).status, "contact")

    def test_names_and_defaults_are_those_of_cpp(self):
        self.assertEqual(toccata._toccata.rigid_methods, ("advancement", "controlled", "interval", "screw"))
        self.assertEqual(toccata._toccata.first_contact_defaults["relative_tolerance"], 1e-6)
        self.assertIsNone(toccata._toccata.first_contact_defaults["tolerance"])


class ApproachTest(unittest.TestCase):
    def test_closest_approach_of_boxes(self):
        cube = toccata.box()
        result = toccata.closest_approach(cube, ([-3, 0, 2], [3, 0, 2]), cube, tolerance=1e-9)
        self.assertEqual(result.status, "separated")
        self.assertAlmostEqual(result.distance, 1.0, places=8)
        self.assertLessEqual(result.lower_distance, 1.0)
        self.assertLessEqual(result.distance - result.lower_distance, 1.001e-9)
        touching = toccata.closest_approach(cube, ([-3, 0, 0], [3, 0, 0]), cube)
        self.assertEqual((touching.status, touching.lower_distance), ("contact", 0.0))
        self.assertLess(touching.distance, 1e-6)

    def test_closest_approach_of_a_ball_passing_a_corner(self):
        ball, cube = toccata.sphere(0.5, 3), toccata.box()
        result = toccata.closest_approach(ball, ([-2, 1.5, 1.5], [2, 1.5, 1.5]), cube)
        exact = math.sqrt(2) - 0.5  # of the round ball; the mesh is inside it
        self.assertGreaterEqual(result.distance, exact)
        self.assertLess(result.distance, exact + 0.01)
        sampled = min(
            float(toccata.distance(ball, [x, 1.5, 1.5], cube)) for x in np.linspace(-0.6, 0.6, 61)
        )
        self.assertLessEqual(result.lower_distance, sampled)

    def test_intervals(self):
        cube = toccata.box()
        through = toccata.contact_intervals(cube, ([-3, 0, 0.5], [3, 0, 0.5]), cube)
        self.assertEqual(len(through), 1)
        interval = through.intervals[0]
        self.assertLessEqual(interval.begin_lower, 1 / 3)
        begin, end = repr(interval).removeprefix("ContactInterval(").removesuffix(")").split(" to ")
        self.assertEqual(str(through), f"They touch from t = {begin} to t = {end}.")  # one text for one interval
        self.assertAlmostEqual(interval.begin_lower, 1 / 3, places=5)
        self.assertGreaterEqual(interval.end_upper, 2 / 3)
        self.assertAlmostEqual(interval.end_upper, 2 / 3, places=5)
        self.assertEqual(len(toccata.contact_intervals(cube, ([-3, 0, 3], [3, 0, 3]), cube)), 0)
        back_and_forth = toccata.PiecewiseMotion([[-3, 0, 0.5], [3, 0, 0.5], [-3, 0, 0.5]])
        self.assertEqual(len(toccata.contact_intervals(cube, back_and_forth, cube)), 2)

    def test_at_rest(self):
        cube = toccata.box()
        near = toccata.distance(cube, [2, 0, 0], cube)
        self.assertAlmostEqual(float(near), 1.0, places=8)
        self.assertAlmostEqual(abs(near.contact.point_a[0] - near.contact.point_b[0]), 1.0, places=8)
        self.assertEqual(float(toccata.distance(cube, [0.9, 0, 0], cube)), 0.0)
        for offset, expected in (([1, 0, 0], True), ([1 + 1e-9, 0, 0], False), ([0.5, 0.5, 0.5], True), ([3, 0, 0], False)):
            self.assertEqual(toccata.intersects(cube, offset, cube), expected, offset)
        self.assertFalse(toccata.intersects(toccata.box([0.2, 0.2, 0.2]), None, cube))  # strictly inside
        turned = (toccata.rotation_about([0, 0, 1], math.pi / 4), [1.2, 0, 0])
        self.assertTrue(toccata.intersects(cube, turned, cube))

    def test_skipping_the_initial_contact(self):
        cube = toccata.box()
        motion = toccata.PiecewiseMotion([[0.5, 0.1, 0.2], [3, 0.1, 0.2], [0, 0.1, 0.2]])
        self.assertEqual(toccata.first_contact(cube, motion, cube).status, "overlap_at_start")
        later = toccata.first_contact(cube, motion, cube, at_start="skip")
        self.assertEqual(later.status, "contact")
        self.assertAlmostEqual(later.time, 0.5 + 0.5 * 2 / 3, places=5)


if __name__ == "__main__":
    unittest.main()

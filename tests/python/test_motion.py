import math
import pickle
import unittest

import numpy as np

import toccata


def random_pose(rng):
    q = rng.normal(size=4)
    return toccata.as_pose((q / np.linalg.norm(q), rng.normal(size=3)))


class PoseTest(unittest.TestCase):
    def test_the_forms_agree(self):
        turn = toccata.rotation_about([0, 0, 1], math.pi / 2)
        half = math.sqrt(0.5)
        expected = np.array([[0, -1, 0, 1], [1, 0, 0, 2], [0, 0, 1, 3], [0, 0, 0, 1]], float)
        for form in (expected, expected.tolist(), (turn, [1, 2, 3]), ([half, 0, 0, half], (1, 2, 3))):
            np.testing.assert_allclose(toccata.as_pose(form), expected, atol=1e-15)
        np.testing.assert_array_equal(toccata.as_pose([1, 2, 3])[:3, 3], [1, 2, 3])
        np.testing.assert_array_equal(toccata.as_pose(None), np.eye(4))

    def test_quaternions_are_rotations(self):
        rng = np.random.default_rng(2)
        for _ in range(100):
            rotation = random_pose(rng)[:3, :3]
            np.testing.assert_allclose(rotation.T @ rotation, np.eye(3), atol=1e-14)
            self.assertAlmostEqual(np.linalg.det(rotation), 1)

    def test_errors(self):
        mirrored = np.diag([1.0, 1, -1, 1])
        transposed = np.eye(4)
        transposed[3, 0] = 2
        for value, message in (
            (np.eye(3), r"shape \(3, 3\)"),
            (mirrored, "mirrors"),
            (transposed, "transposed"),
            (np.eye(4) * 2, "last row"),
            (([2, 0, 0, 0], [0, 0, 0]), "length 2"),
            (([1, 0, 0, 0], [0, 0]), "three numbers"),
            (([1, 0, 0], [0, 0, 0]), "quaternion w, x, y, z"),
            ([np.nan, 0, 0], "NaN"),
        ):
            with self.subTest(message=message), self.assertRaisesRegex(ValueError, message):
                toccata.as_pose(value)
        with self.assertRaises(TypeError):
            toccata.as_pose("here")


class MotionTest(unittest.TestCase):
    def test_ends(self):
        rng = np.random.default_rng(3)
        for _ in range(50):
            start, end = random_pose(rng), random_pose(rng)
            for kind in (toccata.RigidMotion, toccata.ScrewMotion):
                motion = kind(start, end)
                np.testing.assert_allclose(motion(0), start, atol=1e-13)
                np.testing.assert_allclose(motion(1), end, atol=1e-12)

    def test_the_reference_point_moves_straight(self):
        rng = np.random.default_rng(4)
        start, end, reference = random_pose(rng), random_pose(rng), rng.normal(size=3)
        motion = toccata.RigidMotion(start, end, reference=reference)
        at = lambda t: motion(t)[:3, :3] @ reference + motion(t)[:3, 3]
        for t in (0.1, 0.5, 0.9):
            np.testing.assert_allclose(at(t), (1 - t) * at(0) + t * at(1), atol=1e-13)

    def test_velocities(self):
        motion = toccata.RigidMotion([1, 0, 0], velocity=[0, 2, 0], angular_velocity=[0, 0, math.pi])
        np.testing.assert_allclose(motion(0.5)[:3, 3], [1, 1, 0])
        np.testing.assert_allclose(motion(0.5)[:3, :3], toccata.rotation_about([0, 0, 1], math.pi / 2), atol=1e-15)

    def test_screw_about_an_axis(self):
        motion = toccata.ScrewMotion(axis=[0, 0, 2], point=[1, 0, 0], angle=math.pi, slide=0.5)
        np.testing.assert_allclose(motion(1)[:3, 3], [2, 0, 0.5], atol=1e-15)

    def test_piecewise(self):
        motion = toccata.PiecewiseMotion([[0, 0, 0], [1, 0, 0], [1, 3, 0]], [0, 0.25, 1])
        np.testing.assert_allclose(motion(0.25)[:3, 3], [1, 0, 0])
        np.testing.assert_allclose(motion(0.5)[:3, 3], [1, 1, 0])

    def test_custom_errors_come_through(self):
        def broken(t):
            raise KeyError("lost")

        with self.assertRaisesRegex(KeyError, "lost"):
            toccata.CustomMotion(broken, speed=1, angular_speed=0)(0.5)
        skewed = toccata.as_pose(None)
        skewed[0, 1] = 1e-7
        motion = toccata.CustomMotion(lambda t: skewed, speed=1, angular_speed=0)
        with self.assertRaisesRegex(ValueError, "pose_error"):
            motion(0.5)
        with self.assertRaisesRegex(ValueError, "pose_error"):  # and again
            motion(0.25)

    def test_pickle(self):
        rng = np.random.default_rng(5)
        start, end = random_pose(rng), random_pose(rng)
        for motion in (
            toccata.RigidMotion(start, end, reference=[1, 2, 3]),
            toccata.RigidMotion(start, velocity=[1, 2, 3], angular_velocity=[3, 2, 9]),
            toccata.FixedMotion(end),
            toccata.ScrewMotion(start, end),
            toccata.ScrewMotion(start, axis=[1, 0, 0], point=[1, 2, 3], angle=7, slide=2),
            toccata.PiecewiseMotion([start, end, start], [0, 0.3, 1], interpolation="screw"),
        ):
            again = pickle.loads(pickle.dumps(motion))
            self.assertEqual(repr(again), repr(motion))
            for t in (0, 0.3, 0.77, 1):
                np.testing.assert_array_equal(again(t), motion(t))

    def test_pairs_of_poses(self):
        turn = toccata.rotation_about([0, 0, 1], 0.3)
        for pair in (([0, 0, 0], [1, 0, 0]), ((np.eye(3), [0, 0, 0]), (turn, [1, 0, 0])), (None, np.eye(4))):
            self.assertIsInstance(toccata.as_motion(pair), toccata.RigidMotion)
        for pose in ((turn, [1, 0, 0]), ([1, 0, 0, 0], [1, 0, 0]), np.eye(4), None, [1, 2, 3], [turn, [1, 2, 3]]):
            self.assertIsInstance(toccata.as_motion(pose), toccata.FixedMotion)

    def test_errors(self):
        for call, kind, message in (
            (lambda: toccata.RigidMotion(None, [1, 0, 0], velocity=[1, 0, 0]), ValueError, "not both"),
            (lambda: toccata.ScrewMotion(axis=[0, 0, 0]), ValueError, "zero"),
            (lambda: toccata.PiecewiseMotion([None]), ValueError, "two poses"),
            (lambda: toccata.PiecewiseMotion([None, None], [0, 2]), ValueError, "duration"),
            (lambda: toccata.PiecewiseMotion([None, None], [0, 1], interpolation="cubic"), ValueError, "'screw'"),
            (lambda: toccata.RigidMotion()(1.5), ValueError, r"\[0, 1\]"),
            (lambda: toccata.CustomMotion(lambda t: None, speed=-1, angular_speed=0), ValueError, "speed"),
            (lambda: toccata.CustomMotion(3, speed=1, angular_speed=0), TypeError, "function"),
        ):
            with self.subTest(message=message), self.assertRaisesRegex(kind, message):
                call()


if __name__ == "__main__":
    unittest.main()

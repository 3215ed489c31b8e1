"""Poses and motions as arrays: every form against the single one, and everything that can be wrong with one."""
import pickle
import unittest
from fractions import Fraction

import numpy as np

import toccata


def random_sevens(rng, count):
    """Rows x y z w x y z."""
    quaternions = rng.normal(size=(count, 4))
    quaternions /= np.linalg.norm(quaternions, axis=1, keepdims=True)
    return np.concatenate([rng.normal(size=(count, 3)), quaternions], axis=1)


def matrix_of(seven):
    """By the textbook, apart from the module."""
    w, x, y, z = seven[3:]
    matrix = np.eye(4)
    matrix[:3, :3] = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    matrix[:3, 3] = seven[:3]
    return matrix


class PosesTest(unittest.TestCase):
    def setUp(self):
        self.sevens = random_sevens(np.random.default_rng(1), 50)
        self.matrices = np.stack([matrix_of(row) for row in self.sevens])

    def test_seven_numbers(self):
        np.testing.assert_allclose(toccata.as_poses(self.sevens), self.matrices, atol=1e-15)
        np.testing.assert_allclose(toccata.as_pose(self.sevens[3]), self.matrices[3], atol=1e-15)
        ros = np.concatenate([self.sevens[:, :3], self.sevens[:, 4:], self.sevens[:, 3:4]], axis=1)
        np.testing.assert_array_equal(toccata.as_poses(ros, quaternion="xyzw"), toccata.as_poses(self.sevens))

    def test_matrices_are_kept_to_the_bit(self):
        np.testing.assert_array_equal(toccata.as_poses(self.matrices), self.matrices)
        np.testing.assert_array_equal(toccata.as_poses(list(self.matrices)), self.matrices)
        np.testing.assert_array_equal(toccata.as_poses(self.matrices.tolist()), self.matrices)

    def test_memory_layouts(self):
        wide = np.zeros((50, 4, 8))
        wide[:, :, ::2] = self.matrices
        frozen = self.matrices.copy()
        frozen.setflags(write=False)
        swapped = self.matrices.astype(self.matrices.dtype.newbyteorder())
        for array in (np.asfortranarray(self.matrices), wide[:, :, ::2], frozen, swapped, self.matrices[::-1][::-1],
                      np.swapaxes(np.swapaxes(self.matrices, 1, 2).copy(), 1, 2)):
            np.testing.assert_array_equal(toccata.as_poses(array), self.matrices)
            before = array.copy()
            toccata.MotionList(array)
            np.testing.assert_array_equal(array, before)

    def test_types_of_numbers(self):
        integers = np.array([[1, 2, 3], [4, 5, 6]], np.int16)
        for array in (integers, integers.astype(np.uint8), integers.astype(np.float32), integers.astype(np.longdouble),
                      integers.astype(object), [[Fraction(1), 2, 3], [4, 5, 6]]):
            np.testing.assert_array_equal(toccata.as_poses(array)[:, :3, 3], integers)
        for array in (integers.astype(complex), integers.astype(str), integers.astype(bool), np.array(["a", "b"])):
            with self.subTest(dtype=array.dtype), self.assertRaisesRegex(TypeError, "poses must be poses"):
                toccata.as_poses(array)

    def test_single_floats_are_rotations(self):
        # float32 leaves rotations at 1e-7 of orthonormal: near enough
        found = toccata.as_poses(self.matrices.astype(np.float32))
        np.testing.assert_array_equal(found, self.matrices.astype(np.float32))

    def test_other_forms_in_a_list(self):
        poses = [None, [1, 2, 3], (np.eye(3), [4, 5, 6]), ([1, 0, 0, 0], [7, 8, 9]), self.matrices[0]]
        found = toccata.as_poses(poses)
        np.testing.assert_array_equal(found[:4, :3, 3], [[0, 0, 0], [1, 2, 3], [4, 5, 6], [7, 8, 9]])
        np.testing.assert_array_equal(found[4], self.matrices[0])
        np.testing.assert_array_equal(toccata.as_poses([None, None]), [np.eye(4)] * 2)

    def test_empty(self):
        for empty in ([], np.zeros((0, 4, 4)), np.zeros((0, 7)), np.zeros((0, 3))):
            self.assertEqual(toccata.as_poses(empty).shape, (0, 4, 4))

    def test_errors_say_which_row(self):
        def broken(change, row=17):
            poses = self.matrices.copy()
            change(poses[row])
            return poses

        def set_nan(m):
            m[1, 3] = np.nan

        def set_infinity(m):
            m[0, 0] = np.inf

        def scale(m):
            m[:3, :3] *= 1.001

        def mirror(m):
            m[:3, 0] *= -1

        def transpose(m):
            m[:] = m.T.copy()

        for change, message in ((set_nan, r"poses\[17\] holds NaN"), (set_infinity, r"poses\[17\] holds NaN or inf"),
                                (scale, r"poses\[17\] is not rigid"), (mirror, r"poses\[17\] mirrors"),
                                (transpose, r"poses\[17\] must have the last row 0 0 0 1")):
            with self.subTest(message=message), self.assertRaisesRegex(ValueError, message):
                toccata.as_poses(broken(change))
        sevens = self.sevens.copy()
        sevens[5, 3:] *= 2
        with self.assertRaisesRegex(ValueError, r"poses\[5\]: the quaternion has length 2.*w, x, y, z"):
            toccata.as_poses(sevens)
        with self.assertRaisesRegex(ValueError, r"poses\[1\]"):
            toccata.as_poses([[1, 2, 3], [1, 2, np.nan]])

    def test_wrong_shapes(self):
        for shape in ((4, 4), (3,), (7,), (5, 3, 3), (5, 4, 3), (5, 6), (2, 5, 4, 4), ()):
            with self.subTest(shape=shape), self.assertRaisesRegex(ValueError, r"shape \(n, 4, 4\).*it has shape"):
                toccata.as_poses(np.zeros(shape))
        with self.assertRaisesRegex(ValueError, "'wxyz', 'xyzw'"):
            toccata.as_poses(self.sevens, quaternion="zyxw")


class MotionListTest(unittest.TestCase):
    def setUp(self):
        rng = np.random.default_rng(2)
        self.start = toccata.as_poses(random_sevens(rng, 40))
        self.end = toccata.as_poses(random_sevens(rng, 40))

    def assert_same(self, motions, expected):
        self.assertEqual(len(motions), len(expected))
        for motion, single in zip(motions, expected):
            for t in (0.0, 0.37, 1.0):
                np.testing.assert_array_equal(motion(t), single(t))

    def test_every_form_is_the_single_one(self):
        moving = [toccata.RigidMotion(a, b) for a, b in zip(self.start, self.end)]
        pairs = np.stack([self.start, self.end], axis=1)
        for form in ((self.start, self.end), pairs, pairs.tolist(), list(zip(self.start, self.end)), moving):
            self.assert_same(toccata.MotionList(form), moving)
        self.assert_same(toccata.MotionList(self.start), [toccata.FixedMotion(pose) for pose in self.start])
        screws = [toccata.ScrewMotion(a, b) for a, b in zip(self.start, self.end)]
        self.assert_same(toccata.MotionList(pairs, interpolation="screw"), screws)
        about = [toccata.RigidMotion(a, b, reference=[1, 2, 3]) for a, b in zip(self.start, self.end)]
        self.assert_same(toccata.MotionList(pairs, reference=[1, 2, 3]), about)

    def test_sevens_and_translations(self):
        sevens = random_sevens(np.random.default_rng(3), 20)
        self.assert_same(
            toccata.MotionList((sevens[:10], sevens[10:])),
            [toccata.RigidMotion(a, b) for a, b in zip(sevens[:10], sevens[10:])],
        )
        self.assertEqual(len(toccata.MotionList(sevens.reshape(10, 2, 7))), 10)
        shifts = np.arange(60.0).reshape(10, 2, 3)
        self.assert_same(toccata.MotionList(shifts), [toccata.RigidMotion(a, b) for a, b in shifts])
        self.assert_same(toccata.MotionList((shifts[:, 0], shifts[:, 1])), [toccata.RigidMotion(a, b) for a, b in shifts])

    def test_paths(self):
        paths = np.stack([self.start[:12].reshape(3, 4, 4, 4)[i] for i in range(3)])
        self.assert_same(toccata.MotionList(paths), [toccata.PiecewiseMotion(path) for path in paths])
        self.assert_same([toccata.as_motion(paths[0])], [toccata.PiecewiseMotion(paths[0])])
        self.assert_same([toccata.as_motion(paths[0, :2])], [toccata.RigidMotion(*paths[0, :2])])
        sevens = random_sevens(np.random.default_rng(4), 5)
        self.assertIsInstance(toccata.as_motion(sevens), toccata.PiecewiseMotion)
        self.assertIsInstance(toccata.as_motion(sevens[:2]), toccata.RigidMotion)
        self.assertIsInstance(toccata.as_motion(sevens[0]), toccata.FixedMotion)
        self.assertIsInstance(toccata.as_motion(np.zeros((2, 3))), toccata.RigidMotion)

    def test_mixed_lists(self):
        motions = [toccata.RigidMotion(None, [1, 0, 0]), None, ([0, 0, 0], [1, 0, 0]), self.start[0],
                   ((np.eye(3), [0, 0, 0]), self.end[0]), toccata.ScrewMotion(axis=[0, 0, 1], angle=1)]
        self.assert_same(toccata.MotionList(motions), [toccata.as_motion(motion) for motion in motions])
        self.assertEqual(len(toccata.MotionList(motion for motion in motions)), 6)
        self.assertEqual(len(toccata.MotionList([None, None, None])), 3)

    def test_parts(self):
        motions = toccata.MotionList((self.start, self.end))
        self.assert_same(motions[5:9], motions[:][5:9])
        np.testing.assert_array_equal(motions[-1](0), motions[39](0))
        mask = np.arange(40) % 3 == 0
        self.assertEqual(len(motions[mask]), 14)
        with self.assertRaises(IndexError):
            motions[40]
        with self.assertRaises(TypeError):
            pickle.dumps(motions)

    def test_the_array_may_change_afterwards(self):
        start = self.start.copy()
        motions = toccata.MotionList((start, self.end))
        before = motions[3](0.5)
        start[:] = 0
        np.testing.assert_array_equal(motions[3](0.5), before)

    def test_errors(self):
        pairs = np.stack([self.start, self.end], axis=1)
        pairs[7, 1, 0, 0] = np.nan
        skewed = self.end.copy()
        skewed[3, 0, 0] += 0.1
        for value, kind, message in (
            (pairs, ValueError, r"motions\[7\]\[1\] holds NaN"),
            ((self.start, skewed), ValueError, r"motions\[1\]\[3\] is not rigid"),
            ((self.start, self.end[:5]), ValueError, "40 poses to start from but 5 to end at"),
            ([self.start, self.end], ValueError, r"the tuple \(start, end\)"),
            (np.zeros((5, 3, 3)), ValueError, r"shape \(n, 4, 4\).*it has shape \(5, 3, 3\)"),
            (np.zeros((5, 0, 4, 4)), ValueError, "holds no pose"),
            (np.eye(4), ValueError, "it has shape"),
            (np.zeros((5, 4, 4), complex), TypeError, "complex128"),
            ([np.eye(4), "somewhere"], TypeError, r"motions\[1\]"),
            ([[1, 2, 3], [1, 2]], ValueError, r"motions\[1\]"),
            ("motions", TypeError, "not str"),
            (3, TypeError, "not int"),
        ):
            with self.subTest(message=message), self.assertRaisesRegex(kind, message):
                toccata.MotionList(value)
        with self.assertRaisesRegex(ValueError, "at least two"):
            toccata.as_motion(np.eye(4)[np.newaxis])
        with self.assertRaisesRegex(ValueError, r"motion_a must be a 4x4"):
            toccata.first_contact(toccata.box(), np.zeros((3, 3)), toccata.box())


if __name__ == "__main__":
    unittest.main()

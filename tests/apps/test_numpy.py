"""Arrays that numpy wrote, as trials, paths and meshes."""
import unittest

from program import ProgramTest
from test_outputs import BOX, FACES, obj

try:
    import numpy as np
except ImportError:
    np = None


def at(x, y=0.0, z=0.0):
    pose = np.eye(4)
    pose[:3, 3] = x, y, z
    return pose


def flat(pose):
    return [*pose[:3, :3].ravel(), *pose[:3, 3]]


@unittest.skipUnless(np, "no numpy")
class Numpy(ProgramTest):
    def setUp(self):
        super().setUp()
        self.box = self.write("box.obj", obj(BOX))

    def saved(self, name, array):
        np.save(self.folder / name, array)
        return self.folder / name

    def times(self, file, *more):
        answer = self.succeed_json("impact", self.box, self.box, "--trials", file, "--json", *more)
        return [trial["time"] for trial in answer["trials"]]

    def test_trials(self):
        poses = np.array([[at(-5), at(5)], [at(-5), at(0)], [at(-5, 3), at(5, 3)]])
        text = self.folder / "trials.txt"
        np.savetxt(text, [flat(a) + flat(b) for a, b in poses], header="poses of A")
        expected = self.times(text)
        self.assertAlmostEqual(expected[0], 0.4, 5)
        unit = np.zeros((3, 2, 4))
        unit[..., 0] = 1
        quaternions = np.concatenate([poses[..., :3, 3], unit], axis=-1)
        xyzw = np.concatenate([poses[..., :3, 3], np.roll(unit, -1, axis=-1)], axis=-1)
        for name, array in (("m", poses), ("f", np.asfortranarray(poses)), ("big", poses.astype(">f8")),
                            ("single", poses.astype("f4")), ("q", quaternions), ("rows", quaternions.reshape(3, 14)),
                            ("twelve", np.array([[flat(a), flat(b)] for a, b in poses]))):
            self.assertEqual(self.times(self.saved(f"{name}.npy", array)), expected, name)
        self.assertEqual(self.times(self.saved("xyzw.npy", xyzw), "--quaternion", "xyzw"), expected)

    def test_trials_of_both_bodies(self):
        both = self.folder / "both.npz"
        np.savez(both, motions=np.array([[at(-5), at(5)]]), motions_b=np.array([[at(0), at(-5)]]))
        self.assertAlmostEqual(self.times(both)[0], 4 / 15, 5)
        np.savez(both, motions=np.array([[at(-5), at(5)]]), motions_b=np.array([[at(0), at(-5)]] * 2))
        self.assertIn("1 motions of A and 2 of B", self.refuse("impact", self.box, self.box, "--trials", both))
        np.savez(self.folder / "one.npz", anything=np.array([[at(-5), at(5)]]))
        self.assertAlmostEqual(self.times(self.folder / "one.npz")[0], 0.4, 5)

    def test_paths(self):
        def first(file):
            return self.succeed_json("impact", self.box, self.box, "--path", file, "--json")["time"]

        poses = np.array([at(-5), at(0), at(5)])
        self.assertAlmostEqual(first(self.saved("poses.npy", poses)), 0.4, 5)
        np.savez(self.folder / "timed.npz", poses=poses, times=[0.0, 1.0, 5.0])
        self.assertAlmostEqual(first(self.folder / "timed.npz"), 0.16, 5)
        np.savez(self.folder / "untimed.npz", poses=np.array([[-5, 0, 0, 1, 0, 0, 0], [5, 0, 0, 1, 0, 0, 0]]))
        self.assertAlmostEqual(first(self.folder / "untimed.npz"), 0.4, 5)
        rows = np.array([[10, -5, 0, 0], [20, 5, 0, 0]])
        self.assertAlmostEqual(first(self.saved("rows.npy", rows)), 0.4, 5)
        np.savez(self.folder / "bad.npz", poses=poses, times=[0.0, 2.0, 1.0])
        self.assertIn("times must increase", self.refuse("impact", self.box, self.box, "--path", self.folder / "bad.npz"))
        np.savez(self.folder / "bad.npz", poses=poses, times=[0.0, 2.0])
        self.assertIn("2 times and 3 poses", self.refuse("impact", self.box, self.box, "--path", self.folder / "bad.npz"))

    def test_meshes(self):
        vertices, faces = np.array(BOX), np.array(FACES) - 1
        mesh = self.folder / "box.npz"
        for index in ("i8", "<u4", ">i2", "u1"):
            np.savez(mesh, vertices=vertices, faces=faces.astype(index))
            self.assertAlmostEqual(self.succeed_json("distance", mesh, self.box, "--pose-a", "3 0 0", "--json")["distance"], 2)
        triangles = self.saved("triangles.npy", vertices[faces])
        self.assertAlmostEqual(self.succeed_json("distance", triangles, self.box, "--pose-a", "3 0 0", "--json")["distance"], 2)
        np.savez(mesh, V=vertices, F=faces + 1)
        self.assertIn("expected vertex numbers from 0 to 7, found 8", self.refuse("distance", mesh, self.box))
        self.assertIn("numpy.savez", self.refuse("distance", self.saved("v.npy", vertices), self.box))

    def test_what_is_refused_says_what_to_do(self):
        def refused(name, array, save=None):
            file = self.folder / name
            (save or np.save)(file, array)
            return self.refuse("impact", self.box, self.box, "--trials", file)

        poses = np.array([[at(-5), at(5)]])
        self.assertIn("numpy.savez, not savez_compressed", refused("c.npz", poses, np.savez_compressed))
        self.assertIn("astype(float)", refused("text.npy", np.array([["a"]])))
        self.assertIn("astype(float)", refused("half.npy", poses.astype("f2")))
        self.assertIn("Python objects", refused("o.npy", np.array([[1], [1, 2]], dtype=object)))
        self.assertIn("the shape (1, 4, 4)", refused("one.npy", poses[:, 0]))
        self.assertIn("is not finite", refused("nan.npy", poses * np.nan))
        self.assertIn("holds no trial", refused("empty.npy", poses[:0]))
        # Rows without numbers take no bytes: a file of 80 bytes took all memory.
        self.assertIn("numbers in each row", refused("wide.npy", np.zeros((3 * 10**17, 0))))
        whole = self.saved("whole.npy", poses).read_bytes()
        cut = self.folder / "cut.npy"
        cut.write_bytes(whole[:-1])
        self.assertIn("is the file cut short?", self.refuse("impact", self.box, self.box, "--trials", cut))


if __name__ == "__main__":
    unittest.main()

"""Prepared shapes in files and through pickle."""
import os
import pickle
import tempfile
import unittest

import numpy as np

import toccata


def kinds():
    rng = np.random.default_rng(3)
    hull = toccata.ConvexHull(rng.normal(size=(40, 3)), 0.1)
    field = toccata.HeightField(rng.uniform(size=(4, 5)), spacing=(0.5, 1))
    mesh = toccata.sphere(0.5)
    return [mesh, toccata.Ball(1), toccata.Capsule(0.2, 1), toccata.Box([1, 2, 3], 0.1), toccata.Cylinder(1, 2),
            toccata.Cone(1, 2), toccata.Ellipsoid([1, 2, 3]), hull, toccata.HalfSpace([0, 1, 1], 2), field,
            toccata.Compound([(toccata.Compound([hull, mesh]), [1, 0, 0]), toccata.Ball(2)])]


class ShapeFileTest(unittest.TestCase):
    def same(self, shape, again):
        self.assertIs(type(shape), type(again))
        self.assertEqual(repr(shape), repr(again))
        self.assertEqual(shape.content_hash, again.content_hash)
        for x in (1.5, 4.0):
            a = toccata.distance(shape, [x, 0.3, 0.2], toccata.Ball(0.1))
            b = toccata.distance(again, [x, 0.3, 0.2], toccata.Ball(0.1))
            self.assertEqual(a.distance, b.distance)

    def test_files_of_every_kind(self):
        with tempfile.TemporaryDirectory() as folder:
            for i, shape in enumerate(kinds()):
                path = os.path.join(folder, f"{i}.shape")
                self.assertEqual(shape.save(path), os.path.getsize(path))
                self.same(shape, toccata.load_shape(path))
                with self.assertRaisesRegex(FileExistsError, "force"):
                    shape.save(path)
                shape.save(path, force=True)

    def test_pickle_of_every_kind(self):
        for shape in kinds():
            for protocol in (2, 4, 5):
                self.same(shape, pickle.loads(pickle.dumps(shape, protocol)))
            buffers = []
            content = pickle.dumps(shape, 5, buffer_callback=buffers.append)
            self.same(shape, pickle.loads(content, buffers=buffers))
            self.assertLess(len(content), 200)  # all of it is out of band

    def test_hull_keeps_its_sources(self):
        hull = toccata.ConvexHull([[5, 0, 0], [0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [0.1, 0.1, 0.1]])
        np.testing.assert_array_equal(pickle.loads(pickle.dumps(hull)).sources, hull.sources)

    def test_compound_keeps_its_parts(self):
        compound = toccata.Compound([(toccata.Box([1, 2, 3]), [1, 0, 0]), toccata.Ball(2)])
        again = pickle.loads(pickle.dumps(compound))
        for (a, pose_a), (b, pose_b) in zip(compound.parts, again.parts):
            self.assertEqual(repr(a), repr(b))
            np.testing.assert_array_equal(pose_a, pose_b)

    def test_damage_is_told(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a.shape")
            toccata.box().save(path)
            with open(path, "rb") as file:
                content = file.read()
            for wrong, text in ((content[:-1], "bytes"), (content[:100] + b"x" + content[101:], "damaged"),
                                (b"solid", "not a prepared shape"), (content.replace(b"shape 3", b"shape 9"), "version")):
                with open(path, "wb") as file:
                    file.write(wrong)
                with self.assertRaisesRegex(ValueError, text):
                    toccata.load_shape(path)
        with self.assertRaises(FileNotFoundError):
            toccata.load_shape("missing.shape")

    def test_hashes_differ_where_shapes_do(self):
        hashes = {shape.content_hash for shape in kinds()} | {toccata.Ball(np.nextafter(1, 2)).content_hash}
        self.assertEqual(len(hashes), len(kinds()) + 1)


if __name__ == "__main__":
    unittest.main()

import os
import pickle
import tempfile
import unittest

import numpy as np

import toccata

TRIANGLE = ([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])


class TrimeshLike:
    def __init__(self, vertices, faces):
        self.vertices, self.faces = np.array(vertices, float), np.array(faces)


class MeshTest(unittest.TestCase):
    def test_arrays_come_back_as_given(self):
        rng = np.random.default_rng(1)
        vertices = rng.normal(size=(50, 3))
        for kind in (np.int32, np.int64, np.uint16, np.uint64):
            faces = rng.integers(0, 50, size=(80, 3)).astype(kind)
            mesh = toccata.Mesh(vertices, faces)
            np.testing.assert_array_equal(mesh.vertices, vertices)
            np.testing.assert_array_equal(mesh.faces, faces)

    def test_views_are_read_only_share_memory_and_outlive_the_mesh(self):
        mesh = toccata.Mesh(*TRIANGLE)
        vertices = mesh.vertices
        self.assertTrue(np.shares_memory(vertices, mesh.vertices))
        with self.assertRaises(ValueError):
            vertices[0, 0] = 1
        del mesh
        np.testing.assert_array_equal(vertices[1], [1, 0, 0])

    def test_strided_and_fortran_arrays(self):
        wide = np.zeros((3, 6))
        wide[:, ::2] = TRIANGLE[0]
        for vertices in (wide[:, ::2], np.asfortranarray(TRIANGLE[0], dtype=float)):
            np.testing.assert_array_equal(toccata.Mesh(vertices, TRIANGLE[1]).vertices, TRIANGLE[0])
        faces = np.asfortranarray([[0, 1, 2], [2, 1, 0]]).astype(np.int32, order="F")
        np.testing.assert_array_equal(toccata.Mesh(TRIANGLE[0], faces).faces, faces)

    def test_trimesh_like(self):
        thing = TrimeshLike(*TRIANGLE)
        self.assertEqual(repr(toccata.Mesh(thing)), "Mesh(3 vertices, 1 face)")
        self.assertEqual(len(toccata.as_mesh(thing).faces), 1)

    def test_pickle(self):
        mesh = toccata.sphere(subdivisions=1)
        again = pickle.loads(pickle.dumps(mesh))
        np.testing.assert_array_equal(again.vertices, mesh.vertices)
        np.testing.assert_array_equal(again.faces, mesh.faces)

    def test_empty(self):
        mesh = toccata.Mesh(np.zeros((0, 3)), np.zeros((0, 3), int))
        self.assertEqual((len(mesh.vertices), len(mesh.faces)), (0, 0))
        self.assertEqual(mesh.bounds.tolist(), [[0, 0, 0], [0, 0, 0]])

    def test_errors_say_what_to_change(self):
        vertices, faces = TRIANGLE
        cases = [
            (lambda: toccata.Mesh(np.zeros((3, 4)), faces), ValueError, r"shape \(n, 3\).*\(3, 4\)"),
            (lambda: toccata.Mesh(np.zeros((3, 7)), faces), ValueError, r"vertices\.T"),
            (lambda: toccata.Mesh([[0, 0, 0], [np.nan, 0, 0], [0, 1, 0]], faces), ValueError, r"vertices\[1\].*NaN"),
            (lambda: toccata.Mesh([[0, 0, 0], [1, 0, 0], [0, np.inf, 0]], faces), ValueError, r"vertices\[2\].*inf"),
            (lambda: toccata.Mesh(vertices, [[0, 1, 3]]), IndexError, r"faces\[0\] names vertex 3"),
            (lambda: toccata.Mesh(vertices, [[0, 1, 2], [0, -1, 2]]), IndexError, r"faces\[1\] names vertex -1"),
            (lambda: toccata.Mesh(vertices, [[0, 1, 2**40]]), IndexError, "1099511627776"),
            (lambda: toccata.Mesh(vertices, [[0.0, 1.0, 2.0]]), TypeError, "integers.*astype"),
            (lambda: toccata.Mesh(vertices, [[0, 1, 2, 0]]), ValueError, r"\(m, 3\).*triangulate"),
            (lambda: toccata.Mesh("abc", faces), TypeError, "array of numbers"),
            (lambda: toccata.Mesh(vertices), TypeError, "faces"),
            (lambda: toccata.as_mesh("part.stl"), TypeError, "toccata.load"),
            (lambda: toccata.as_mesh(3), TypeError, "not int"),
        ]
        for call, kind, message in cases:
            with self.subTest(message=message), self.assertRaisesRegex(kind, message):
                call()


class ShapesTest(unittest.TestCase):
    def volume(self, mesh):
        a, b, c = (mesh.vertices[mesh.faces[:, i]] for i in range(3))
        return float(np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6)

    def test_closed_and_outside_out(self):
        self.assertAlmostEqual(self.volume(toccata.box([1, 2, 3])), 6)
        self.assertAlmostEqual(self.volume(toccata.sphere(2.0, 4)), 4 / 3 * np.pi * 8, delta=0.2)
        for mesh in (toccata.box(), toccata.sphere()):
            edges = np.sort(np.concatenate([mesh.faces[:, [0, 1]], mesh.faces[:, [1, 2]], mesh.faces[:, [2, 0]]]), axis=1)
            self.assertTrue((np.unique(edges, axis=0, return_counts=True)[1] == 2).all())

    def test_sheet_faces_up(self):
        mesh = toccata.sheet(3, 2, (3, 2))
        a, b, c = (mesh.vertices[mesh.faces[:, i]] for i in range(3))
        np.testing.assert_allclose(np.cross(b - a, c - a), np.tile([0, 0, 1], (12, 1)))


class FilesTest(unittest.TestCase):
    def test_round_trips(self):
        mesh = toccata.sphere(subdivisions=2)
        with tempfile.TemporaryDirectory() as folder:
            for name, ascii in (("m.obj", False), ("m.ply", False), ("m.ply", True), ("m.off", False), ("m.stl", True)):
                path = os.path.join(folder, name)
                size = toccata.save(path, mesh, ascii=ascii, force=True)
                self.assertEqual(size, os.path.getsize(path))
                again = toccata.load(path)
                corners = mesh.vertices[mesh.faces]
                np.testing.assert_array_equal(again.vertices[again.faces], corners)

    def test_existing_files_are_kept(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "m.obj")
            toccata.save(path, TRIANGLE)
            with self.assertRaisesRegex(FileExistsError, "force=True"):
                toccata.save(path, TRIANGLE)

    def test_bad_files(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "bad.obj")
            with open(path, "w") as file:
                file.write("v 0 0 0\nv 1 0 zero\n")
            with self.assertRaisesRegex(ValueError, r"bad\.obj"):
                toccata.load(path)
            with self.assertRaises(FileNotFoundError):
                toccata.load(os.path.join(folder, "none.obj"))
            with self.assertRaisesRegex(ValueError, "xyz"):
                open(os.path.join(folder, "a.xyz"), "w").close()
                toccata.load(os.path.join(folder, "a.xyz"))


if __name__ == "__main__":
    unittest.main()

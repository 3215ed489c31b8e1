"""Medial proxies from numpy and back."""
import pickle
import tempfile
import unittest
from pathlib import Path

import numpy as np

import toccata


class Medial(unittest.TestCase):
    def test_a_proxy_encloses_and_keeps_its_error(self):
        mesh = toccata.sphere(0.5)
        proxy = toccata.medial(mesh, error=0.05)
        self.assertLessEqual(proxy.error, 0.05)
        self.assertTrue(proxy.outer.encloses(mesh))
        self.assertEqual(len(proxy.errors), len(proxy.outer.primitives))
        ball = toccata.MedialMesh(proxy.outer.centers, proxy.outer.radii * 0.5, proxy.outer.cones, proxy.outer.slabs)
        self.assertFalse(ball.encloses(mesh))
        spheres = toccata.medial(mesh, balls=4, spheres_only=True).outer
        self.assertLessEqual(len(spheres.radii), 4)
        self.assertEqual((len(spheres.cones), len(spheres.slabs)), (0, 0))

    def test_levels_from_one_run(self):
        mesh = toccata.box([1, 1, 1])
        levels = toccata.medial_levels(mesh, error=0.2, spheres_only=True)
        self.assertEqual(len(levels[-1].outer.radii), 1)
        for fine, coarse in zip(levels, levels[1:]):
            self.assertLess(len(coarse.outer.radii), len(fine.outer.radii))
            self.assertGreater(coarse.error, fine.error)
            self.assertTrue(coarse.outer.encloses(mesh))

    def test_inner_balls_are_inside(self):
        mesh = toccata.box([1, 1, 1])
        inner = toccata.medial(mesh, error=0.1).inner
        depth = -toccata.signed_distance(inner.centers, mesh).distance
        self.assertTrue((depth >= inner.radii - 1e-12).all())

    def test_a_cone_is_a_shape(self):
        cone = toccata.MedialMesh([[0, 0, 0], [3, 0, 0]], [1.0, 1.0], cones=[[0, 1]])
        capsule = toccata.distance(cone, [0, 0, 0], toccata.Ball(0.5), [1.5, 0, 4])
        self.assertAlmostEqual(capsule.distance, 2.5, places=9)
        there = toccata.first_contact(cone, [0, 0, 5], toccata.Ball(1), [0, 0, 0])
        self.assertFalse(there)

    def test_files_and_pickles(self):
        mesh = toccata.MedialMesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [0.1, 0.2, 0.3], cones=[[0, 1]], slabs=[[0, 1, 2]])
        with tempfile.TemporaryDirectory() as folder:
            for name in ("m.ma", "m.json"):
                path = Path(folder) / name
                mesh.save(path)
                with self.assertRaisesRegex((ValueError, OSError), name):
                    mesh.save(path)
                again = toccata.MedialMesh.load(path)
                np.testing.assert_array_equal(again.centers, mesh.centers)
                np.testing.assert_array_equal(again.slabs, mesh.slabs)
        np.testing.assert_array_equal(pickle.loads(pickle.dumps(mesh)).radii, mesh.radii)

    def test_robots_of_spheres(self):
        with tempfile.TemporaryDirectory() as folder:
            mesh = toccata.box([0.4, 0.2, 0.2])
            toccata.save(str(Path(folder) / "arm.stl"), mesh)
            urdf = Path(folder) / "arm.urdf"
            urdf.write_text(
                '<robot name="arm"><link name="base"/><link name="arm"><collision><origin xyz="0.2 0 0"/><geometry>'
                '<mesh filename="arm.stl"/></geometry></collision></link><joint name="turn" type="continuous">'
                '<parent link="base"/><child link="arm"/><axis xyz="0 0 1"/></joint></robot>'
            )
            robot = toccata.Robot(urdf)
            found = robot.proxies(0.05)
            self.assertEqual([link.link for link in found.links], ["arm"])
            arm = found.links[0]
            self.assertTrue(0 < arm.error <= 0.05 and not arm.of_hull)
            corners = np.asarray(mesh.vertices) + [0.2, 0, 0]
            away = np.linalg.norm(corners[:, None] - arm.spheres[:, :3], axis=-1) - arm.spheres[:, 3]
            self.assertLessEqual(away.min(axis=1).max(), 0.0)
            self.assertEqual(found.count, len(arm.spheres))
            self.assertEqual(found.robot.variables, robot.variables)
            with self.assertRaises(ValueError):
                robot.proxies(-1.0)

    def test_errors(self):
        box = toccata.box()
        for call in (
            lambda: toccata.medial(box),
            lambda: toccata.medial(box, error=0.1, balls=3),
            lambda: toccata.medial(box, error=-1.0),
            lambda: toccata.medial(box, error=float("nan")),
            lambda: toccata.medial(toccata.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]), error=0.1),
            lambda: toccata.MedialMesh([[0, 0, 0]], [-1.0]),
            lambda: toccata.MedialMesh([[0, 0, 0]], [1.0], cones=[[0, 5]]),
            lambda: toccata.MedialMesh([[0, 0, np.nan]], [1.0]),
        ):
            with self.assertRaises((ValueError, IndexError)):
                call()


if __name__ == "__main__":
    unittest.main()

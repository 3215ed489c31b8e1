"""Pages of what is no contact: fields, diagrams, depths, strands, proxies, parts."""
import base64
import os
import tempfile
import unittest

import numpy as np

import toccata


def array(stored):
    return np.frombuffer(base64.b64decode(stored["base64"]), stored["type"]).reshape(-1, stored["components"])


class LayersTest(unittest.TestCase):
    def setUp(self):
        self.box = toccata.box([1, 0.8, 0.6])
        self.ball = toccata.sphere(0.5, 2)

    def layers(self, result, **options):
        page = toccata.view(result, **options)
        self.assertIn('"layers"', page.html)
        with tempfile.TemporaryDirectory() as folder:  # what is written is read back to the same
            again = toccata.read_report(page.save(os.path.join(folder, "report.json")))
        self.assertEqual(again.to_dict(), page.report)
        self.assertEqual(len(page.report["bodies"]), len(page.report["shapes"]))
        return page.report["layers"]

    def test_slices_of_a_field(self):
        field = toccata.DistanceField(self.box, error=0.01)
        slices = self.layers(field, bodies=self.box)
        self.assertEqual([s["colours"] for s in slices], ["signed"] * 3)
        for layer in slices:
            start, row, column = array(layer["points"])
            columns, rows = layer["size"]
            middle = start + 0.5 / columns * (row - start) + 0.5 / rows * (column - start)  # of the first cell
            self.assertAlmostEqual(float(array(layer["values"])[0, 0]), float(field.at([middle]).distance[0]), places=5)
        with self.assertRaisesRegex(ValueError, "bodies=mesh"):
            toccata.view(field)

    def test_cells(self):
        (flat,) = self.layers(toccata.voronoi([[0, 0], [1, 0], [0, 1]], (16, 8)))
        self.assertEqual((flat["size"], set(array(flat["values"])[:, 0])), ([16, 8], {0.0, 1.0, 2.0}))
        self.assertEqual(len(self.layers(toccata.voronoi(self.box, (8, 9, 10)), bodies=self.box)), 3)

    def test_depths(self):
        pose = [0.6, 0.1, 0.05]
        moved = (self.box.vertices + pose, self.box.faces)
        arrows, _ = self.layers(toccata.penetration_field(self.ball, moved, cell=0.1), bodies=[self.ball, (self.box, pose)])
        np.testing.assert_allclose(np.linalg.norm(array(arrows["vectors"]), axis=1), array(arrows["values"])[:, 0], atol=1e-6)
        found = toccata.penetration(self.ball, None, self.box, pose, solid=True)
        way, deepest = self.layers(found, bodies=[self.ball, (self.box, pose)])
        self.assertAlmostEqual(float(np.linalg.norm(array(way["vectors"]))), found.upper_depth, places=9)
        self.assertEqual(len(array(deepest["points"])), 2)

    def test_strands(self):
        start = np.stack([np.linspace([0, 0, 1], [0.3 * i, 0, 2], 5) for i in range(3)]).reshape(-1, 3)
        end = start - [0, 0, 0.8]
        found = toccata.particle_contacts(start, end, self.ball, strands=5)
        lines, normals = self.layers(found, bodies=self.ball, positions=(start, end), strands=5)
        self.assertEqual((lines["kind"], lines["first"]), ("lines", [0, 5, 10]))
        np.testing.assert_array_equal(array(lines["points"]), end)
        np.testing.assert_array_equal(array(normals["points"]), found.point[found.touches])
        for wrong in (end, (start, end[:5]), [end]):  # the end alone is not the step
            with self.assertRaisesRegex(ValueError, "positions must be a pair"):
                self.layers(found, bodies=self.ball, positions=wrong, strands=5)

    def test_proxies_and_parts(self):
        proxy = toccata.medial(self.box, error=0.1)
        (balls,) = self.layers(proxy, bodies=self.box)
        np.testing.assert_allclose(array(balls["values"])[:, 0], proxy.errors, rtol=1e-6)
        np.testing.assert_array_equal(balls["radii"], proxy.outer.radii)
        one = toccata.convex_parts(self.box, count=1)
        answer = toccata.view(one, bodies=self.box).answer
        self.assertRegex(answer, "^1 convex part encloses the mesh, proven, at most .* beyond it.$")
        self.assertGreaterEqual(float(answer.split()[-3]), one.error)  # a bound is rounded upwards
        (parts,) = self.layers(one, bodies=self.box)
        self.assertEqual((parts["kind"], set(array(parts["values"])[:, 0])), ("surface", {0.0}))


if __name__ == "__main__":
    unittest.main()

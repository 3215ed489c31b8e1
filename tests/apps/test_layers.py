"""Reports and pages of what is no contact: slices, cells, arrows, balls, parts."""
import base64
import json
import unittest

import numpy

from program import ProgramTest
from test_outputs import BOX, obj
from test_schemas import validator


def array(stored):
    return numpy.frombuffer(base64.b64decode(stored["base64"]), stored["type"]).reshape(-1, stored["components"])


class Layers(ProgramTest):
    def setUp(self):
        super().setUp()
        self.box = self.write("box.obj", obj(BOX))

    def layers(self, *words):
        """Of the report of a command; its page must hold them, too."""
        report, page = self.folder / "report.json", self.folder / "page.html"
        done = self.run_program(*words, "--report", report, "--page", page, "--force")
        # Where a table goes to standard output, the names of files go to the other.
        self.assertIn((done.returncode, done.stderr), [(0, ""), (0, f"report: {report}\npage: {page}\n")])
        found = json.loads(report.read_text())
        validator("report.schema.json").validate(found)
        self.assertIn('"layers"', page.read_text())
        self.assertTrue(found["answer"].endswith("."))
        return found["layers"]

    def test_slices_of_a_field_have_its_values(self):
        slices = self.layers("field", "build", self.box, "-o", self.folder / "box.field", "--error", "0.02")
        self.assertEqual([(s["kind"], s["colours"]) for s in slices], [("slice", "signed")] * 3)
        lower, upper = numpy.array(BOX).min(axis=0), numpy.array(BOX).max(axis=0)
        for layer in slices:
            start, row, column = array(layer["points"])
            columns, rows = layer["size"]
            x, y = numpy.meshgrid((numpy.arange(columns) + 0.5) / columns, (numpy.arange(rows) + 0.5) / rows)
            places = start + x[..., None] * (row - start) + y[..., None] * (column - start)
            outside = numpy.maximum(numpy.maximum(lower - places, places - upper), 0)
            inside = numpy.minimum(places - lower, upper - places).min(axis=-1)
            exact = numpy.where(inside > 0, -inside, numpy.linalg.norm(outside, axis=-1))
            self.assertLessEqual(abs(array(layer["values"])[:, 0].reshape(rows, columns) - exact).max(), 0.0201)

    def test_points_of_a_field_point_to_the_surface(self):
        field = self.folder / "box.field"
        self.succeed("field", "build", self.box, "-o", field, "--error", "0.001")
        points = self.write("points.txt", "3 0 0\n0 0 -2.5\n")
        arrows = self.layers("field", "query", field, "--points", points)[-1]
        ends = array(arrows["points"]) + array(arrows["vectors"])
        box = numpy.array(BOX)
        numpy.testing.assert_allclose(ends, [[box[:, 0].max(), 0, 0], [0, 0, box[:, 2].min()]], atol=0.01)

    def test_cells_of_a_diagram(self):
        points = self.write("points.txt", "0 0\n1 0\n0 1\n")
        (cells,) = self.layers("voronoi", points, "--cells", "16")
        self.assertEqual((cells["kind"], cells["colours"], cells["size"]), ("slice", "cells", [16, 16]))
        self.assertEqual(set(array(cells["values"])[:, 0]), {0.0, 1.0, 2.0})
        across = self.layers("voronoi", self.box, "--cells", "8")
        self.assertEqual([layer["name"][-1] for layer in across], ["x", "y", "z"])

    def test_balls_have_their_errors(self):
        (balls,) = self.layers("medial", self.box, "--error", "0.1")
        self.assertEqual((balls["kind"], balls["colours"]), ("balls", "scale"))
        self.assertEqual(len(array(balls["faces"])), len(array(balls["values"])))
        self.assertEqual(len(array(balls["points"])), len(balls["radii"]))
        self.assertLessEqual(array(balls["values"]).max(), 0.1)
        (balls,) = self.layers("spheres", self.box, "--count", "20")
        self.assertTrue((array(balls["faces"])[:, :1] == array(balls["faces"])).all())

    def test_parts_are_numbered(self):
        (parts,) = self.layers("parts", self.box, "--count", "1")
        self.assertEqual((parts["kind"], set(array(parts["values"])[:, 0])), ("surface", {0.0}))

    def test_the_deepest_points_have_arrows(self):
        (arrows,) = self.layers("penetration", self.box, self.box, "--pose-b", "0.9 0.05 0.1", "--solid")
        self.assertEqual(arrows["kind"], "arrows")
        lengths = numpy.linalg.norm(array(arrows["vectors"]), axis=1)
        numpy.testing.assert_allclose(lengths, array(arrows["values"])[:, 0], rtol=0.01)


if __name__ == "__main__":
    unittest.main()

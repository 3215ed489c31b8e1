"""toccata voronoi: diagrams on grids."""
import csv
import json
import os
import unittest

import numpy

from program import ProgramTest
from test_schemas import validator
from test_shapes import BOX, obj


class Voronoi(ProgramTest):
    def test_points_against_all_of_them(self):
        points = numpy.random.default_rng(1).random((50, 2))
        text = self.write("points.txt", "\n".join(" ".join(map(repr, map(float, p))) for p in points))
        output, image = self.folder / "cells.csv", self.folder / "cells.ppm"
        found = self.succeed_json("voronoi", text, "--cells", "40", "-o", output, "--image", image, "--neighbours", "--json")
        validator("json.schema.json", "voronoi").validate(found)
        with open(output, encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(len(rows), numpy.prod(found["counts"]))
        centers = numpy.array([[float(r["x"]), float(r["y"])] for r in rows])
        away = numpy.linalg.norm(centers[:, None] - points, axis=-1)
        numpy.testing.assert_allclose([float(r["distance"]) for r in rows], away.min(axis=1), atol=1e-12)
        self.assertEqual([int(r["site"]) for r in rows], list(away.argmin(axis=1)))
        self.assertTrue(image.read_bytes().startswith(b"P6\n"))
        self.assertIn("exists", self.refuse("voronoi", text, "-o", output))
        self.succeed("voronoi", text, "-o", output, "--force")

    def test_meshes_slices_weights(self):
        box = self.write("box.obj", obj(BOX))
        self.assertIn("certified", self.succeed("voronoi", box, "--cells", "12", "--refine", "1"))
        flat = self.succeed_json("voronoi", box, "--cells", "16", "--slice", "0.5", "--json")
        self.assertEqual(flat["counts"][2], 1)
        self.assertIn("--slice", self.refuse("voronoi", box, "--slice", "nan"))
        one = self.succeed("voronoi", self.write("one.txt", "0 0\n"), "--cells", "4")
        self.assertIn("1 site on 4 x 4 x 1 cells: 1 of them has a region", one)
        points = self.write("points.txt", "0 0\n1 0\n")
        weights = self.write("weights.txt", "1\n2\n")
        by_text = self.succeed("voronoi", points, "--weighting", "multiplicative", "--weights", weights)
        array = self.folder / "weights.npy"
        numpy.save(array, numpy.array([1.0, 2.0]))
        self.assertEqual(self.succeed("voronoi", points, "--weighting", "multiplicative", "--weights", array), by_text)
        self.succeed("voronoi", points, "--kind", "farthest")

    def test_filled_polygons(self):
        rooms = self.write("rooms.txt", "0 0 2 0 2 1 1 1 1 2 0 2\n3 0 4 0 4 1 3 1\n")
        output = self.folder / "cells.csv"
        found = self.succeed_json("voronoi", rooms, "--polygons", "--cells", "40", "-o", output, "--neighbours", "--json")
        self.assertEqual((found["sites"], found["neighbours"]), (2, [[0, 1, True]]))
        for row in csv.DictReader(output.read_text(encoding="utf-8").splitlines()):
            x, y, far = float(row["x"]), float(row["y"]), float(row["distance"])
            right = max(3 - x, x - 4, -y, y - 1)
            if right < 0:
                self.assertEqual((row["site"], far), ("1", 0.0))
            if 0 < x < 2 and 0 < y < 2 and (x < 1 or y < 1):
                self.assertEqual((row["site"], far), ("0", 0.0))
        crossed = self.write("crossed.txt", "0 0 1 1 1 0 0 1\n")
        self.assertIn("polygon 0: its edges 0 and 2 meet", self.refuse("voronoi", crossed, "--polygons"))
        odd = self.write("odd.txt", "0 0 1 1 1\n")
        self.assertIn("three corners", self.refuse("voronoi", odd, "--polygons"))

    def test_drawn_by_opengl(self):
        points = numpy.random.default_rng(2).random((30, 2))
        text = self.write("points.txt", "\n".join(" ".join(map(repr, map(float, p))) for p in points))
        if os.environ.get("TOCCATA_WITH_GL", "1") == "0":
            self.assertIn("without OpenGL", self.refuse("voronoi", text, "--method", "gl"))
            return
        done = self.run_program("voronoi", text, "--cells", "24", "--method", "gl", "--json")
        if done.returncode != 0:
            self.assertRegex(done.stderr, "OpenGL")
            self.skipTest(done.stderr.strip())
        drawn = json.loads(done.stdout)
        validator("json.schema.json", "voronoi").validate(drawn)
        self.assertEqual(drawn["drawn"]["beyond_bound"], 0)
        plain = self.succeed_json("voronoi", text, "--cells", "24", "--json")
        self.assertEqual({k: v for k, v in drawn.items() if k != "drawn"}, plain)

    def test_what_is_refused(self):
        box = self.write("box.obj", obj(BOX))
        points = self.write("points.txt", "0 0\n1 0\n")
        self.assertIn("--slice", self.refuse("voronoi", box, "--image", self.folder / "x.ppm"))
        self.assertIn("go together", self.refuse("voronoi", points, "--weights", points))
        self.assertIn("2 or 3 numbers", self.refuse("voronoi", self.write("one.txt", "1\n")))
        self.assertIn("no sites", self.refuse("voronoi", self.write("none.txt", "")))
        self.assertIn("nowhere.obj", self.refuse("voronoi", self.folder / "nowhere.obj"))
        self.refuse("voronoi", points, "--cells", "0")


if __name__ == "__main__":
    unittest.main()

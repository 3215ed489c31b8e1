"""toccata spheres, toccata medial, and medial:FILE as a shape."""
import json
import re
import unittest

import numpy

from program import ProgramTest
from test_outputs import BOX, FACES, obj
from test_schemas import validator


class Medial(ProgramTest):
    def setUp(self):
        super().setUp()
        self.box = self.write("box.obj", obj(BOX))

    def test_spheres_hold_every_sampled_point_of_the_surface(self):
        output = self.folder / "spheres.json"
        found = self.succeed_json("spheres", self.box, "--error", "0.15", "-o", output, "--json")
        validator("json.schema.json", "medial").validate(found)
        self.assertEqual((found["cones"], found["slabs"]), (0, 0))
        self.assertLessEqual(found["error"], 0.15)
        written = json.loads(output.read_text())
        centers, radii = numpy.array(written["centers"]), numpy.array(written["radii"])
        self.assertEqual(len(radii), found["balls"])
        corners = numpy.array(BOX)[numpy.array(FACES) - 1]
        weights = numpy.random.default_rng(1).dirichlet([1, 1, 1], (200, len(FACES)))
        points = numpy.einsum("nfk,fkx->nfx", weights, corners).reshape(-1, 3)
        away = numpy.linalg.norm(points[:, None] - centers, axis=-1) - radii
        self.assertLessEqual(away.min(axis=1).max(), 0.0)

    def test_levels_go_from_the_error_to_a_single_primitive(self):
        output = self.folder / "level.ma"
        found = self.succeed_json("medial", self.box, "--error", "0.3", "--levels", "-o", output, "--json")
        validator("json.schema.json", "medial_levels").validate(found)
        levels = found["levels"]
        self.assertLessEqual(levels[0]["error"], 0.3)
        self.assertEqual(levels[-1]["primitives"], 1)
        for i, (fine, coarse) in enumerate(zip(levels, levels[1:])):
            self.assertGreater(fine["primitives"], coarse["primitives"])
            self.assertLess(fine["error"], coarse["error"])
            self.assertTrue((self.folder / f"level_{i}.ma").exists())
        self.assertIn("--error", self.refuse("medial", self.box, "--count", "3", "--levels"))

    def test_a_medial_mesh_is_a_shape(self):
        output = self.folder / "box.ma"
        text = self.succeed("medial", self.box, "--error", "0.1", "-o", output)
        self.assertIn("proven", text)
        away = self.succeed_json("distance", f"medial:{output}", "ball:1", "--pose-b", "5 0 0", "--json")
        exact = self.succeed_json("distance", self.box, "ball:1", "--pose-b", "5 0 0", "--json")
        self.assertLessEqual(away["distance"], exact["distance"])
        self.assertGreaterEqual(away["distance"], exact["distance"] - 0.1 - 1e-9)

    def test_what_is_said_is_not_less_than_what_is_proven(self):
        """Six digits of an error, rounded to the nearest, claimed more than the proof in half of all answers."""
        for question in (["spheres", "--error"], ["medial", "--error"], ["parts", "--error"]):
            for error in ("0.35", "0.3", "0.26", "0.23", "0.2"):
                asked = [question[0], self.box, *question[1:], error]
                said = float(re.search(r"at most (\S+) beyond", self.succeed(*asked)).group(1))
                self.assertGreaterEqual(said, self.succeed_json(*asked, "--json")["error"])
        one = self.succeed("spheres", self.box, "--count", "1")
        self.assertTrue(one.startswith("1 sphere encloses the 12 triangles of "), one)

    def test_by_number(self):
        few = self.succeed_json("spheres", self.box, "--count", "20", "--json")
        self.assertLessEqual(few["balls"], 20)

    def test_what_is_refused(self):
        output = self.write("kept.ma", "mine")
        self.assertIn("kept.ma", self.refuse("medial", self.box, "--error", "0.2", "-o", output))
        self.assertIn("one of", self.refuse("spheres", self.box))
        self.refuse("spheres", self.box, "--error", "0.2", "--count", "3")
        self.refuse("spheres", self.box, "--error", "-1")
        self.refuse("spheres", self.box, "--error", "nan")
        self.assertIn("toccata spheres", self.refuse("medial", self.box, "--error", "0.2", "-o", "x.urdf"))
        self.assertIn("nowhere.obj", self.refuse("medial", self.folder / "nowhere.obj", "--error", "1"))
        open_mesh = self.write("open.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
        self.refuse("medial", open_mesh, "--error", "0.1")
        self.assertIn("bad.ma", self.refuse("distance", "medial:" + self.write("bad.ma", "3 0"), self.box))


if __name__ == "__main__":
    unittest.main()

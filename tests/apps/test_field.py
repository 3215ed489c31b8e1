"""toccata field: distances that were prepared."""
import os
import unittest

import numpy

from program import ProgramTest
from test_schemas import validator
from test_shapes import BOX, obj


class Field(ProgramTest):
    def test_intervals_hold_the_distance(self):
        box = self.write("box.obj", obj(BOX))
        field = self.folder / "box.field"
        built = self.succeed_json("field", "build", box, "-o", field, "--error", "0.01", "--json")
        validator("json.schema.json", "field_build").validate(built)
        self.assertTrue(built["signed"])
        corners = numpy.array(BOX)
        low, high = corners.min(axis=0), corners.max(axis=0)
        points = numpy.random.default_rng(1).uniform(low - 1, high + 1, (200, 3))
        text = self.write("points.txt", "\n".join(" ".join(map(repr, map(float, p))) for p in points))
        found = self.succeed_json("field", "query", field, "--points", text, "--json")
        validator("json.schema.json", "field_query").validate(found)
        q = numpy.abs(points - (low + high) / 2) - (high - low) / 2
        truth = numpy.linalg.norm(numpy.maximum(q, 0), axis=1) + numpy.minimum(q.max(axis=1), 0)
        self.assertTrue((numpy.array(found["lower"]) <= truth + 1e-12).all())
        self.assertTrue((numpy.array(found["upper"]) >= truth - 1e-12).all())
        numpy.save(self.folder / "points.npy", points)
        self.assertEqual(self.succeed_json("field", "query", field, "--points", self.folder / "points.npy", "--json"), found)
        lines = self.succeed("field", "query", field, "--points", text).splitlines()
        self.assertEqual(len(lines), 201)
        self.assertEqual(float(lines[1].split(",")[0]), found["lower"][0])

    def test_a_shape_of_triangles_stands_for_a_mesh(self):
        here = self.folder / "box.field"
        self.assertTrue(self.succeed_json("field", "build", "box:1,2,3", "-o", here, "--error", "0.05", "--json")["signed"])
        points = self.write("points.txt", "0.2 0.1 2\n0 0 0\n")
        found = self.succeed_json("field", "query", here, "--points", points, "--json")
        self.assertTrue(found["lower"][0] <= 0.5 <= found["upper"][0] and found["lower"][1] <= -0.5 <= found["upper"][1])
        self.assertEqual(self.succeed_json("spheres", "box:1,1,1", "--error", "0.5", "--json")["triangles"], 12)
        mesh = self.write("hull.obj", obj(BOX))
        for command in (("field", "build", f"hull:{mesh}", "-o", mesh), ("parts", f"hull:{mesh}", "--count", "1", "-o", mesh)):
            self.assertIn("is an input", self.refuse(*command, "--force"))
        for command in (("field", "build", "ball:1", "-o", here, "--force"), ("spheres", "box:1,1,1,0.1", "--error", "0.1"),
                        ("parts", "cone:1,2", "--count", "2"), ("voronoi", "capsule:1,2", "--cells", "8")):
            self.assertIn("not made of triangles", self.refuse(*command))

    def test_level_sets(self):
        box = self.write("box.obj", obj(BOX))
        field, level_set = self.folder / "box.field", self.folder / "box.vdb"
        self.succeed("field", "build", box, "-o", field, "--error", "0.01")
        if os.environ.get("TOCCATA_WITH_OPENVDB", "1") == "0":
            self.assertIn("without OpenVDB", self.refuse("field", "export", field, "-o", level_set))
            return
        self.assertIn("--output", self.refuse("field", "export", field))
        made = self.succeed_json("field", "export", field, "-o", level_set, "--voxel", "0.1", "--json")
        validator("json.schema.json", "field_export").validate(made)
        self.assertEqual(level_set.read_bytes()[:4], b" BDV")
        self.assertIn("exists", self.refuse("field", "export", field, "-o", level_set))
        self.assertIn("level set of", self.succeed("field", "export", field, "-o", level_set, "--force"))
        self.assertIn("not a distance field", self.refuse("field", "export", box, "-o", level_set, "--force"))
        self.refuse("field", "export", field, "-o", level_set, "--force", "--half-width", "1")
        self.assertIn("too small", self.refuse("field", "export", field, "-o", level_set, "--force", "--voxel", "1e-9"))

    def test_options_of_another_question_are_refused(self):
        """They were taken and had no effect: a page of an export, an error of a query."""
        box = self.write("box.obj", obj(BOX))
        field = self.folder / "box.field"
        self.succeed("field", "build", box, "-o", field, "--error", "0.1")
        points = self.write("points.txt", "0 0 0\n")
        query = ["field", "query", field, "--points", points]
        for option in (["--error", "0.1"], ["--margin", "1"], ["--band", "1"], ["--voxel", "1"], ["-o", "x"]):
            self.assertIn("field", self.refuse(*query, *option))
        self.assertIn("--points", self.refuse("field", "build", box, "-o", self.folder / "x", "--points", points))
        self.assertIn("no report", self.refuse("field", "export", field, "-o", self.folder / "x.vdb", "--view"))

    def test_what_is_refused(self):
        box = self.write("box.obj", obj(BOX))
        field = self.folder / "box.field"
        self.assertIn("--output", self.refuse("field", "build", box))
        self.succeed("field", "build", box, "-o", field)
        self.assertIn("exists", self.refuse("field", "build", box, "-o", field))
        self.assertIn("--points", self.refuse("field", "query", field))
        self.assertIn("not a distance field", self.refuse("field", "query", box, "--points", box))
        damaged = self.folder / "damaged.field"
        damaged.write_bytes(field.read_bytes()[:-3])
        points = self.write("points.txt", "0 0 0\n")
        self.assertIn("promises", self.refuse("field", "query", damaged, "--points", points))
        self.assertIn("3 numbers", self.refuse("field", "query", field, "--points", self.write("two.txt", "0 0\n")))
        self.assertIn("QUESTION", self.refuse("field", "ask", field))


if __name__ == "__main__":
    unittest.main()

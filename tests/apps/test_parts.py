"""toccata parts, and what it writes as a shape."""
import json
import unittest

from program import ProgramTest
from test_outputs import BOX, obj
from test_schemas import validator

# The letter L, one unit thick.
OUTLINE = [(0, 0), (3, 0), (3, 1), (1, 1), (1, 4), (0, 4)]
POINTS = [(x, y, z) for z in (0, 1) for x, y in OUTLINE]
SIDES = [f for i in range(6) for k in [(i + 1) % 6] for f in ((i, k, i + 6), (k, k + 6, i + 6))]
ENDS = [f for a, b, c in ((0, 1, 2), (0, 2, 3), (0, 3, 4), (0, 4, 5)) for f in ((a, c, b), (a + 6, b + 6, c + 6))]
LETTER = "".join("v %g %g %g\n" % p for p in POINTS) + "".join("f %d %d %d\n" % tuple(i + 1 for i in f) for f in SIDES + ENDS)


class Parts(ProgramTest):
    def setUp(self):
        super().setUp()
        self.letter = self.write("letter.obj", LETTER)

    def test_a_letter_is_two_boxes(self):
        output = self.folder / "letter.json"
        found = self.succeed_json("parts", self.letter, "--error", "0.05", "-o", output, "--json")
        validator("json.schema.json", "parts").validate(found)
        validator("compound.schema.json").validate(json.loads(output.read_text()))
        self.assertEqual((found["parts"], found["triangles"]), (2, 20))
        self.assertLess(found["error"], 1e-6)
        for pose in ("2.5 2.5 0.5", "5 0 0", "-1 -1 -1"):
            parts = self.succeed_json("distance", f"compound:{output}", "ball:0.25", "--pose-b", pose, "--json")
            mesh = self.succeed_json("distance", self.letter, "ball:0.25", "--pose-b", pose, "--json")
            self.assertAlmostEqual(parts["distance"], mesh["distance"], places=6)

    def test_objects_for_other_programs(self):
        output = self.folder / "hulls.obj"
        found = self.succeed_json("parts", self.letter, "--count", "2", "-o", output, "--json")
        text = output.read_text()
        self.assertEqual(text.count("o part_"), found["parts"])
        self.assertEqual(text.count("v "), found["corners"])

    def test_what_is_refused(self):
        kept = self.write("kept.json", "mine")
        self.assertIn("kept.json", self.refuse("parts", self.letter, "--count", "2", "-o", kept))
        self.assertIn("one of", self.refuse("parts", self.letter))
        self.refuse("parts", self.letter, "--error", "0.1", "--count", "3")
        self.refuse("parts", self.letter, "--error", "-1")
        self.refuse("parts", self.letter, "--error", "nan")
        self.refuse("parts", self.letter, "--count", "0")
        self.assertIn(".json or .obj", self.refuse("parts", self.letter, "--count", "2", "-o", "hulls.stl"))
        self.refuse("parts", self.write("open.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"), "--count", "2")
        for bad in ('{"parts": [{"hull": []}]}', '{"parts": [{"hull": [[1, 2]]}]}', '{"parts": [{"hull": [[1, 2, "x"]]}]}',
                    '{"parts": [{"hull": [[1, 2, 3]], "radius": -1}]}', '{"parts": [{"hull": [[1, 2, 3]], "shape": "ball:1"}]}'):
            self.assertIn("bad.json", self.refuse("distance", "compound:" + str(self.write("bad.json", bad)), self.letter))

    def test_a_box_is_one(self):
        self.assertEqual(self.succeed_json("parts", self.write("box.obj", obj(BOX)), "--error", "0.1", "--json")["parts"], 1)


if __name__ == "__main__":
    unittest.main()

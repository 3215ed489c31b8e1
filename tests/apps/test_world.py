"""toccata world: scenes of many bodies, what is wrong with one and where, and the answers of other commands."""
import json
import unittest
from pathlib import Path

import jsonschema

from program import ProgramTest
from test_outputs import BOX, FACES, obj

DOCS = Path(__file__).resolve().parents[2] / "docs"
CRATES = {
    "shapes": {"crate": "box:0.1,0.1,0.1"},
    "bodies": [
        {"name": "rod", "shape": "box:2,0.02,0.02", "turn": "0 0 1 38.2"},
        {"name": "post", "shape": "box:0.04,0.04,2", "from": [0.7, 0.3, 0], "static": True},
        {"name": "left", "shape": "crate", "from": [3, 0, 0], "velocity": [3.333, 0, 0]},
        {"name": "right", "shape": "crate", "from": [6, 0.05, 0], "velocity": "-3.333 0 0"}]}


class Worlds(ProgramTest):
    def scene(self, scene):
        return self.write("scene.json", scene if isinstance(scene, str) else json.dumps(scene))

    def check_of_scenes(self):
        schema = json.loads((DOCS / "world.schema.json").read_text())
        jsonschema.Draft202012Validator.check_schema(schema)
        return jsonschema.Draft202012Validator(schema)

    def test_events_in_order(self):
        self.check_of_scenes().validate(CRATES)
        found = self.succeed_json("world", self.scene(CRATES), "--events", "--json")
        self.assertEqual([(e["body_a"], e["body_b"]) for e in found["events"]], [("left", "right"), ("rod", "post")])
        self.assertAlmostEqual(found["events"][0]["time"], 2.9 / 6.666, 5)
        self.assertEqual([e["group"] for e in found["events"]], [0, 1])
        first = self.succeed_json("world", self.scene(CRATES), "--json")
        self.assertEqual(first["events"], found["events"][:1])
        text = self.succeed("world", self.scene(CRATES), "--events")
        self.assertTrue(text.startswith("2 pairs of bodies touch, the first at t = 0.43504"), text)
        self.assertTrue(text.splitlines()[2].startswith("  rod and post first touch at t = 0.5"), text)

    def test_agrees_with_impact(self):
        box = self.write("box.obj", obj(BOX))
        scene = {"bodies": [{"shape": "box.obj", "from": "-3 0 0", "to": "3 0 0 20 0 50"}, {"shape": "cone:1,2"}]}
        event = self.succeed_json("world", self.scene(scene), "--json")["events"][0]
        alone = self.succeed_json("impact", box, "cone:1,2", "--from", "-3 0 0", "--to", "3 0 0 20 0 50", "--json")
        for field in ("time", "lower", "upper", "point_a", "point_b", "normal"):
            self.assertEqual(event[field], alone[field], field)

    def test_what_a_scene_names_is_never_replaced(self):
        """Only the scene itself was an input: a report once replaced a mesh that it names."""
        box = self.write("box.obj", obj(BOX))
        scene = self.scene({"bodies": [{"shape": "box.obj", "from": "-3 0 0", "to": "3 0 0"}, {"shape": "ball:1"}]})
        for output in ("--report", "--page"):
            self.assertIn("is an input", self.refuse("world", scene, output, box, "--force"))
        self.assertEqual(Path(box).read_text(), obj(BOX))

    def test_within(self):
        near = self.succeed_json("world", self.scene(CRATES), "--within", 2.95, "--at", 0, "--json")["pairs"]
        self.assertIn(("left", "right"), [(p["body_a"], p["body_b"]) for p in near])
        self.assertAlmostEqual([p for p in near if p["body_a"] == "left"][0]["distance"], 2.9)
        self.assertEqual(self.succeed_json("world", self.scene(CRATES), "--within", 0, "--json")["pairs"], [])
        self.assertIn("left and right touch", self.succeed("world", self.scene(CRATES), "--within", 0, "--at", 0.45))
        self.assertEqual(self.run_program("world", self.scene(CRATES), "--within", 9, "--check").returncode, 1)
        self.assertIn("--within has no report", self.refuse("world", self.scene(CRATES), "--within", 1, "--view"))

    def test_events_and_who_is_near(self):
        both = self.succeed_json("world", self.scene(CRATES), "--events", "--within", 2.95, "--json")
        alone = self.succeed_json("world", self.scene(CRATES), "--events", "--json")
        self.assertEqual(both["events"], alone["events"])
        near = self.succeed_json("world", self.scene(CRATES), "--within", 2.95, "--json")
        self.assertEqual(both["near"], near)
        text = self.succeed("world", self.scene(CRATES), "--events", "--within", 1)
        self.assertIn("2 pairs of bodies touch", text)
        self.assertIn("1 pair of bodies at most 1 apart at t = 0", text)

    def test_groups_and_pairs_switched_off(self):
        scene = json.loads(json.dumps(CRATES))
        scene["bodies"][2].update(groups=["crates"], wants=["posts"])
        self.check_of_scenes().validate(scene)
        events = self.succeed_json("world", self.scene(scene), "--events", "--json")["events"]
        self.assertEqual([e["body_a"] for e in events], ["rod"])
        scene = dict(CRATES, off=[["post", "rod"]])
        events = self.succeed_json("world", self.scene(scene), "--events", "--json")["events"]
        self.assertEqual([e["body_a"] for e in events], ["left"])

    def test_budget_and_until(self):
        self.assertIn("Out of budget", self.succeed("world", self.scene(CRATES), "--events", "--budget", 1))
        self.assertIn("No two bodies touch.", self.succeed("world", self.scene(CRATES), "--events", "--until", 0.3))

    def test_says_what_is_wrong_where(self):
        def body(**fields):
            return {"bodies": [{"shape": "ball:1"}, {"shape": "ball:1", **fields}]}
        open_mesh = self.write("open.obj", obj(BOX, FACES[:-1]))
        for scene, words in [
                ("{", "is no JSON"), ("[]", "expected an object"), ({}, "bodies: is missing"), ({"bodies": 3}, "bodies: expected a list"),
                (body(shape="cube:1"), "bodies[1].shape: "), (body(shape=3), "bodies[1].shape: expected a text"),
                (body(shape="none.obj"), "bodies[1].shape: "), (body(speed=1), "bodies[1]: there is no field 'speed'"),
                (body(to="1 2"), "bodies[1]: to: expected"), (body(to=[1, "x"]), "bodies[1].to[1]: expected a number"),
                (body(name="body 0"), "the name 'body 0' is taken"), (body(static=1), "bodies[1].static: expected true or false"),
                (body(groups="a"), "bodies[1].groups: expected a list"), ({"bodies": [{}]}, "bodies[0]: shape: is missing"),
                (body(shape=str(open_mesh), solid=True), "body 'body 1'"),
                ({"bodies": [], "off": [["a", "b"]]}, "off[0][0]: there is no body 'a'"),
                ({"bodies": [], "off": [["a"]]}, "off[0]: expected the names of two bodies"),
                ({"bodies": [], "shapes": {"a": 1}}, "shapes.a: expected a text")]:
            with self.subTest(words):
                self.assertIn(words, self.refuse("world", self.scene(scene)))
        self.assertIn("cannot be read", self.refuse("world", self.folder / "none.json"))

    def test_a_mesh_that_deforms(self):
        # A sheet sags: its middle, the fifth corner, goes down by 2; the ball's top is at 1 below it, so they meet half way.
        rim, faces = [(-1, -1, 2), (1, -1, 2), (1, 1, 2), (-1, 1, 2)], [(1, 2, 5), (2, 3, 5), (3, 4, 5), (4, 1, 5)]
        self.write("flat.obj", obj([*rim, (0, 0, 2)], faces))
        self.write("sagged.obj", obj([*rim, (0, 0, 0)], faces))
        self.write("other.obj", obj([*rim, (0, 0, 0)], faces[:3]))
        scene = {"bodies": [{"name": "sheet", "shape": "flat.obj", "deforms_to": "sagged.obj"}, {"name": "ball", "shape": "ball:1"},
                            {"name": "twin", "shape": "flat.obj", "from": "9 0 0"}]}
        self.check_of_scenes().validate(scene)
        path = self.scene(scene)
        (event,) = self.succeed_json("world", path, "--events", "--json")["events"]
        self.succeed("world", path, "--events", "--report", self.folder / "r.json")
        self.assertEqual((event["body_a"], event["body_b"]), ("sheet", "ball"))
        self.assertAlmostEqual(event["time"], 0.5, delta=1e-5)
        report = json.loads((self.folder / "r.json").read_text())
        jsonschema.Draft202012Validator(json.loads((DOCS / "report.schema.json").read_text())).validate(report)
        self.assertEqual(["positions_t1" in shape["mesh"] for shape in report["shapes"]], [True, False, False])
        self.assertEqual([body["shape"] for body in report["bodies"]], [0, 1, 2])
        contact = report["results"][0]["contacts"][0]
        self.assertTrue(any(abs(corner[2] - 1) < 1e-4 for corner in contact["corners_a"]), contact)
        for change, words in [({"to": "1 0 0"}, "to: what deforms is where"), ({"deforms_to": "other.obj"}, "is not the same mesh"),
                              ({"deforms_to": "ball:1"}, "only meshes deform"), ({"deforms_to": "none.obj"}, "bodies[0].deforms_to: ")]:
            with self.subTest(words):
                bad = json.loads(json.dumps(scene))
                bad["bodies"][0].update(change)
                self.assertIn(words, self.refuse("world", self.scene(bad)))

    def test_an_empty_world(self):
        self.assertEqual(self.succeed("world", self.scene({"bodies": []})), "No two bodies touch.\n")


if __name__ == "__main__":
    unittest.main()

"""toccata robot: paths and edges of a small robot from a URDF."""
import json
import math
import os
import time
import unittest
from pathlib import Path

import jsonschema

from program import SHARED_DATA, ProgramTest

DOCS = Path(__file__).resolve().parents[2] / "docs"
URDF = """<robot name="bars">
  <link name="base"/>
  <link name="upper"><collision><origin xyz="0.5 0 0"/><geometry><box size="1 0.1 0.1"/></geometry></collision></link>
  <link name="lower">
    <visual><geometry><mesh filename="package://nowhere/lower.dae"/></geometry></visual>
    <collision><origin xyz="0.5 0 0"/><geometry><mesh filename="bar.obj" scale="1 0.1 0.1"/></geometry></collision>
  </link>
  <joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/><axis xyz="0 0 1"/><limit lower="-3.2" upper="3.2"/></joint>
  <joint name="elbow" type="continuous"><parent link="upper"/><child link="lower"/><origin xyz="1 0 0"/><axis xyz="0 0 1"/></joint>
</robot>
"""
CUBE = [(x, y, z) for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)]
FACES = [(1, 2, 4), (1, 4, 3), (5, 7, 8), (5, 8, 6), (1, 5, 6), (1, 6, 2), (3, 4, 8), (3, 8, 7), (1, 3, 7), (1, 7, 5),
         (2, 6, 8), (2, 8, 4)]
POST = "box 0.1 0.1 1  0 1.5 0  0 0 0 1\n"


def validator(file, name=None):
    schema = json.loads((DOCS / file).read_text())
    if name:
        schema = {"$ref": f"#/$defs/{name}", "$defs": schema["$defs"]}
    return jsonschema.Draft202012Validator(schema)


class Robot(ProgramTest):
    def setUp(self):
        super().setUp()
        self.robot = self.write("bars.urdf", URDF)
        self.write("bar.obj", "".join("v %s %s %s\n" % v for v in CUBE) + "".join("f %s %s %s\n" % f for f in FACES))
        self.post = self.write("post.txt", POST)
        self.hit = self.write("hit.txt", "0 0\n3.141592653589793 0\n")
        self.miss = self.write("miss.txt", "0 0\n1.2 0\n")

    def test_first_contact_of_a_path(self):
        found = self.succeed_json("robot", "check", self.robot, "--scene", self.post, "--path", self.hit, "--json")
        validator("json.schema.json", "robot_check").validate(found)
        self.assertEqual((found["status"], found["link_a"], found["link_b"]), ("contact", "lower", "obstacle 1"))
        angle = math.atan2(1.45, 0.05) - math.asin(0.05 / math.hypot(1.45, 0.05))
        self.assertLessEqual(found["time"] * math.pi, angle + 1e-12)
        self.assertAlmostEqual(found["time"] * math.pi, angle, places=5)
        said = self.succeed("robot", "check", self.robot, "--scene", self.post, "--path", self.hit)
        self.assertIn("lower first touches obstacle 1 at t = 0.4", said)
        some = self.succeed_json("robot", "check", self.robot, "--scene", self.post, "--path", self.hit, "--any", "--json")
        self.assertEqual((some["status"], some["time"]), ("contact", 0.5))

    def test_a_free_path_and_its_clearance(self):
        arguments = [self.robot, "--scene", self.post, "--path", self.miss]
        self.assertEqual(self.succeed("robot", "check", *arguments), "The whole path is free: proven.\n")
        self.assertEqual(self.run_program("robot", "check", *arguments, "--check").returncode, 0)
        self.assertEqual(self.run_program("robot", "check", *arguments[:-1], self.hit, "--check").returncode, 1)
        found = self.succeed_json("robot", "clearance", *arguments, "--bands", 4, "--json")
        validator("json.schema.json", "robot_clearance").validate(found)
        # At the end: from the post's corner to the side of the bar.
        corner = math.atan2(1.45, 0.05)
        expected = math.hypot(1.45, 0.05) * math.sin(corner - 1.2) - 0.05
        self.assertAlmostEqual(found["distance"], expected, places=6)
        self.assertLessEqual(found["lower_distance"], expected + 1e-9)
        self.assertGreaterEqual(found["lower_distance"], expected - 1e-3)
        self.assertEqual(len(found["bands"]), 4)
        for before, after in zip(found["bands"], found["bands"][1:]):
            self.assertGreater(before["upper"], after["upper"])
        self.assertIn("come closest", self.succeed("robot", "clearance", *arguments))
        within = self.succeed_json("robot", "check", *arguments, "--minimum-distance", expected + 0.05, "--json")
        self.assertEqual(within["status"], "contact")

    def test_intervals(self):
        arguments = [self.robot, "--scene", self.post, "--path", self.hit]
        found = self.succeed_json("robot", "intervals", *arguments, "--json")
        validator("json.schema.json", "robot_intervals").validate(found)
        (pair,) = found["pairs"]
        self.assertEqual((pair["link_a"], pair["link_b"]), ("lower", "obstacle 1"))
        begin, end = pair["intervals"][0]["begin_lower"], pair["intervals"][0]["end_upper"]
        self.assertAlmostEqual(begin + end, 1.0, places=3)
        said = self.succeed("robot", "intervals", *arguments)
        self.assertIn("1 pair touches during 1 interval: from t = 0.4", said)
        report = str(self.folder / "report.json")
        self.succeed("robot", "intervals", *arguments, "--report", report)
        validator("report.schema.json").validate(json.loads(Path(report).read_text()))
        self.assertIn("free", self.succeed("robot", "intervals", *arguments[:-1], self.miss))

    def test_bands_of_pairs(self):
        found = self.succeed_json("robot", "clearance", self.robot, "--scene", self.post, "--path", self.miss, "--bands", 3,
                                  "--pairs", "--json")
        validator("json.schema.json", "robot_clearance").validate(found)
        self.assertEqual([pair["link_a"] for pair in found["pairs"]], ["lower", "upper"])
        self.assertEqual(len(found["pairs"][0]["bands"]), 3)
        self.assertIn("lower and obstacle 1: ", self.succeed("robot", "clearance", self.robot, "--scene", self.post, "--path",
                                                           self.miss, "--pairs"))
        self.assertIn("go with clearance", self.refuse("robot", "check", self.robot, "--path", self.miss, "--pairs"))

    def test_paddings(self):
        arguments = ["robot", "check", self.robot, "--scene", self.post, "--path", self.miss]
        self.assertIn("free", self.succeed(*arguments))
        for padding in ("lower 1", "obstacle 1 1", "lower,obstacle 1 1"):
            self.assertIn("touches obstacle 1", self.succeed(*arguments, "--padding-of", padding))
        self.assertIn("free", self.succeed(*arguments, "--padding-of", "lower,upper 1"))
        self.assertIn("no link and no obstacle 'hand'", self.refuse(*arguments, "--padding-of", "hand 1"))
        for wrong in ("lower", "lower -1", "lower x", "1"):
            self.assertIn("expected NAME DISTANCE", self.refuse(*arguments, "--padding-of", wrong))

    def test_things_in_the_hand(self):
        arguments = ["robot", "check", self.robot, "--scene", self.post, "--path", self.miss]
        found = self.succeed_json(*arguments, "--hold", "lower box:0.4,0.02,0.02 0.5,0.5,0", "--json")
        self.assertEqual((found["status"], found["link_a"]), ("contact", "box:0.4,0.02,0.02"))
        self.assertIn("free", self.succeed(*arguments, "--hold", "lower ball:0.01 touches upper,base"))
        self.assertIn("expected LINK SHAPE", self.refuse(*arguments, "--hold", "lower"))
        self.assertIn("link 'hand'", self.refuse(*arguments, "--hold", "hand ball:1"))
        self.assertIn("blob", self.refuse(*arguments, "--hold", "lower blob:1"))

    def test_several_robots(self):
        self.write("left.txt", "1.5 0\n0 0\n")
        self.write("right.txt", "3.141592653589793 0\n")
        cell = self.write("cell.yaml", "robots:\n- {name: left, urdf: bars.urdf, path: left.txt}\n"
                          "- {name: right, urdf: bars.urdf, position: [3.5, 0, 0], path: right.txt}\n")
        found = self.succeed_json("robot", "check", cell, "--json")
        self.assertEqual((found["status"], {found["link_a"], found["link_b"]}), ("contact", {"left/lower", "right/lower"}))
        both = self.write("both.txt", "1.5 0 1.5 0\n1 0 1 0\n")
        self.assertIn("free", self.succeed("robot", "check", cell, "--path", both))
        for text, says in (("robots: []", "expected a list"), ("robots: [{name: a}]", "needs `name` and `urdf`"),
                           ("robots: [{name: a, urdf: none.urdf}]", "none.urdf"), ("a: [", "no YAML"),
                           ("robots: [{name: a, urdf: bars.urdf, colour: red}]", "nothing else"),
                           ("robots: [{name: a, urdf: bars.urdf, position: [0, nan, 0]}]", "finite numbers")):
            wrong = self.write("wrong.yaml", text)
            self.assertIn(says, self.refuse("robot", "check", wrong, "--path", both))

    def test_edges(self):
        edges = self.write("edges.txt", "0 0 3 0\n0 0 1.2 0\n1.5707963 0 1.6 0\n")
        found = self.succeed_json("robot", "check", self.robot, "--scene", self.post, "--edges", edges, "--json")
        validator("json.schema.json", "robot_edges").validate(found)
        self.assertEqual([edge["status"] for edge in found["edges"]], ["contact", "separated", "overlap_at_start"])
        self.assertEqual(set(found["edges"][0]), {"status", "time", "link_a", "link_b", "microseconds"})
        self.assertEqual((found["summary"]["edges"], found["summary"]["contacts"]), (3, 2))
        for threads in (1, 2):
            again = self.succeed_json("robot", "check", self.robot, "--scene", self.post, "--edges", edges, "--threads", threads, "--json")
            self.assertEqual([e["time"] for e in again["edges"]], [e["time"] for e in found["edges"]])
        said = self.succeed("robot", "check", self.robot, "--scene", self.post, "--edges", edges)
        self.assertIn("3 edges: 1 free, 2 with a contact", said)
        self.assertEqual(self.run_program("robot", "check", self.robot, "--edges", edges, "--check").returncode, 0)

    def test_splines(self):
        still = self.write("still.txt", "0 0\n0 0\n")
        arguments = ["robot", "check", self.robot, "--scene", self.post, "--path", self.hit, "--json"]
        straight = self.succeed_json(*arguments)["time"]
        t = self.succeed_json(*arguments, "--velocities", still)["time"]
        self.assertAlmostEqual(3 * t**2 - 2 * t**3, straight, places=5)
        t = self.succeed_json(*arguments, "--velocities", still, "--accelerations", still)["time"]
        self.assertAlmostEqual(10 * t**3 - 15 * t**4 + 6 * t**5, straight, places=5)

    def test_certificates(self):
        certificate = self.folder / "free.json"
        arguments = [self.robot, "--scene", self.post, "--path", self.miss, "--certificate", certificate]
        said = self.succeed("robot", "check", *arguments)
        self.assertIn("free: proven", said)
        self.assertIn("2 pairs, clearance", said)
        written = json.loads(certificate.read_text())
        validator("certificate.schema.json").validate(written)
        self.assertIn("The certificate holds: 2 pairs", self.succeed("robot", "verify", *arguments))
        found = self.succeed_json("robot", "verify", *arguments, "--json")
        validator("json.schema.json", "robot_verify").validate(found)
        self.assertTrue(found["valid"])
        self.assertEqual(found["clearance"], written["clearance"])
        # There is one already; and none of a path that touches.
        self.assertIn("free.json", self.refuse("robot", "check", *arguments))
        none = self.folder / "none.json"
        self.succeed("robot", "check", self.robot, "--scene", self.post, "--path", self.hit, "--certificate", none)
        self.assertFalse(none.exists())
        for change, reason in (
            (lambda c: c["pairs"].pop(), "is missing"),
            (lambda c: c["pairs"][0]["spans"][0].__setitem__(2, 3.0), "less than the certificate says (3)"),
            (lambda c: c["pairs"][0]["spans"][-1].__setitem__(1, 0.999), "after t = 0.999"),
            (lambda c: c.__setitem__("robot", "0" * 64), "another robot"),
        ):
            changed = json.loads(certificate.read_text())
            change(changed)
            tampered = self.write("tampered.json", json.dumps(changed))
            result = self.run_program("robot", "verify", *arguments[:-1], tampered)
            self.assertEqual(result.returncode, 1)
            self.assertIn(reason, result.stdout)
        elsewhere = self.write("elsewhere.txt", POST.replace("1.5", "1.6"))
        result = self.run_program("robot", "verify", self.robot, "--scene", elsewhere, *arguments[3:])
        self.assertEqual(result.returncode, 1)
        self.assertIn("another scene", result.stdout)

    def test_pairs(self):
        # A ball at the end of the lower bar: it comes down on the upper one, unless the elbow stops before.
        tip = """<link name="tip"><collision><geometry><sphere radius="0.05"/></geometry></collision></link>
          <joint name="wrist" type="continuous"><parent link="lower"/><child link="tip"/><origin xyz="1 0 0"/></joint></robot>"""
        free = self.write("free.urdf", URDF.replace("</robot>", tip))
        stopped = self.write("stopped.urdf", URDF.replace("</robot>", tip).replace(
            'name="elbow" type="continuous">', 'name="elbow" type="revolute"><limit lower="-2" upper="2"/>'))
        srdf = self.write("bars.srdf", '<robot name="bars"><disable_collisions link1="tip" link2="upper"/></robot>')
        found = self.succeed_json("robot", "pairs", free, "--srdf", srdf, "--json")
        validator("json.schema.json", "robot_pairs").validate(found)
        kinds = {(pair["a"], pair["b"]): (pair["kind"], pair["allowed"]) for pair in found["pairs"]}
        self.assertEqual(kinds, {("upper", "lower"): ("adjacent", False), ("lower", "tip"): ("adjacent", False),
                                 ("upper", "tip"): ("sometimes", True)})
        said = self.succeed("robot", "pairs", free, "--srdf", srdf)
        self.assertIn("upper and tip: sometimes, but allowed", said)
        self.assertIn("the SRDF allows 1 pair that can touch", said)
        self.assertEqual(self.run_program("robot", "pairs", free, "--srdf", srdf, "--check").returncode, 1)
        self.assertIn("upper and tip: always_apart by at least 0.", self.succeed("robot", "pairs", stopped))
        edges = self.write("folding.txt", "0 0 0 0 1.9 0\n0 0 0 0 3.1 0\n")
        plain = self.succeed_json("robot", "check", free, "--edges", edges, "--json")
        tables = self.succeed_json("robot", "check", free, "--edges", edges, "--tables", "--json")
        for a, b in zip(plain["edges"], tables["edges"]):
            self.assertEqual(a["status"], b["status"])
            self.assertAlmostEqual(a["time"], b["time"], places=5)

    def test_the_other_method(self):
        for path, status in ((self.hit, "contact"), (self.miss, "separated")):
            arguments = ["robot", "check", self.robot, "--scene", self.post, "--path", path, "--json"]
            found, other = self.succeed_json(*arguments), self.succeed_json(*arguments, "--method", "interval")
            validator("json.schema.json", "robot_check").validate(other)
            self.assertEqual((found["status"], other["status"]), (status, status))
            self.assertAlmostEqual(found["time"], other["time"], places=5)

    def test_reports_and_pages(self):
        for question in ("check", "clearance"):
            for path in (self.hit, self.miss):
                report, page = self.folder / "r.json", self.folder / "p.html"
                self.succeed("robot", question, self.robot, "--scene", self.post, "--path", path, "--report", report, "--page", page, "--force")
                written = json.loads(report.read_text())
                validator("report.schema.json").validate(written)
                self.assertEqual([body["name"] for body in written["bodies"]], ["upper", "lower", "obstacle 1"])
                self.assertIn(written["answer"], page.read_text())

    def test_srdf_and_limits(self):
        srdf = self.write("bars.srdf", '<robot name="bars"><disable_collisions link1="upper" link2="lower"/></robot>')
        beyond = self.write("beyond.txt", "0 0\n4 0\n")
        found = self.succeed("robot", "check", self.robot, "--srdf", srdf, "--path", beyond)
        self.assertIn("free", found)
        self.assertIn("Note: joint 'shoulder' is at 4.0", found)
        # The shorter way round, or as given: nearly a whole turn.
        turned = self.write("turned.txt", "1.5 0\n1.5 6\n")
        aside = self.write("aside.txt", "box 0.05 0.05 1  -0.5 1 0  0 0 0 1\n")
        self.assertIn("free", self.succeed("robot", "check", self.robot, "--scene", aside, "--path", turned))
        self.assertIn("touches", self.succeed("robot", "check", self.robot, "--scene", aside, "--path", turned, "--as-given"))

    def test_packages(self):
        self.write("packages/bars_description/meshes/bar.obj", Path(self.folder / "bar.obj").read_text())
        elsewhere = self.write("robots/bars.urdf", URDF.replace("bar.obj", "package://bars_description/meshes/bar.obj"))
        for folders in (f"{self.folder}/packages", f"/nowhere:{self.folder}/packages/bars_description"):
            self.assertIn("free", self.succeed("robot", "check", "--package-path", folders, elsewhere, "--path", self.miss))
        self.assertIn("--package-path", self.refuse("robot", "check", elsewhere, "--path", self.miss))

    def test_wrong_use(self):
        for arguments, said in (
            (["robot"], "QUESTION is required"),
            (["robot", "fly", self.robot], "fly"),
            (["robot", "check", self.robot], "expected --path FILE"),
            (["robot", "check", self.robot, "--path", self.hit, "--edges", self.hit], "expected --path FILE"),
            (["robot", "clearance", self.robot, "--edges", self.hit], "takes --path"),
            (["robot", "pairs", self.robot, "--path", self.hit], "pairs takes the robot"),
            (["robot", "verify", self.robot, "--path", self.hit], "verify needs --certificate"),
            (["robot", "verify", self.robot, "--path", self.hit, "--certificate", self.hit], "hit.txt: not a Toccata certificate"),
            (["robot", "clearance", self.robot, "--path", self.hit, "--certificate", "c.json"], "goes with check"),
            (["robot", "check", self.robot, "--path", self.hit, "--velocities", self.write("v.txt", "0 0\n")], "has 1 row, but the path has 2 way-points"),
            (["robot", "check", "missing.urdf", "--path", self.hit], "missing.urdf"),
            (["robot", "check", self.write("bad.urdf", "<robot"), "--path", self.hit], "bad.urdf, line 1"),
            (["robot", "check", self.robot, "--path", self.write("three.txt", "1 2 3 4\n")], "three.txt, line 1: expected 2 numbers"),
            (["robot", "check", self.robot, "--edges", self.hit], "expected 4 numbers (start and end of the robot's 2 variables), found 2"),
            (["robot", "check", self.robot, "--path", self.write("back.txt", "1 0 0\n0.5 1 0\n")], "must increase"),
            (["robot", "check", self.robot, "--scene", self.write("bad.yaml", "world: [1]"), "--path", self.hit], "bad.yaml"),
            (["robot", "check", self.robot, "--path", self.hit, "--report", self.robot, "--force"], "is an input"),
            (["robot", "check", self.robot, "--path", self.hit, "--minimum-distance", "-1"], "--minimum-distance"),
        ):
            with self.subTest(arguments=arguments):
                self.assertIn(said, self.refuse(*arguments))

    @unittest.skipUnless((SHARED_DATA / "robots").exists(), "no shared data")
    def test_panda(self):
        robots = SHARED_DATA / "robots"
        path = self.write("panda.txt", "0 -0.785 0 -2.356 0 1.571 0.785\n0.3 -0.6 0 -2.2 0 1.571 0.785\n")
        arguments = ["robot", "check", robots / "panda/panda.urdf", "--srdf", robots / "panda/panda.srdf", "--path", path]
        before = time.monotonic()
        self.assertEqual(self.succeed(*arguments), "The whole path is free: proven.\n")
        self.assertLess(time.monotonic() - before, 5.0)


if __name__ == "__main__":
    if os.environ.get("TOCCATA_WITH_URDF", "1") == "0":
        print("built without robots")
    else:
        unittest.main()

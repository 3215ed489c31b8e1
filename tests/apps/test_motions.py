"""How the motions of impact are typed: turns of any size, velocities, paths; what contradicts itself is refused."""
import math
import unittest

from program import ProgramTest
from test_outputs import BOX, obj

EYE = "1 0 0 0 1 0 0 0 1 "


def box(lower, upper):
    return [tuple(l + (u - l) * (p + 0.5) for l, u, p in zip(lower, upper, point)) for point in BOX]


class Motions(ProgramTest):
    def setUp(self):
        super().setUp()
        # A hand from the origin along x, and a post at an angle of 185 degrees about z.
        self.hand = self.write("hand.obj", obj(box((0.5, -0.01, -0.1), (2, 0.01, 0.1))))
        angle = math.radians(185)
        x, y = 1.5 * math.cos(angle), 1.5 * math.sin(angle)
        self.post = self.write("post.obj", obj(box((x - 0.02, y - 0.02, -1), (x + 0.02, y + 0.02, 1))))

    def ask(self, *motion):
        return self.succeed_json("impact", self.hand, self.post, "--json", *motion)

    def hit(self, *motion):
        """When the post is hit."""
        answer = self.ask(*motion)
        self.assertEqual(answer["status"], "contact", motion)
        return answer["time"]

    def test_six_numbers_mean_that_turn(self):
        self.assertEqual(self.ask("--to", "0 0 0 0 0 180")["status"], "separated")
        at = 190 * self.hit("--to", "0 0 0 0 0 190")
        self.assertTrue(183 < at < 185, at)
        for turn in (270, 360, 540, 3600):
            self.assertAlmostEqual(turn * self.hit("--to", f"0 0 0 0 0 {turn}"), at, 3)
        backwards = 360 * self.hit("--to", "0 0 0 0 0 -360")
        self.assertTrue(173 < backwards < 175, backwards)
        self.assertAlmostEqual(360 * self.hit("--from", "0 0 0 0 0 30", "--to", "0 0 0 0 0 390") + 30, at, 3)
        # Not the shorter way, on which the post is.
        self.assertEqual(self.ask("--from", "0 0 0 0 0 -170", "--to", "0 0 0 0 0 170")["status"], "separated")
        self.assertAlmostEqual(190 * self.hit("--to", "0 0 0 0 0 190", "--motion", "screw"), at, 3)
        # The same where B turns the other way.
        self.assertAlmostEqual(360 * self.hit("--to-b", "0 0 0 0 0 -360"), at, 3)

    def test_which_way_is_ambiguous(self):
        for motion in (["--from", "0 0 0 10 0 0", "--to", "0 0 0 0 0 190"], ["--from", "0 0 0 1 0 0 0", "--to", "0 0 0 0 0 190"],
                       ["--from", "0 0 0 0 0 190", "--to", EYE + "0 0 0"]):
            said = self.refuse("impact", self.hand, self.post, *motion)
            self.assertIn("--turn", said)
            self.assertIn("190 degrees", said)
        self.ask("--from", "0 0 0 10 0 0", "--to", "0 0 0 0 0 170")  # the shorter rotation

    def test_turn_and_velocity(self):
        at = 190 * self.hit("--to", "0 0 0 0 0 190")
        self.assertAlmostEqual(720 * self.hit("--turn", "0 0 2 720"), at, 3)
        self.assertAlmostEqual(720 * self.hit("--turn", "0 0 -1 -720", "--to", "0 0 0.5"), at, 3)
        self.assertAlmostEqual(720 * self.hit("--turn", "0 0 1 720", "--velocity", "0 0 0.5"), at, 3)
        answer = self.ask("--from", "0 0 3", "--turn", "0 0 1 720", "--velocity", "0 0 1", "--motion", "screw")
        self.assertEqual(answer["motion_a"]["type"], "screw")
        self.assertAlmostEqual(answer["motion_a"]["degrees"], 720)
        self.assertAlmostEqual(answer["motion_a"]["advance"], 1)
        answer = self.ask("--velocity", "0 0 5")
        self.assertEqual((answer["motion_a"]["type"], answer["motion_a"]["displacement"]), ("linear", [0, 0, 5]))
        self.assertEqual(answer["motion_b"]["type"], "fixed")
        # A screw that ends where it was told to.
        answer = self.ask("--from", "0 0 7", "--to", "1 2 9 0 0 270", "--motion", "screw")
        self.assertAlmostEqual(answer["motion_a"]["degrees"], 270)
        self.assertAlmostEqual(answer["motion_a"]["advance"], 2)
        self.assertIn("whole turns", self.refuse("impact", self.hand, self.post, "--to", "1 0 0 0 0 360", "--motion", "screw"))

    def test_path(self):
        at = 190 * self.hit("--to", "0 0 0 0 0 190")
        path = self.write("path.txt", "# seconds, then a pose\n10 0 0 0 0 0 0\n\n20 0 0 0 0 0 90  # a quarter\n50, 0, 0, 0, 0, 0, 390\n")
        answer = self.ask("--path", path)
        self.assertAlmostEqual((answer["time"] - 0.25) / 0.75 * 300 + 90, at, 3)
        self.assertEqual(answer["motion_a"]["times"], [0, 0.25, 1])
        self.assertEqual([round(segment["degrees"], 6) for segment in answer["motion_a"]["segments"]], [90, 300])
        report = self.folder / "r.json"
        self.succeed("impact", self.hand, self.post, "--path", path, "--report", report)
        self.assertIn('"piecewise"', report.read_text())
        forms = self.write("forms.txt", f"0 9 9 9\n1 9 9 9 1 0 0 0\n2 {EYE} 9 9 9\n3 1 0 0 9  0 1 0 9  0 0 1 9  0 0 0 1\n4 8 8 8 0 0 9\n")
        self.assertEqual(len(self.ask("--path", forms)["motion_a"]["segments"]), 4)
        for text, message in (("0 0 0 0\n", "two poses"), ("0 0 0 0\n0 1 0 0\n", "line 2: times must increase"),
                              ("0 0 0\n1 0 0\n", "line 1"), ("0 0 0 0\n1 0 0 x\n", "expected a number at 'x"),
                              ("0 0 0 0 1 0 0 0\n1 0 0 0 0 0 190\n", "line 2: a rotation of 190 degrees")):
            self.assertIn(message, self.refuse("impact", self.hand, self.post, "--path", self.write("bad.txt", text)))
        self.assertIn("none.txt", self.refuse("impact", self.hand, self.post, "--path", self.folder / "none.txt"))

    def test_contradictions_are_refused_by_name(self):
        path = self.write("path.txt", "0 0 0 0\n1 1 0 0\n")
        for one, other in ((["--path", path], ["--from", "0 0 0"]), (["--path", path], ["--to", "0 0 0"]),
                           (["--path", path], ["--turn", "0 0 1 9"]), (["--path", path], ["--velocity", "0 0 1"]),
                           (["--velocity", "0 0 1"], ["--to", "0 0 1"]), (["--turn", "0 0 1 9"], ["--to", "0 0 1 0 0 9"]),
                           (["--path-b", path], ["--to-b", "0 0 0"])):
            said = self.refuse("impact", self.hand, self.post, *one, *other)
            self.assertIn(one[0], said)
            self.assertIn(other[0], said)
        for turn in ("0 0 0 90", "0 0 1", "1 2 3 4 5"):
            self.assertIn("--turn", self.refuse("impact", self.hand, self.post, "--turn", turn))
        self.assertIn("--velocity", self.refuse("impact", self.hand, self.post, "--velocity", "1 2"))

    def test_trials_use_the_poses_of_b(self):
        cube = self.write("cube.obj", obj(BOX))
        trials = self.write("trials.txt", f"{EYE} -5 0 0 {EYE} 5 0 0\n")
        ask = ["impact", cube, cube, "--trials", trials, "--json"]
        self.assertAlmostEqual(self.succeed_json(*ask)["trials"][0]["time"], 0.4, 5)
        self.assertEqual(self.succeed_json(*ask, "--from-b", "0 3 0")["trials"][0]["status"], "separated")
        self.assertAlmostEqual(self.succeed_json(*ask, "--to-b", "-5 0 0")["trials"][0]["time"], 4 / 15, 5)
        self.assertAlmostEqual(self.succeed_json(*ask, "--velocity-b", "-5 0 0")["trials"][0]["time"], 4 / 15, 5)
        report = self.folder / "r.json"
        self.succeed("impact", cube, cube, "--trials", trials, "--to-b", "-5 0 0", "--report", report)
        self.assertIn("-5.0", report.read_text())
        for option in ("--from", "--to", "--velocity"):
            said = self.refuse("impact", cube, cube, "--trials", trials, option, "0 0 1")
            self.assertIn(f"{option} and --trials", said)


class Poses(ProgramTest):
    def setUp(self):
        super().setUp()
        self.box = self.write("box.obj", obj(BOX))

    def distance(self, *arguments):
        return self.succeed_json("distance", self.box, self.box, "--json", *arguments)["distance"]

    def test_matrices_in_column_order(self):
        rows = "1 0 0 3  0 1 0 0  0 0 1 0  0 0 0 1"
        self.assertAlmostEqual(self.distance("--pose-a", rows), 2)
        columns = "1 0 0 0  0 1 0 0  0 0 1 0  3 0 0 1"
        for command, option in ((["distance"], "--pose-a"), (["intersect"], "--pose-b"), (["impact"], "--to")):
            said = self.refuse(*command, self.box, self.box, option, columns)
            self.assertIn("is this column order?", said)
            self.assertIn(option, said)
        self.assertNotIn("column", self.refuse("distance", self.box, self.box, "--pose-a", rows[:-1] + "2"))

    def test_quaternions(self):
        # Of a box turned by 45 degrees about z, a corner is nearer along x.
        s, c = math.sin(math.pi / 8), math.cos(math.pi / 8)
        expected = 3 - 0.5 - 0.5**0.5
        self.assertAlmostEqual(self.distance("--pose-a", f"3 0 0 {c} 0 0 {s}"), expected)
        self.assertAlmostEqual(self.distance("--pose-a", f"3 0 0 {c} 0 0 {s}", "--quaternion", "wxyz"), expected)
        self.assertAlmostEqual(self.distance("--pose-a", f"3 0 0 0 0 {s} {c}", "--quaternion", "xyzw"), expected)
        answer = self.succeed_json("impact", self.box, self.box, "--json", "--from", f"5 0 0 0 0 {s} {c}", "--velocity", "-10 0 0",
                                   "--quaternion", "xyzw")
        self.assertAlmostEqual(answer["time"], (expected + 2) / 10, 5)
        for bad in ("3 0 0 2 0 0 0", "3 0 0 1 0 0 0.1", "3 0 0 0 0 0 0"):
            self.assertIn("the quaternion has length", self.refuse("distance", self.box, self.box, "--pose-a", bad))
        self.refuse("distance", self.box, self.box, "--quaternion", "xwyz")

    def test_matrices_that_are_no_rotation(self):
        for bad in ("1 0 0 0 1 0 0 0 1.0001 3 0 0", "1 0.0001 0 0 1 0 0 0 1 3 0 0", "1 0 0 0 1 0 0 0 -1 3 0 0"):
            self.assertIn("is not a rotation", self.refuse("distance", self.box, self.box, "--pose-a", bad))
        turned = "0.707 -0.707 0 0.707 0.707 0 0 0 1 3 0 0"
        self.assertIn("seven digits", self.refuse("distance", self.box, self.box, "--pose-a", turned))
        self.distance("--pose-a", turned.replace("0.707", "0.7071068"))

    def test_numbers_as_people_type_them(self):
        for pose in (["[3,0,0]"], ["(3, 0, 0)"], ["3", "0", "0"], ["-3", "0", "0"], ["3,0,0"], ["3 0 0"]):
            self.assertAlmostEqual(self.distance("--pose-a", *pose), 2)
        answer = self.succeed_json("impact", "--from", "-5", "0", "0", self.box, self.box, "--to", "5", "0", "0", "--json")
        self.assertAlmostEqual(answer["time"], 0.4, 5)
        answer = self.succeed_json("impact", self.box, self.box, "--turn", 0, 0, 1, 90, "--velocity", 0, 0, 3, "--json")
        self.assertEqual(answer["status"], "overlap_at_start")


if __name__ == "__main__":
    unittest.main()

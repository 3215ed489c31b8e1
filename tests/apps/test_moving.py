"""Clearance and intervals, what impact says of distances and contacts at the start, tables, and pages that open."""
import csv
import io
import json
import math
import os
import pty
import re
import stat
import subprocess
import time
import unittest

from program import PROGRAM, ProgramTest
from test_interrupt import knot
from test_outputs import BOX, moved, obj

EYE = "1 0 0 0 1 0 0 0 1"


class Moving(ProgramTest):
    def setUp(self):
        super().setUp()
        self.box = self.write("box.obj", obj(BOX))
        self.small = self.write("small.obj", obj(moved(BOX, 0, 0.2)))

    def test_clearance(self):
        past = [self.box, self.small, "--from", "-5 2 0", "--to", "5 2 0"]
        answer = self.succeed_json("clearance", *past, "--json")
        self.assertEqual(answer["status"], "separated")
        self.assertAlmostEqual(answer["distance"], 1.4)
        self.assertLessEqual(answer["lower_distance"], 1.4)
        self.assertGreater(answer["lower_distance"], 1.4 - 1e-5)
        # The poses are those at that time, and the points are that far apart.
        self.assertAlmostEqual(answer["pose_a"]["translation"][0], 10 * answer["time"] - 5)
        self.assertAlmostEqual(math.dist(answer["point_a"], answer["point_b"]), 1.4)
        self.assertRegex(self.succeed("clearance", *past), r"^They do not touch\. The smallest clearance is 1\.39\d+ to 1\.4, ")
        hit = self.succeed_json("clearance", self.box, self.small, "--from", "-5 0 0", "--to", "5 0 0", "--json")
        self.assertEqual((hit["status"], hit["distance"]), ("contact", 0))
        self.assertAlmostEqual(hit["time"], 0.44, 5)
        self.assertEqual(self.run_program("clearance", self.small, self.box, "--to", "1 0 0", "--check").returncode, 1)
        self.assertIn("small is inside box at the start.", self.succeed("clearance", self.small, self.box, "--to", "1 0 0"))

    def test_intervals(self):
        # Through the box and back: 4.4 to 5.6 of the way of 10, twice.
        path = self.write("path.txt", "0 -5 0 0\n1 5 0 0\n2 -5 0 0\n")
        answer = self.succeed_json("intervals", self.box, self.small, "--path", path, "--json")
        self.assertEqual(answer["status"], "contact")
        spans = [(i["begin_lower"], i["end_upper"]) for i in answer["intervals"]]
        for (begin, end), (true_begin, true_end) in zip(spans, [(0.22, 0.28), (0.72, 0.78)], strict=True):
            self.assertLessEqual(begin, true_begin)
            self.assertGreaterEqual(end, true_end)
            self.assertAlmostEqual(begin, true_begin, 5)
            self.assertAlmostEqual(end, true_end, 5)
        self.assertAlmostEqual(answer["intervals"][1]["pose_a"]["translation"][0], 0.6, 4)
        text = self.succeed("intervals", self.box, self.small, "--path", path)
        self.assertTrue(text.startswith("They touch 2 times, first from t = 0.2"), text)
        said, *listed = text.splitlines()
        self.assertEqual(len(listed), 2)
        self.assertTrue(said.endswith(f"first {listed[0].strip()}."), text)  # one text for one interval
        for line, (begin, end) in zip(listed, spans, strict=True):  # which holds it
            low, high = (float(x) for x in re.fullmatch(r"  from t = (\S+) to t = (\S+)", line).groups())
            self.assertTrue(low <= begin and end <= high, line)
        rows = list(csv.DictReader(io.StringIO(self.succeed("intervals", self.box, self.small, "--path", path, "--csv"))))
        self.assertEqual([float(row["begin_lower"]) for row in rows], [span[0] for span in spans])
        none = self.succeed("intervals", self.box, self.small, "--from", "-5 3 0", "--to", "5 3 0")
        self.assertEqual(none, "They do not touch.\n")
        self.assertIn("--time-resolution", self.refuse("intervals", self.box, self.small, "--to", "1 0 0", "--time-resolution", 0))

    def test_reports_of_both(self):
        report = self.folder / "r.json"
        for command, query in (("clearance", "closest_approach"), ("intervals", "contact_intervals")):
            self.succeed(command, self.box, self.small, "--from", "-5 2 0", "--to", "5 2 0", "--report", report,
                         "--page", self.folder / f"{command}.html", "--force")
            written = json.loads(report.read_text())
            self.assertEqual(written["query"], query)
            self.assertIn("tolerance", json.dumps(written["options"]))
            self.assertGreater((self.folder / f"{command}.html").stat().st_size, 10_000)

    def test_nothing_moves(self):
        for command in ("impact", "clearance", "intervals"):
            self.assertIn("nothing moves", self.refuse(command, self.box, self.small))

    def test_distances_and_contacts_at_the_start(self):
        def say(*arguments):
            return self.succeed("impact", self.box, self.box, *arguments).splitlines()[0]

        near = ["--minimum-distance", "0.5"]
        self.assertIn("They first come within 0.5 of each other at t = 0.3499", say("--from", "-5 0 0", "--to", "5 0 0", *near))
        self.assertIn("They do not come within 0.5 of each other. The smallest clearance is ", say("--from", "-5 2 0", "--to", "5 2 0", *near))
        self.assertEqual("They are within 0.5 of each other at the start: 0.2 apart.", say("--from", "1.2 0 0", "--to", "5 0 0", *near))
        skip = ["--skip-initial"]
        self.assertRegex(say("--to", "5 0 0", *skip),
                         r"^They are in contact at the start, come apart at t = 0\.20000\d, and do not touch again\.$")
        back = self.write("back.txt", "0 0 0 0\n1 5 0 0\n2 0 0 0\n")
        self.assertRegex(say("--path", back, *skip), r"come apart at t = 0\.10000\d, and touch again at t = 0\.8")
        self.assertEqual("They already touch at the start, and never come apart.", say("--to", "0.1 0 0", *skip))
        answer = self.succeed_json("impact", self.box, self.box, "--path", back, *skip, *near, "--json")
        self.assertAlmostEqual(answer["apart_from"], 0.15, 5)
        self.assertEqual(answer["minimum_distance"], 0.5)

    def test_tables(self):
        trials = self.write("trials.txt", f"# two trials\n{EYE} -5 0 0 {EYE} 5 0 0\n\n{EYE} -5 3 0 {EYE} 5 3 0  # misses\n")
        ask = ["impact", self.box, self.small, "--trials", trials, "--closest"]
        rows = list(csv.DictReader(io.StringIO(self.succeed(*ask, "--csv"))))
        answers = self.succeed_json(*ask, "--json")["trials"]
        self.assertEqual([row["status"] for row in rows], ["contact", "separated"])
        for row, answer in zip(rows, answers, strict=True):
            for name in ("time", "lower", "upper", "distance", "triangle_a", "triangle_b"):
                self.assertEqual(float(row[name]), answer[name])
            for name in ("point_a", "point_b", "normal"):
                self.assertEqual([float(row[f"{name}_{k}"]) for k in "xyz"], answer[name])
            self.assertEqual(row["feature_a"], answer["feature_a"])
        self.assertEqual(float(rows[1]["closest_lower"]), answers[1]["closest_lower"])
        self.assertEqual(rows[0]["closest_time"], "")
        one = self.succeed("impact", self.box, self.small, "--from", "-5 0 0", "--to", "5 0 0", "--csv").splitlines()
        self.assertEqual((len(one), one[0].count(",")), (2, one[1].count(",")))
        self.assertIn("--csv", self.refuse(*ask, "--csv", "--json"))
        self.assertNotIn("-0,", self.succeed("clearance", self.box, self.small, "--from", "-5 2 0", "--to", "5 2 0", "--csv"))

    def test_seconds(self):
        ring = self.write("knot.obj", knot(150, 20))
        around = [ring, ring, "--from", "0.05 0 9", "--to", "0 0.05 0", "--turn", "1 2 3 3600", "--tolerance", 1e-12]
        for command in ("impact", "clearance", "intervals"):
            answer = self.succeed_json(command, *around, "--seconds", 1e-6, "--json")
            self.assertEqual(answer["status"], "out_of_budget", command)
            self.assertTrue(self.succeed(command, *around, "--seconds", 1e-6).startswith("Out of budget: "), command)
            self.assertEqual(self.run_program(command, *around, "--seconds", 1e-6, "--check").returncode, 1)
        trials = self.write("trials.txt", f"{EYE} -9 0 0 {EYE} 9 0 0\n" * 5000)
        start = time.monotonic()
        text = self.run_program("impact", ring, ring, "--trials", trials, "--threads", 1, "--seconds", 1e-6, "--json").stdout
        self.assertLess(time.monotonic() - start, 20)
        self.assertIs(json.loads(text)["interrupted"], True)
        self.assertIsNone(json.loads(text)["trials"][-1])
        self.assertIn("--seconds", self.refuse("impact", *around, "--seconds", -1))

    def test_trials_in_which_b_moves(self):
        trials = self.write("trials.txt", f"{EYE} -5 0 0 {EYE} 5 0 0 {EYE} 0 0 0 {EYE} -5 0 0\n")
        ask = ["impact", self.box, self.box, "--trials", trials]
        self.assertAlmostEqual(self.succeed_json(*ask, "--json")["trials"][0]["time"], 4 / 15, 5)
        self.assertIn("--to-b and the poses of B", self.refuse(*ask, "--to-b", "1 0 0"))
        mixed = self.write("mixed.txt", f"{EYE} -5 0 0 {EYE} 5 0 0 {EYE} 0 0 0 {EYE} -5 0 0\n{EYE} -5 0 0 {EYE} 5 0 0\n")
        self.assertIn("mixed.txt, line 2: B moves in some trials", self.refuse("impact", self.box, self.box, "--trials", mixed))
        quaternions = self.write("q.txt", "-5 0 0 1 0 0 0 5 0 0 1 0 0 0\n")
        answer = self.succeed_json("impact", self.box, self.box, "--trials", quaternions, "--json")
        self.assertAlmostEqual(answer["trials"][0]["time"], 0.4, 5)

    def test_files_with_a_byte_order_mark(self):
        path = self.write("path.txt", "\ufeff# time x y z\n0 -5 0 0\n1 5 0 0 # the end\n")
        self.assertAlmostEqual(self.succeed_json("impact", self.box, self.box, "--path", path, "--json")["time"], 0.4, 5)

    def browser(self):
        """A stand-in that writes down what it is asked to open."""
        said = self.folder / "opened.txt"
        script = self.folder / "browser"
        script.write_text(f'#!/bin/sh\nprintf %s "$1" > "{said}.part" && mv "{said}.part" "{said}"\n')
        script.chmod(script.stat().st_mode | stat.S_IXUSR)
        return script, said

    def opened(self, said):
        for _ in range(200):
            if said.exists():
                return said.read_text()
            time.sleep(0.05)
        self.fail("nothing was opened")

    def test_open(self):
        script, said = self.browser()
        page = self.folder / "a page.html"
        report = self.folder / "r.json"
        environment = {**os.environ, "BROWSER": str(script)}
        ask = ["distance", self.box, self.small, "--pose-a", "3 0 0", "--report", report, "--page", page, "--open"]
        done = subprocess.run([PROGRAM, *map(str, ask)], env=environment, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn(f"page: {page}\n", done.stdout)
        self.assertEqual(self.opened(said), f"file://{self.folder}/a%20page.html")
        said.unlink()
        subprocess.run([PROGRAM, "view", str(report), "--open", "-o", str(self.folder / "v.html")], env=environment, check=True,
                       capture_output=True)
        self.assertEqual(self.opened(said), f"file://{self.folder}/v.html")
        # Without a browser the page is there all the same, and that is said.
        done = subprocess.run([PROGRAM, *map(str, ask), "--force"], env={"PATH": "/nonexistent"}, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0)
        self.assertIn("no program to open a page with", done.stderr)

    def test_links_on_a_terminal(self):
        reader, writer = pty.openpty()
        page = self.folder / "p.html"
        with subprocess.Popen([PROGRAM, "distance", str(self.box), str(self.small), "--page", str(page)], stdout=writer) as process:
            os.close(writer)
            text = b""
            try:
                while chunk := os.read(reader, 65536):
                    text += chunk
            except OSError:  # the other end is closed
                pass
            os.close(reader)
        self.assertEqual(process.returncode, 0)
        self.assertIn(f"page: file://{page}", text.decode())


if __name__ == "__main__":
    unittest.main()

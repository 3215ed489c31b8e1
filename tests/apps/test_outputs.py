"""What every query command offers: --json, --report, --view, --page, --check; files are kept unless --force."""
import json
import os
import shlex
import subprocess
import unittest
from pathlib import Path

from program import PROGRAM, ProgramTest

BOX = [(x, y, z) for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)]
FACES = [(1, 2, 4), (1, 4, 3), (5, 7, 8), (5, 8, 6), (1, 5, 6), (1, 6, 2), (3, 4, 8), (3, 8, 7), (1, 3, 7), (1, 7, 5),
         (2, 6, 8), (2, 8, 4)]
FALLING = [(0, 0, 1), (-1, -1, 0), (1, -1, 0), (0, 1, 0), (0, 0, -3), (-1, -1, 0), (1, -1, 0), (0, 1, 0)]
STAYING = FALLING[:4] + FALLING[:4]


def obj(vertices, faces=FACES):
    return "".join("v %s %s %s\n" % v for v in vertices) + "".join("f %s %s %s\n" % f for f in faces)


def moved(points, x, scale=1.0):
    return [(scale * p[0] + x, scale * p[1], scale * p[2]) for p in points]


def csv(points):
    return "".join("%d,1,%d,1,%d,1\n" % p for p in points)


class Outputs(ProgramTest):
    def cases(self):
        """Of each command: the arguments that find a contact, and those that find none."""
        box = self.write("box.obj", obj(BOX))
        small = self.write("small.obj", obj(moved(BOX, 0, 0.25)))
        near = self.write("near.obj", obj(BOX + moved(BOX, 2), FACES + [tuple(i + 8 for i in f) for f in FACES]))
        hit = self.write("hit.obj", obj(BOX + moved(BOX, 0.9), FACES + [tuple(i + 8 for i in f) for f in FACES]))
        off = self.write("off.obj", obj(BOX + moved(BOX, 3), FACES + [tuple(i + 8 for i in f) for f in FACES]))
        contact, none = self.write("contact_vf.csv", csv(FALLING)), self.write("none_vf.csv", csv(STAYING))
        eye, far = "1 0 0 0 1 0 0 0 1", "1 0 0 0 1 0 0 0 1 5 5 5 "
        hits = self.write("hits.txt", f"{far}{eye} 6 6 6\n{far}{eye} 0 0 0\n")
        misses = self.write("misses.txt", f"{far}{eye} 6 6 6\n{far}{eye} 5 0 5\n")
        parting = ["--from", "0.5 0.1 0.2 5 10 15", "--to", "5 1 2 40 20 10"]
        return {
            "impact": (["impact", box, box, "--from", "-5 0 0", "--to", "5 0 0"],
                       ["impact", box, box, "--from", "-5 3 0", "--to", "5 3 0"]),
            "impact --skip-initial": (["impact", box, box, *parting], ["impact", box, box, *parting, "--skip-initial"]),
            "impact --solid": (["impact", small, box, "--to", "0.1 0 0", "--solid"],
                               ["impact", small, box, "--to", "0.1 0 0", "--surface"]),
            "impact --path": (["impact", box, box, "--path", self.write("hit.txt", "0 -5 0 0\n1 0 0 0\n2 5 0 0 0 0 360\n")],
                              ["impact", box, box, "--path", self.write("miss.txt", "0 -5 3 0\n1 5 3 0\n")]),
            "impact --trials": (["impact", box, box, "--trials", hits], ["impact", box, box, "--trials", misses]),
            "clearance": (["clearance", box, box, "--from", "-5 0 0", "--to", "5 0 0"],
                          ["clearance", box, box, "--from", "-5 3 0", "--to", "5 3 0"]),
            "intervals": (["intervals", box, box, "--from", "-5 0 0", "--to", "5 0 0"],
                          ["intervals", box, box, "--from", "-5 3 0", "--to", "5 3 0"]),
            "distance": (["distance", box, box, "--pose-a", "1 0 0"], ["distance", box, box, "--pose-a", "3 0 0"]),
            "distance --within": (["distance", box, box, "--pose-a", "3 0 0", "--within", 2.5],
                                  ["distance", box, box, "--pose-a", "3 0 0", "--within", 1.5]),
            "intersect": (["intersect", box, box, "--pose-a", "0.5 0.25 0"],
                          ["intersect", box, box, "--pose-a", "3 0 0"]),
            "intersect inside": (["intersect", small, box], ["intersect", small, box, "--pose-a", "4 0 0"]),
            "penetration": (["penetration", box, "ball:0.5", "--pose-b", "0.9 0 0"],
                            ["penetration", box, "ball:0.5", "--pose-b", "1.1 0 0"]),
            "world": (["world", self.world("hit.json", "0 0 0")], ["world", self.world("miss.json", "0 3 0")]),
            "world --events": (["world", self.world("hit.json", "0 0 0"), "--events"],
                               ["world", self.world("miss.json", "0 3 0"), "--events"]),
            "queries": (["queries", contact, none], ["queries", none]),
            "sequence": (["sequence", near, hit], ["sequence", near, off]),
            "sequence --all": (["sequence", "--all", near, hit], ["sequence", "--all", near, off]),
        }

    def world(self, name, place):
        bodies = [{"name": "box", "shape": "box.obj", "from": "-5 0 0", "to": "5 0 0 0 0 90"},
                  {"name": "ball", "shape": "ball:0.5", "from": place}, {"shape": "halfspace:0,0,1,-4", "static": True}]
        return self.write(name, json.dumps({"bodies": bodies}))

    def test_every_output_is_refused_before_the_work(self):
        """What a command writes besides reports once replaced its own input, or was refused after the work."""
        box, points = self.write("box.obj", obj(BOX)), self.write("points.txt", "0 0\n1 0\n0 1\n")
        there = self.write("there.json", "kept")
        writers = {
            "field": (["field", "build", box, "--error", "0.1"], "-o", ".field"),
            "voronoi": (["voronoi", points], "-o", ".csv"),
            "voronoi --image": (["voronoi", points], "--image", ".ppm"),
            "spheres": (["spheres", box, "--error", "0.3"], "-o", ".json"),
            "medial": (["medial", box, "--error", "0.3"], "-o", ".ma"),
            "medial --inner": (["medial", box, "--error", "0.3"], "--inner", ".ma"),
            "parts": (["parts", box, "--count", "1"], "-o", ".json"),
        }
        for name, (question, option, ending) in writers.items():
            with self.subTest(name):
                out = str(self.folder / f"out{ending}")
                self.assertIn("exists; use --force", self.refuse(*question, option, there))
                self.assertIn("no folder", self.refuse(*question, option, str(self.folder / "none" / f"x{ending}")))
                self.assertIn("same file", self.refuse(*question, option, out, "--report", out))
                self.assertIn("same file", self.refuse(*question, option, out, "--page", f"{self.folder}/./out{ending}"))
                self.assertIn("is an input", self.refuse(*question, option, question[1 + (name == "field")], "--force"))
                nowhere = self.folder / f"nowhere{ending}"
                nowhere.symlink_to(self.folder / "elsewhere")
                self.assertIn("exists", self.refuse(*question, option, nowhere))
                nowhere.unlink()
                self.assertFalse(Path(out).exists())
        self.assertEqual(Path(there).read_text(), "kept")
        self.assertEqual(Path(box).read_text(), obj(BOX))
        level = self.write("part_1.ma", "kept")
        self.assertIn("part_1.ma", self.refuse("medial", box, "--error", "0.3", "--levels", "-o", self.folder / "part.ma"))
        self.assertFalse((self.folder / "part_0.ma").exists())
        self.assertEqual(Path(level).read_text(), "kept")

    def test_check_turns_a_contact_into_exit_code_1(self):
        for name, (contact, none) in self.cases().items():
            for extra in ([], ["--json"]):
                with self.subTest(name, extra=extra):
                    self.assertEqual(self.run_program(*contact, *extra).returncode, 0)
                    done = self.run_program(*contact, *extra, "--check")
                    self.assertEqual((done.returncode, done.stderr), (1, ""))
                    self.assertNotEqual(done.stdout, "")
                    self.assertEqual(self.run_program(*none, *extra, "--check").returncode, 0)

    def test_check_counts_the_undecided_as_not_free(self):
        box = self.write("box.obj", obj(BOX))
        arguments = ["impact", box, box, "--from", "-5 0 0 10 20 30", "--to", "5 0 0 170 20 30", "--budget", 1]
        self.assertIn("Out of budget", self.succeed(*arguments))
        self.assertEqual(self.run_program(*arguments, "--check").returncode, 1)

    def test_check_keeps_2_for_errors(self):
        box = self.write("box.obj", obj(BOX))
        self.refuse("impact", box, self.folder / "none.obj", "--to", "1 0 0", "--check")

    def test_report_page_and_json_of_every_command(self):
        for name, both in self.cases().items():
            for arguments in both:
                with self.subTest(name, arguments=arguments):
                    report, page = self.folder / "r.json", self.folder / "p.html"
                    done = self.run_program(*arguments, "--json", "--report", report, "--page", page)
                    self.assertEqual(done.returncode, 0, done.stderr)
                    json.loads(done.stdout)
                    self.assertIn(f"report: {report}", done.stderr)
                    written = json.loads(report.read_text())
                    self.assertEqual(written["format"], "toccata-report")
                    self.assertTrue(written["answer"].endswith("."), written["answer"])
                    self.assertIn(written["answer"], page.read_text())
                    report.unlink()
                    page.unlink()

    def test_view_names_a_page_of_its_own(self):
        for name, (contact, _) in self.cases().items():
            with self.subTest(name):
                text = self.succeed(*contact, "--view", cwd=self.folder)
                page = text.split("page: ")[1].strip()
                self.assertTrue(page.startswith(str(self.folder)) and page.endswith(".html"), page)

    def test_existing_files_are_kept(self):
        kept = self.write("kept", "precious")
        for name, (contact, _) in self.cases().items():
            for option in ("--report", "--page"):
                with self.subTest(name, option=option):
                    self.assertIn("--force", self.refuse(*contact, option, kept))
                    self.assertEqual((self.folder / "kept").read_text(), "precious")
        contact = self.cases()["sequence"][0]
        table = self.write("contacts.csv", "precious")
        self.assertIn("--force", self.refuse(*contact, "--contacts", table))
        self.assertEqual((self.folder / "contacts.csv").read_text(), "precious")
        self.succeed(*contact, "--contacts", table, "--force")
        self.assertTrue((self.folder / "contacts.csv").read_text().startswith("step,kind"))
        self.succeed(*self.cases()["impact"][0], "--report", kept, "--force")
        self.assertIn("toccata-report", (self.folder / "kept").read_text())

    def test_unwritable_places_are_named(self):
        contact = self.cases()["distance"][0]
        done = self.run_program(*contact, "--report", self.folder / "no" / "where.json")
        self.assertEqual(done.returncode, 2)
        self.assertIn("where.json: cannot be written", done.stderr)
        self.assertEqual(done.stdout, "")  # found out before the work

    def test_places_are_looked_at_before_the_work(self):
        folder = self.folder / "folder"
        folder.mkdir()
        for name, (contact, _) in self.cases().items():
            for option in ("--report", "--page"):
                with self.subTest(name, option=option):
                    self.assertIn("there is no folder", self.refuse(*contact, option, self.folder / "no" / "where"))
                    self.assertIn("it is a folder", self.refuse(*contact, option, folder, "--force"))
            self.assertIn("same file", self.refuse(*contact, "--report", self.folder / "x", "--page", self.folder / "x"))

    def test_no_permission_to_write(self):
        locked, kept = self.folder / "locked", self.write("kept", "x")
        locked.mkdir()
        case = self.cases()["distance"][0]
        for path, mode in ((locked, 0o555), (self.folder / "kept", 0o444), (self.folder, 0o755)):
            path.chmod(mode)
        # Root may write everywhere: ask as nobody.
        options = {"user": 65534} if os.geteuid() == 0 else {}
        for arguments, cwd in ((["--report", locked / "r.json"], "/"), (["--page", kept, "--force"], "/"), (["--view"], locked)):
            with self.subTest(arguments=arguments):
                done = self.run_program(*case, *arguments, cwd=cwd, **options)
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertIn("cannot be written", done.stderr)

    def test_links_that_lead_nowhere_are_not_followed(self):
        link = self.folder / "link"
        link.symlink_to(self.folder / "elsewhere")
        for name, (contact, _) in self.cases().items():
            for option in ("--report", "--page"):
                with self.subTest(name, option=option):
                    self.assertIn("--force", self.refuse(*contact, option, link))
        table = self.folder / "link.csv"
        table.symlink_to(self.folder / "elsewhere")
        self.assertIn("--force", self.refuse(*self.cases()["sequence"][0], "--contacts", table))
        self.assertFalse((self.folder / "elsewhere").exists())

    def test_inputs_are_never_replaced(self):
        for name, (contact, _) in self.cases().items():
            inputs = [a for a in contact if str(a).startswith(str(self.folder))]
            for path in inputs:
                before = Path(path).read_text()
                link = self.folder / "another_name"
                link.symlink_to(path)
                for option in ("--report", "--page"):
                    for place in (path, link):
                        with self.subTest(name, option=option, place=place):
                            self.assertIn("is an input", self.refuse(*contact, option, place, "--force"))
                self.assertEqual(Path(path).read_text(), before)
                link.unlink()

    def test_lost_output_is_a_failure(self):
        commands = [contact for contact, _ in self.cases().values()]
        commands += [["--help"], ["--version"], ["impact", "--help"], ["demo"], ["man"], ["completion", "bash"]]
        for arguments in commands:
            with self.subTest(arguments=arguments), open("/dev/full", "w") as full:
                done = subprocess.run([PROGRAM, *map(str, arguments)], stdout=full, stderr=subprocess.PIPE, text=True, timeout=60)
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertRegex(done.stderr, r"^toccata: .*cannot (be written|write)")
        # A stream that is closed: what is printed must not land in a file that the program opens.
        report = self.folder / "closed.json"
        words = " ".join(shlex.quote(str(word)) for word in [PROGRAM, *self.cases()["impact"][0], "--report", report])
        done = subprocess.run(["sh", "-c", words + " >&-"], stderr=subprocess.PIPE, text=True, timeout=60)
        self.assertEqual(done.returncode, 2, done.stderr)
        if report.exists():
            json.loads(report.read_text())

    def test_poses_mean_the_same_everywhere(self):
        # A quarter turn about z, in every form, of a box three long beside a cube at y = 1.9: its end is inside the cube.
        bar, cube = self.write("bar.obj", obj([(3 * x, y, z) for x, y, z in BOX])), self.write("cube.obj", obj(BOX))
        for pose in ("0 1.9 0 0 0 90", "0 1.9 0 0.70710678118654752 0 0 0.70710678118654752", "0 -1 0 1 0 0 0 0 1 0 1.9 0",
                     "0 -1 0 0  1 0 0 1.9  0 0 1 0  0 0 0 1", "0 -1 0 1 0 0 0 0 1.0000001 0 1.9 0"):
            with self.subTest(pose):
                self.assertAlmostEqual(self.succeed_json("distance", "--json", bar, cube, "--pose-a", pose)["distance"], 0)
                self.assertTrue(self.succeed_json("intersect", "--json", bar, cube, "--pose-a", pose)["intersects"])
                impact = self.succeed_json("impact", "--json", bar, cube, "--from", pose, "--to", pose)
                self.assertEqual(impact["status"], "overlap_at_start")
        self.assertAlmostEqual(self.succeed_json("distance", "--json", bar, cube, "--pose-a", "0 1.9 0")["distance"], 0.9)

    def test_one_text_for_one_contact(self):
        """Features read the same in the text, in the JSON and in the report; sentences, too."""
        small, box = self.write("small.obj", obj(moved(BOX, 0, 0.25))), self.write("box.obj", obj(BOX))
        for arguments in (["impact", small, box, "--from", "-5 0.1 0.1 10 20 30", "--to", "5 0 0 100 2 3"],
                          ["distance", small, box, "--pose-a", "3 0.1 0.2 10 20 30"]):
            report = self.folder / "r.json"
            text = self.succeed(*arguments, "--report", report, "--force")
            answer = self.succeed_json(*arguments, "--json")
            written = json.loads(report.read_text())
            (result,) = written["results"]
            contact = result["contacts"][0]
            for side in ("feature_a", "feature_b"):
                self.assertRegex(answer[side], r"^(vertex \d+|edge \d+-\d+|face \d+)$")
                self.assertEqual(contact[side], answer[side])
                self.assertIn(answer[side], text)
            self.assertEqual(result["sentence"], written["answer"])
            self.assertEqual(text.splitlines()[0], written["answer"])

    def test_trials_count_from_0_everywhere(self):
        trials = self.cases()["impact --trials"][0]
        report = self.folder / "r.json"
        text = self.succeed(*trials, "--report", report)
        written = json.loads(report.read_text())
        self.assertEqual([result["label"] for result in written["results"]], ["trial 0", "trial 1"])
        for result in written["results"]:
            self.assertIn(f"{result['label']}: {result['sentence']}", text)
        self.assertIn(written["answer"], text)

    def test_repeat(self):
        ask = self.cases()["impact"][0]
        once = self.succeed_json(*ask, "--json")
        again = self.succeed_json(*ask, "--json", "--repeat", 5)
        self.check_passes(again.pop("passes"), 5)
        for name in ("microseconds", "stats"):
            once.pop(name), again.pop(name)
        self.assertEqual(once, again)
        self.assertIn("\n5 passes: the first took ", self.succeed(*ask, "--repeat", 5))
        trials = self.cases()["impact --trials"][0]
        self.check_passes(self.succeed_json(*trials, "--json", "--repeat", 3)["summary"]["passes"], 3)
        self.assertIn("3 passes: ", self.succeed(*trials, "--repeat", 3))
        self.assertEqual(self.succeed(*ask, "--csv", "--repeat", 2).count("\n"), 2)
        cut = self.succeed_json(*ask, "--json", "--repeat", 1_000_000, "--seconds", 0.2)  # all passes together
        self.assertEqual(cut["status"], once["status"])
        self.assertLess(cut["passes"]["count"], 1_000_000)
        self.assertIn("--repeat", self.refuse(*ask, "--repeat", 0))
        self.assertIn("--repeat", self.refuse(*ask, "--repeat", 1.5))

    def test_solids(self):
        inside = self.cases()["impact --solid"][0]
        self.assertIn("small is inside box at the start.", self.succeed(*inside))
        answer = self.succeed_json(*inside, "--json")
        self.assertEqual((answer["status"], answer["inside"]), ("overlap_at_start", "first_in_second"))
        report = self.folder / "r.json"
        self.succeed(*inside, "--report", report)
        written = json.loads(report.read_text())
        self.assertEqual((written["results"][0]["inside"], written["bodies"][0]["solid"]), ("first_in_second", True))
        torn = self.write("torn.obj", obj(BOX, FACES[:-1]))
        arguments = ["impact", torn, inside[2], "--to", "0.1 0 0", "--solid"]
        self.assertIn("not closed: 3 edges", self.refuse(*arguments))
        done = self.run_program(*arguments, "--json")
        self.assertEqual(done.returncode, 2)
        self.assertEqual(json.loads(done.stdout)["status"], "failed")
        self.assertIn("not closed", json.loads(done.stdout)["failure"])

    def test_what_is_closed_is_solid(self):
        """Inside is an ending of its own, as intersect says it."""
        small, box = self.cases()["impact --solid"][0][1:3]
        arguments = ["impact", small, box, "--to", "0.1 0 0"]
        self.assertEqual(self.run_program(*arguments, "--check").returncode, 1)
        self.assertIn("small is inside box at the start.", self.succeed(*arguments))
        self.assertIn("small is inside box", self.succeed("intersect", small, box))
        answer = self.succeed_json(*arguments, "--json")
        self.assertEqual((answer["status"], answer["inside"]), ("overlap_at_start", "first_in_second"))
        self.assertEqual((answer["solid_a"], answer["solid_b"]), (True, True))
        self.assertEqual(self.succeed_json("impact", box, small, "--to", "0.1 0 0", "--json")["inside"], "second_in_first")
        page = self.folder / "p.html"
        self.succeed(*arguments, "--page", page)
        self.assertIn("small is inside box at the start.", page.read_text())
        eye = "1 0 0 0 1 0 0 0 1"
        trials = self.write("inside.txt", f"{eye} 0 0 0 {eye} 0.1 0 0\n{eye} 5 0 0 {eye} 6 0 0\n")
        batch = ["impact", small, box, "--trials", trials]
        self.assertEqual(self.run_program(*batch, "--check").returncode, 1)
        inside, apart = self.succeed_json(*batch, "--json")["trials"]
        self.assertEqual((inside["status"], inside["inside"], apart["status"]), ("overlap_at_start", "first_in_second", "separated"))
        # Surfaces where that is asked for, or where a mesh is open; --solid demands.
        self.assertEqual(self.run_program(*batch, "--surface", "--check").returncode, 0)
        self.assertEqual(self.run_program(*arguments, "--surface", "--check").returncode, 0)
        torn = self.write("torn.obj", obj(BOX, FACES[:-1]))
        answer = self.succeed_json("impact", small, torn, "--to", "0.1 0 0", "--json")
        self.assertEqual((answer["status"], answer["solid_a"], answer["solid_b"]), ("separated", True, False))
        self.assertIn("not closed", self.refuse("impact", small, torn, "--trials", trials, "--solid"))
        self.refuse(*arguments, "--solid", "--surface")

    def test_tolerances(self):
        near, report = self.cases()["impact"][0], self.folder / "r.json"
        for option, value, expected in (("--tolerance", 0.25, 0.25), ("--relative-tolerance", 0.5, 0.5 * 0.75**0.5)):
            self.succeed(*near, option, value, "--report", report, "--force")
            written = json.loads(report.read_text())
            self.assertAlmostEqual(float(written["options"]["tolerance"]), expected, 3)
            self.assertLessEqual(written["results"][0]["distance"], expected)
        self.assertIn("above 0", self.refuse(*near, "--relative-tolerance", 0))

    def test_intersect_reports_the_pairs_that_meet(self):
        arguments = self.cases()["intersect"][0]
        pairs = self.succeed_json(*arguments, "--all", "--json")["pairs"]
        report = self.folder / "r.json"
        self.succeed(*arguments, "--report", report)
        (result,) = json.loads(report.read_text())["results"]
        self.assertEqual([[c["triangle_a"], c["triangle_b"]] for c in result["contacts"]], pairs)
        for contact in result["contacts"]:  # each point lies on the surface of both boxes
            x, y, z = contact["point_a"]
            self.assertAlmostEqual(max(abs(x), abs(y), abs(z)), 0.5)
            self.assertAlmostEqual(max(abs(x - 0.5), abs(y - 0.25), abs(z)), 0.5)


if __name__ == "__main__":
    unittest.main()

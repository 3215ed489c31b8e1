"""toccata view: a report becomes a page; nothing is replaced unasked; what is wrong is said."""
import copy
import json
import os
import random
import unittest
from pathlib import Path

import jsonschema

from program import ProgramTest

REPORT = {
    "format": "toccata-report", "version": 1, "query": "distance", "answer": "The distance is 1.",
    "shapes": [{"name": "one", "triangles": 1, "mesh": {"positions": [[0, 0, 0], [1, 0, 0], [0, 1, 0]], "faces": [[0, 1, 2]]}}],
}


class View(ProgramTest):
    def test_writes_the_page_and_says_where(self):
        report = self.write("r.json", json.dumps(REPORT))
        said = self.succeed("view", report, cwd=self.folder)
        page = self.folder / "r.html"
        self.assertIn(str(page), said)
        text = page.read_text()
        self.assertIn("The distance is 1.", text)
        self.assertNotIn("http://", text.replace("http://www.w3.org", ""))
        self.assertLess(len(text), 1_500_000)

    def test_json(self):
        report = self.write("r.json", json.dumps(REPORT))
        self.assertEqual(json.loads(self.succeed("view", report, "--json", cwd=self.folder)), {"page": str(self.folder / "r.html")})

    def test_keeps_what_is_there(self):
        report = self.write("r.json", json.dumps(REPORT))
        page = self.write("page.html", "precious")
        self.assertIn("--force", self.refuse("view", report, "-o", page))
        self.assertEqual((self.folder / "page.html").read_text(), "precious")
        self.succeed("view", report, "-o", page, "--force")
        self.assertIn("The distance is 1.", (self.folder / "page.html").read_text())
        self.succeed("view", report, cwd=self.folder)
        self.assertIn("r-2.html", self.succeed("view", report, cwd=self.folder))

    def test_force_replaces_the_page_of_that_name(self):
        report = self.write("r.json", json.dumps(REPORT))
        page = self.write("r.html", "old")
        self.assertIn(page, self.succeed("view", report, "--force", cwd=self.folder))
        self.assertIn("The distance is 1.", (self.folder / "r.html").read_text())
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["r.html", "r.json"])

    def test_never_replaces_the_report(self):
        report = self.write("r.html", json.dumps(REPORT))
        self.assertIn("is an input", self.refuse("view", report, "-o", report, "--force"))
        done = self.run_program("view", report, "--force", cwd=self.folder)
        self.assertEqual(done.returncode, 2)
        self.assertEqual(json.loads((self.folder / "r.html").read_text()), REPORT)
        self.assertIn("there is no folder", self.refuse("view", report, "-o", self.folder / "no" / "p.html"))

    def test_says_what_is_wrong(self):
        self.assertIn("cannot be read", self.refuse("view", self.folder / "none.json"))
        self.assertIn("not JSON", self.refuse("view", self.write("a.json", "{")))
        self.assertIn("toccata-report", self.refuse("view", self.write("b.json", "{}")))
        self.assertIn("version 7", self.refuse("view", self.write("c.json", json.dumps({**REPORT, "version": 7}))))
        lost = {**REPORT, "shapes": [{"name": "lost", "source": "lost.obj"}]}
        self.assertIn("lost.obj", self.refuse("view", self.write("d.json", json.dumps(lost))))

    def test_refuses_what_does_not_fit_the_schema(self):
        """Every field is looked at: the reason names the place."""
        body = {"name": "a", "shape": 0, "motion": {"type": "fixed", "pose": {"rotation": [[1, 0, 0], [0, 1, 0], [0, 0, 1]], "translation": [0, 0, 0]}}}
        result = {"bodies": [0, 0], "status": "contact", "time": 0, "lower": 0, "upper": 0}
        whole = {**REPORT, "bodies": [body], "results": [result]}
        self.succeed("view", self.write("whole.json", json.dumps(whole)), "--force", cwd=self.folder)

        def changed(**fields):
            return {**whole, **fields}
        cases = [
            ("resutls", changed(resutls=[])),
            ("query", {key: value for key, value in whole.items() if key != "query"}),
            ("up", changed(up="w")),
            ("timings.query", changed(timings={"query": "long"})),
            ("counts.pairs", changed(counts={"pairs": -1})),
            ("results[0].status", changed(results=[{**result, "status": "maybe"}])),
            ("results[1].lower", changed(results=[result, {key: value for key, value in result.items() if key != "lower"}])),
            ("results[0].bodies", changed(results=[{**result, "bodies": [0]}])),
            ("results[0].bodies[1]", changed(results=[{**result, "bodies": [0, 3]}])),
            ("bodies[0].shape", changed(bodies=[{**body, "shape": 1}])),
            ("bodies[0].motion.pose", changed(bodies=[{**body, "motion": {"type": "fixed"}}])),
            ("bodies[0].motion", changed(bodies=[{**body, "motion": {"type": "teleport"}}])),
            ("bodies[0].solid", changed(bodies=[{**body, "solid": "yes"}])),
            ("shapes[0].mesh", changed(shapes=[{"name": "one", "mesh": {"positions": [[0, 0, 0]], "faces": [[0, 1, 2]]}}])),
            ("feature_a", changed(results=[{**result, "contacts": [{"point_a": [0, 0, 0], "point_b": [0, 0, 0], "feature_a": "corner 3"}]}])),
        ]
        for place, report in cases:
            with self.subTest(place=place):
                said = self.refuse("view", self.write("bad.json", json.dumps(report)), "-o", self.folder / "bad.html")
                self.assertIn(place, said)
                self.assertFalse((self.folder / "bad.html").exists())

    def test_agrees_with_another_judge_of_the_schema(self):
        """A report with one thing changed at random: this program takes what a schema library takes, and no more."""
        schema = json.loads((Path(__file__).resolve().parents[2] / "docs" / "report.schema.json").read_text())
        judge = jsonschema.Draft202012Validator(schema)
        made = self.folder / "made.json"
        self.write("t.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
        self.succeed("impact", self.folder / "t.obj", self.folder / "t.obj", "--from", "0 0 1", "--to", "0 0 -1", "--surface", "--report", made)
        report = json.loads(made.read_text())
        chance = random.Random(7)

        def places(value, path=()):
            yield path
            items = value.items() if isinstance(value, dict) else enumerate(value[:3]) if isinstance(value, list) else []
            for key, item in items:
                yield from places(item, path + (key,))
        everywhere = list(places(report))[1:]
        others = [None, True, -1, 0.5, 3, "text", [], {}, [1, 2, 3], {"type": "fixed"}]
        for _ in range(40 * int(os.environ.get("TOCCATA_TEST_EFFORT", "1"))):
            path = chance.choice(everywhere)
            bad = copy.deepcopy(report)
            parent = bad
            for key in path[:-1]:
                parent = parent[key]
            kind = chance.randrange(3)
            if kind == 0 or isinstance(parent, list):
                parent[path[-1]] = chance.choice(others)
            elif kind == 1:
                del parent[path[-1]]
            else:
                parent["no_such_field"] = 1
            done = self.run_program("view", self.write("bad.json", json.dumps(bad)), "-o", self.folder / "bad.html", "--force")
            fits = judge.is_valid(bad)
            if not fits:
                self.assertEqual(done.returncode, 2, f"{path}: {list(judge.iter_errors(bad))[:1]}")
            elif done.returncode == 2:
                self.assertNotIn("does not fit the schema", done.stderr, path)
            else:
                self.assertEqual(done.returncode, 0, done.stderr)

    def content(self, page):
        """What the page holds."""
        text = (self.folder / page).read_text()
        start = text.index('id="report">') + len('id="report">')
        return json.loads(text[start:text.index("</script>", start)])

    def test_up_and_hierarchy(self):
        square = self.write("s.obj", "".join(f"v {x} {y} 0\n" for x in range(6) for y in range(6)) + "".join(
            f"f {6 * x + y + 1} {6 * x + y + 7} {6 * x + y + 8}\nf {6 * x + y + 1} {6 * x + y + 8} {6 * x + y + 2}\n" for x in range(5) for y in range(5)))
        for command in (["impact", square, square, "--from", "0 0 1", "--to", "0 0 -1"], ["distance", square, square, "--pose-a", "0 0 1"],
                        ["intersect", square, square, "--pose-a", "0 0 1"]):
            with self.subTest(command=command[0]):
                self.succeed(*command, "--page", self.folder / "p.html", "--force", "--up", "x", "--hierarchy")
                report = self.content("p.html")
                self.assertEqual(report["up"], "x")
                self.assertEqual([tree["body"] for tree in report["hierarchies"]], [0, 1])
                for tree in report["hierarchies"]:
                    self.assertEqual(len(tree["levels"][0]), 1)
                    self.assertGreater(len(tree["levels"][-1]), 2)
                self.succeed(*command, "--report", self.folder / "r.json", "--force")
                self.succeed("view", self.folder / "r.json", "-o", self.folder / "v.html", "--force", "--up", "y", "--hierarchy")
                self.assertEqual(self.content("v.html")["up"], "y")
                self.assertEqual(self.content("v.html")["hierarchies"], report["hierarchies"])
                self.succeed("view", self.folder / "r.json", "-o", self.folder / "v.html", "--force")
                self.assertNotIn("hierarchies", self.content("v.html"))
        self.assertIn("--up", self.refuse("view", self.folder / "r.json", "--up", "w"))

    def test_two_reports_in_one_page(self):
        first = self.write("a.json", json.dumps({**REPORT, "title": "first"}))
        second = self.write("b.json", json.dumps({**REPORT, "title": "second"}))
        self.succeed("view", first, second, "-o", self.folder / "both.html")
        both = self.content("both.html")
        self.assertEqual(both["format"], "toccata-comparison")
        self.assertEqual([report["title"] for report in both["reports"]], ["first", "second"])
        self.assertIn("second report", self.refuse("view", first, self.write("c.json", json.dumps({**REPORT, "up": 3}))))
        self.assertIn("is an input", self.refuse("view", first, second, "-o", second, "--force"))


if __name__ == "__main__":
    unittest.main()

"""toccata view: a report becomes a page; nothing is replaced unasked; what is wrong is said."""
import json
import unittest

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


if __name__ == "__main__":
    unittest.main()

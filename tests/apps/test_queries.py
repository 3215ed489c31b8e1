"""toccata queries: what it prints, and what it refuses."""
import math
import unittest

from program import ProgramTest, test_data

# A vertex that falls through the triangle (0,0,0) (4,0,0) (0,4,0) from z = 1 to z = -3, and one that stays above.
TRIANGLE = [(0, 0, 0), (4, 0, 0), (0, 4, 0)]
FALLING = [(1, 1, 1), *TRIANGLE, (1, 1, -3), *TRIANGLE]
STAYING = [(1, 1, 1), *TRIANGLE, (1, 1, 2), *TRIANGLE]
TOUCHING_FROM_THE_START = [(1, 1, 0), *TRIANGLE, (1, 1, 2), *TRIANGLE]
# Two edges that cross at t = 1/2.
CROSSING = [(-1, 0, 1), (1, 0, 1), (0, -1, 0), (0, 1, 0), (-1, 0, -1), (1, 0, -1), (0, -1, 0), (0, 1, 0)]


def rows(points, truth=None):
    end = "" if truth is None else f",{truth}"
    return "".join(",".join(f"{x},1" for x in point) + end + "\n" for point in points)


class Queries(ProgramTest):
    def test_counts_contacts_and_errors_of_truth(self):
        path = self.write("vertex-face/a.csv", rows(FALLING, 1) + rows(STAYING, 0) + rows(TOUCHING_FROM_THE_START, 1))
        result = self.succeed_json("queries", "--json", path)
        self.assertEqual(set(result), {"files", "total"})
        (file,) = result["files"]
        self.assertEqual(
            set(file),
            {"path", "kind", "queries", "contacts", "false_positives", "false_negatives", "ns_per_query", "stages", "passes"})
        self.assertEqual(file["path"], path)
        self.assertEqual(file["kind"], "vertex-face")
        self.assertEqual((file["queries"], file["contacts"]), (3, 2))
        self.assertEqual((file["false_positives"], file["false_negatives"]), (0, 0))
        self.assertGreater(file["ns_per_query"], 0)
        self.assertEqual(sum(file["stages"].values()), 3)
        self.assertEqual(set(result["total"]), set(file))

    def test_reports_disagreement_with_the_file(self):
        path = self.write("vf.csv", rows(FALLING, 0) + rows(STAYING, 1) + rows(STAYING, 1))
        total = self.succeed_json("queries", "--json", path)["total"]
        self.assertEqual((total["false_positives"], total["false_negatives"]), (1, 2))
        text = self.succeed("queries", path)
        self.assertIn("3 queries, 1 contact; 1 false positive, 2 false negatives", text)

    def test_without_truth(self):
        path = self.write("ee.csv", rows(CROSSING))
        (file,) = self.succeed_json("queries", "--json", path)["files"]
        self.assertEqual((file["kind"], file["contacts"]), ("edge-edge", 1))
        self.assertIsNone(file["false_positives"])
        self.assertIn("no truth given", self.succeed("queries", path))

    def test_times(self):
        path = self.write("a_vf.csv", rows(FALLING) + rows(STAYING) + rows(TOUCHING_FROM_THE_START))
        (file,) = self.succeed_json("queries", "--json", "--times", path)["files"]
        falling, staying, touching = file["times"]
        self.assertEqual(falling["status"], "contact")
        self.assertLessEqual(falling["lower"], 0.25)
        self.assertGreaterEqual(falling["upper"], 0.25)
        self.assertLessEqual(falling["upper"] - falling["lower"], 1e-12)
        self.assertEqual(staying, {"status": "separated"})
        self.assertEqual((touching["status"], touching["lower"], touching["upper"]), ("overlap_at_start", 0, 0))
        self.assertIn("query 1: separated", self.succeed("queries", "--times", path))

    def test_minimum_distance(self):
        path = self.write("vf.csv", rows(FALLING) + rows(STAYING))
        total = self.succeed_json("queries", "--json", "--minimum-distance", "1.5", path)["total"]
        self.assertEqual(total["contacts"], 2)
        self.assertIn("--minimum-distance", self.refuse("queries", "--minimum-distance", "nan", path))
        self.assertIn("--minimum-distance", self.refuse("queries", "--minimum-distance", "-1", path))

    def test_boolean_and_threads_change_nothing(self):
        path = self.write("vf.csv", rows(FALLING, 1) * 50 + rows(STAYING, 0) * 50)
        for extra in ([], ["--boolean"], ["--threads", "2"], ["--threads", "0", "--repeat", "1"]):
            total = self.succeed_json("queries", "--json", *extra, path)["total"]
            self.assertEqual((total["contacts"], total["false_positives"], total["false_negatives"]), (50, 0, 0))

    def test_seconds(self):
        paths = [self.write(f"vf/{i}.csv", rows(FALLING, 1) * 500) for i in range(3)]
        result = self.succeed_json("queries", "--json", "--seconds", 1e-9, *paths)
        self.assertEqual((len(result["files"]), result["out_of_time"]), (0, True))
        self.assertIn("Out of time: 0 of 3 files answered.", self.succeed("queries", "--seconds", 1e-9, *paths))
        self.assertEqual(self.run_program("queries", "--seconds", 1e-9, "--check", *paths).returncode, 1)
        # Cut short within a file, what was not answered is no error of truth.
        total = self.succeed_json("queries", "--json", "--seconds", 0.5, "--repeat", 1_000_000, *paths)["total"]
        self.assertEqual((total["false_positives"], total["false_negatives"]), (0, 0))

    def test_repeat(self):
        paths = [self.write(f"vf/{i}.csv", rows(FALLING, 1) * 500) for i in range(2)]
        result = self.succeed_json("queries", "--json", "--repeat", 5, *paths)
        for tally in (*result["files"], result["total"]):
            self.check_passes(tally["passes"], 5)
            self.assertAlmostEqual(tally["ns_per_query"] * tally["queries"],
                                   1e3 * tally["passes"]["least"]["wall_microseconds"], 3)
        self.assertIn("5 passes: the first took ", self.succeed("queries", "--repeat", 5, *paths))
        self.assertNotIn("passes", self.succeed("queries", "--repeat", 1, *paths))

    def test_folders_are_searched(self):
        self.write("set/vertex-face/b.csv", rows(FALLING, 1))
        self.write("set/edge-edge/deep/a.csv", rows(CROSSING, 1))
        self.write("set/notes.txt", "not a query")
        result = self.succeed_json("queries", "--json", self.folder / "set")
        self.assertEqual([file["kind"] for file in result["files"]], ["edge-edge", "vertex-face"])
        self.assertEqual(result["total"]["kind"], "mixed")
        self.assertEqual(result["total"]["contacts"], 2)

    def test_kind(self):
        path = self.write("wheel.csv", rows(CROSSING, 1))
        self.assertIn("--kind", self.refuse("queries", path))
        self.assertEqual(self.succeed_json("queries", "--json", "--kind", "edge-edge", path)["total"]["contacts"], 1)
        self.assertIn("--kind", self.refuse("queries", "--kind", "sphere", path))

    def test_bad_input(self):
        self.assertIn("no such file or folder", self.refuse("queries", self.folder / "missing.csv"))
        (self.folder / "empty").mkdir()
        self.assertIn("found none", self.refuse("queries", self.folder / "empty"))
        self.assertIn("PATH", self.refuse("queries"))
        good = self.write("vf/good.csv", rows(FALLING))
        for name, text, message in [
            ("vf/cut.csv", rows(FALLING[:5]), ":6: expected 8 rows a query, found 5 in the last"),
            ("vf/third.csv", "1,3,0,1,0,1\n", ":1: expected a numerator and a denominator"),
            ("vf/word.csv", "hello\n", ":1: expected 6 or 7 numbers separated by commas, found 1"),
            ("vf/empty.csv", "", ": the file is empty"),
        ]:
            path = self.write(name, text)
            self.assertIn(path + message, self.refuse("queries", good, path))
            self.assertIn(path + message, self.refuse("queries", "--json", good, path))

    def test_public_data(self):
        total = self.succeed_json("queries", "--json", test_data("queries"))["total"]
        self.assertIn(total["queries"], (708, 4779))  # the part kept here, the whole set
        self.assertEqual((total["false_positives"], total["false_negatives"]), (0, 0))
        frames = self.succeed_json("queries", "--json", test_data("frames/cloth-funnel/queries"))
        self.assertEqual([(f["kind"], f["contacts"]) for f in frames["files"]], [("edge-edge", 107), ("vertex-face", 27)])
        self.assertTrue(math.isfinite(frames["total"]["ns_per_query"]))


if __name__ == "__main__":
    unittest.main()

"""toccata sequence: what it prints, what it writes, and what it refuses."""
import struct
import unittest

from program import ProgramTest, test_data

# A triangle and another one above it; a vertex of the second falls through the first in the second step.
BASE = [(0, 0, 0), (2, 0, 0), (0, 2, 0), (0.5, 0.5, 1), (3, 3, 2), (4, 3, 2)]
FACES = [(1, 2, 3), (4, 5, 6)]


def obj(points, faces=tuple(FACES)):
    return "".join("v %s %s %s\n" % p for p in points) + "".join("f %s %s %s\n" % f for f in faces)


def falling(z):
    return BASE[:3] + [(0.5, 0.5, z)] + BASE[4:]


class Sequence(ProgramTest):
    def frames(self):
        # The names are in natural order only if digits count as numbers.
        return [self.write(f"frames/f{i}.obj", obj(falling(z))) for i, z in ((2, 1), (9, 0.5), (10, -0.5))]

    def test_steps_and_summary(self):
        paths = self.frames()
        result = self.succeed_json("sequence", "--all", "--json", self.folder / "frames")
        self.assertEqual(set(result), {"steps", "summary"})
        first, second = result["steps"]
        self.assertEqual((first["from"], first["to"]), (paths[0], paths[1]))
        self.assertIsNone(first["first_time"])
        self.assertEqual((first["vertex_face"], first["edge_edge"]), (0, 0))
        self.assertAlmostEqual(second["first_time"], 0.5, 12)
        self.assertEqual(second["vertex_face"], 1)
        self.assertEqual(second["objects"], [0, 1])
        self.assertEqual(set(second["milliseconds"]), {"build", "update", "cull", "test", "total"})
        self.assertEqual(second["stages"]["vertex_face_contacts"], 1)
        self.assertEqual((result["summary"]["steps"], result["summary"]["with_contact"]), (2, 1))

    def test_text_pattern_and_range(self):
        paths = self.frames()
        text = self.succeed("sequence", self.folder / "frames" / "f*.obj")
        self.assertIn("No contact in the step.", text)
        self.assertIn("First contact at t = 0.499999999.", text)  # proven just below 1/2, and rounded down
        self.assertIn("1 of 2 steps with contact.", text)
        self.assertIn("0 of 1 step with contact.", self.succeed("sequence", *paths, "--to", 1))
        self.assertIn("1 of 1 step with contact.", self.succeed("sequence", *paths, "--from", 1))
        counted = self.succeed("sequence", "--all", *paths[1:])
        self.assertIn(", 1 vertex-face and 2 edge-edge contacts. (2 connected parts", counted)

    def test_seconds(self):
        paths = self.frames()
        ask = ["sequence", *paths, "--seconds", 1e-9]
        self.assertIn("Out of time after 0 of 2 steps.", self.succeed(*ask))
        self.assertEqual(self.run_program(*ask, "--check").returncode, 1)
        result = self.succeed_json(*ask, "--all", "--json")
        self.assertEqual((result["steps"], result["out_of_time"]), ([], True))
        enough = self.succeed_json("sequence", *paths, "--seconds", 1000, "--json")
        self.assertEqual((len(enough["steps"]), "out_of_time" in enough), (2, False))
        self.assertIn("--seconds", self.refuse("sequence", *paths, "--seconds", -1))

    def test_repeat(self):
        paths = self.frames()
        once = self.succeed_json("sequence", *paths, "--all", "--json")
        self.assertNotIn("passes", once["summary"])
        again = self.succeed_json("sequence", *paths, "--all", "--json", "--repeat", 4)
        for step in again["steps"]:
            self.check_passes(step["passes"], 4)
        self.check_passes(again["summary"]["passes"], 4)
        for which in ("first", "least", "median"):
            total = sum(step["passes"][which]["cpu_microseconds"] for step in again["steps"])
            self.assertAlmostEqual(again["summary"]["passes"][which]["cpu_microseconds"], total, 6)
        for name in ("vertex_face", "edge_edge", "with_contact"):  # asked four times, counted once
            self.assertEqual(again["summary"][name], once["summary"][name])
        table = self.folder / "again.csv"
        self.succeed("sequence", *paths, "--contacts", table, "--repeat", 3)
        self.assertEqual(len(table.read_text().splitlines()), 1 + once["summary"]["vertex_face"] + once["summary"]["edge_edge"])
        self.assertIn("3 passes: the first took ", self.succeed("sequence", *paths, "--repeat", 3))
        self.assertNotIn("passes", self.succeed("sequence", *paths))
        self.assertIn("--repeat", self.refuse("sequence", *paths, "--repeat", 0))

    # A sheet that runs through one point: all its pairs are decided by exact arithmetic, more of it than the budget has.
    def test_what_is_not_decided_is_said(self):
        size = 21
        points = [(i / 16 - 0.61, k / 16 - 0.57, (i * i - 3 * k) / 256) for i in range(size) for k in range(size)]
        faces = []
        for i in range(size - 1):
            for k in range(size - 1):
                corner = 1 + i * size + k
                faces += [(corner, corner + 1, corner + size), (corner + 1, corner + size + 1, corner + size)]
        paths = [self.write("a.obj", obj(points, faces)), self.write("b.obj", obj([tuple(-x for x in p) for p in points], faces))]
        step = self.succeed_json("sequence", *paths, "--json")
        self.assertEqual(step["summary"].get("out_of_budget"), 1, step)
        (only,) = step["steps"]
        self.assertIsNone(only["first_time"])
        self.assertTrue(0 < only["proven_until"] <= 0.5, only)
        report = self.folder / "r.json"
        text = self.succeed("sequence", *paths, "--report", report)
        self.assertIn("Out of budget: no contact up to t = 0.", text)
        self.assertIn("0 of 1 step with contact; 1 out of budget, where there may be more.", text)
        self.assertIn("proven_until", report.read_text())
        self.assertEqual(self.run_program("sequence", *paths, "--check").returncode, 1)
        self.succeed("view", report, "-o", self.folder / "r.html")

    def test_scope_and_distance(self):
        paths = self.frames()
        within = self.succeed_json("sequence", "--all", "--json", "--within", *paths[1:])["steps"][0]
        self.assertIsNone(within["first_time"])
        between = self.succeed_json("sequence", "--all", "--json", "--between", *paths[1:])["steps"][0]
        self.assertAlmostEqual(between["first_time"], 0.5, 12)
        near = self.succeed_json("sequence", "--json", "--minimum-distance", 0.25, *paths[1:])["steps"][0]
        self.assertLessEqual(near["first_time"], 0.25)
        self.assertGreater(near["first_time"], 0.24)

    def test_methods_agree(self):
        paths = self.frames()
        found = [self.succeed_json("sequence", "--all", "--json", "--method", m, *paths)["summary"]
                 for m in ("clusters", "connectivity", "brute")]
        self.assertEqual(len({(f["vertex_face"], f["edge_edge"]) for f in found}), 1)

    def test_contact_files(self):
        paths = self.frames()
        table, records = self.folder / "c.csv", self.folder / "c.bin"
        self.succeed("sequence", *paths, "--contacts", table)
        self.succeed("sequence", *paths, "--contacts", records)
        lines = table.read_text().splitlines()
        self.assertTrue(lines[0].startswith("step,kind,first,second,status,time,"))
        self.assertEqual(lines[1].split(",")[:5], ["1", "vertex_face", "3", "0", "contact"])
        self.assertAlmostEqual(float(lines[1].split(",")[5]), 0.5, 12)
        data = records.read_bytes()
        self.assertEqual(data[:8], b"TOCCATA1")
        self.assertEqual(len(data) - 8, 128 * (len(lines) - 1))
        self.assertEqual(struct.unpack_from("<iiii", data, 8), (1, 0, 3, 0))
        self.assertAlmostEqual(struct.unpack_from("<d", data, 8 + 24)[0], 0.5, 12)

    def test_refuses_broken_frames(self):
        paths = self.frames()
        shorter = self.write("shorter.obj", obj(BASE[:3], FACES[:1]))
        self.assertIn("frame 1 (", self.refuse("sequence", paths[0], shorter))
        bad = self.write("bad.obj", obj(BASE).replace("v 2 0 0", "v nan 0 0"))
        message = self.refuse("sequence", paths[0], bad)
        self.assertIn("frame 1", message)
        self.assertIn("no such frame", self.refuse("sequence", paths[0], self.folder / "missing.obj"))
        self.assertIn("two or more frames", self.refuse("sequence", paths[0]))
        self.assertIn(".csv or .bin", self.refuse("sequence", *paths, "--contacts", self.folder / "c.txt"))

    def test_changing_topology(self):
        paths = self.frames()
        other = self.write("other.obj", obj(falling(-0.5), FACES[:1]))
        self.refuse("sequence", paths[1], other)
        result = self.succeed_json("sequence", "--all", "--json", "--topology-changes", paths[0], paths[1], other)
        self.assertEqual(result["steps"][1]["vertex_face"], 1)
        longer = self.write("longer.obj", obj(BASE + [(9, 9, 9)]))
        result = self.succeed_json("sequence", "--json", "--topology-changes", paths[0], longer)
        self.assertEqual(result["summary"]["skipped"], 1)

    def test_split_vertices_start_where_they_were(self):
        whole = self.write("whole.obj", obj([(0, 0, 0), (2, 0, 0), (0, 2, 0), (2, 2, 1)], [(1, 2, 3), (4, 3, 2)]))
        # The second triangle tears off, vertices 4 and 5 are its own, and falls through the first.
        torn = self.write("torn.obj", obj(
            [(0, 0, 0), (2, 0, 0), (0, 2, 0), (0.5, 0.5, -1), (-1, 2, 1), (2, -1, 1)], [(1, 2, 3), (4, 5, 6)]))
        self.refuse("sequence", whole, torn)
        result = self.succeed_json("sequence", "--all", "--json", "--topology-changes", whole, torn)
        self.assertEqual(result["summary"]["skipped"], 0)
        self.assertGreater(result["steps"][0]["vertex_face"] + result["steps"][0]["edge_edge"], 0)

    def test_ranges_of_frames(self):
        paths = self.frames()
        self.assertIn("counted from 0 to", self.refuse("sequence", *paths, "--to", "99"))
        self.assertIn("must come after", self.refuse("sequence", *paths, "--from", "1", "--to", "0"))

    def test_public_frames(self):
        folder = test_data("frames/cloth-funnel/frames")
        step = self.succeed_json("sequence", "--all", "--json", folder)["steps"][0]
        self.assertEqual((step["vertex_face"], step["edge_edge"]), (27, 107))


if __name__ == "__main__":
    unittest.main()

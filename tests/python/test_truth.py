"""The benchmark with certified answers: its exact arithmetic, its families, and who compares methods with it."""
import importlib.machinery
import importlib.util
import itertools
import json
import subprocess
import sys
import tempfile
import unittest
from fractions import Fraction
from pathlib import Path

import numpy as np

from toccata import _toccata

TRUTH = Path(__file__).resolve().parents[2] / "benchmarks" / "truth"
sys.path[:0] = [str(TRUTH), str(TRUTH / "adapters")]

import exact_impact  # noqa: E402
import separating_axes  # noqa: E402
from families import FAMILIES, Disputed, _agreed  # noqa: E402
from truth_format import contact, free, read_family, write_family  # noqa: E402


def compare_module():
    loader = importlib.machinery.SourceFileLoader("compare", str(TRUTH / "compare"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("compare", loader))
    written, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        loader.exec_module(module)
    finally:
        sys.dont_write_bytecode = written
    return module


class SlowMethodsTest(unittest.TestCase):
    """What the truth rests on, against cases that are known by hand."""

    face = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]], dtype=float)

    def falling(self, x, y, start, end):
        t0, t1 = (np.vstack([[x, y, z], self.face]) for z in (start, end))
        return exact_impact.first_meeting("vertex_face", t0, t1)

    def test_exact_vertex_and_face(self):
        low, high = self.falling(0.25, 0.25, 1.0, -1.0)
        self.assertLessEqual(low, 0.5)
        self.assertGreaterEqual(high, 0.5)
        self.assertLess(high - low, 1e-15)
        low, high = self.falling(0.25, 0.25, 1.0, -2.0)  # at a third, which no double is
        self.assertTrue(3 * Fraction(low) < 1 < 3 * Fraction(high))
        self.assertIsNone(self.falling(0.25, 0.25, 1.0, 0.5))
        self.assertIsNotNone(self.falling(0.5, 0.5, 1.0, -1.0))  # on an edge
        self.assertIsNone(self.falling(0.5, np.nextafter(0.5, 1), 1.0, -1.0))  # beyond it by one rounding
        self.assertIsNotNone(self.falling(1.0, 0.0, 1.0, 0.0))  # a corner, at the end
        with self.assertRaises(exact_impact.Undecided):
            self.falling(0.25, 0.25, 0.0, 0.0)

    def test_exact_edges(self):
        still = np.array([[-1, 0, 0], [1, 0, 0]], dtype=float)
        over = np.array([[0, -1, 1], [0, 1, 1]], dtype=float)
        def met(shift):
            a, b = over + [shift, 0, 0], over + [shift, 0, -4]
            return exact_impact.first_meeting("edge_edge", np.vstack([still, a]), np.vstack([still, b]))
        self.assertEqual(met(0.0), (0.25, 0.25))
        self.assertEqual(met(1.0), (0.25, 0.25))
        self.assertIsNone(met(np.nextafter(1.0, 2.0)))

    def test_separating_axes(self):
        corners = np.array(list(itertools.product((0.0, 1.0), repeat=3)))
        faces = np.array([[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1], [2, 3, 7], [2, 7, 6],
                          [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]])
        self.assertAlmostEqual(separating_axes.gap(corners, faces, corners + [1.5, 0.2, 0.3], faces), 0.5, places=15)
        self.assertAlmostEqual(separating_axes.gap(corners, faces, corners + [4, 5, 1], faces), 5.0, places=14)
        self.assertEqual(separating_axes.gap(corners, faces, corners + 0.5, faces), 0.0)
        low, high = separating_axes.meeting(corners, faces, corners + [3, 0.1, 0.1], faces, np.array([4.0, 0, 0]))
        self.assertTrue(low <= 0.5 <= high and high - low < 1e-12)
        self.assertIsNone(separating_axes.meeting(corners, faces, corners + [3, 1.1, 0.1], faces, np.array([4.0, 0, 0])))

    def test_answers_that_disagree_are_disputed(self):
        self.assertEqual(_agreed("x", contact(0.1, 0.3), contact(0.2, 0.4)), contact(0.2, 0.3))
        for first, second in ((free(), contact(0, 1)), (contact(0.1, 0.2), contact(0.3, 0.4))):
            with self.assertRaises(Disputed):
                _agreed("x", first, second)


class FamiliesTest(unittest.TestCase):
    def test_the_same_seed_gives_the_same_cases(self):
        some = {"elementary": 8, "rigid": 6, "convex": 6, "tunnelling": 6, "worlds": 1, "robots": 2, "deforming": 1}
        for name, count in some.items():
            if name == "robots" and not _toccata.has_robots:
                continue
            made = []
            for _ in range(2):
                with tempfile.TemporaryDirectory() as folder:
                    cases = itertools.islice(FAMILIES[name](np.random.default_rng([3, 1]), Path(folder), 0.05), count)
                    made.append([json.dumps(case) for case in cases])
                    files = sorted(str(path.relative_to(folder)) for path in Path(folder).rglob("*") if path.is_file())
            self.assertEqual(made[0], made[1], name)
            self.assertEqual(len(made[0]), count, name)
            for case in map(json.loads, made[0]):
                self.assertTrue(case["id"].startswith(f"{name}/"))
                self.assertIn(case["difficulty"], ("easy", "medium", "hard", "extreme"))
                self.assertEqual(len(case["methods"]), 2)
                truth = case["truth"]
                self.assertIn(truth["status"], ("free", "contact"))
                for part in (*truth.get("events", []), *truth.get("contacts", []), *([truth] if "lower" in truth else [])):
                    self.assertLessEqual(part["lower"], part["upper"])
                for file in (case.get("a"), case.get("b"), case.get("robot")):
                    self.assertTrue(file is None or file in files)


class CompareTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name, "truth")
        self.folder.mkdir()
        cases = list(FAMILIES["tunnelling"](np.random.default_rng(1), self.folder, 0.05))
        entry = write_family(self.folder, "tunnelling", cases)
        index = {"format": "toccata truth 1", "seed": 1, "size": "tiny", "families": {"tunnelling": entry}}
        Path(self.folder, "index.json").write_text(json.dumps(index))
        self.cases = cases

    def compared(self, *arguments):
        return subprocess.run([sys.executable, "-B", str(TRUTH / "compare"), str(self.folder), *arguments],
                              capture_output=True, text=True)

    def checked(self):
        return subprocess.run([sys.executable, "-B", str(TRUTH / "check"), str(self.folder), "--most", "4"], capture_output=True, text=True)

    def test_motions_are_checked_by_numpy_alone(self):
        found = self.checked()
        self.assertEqual((found.returncode, found.stdout), (0, "tunnelling: 4 confirmed, 0 undecided, 0 refuted\n"), found.stderr)
        for case in self.cases[:4]:  # a contact that is said to be earlier, and one that is denied
            if case["truth"]["status"] == "contact":
                case["truth"] = {"status": "contact", "lower": 0.0, "upper": 0.01}
        index = json.loads(Path(self.folder, "index.json").read_text())
        index["families"]["tunnelling"] = write_family(self.folder, "tunnelling", self.cases)
        Path(self.folder, "index.json").write_text(json.dumps(index))
        found = self.checked()
        self.assertEqual(found.returncode, 1)
        self.assertIn("is refuted", found.stderr)

    def test_methods_and_programs(self):
        programs = {
            # It says that nothing ever touches; it writes what is no answer; it is killed.
            "never": "import json, sys\nout = open(sys.argv[2], 'w')\n"
                     "for line in open(sys.argv[1]):\n    case = json.loads(line)\n    assert 'truth' not in case\n"
                     "    out.write(json.dumps({'id': case['id'], 'status': 'free'}) + '\\n')\n",
            "noise": "import json, sys\nid = json.loads(open(sys.argv[1]).readline())['id']\n"
                     "open(sys.argv[2], 'w').write('{\\n' + json.dumps({'id': id, 'status': 'contact', 'time': 'soon'}) + '\\n[1]\\n')\n",
            "dies": "import os\nos.kill(os.getpid(), 9)\n",
        }
        given = ["--adapters", "toccata_default", "sampled_poses", "nobody", "--peers", "coal", "tight_inclusion"]
        for name, text in programs.items():
            path = Path(self.folder, f"{name}.py")
            path.write_text(text)
            given += ["--program", f"{name}={sys.executable} {path}"]
        table, page = Path(self.folder, "rows.json"), Path(self.folder, "page.html")
        ended = self.compared(*given, "--json", str(table), "--page", str(page))
        self.assertEqual(ended.returncode, 0, ended.stderr)
        rows = {row["method"]: row for row in json.loads(table.read_text())}
        touching = sum(case["truth"]["status"] == "contact" for case in self.cases)
        self.assertGreater(touching, 3)
        ours = rows["toccata_default"]
        self.assertEqual([ours[k] for k in ("cases", "missed", "late", "failed")], [len(self.cases), 0, 0, 0])
        self.assertGreater(rows["sampled_poses"]["missed"] + rows["sampled_poses"]["late"], 0)
        self.assertEqual(rows["never"]["missed"], touching)
        self.assertEqual(rows["noise"]["failed"] + rows["noise"]["false"], len(self.cases))
        self.assertNotIn("dies", rows)
        for text in ("there is no adapter 'nobody'", "the peer 'coal' is not here", "TOCCATA_TIGHT_INCLUSION", "ended with -9"):
            self.assertIn(text, ended.stderr)
        self.assertIn("<td>sampled_poses</td>", page.read_text())
        again = self.compared("--json", str(table))
        self.assertEqual(again.returncode, 2)
        self.assertIn("--force", again.stderr)

    def test_what_is_no_benchmark_is_told(self):
        self.assertIn("no family", self.compared("--families", "love").stderr)
        path = Path(self.folder, "tunnelling.jsonl")
        path.write_text(path.read_text().replace("contact", "free", 1))
        with self.assertRaisesRegex(ValueError, "was changed"):
            list(read_family(self.folder, "tunnelling"))
        ended = self.compared()
        self.assertEqual((ended.returncode, "was changed" in ended.stderr), (2, True))

    def test_verdicts(self):
        judge = compare_module().judge
        case = {"question": "first_contact", "truth": contact(0.4, 0.5)}
        for answer, verdict in (
            ({"status": "contact", "time": 0.45}, "right"), ({"status": "contact", "time": 0.395}, "right"),
            ({"status": "contact"}, "right"), ({"status": "free"}, "missed"), (None, "failed"), ({"status": "failed"}, "failed"),
            ({"status": "contact", "time": 0.500001}, "late"), ({"status": "contact", "time": 0.38}, "early"),
        ):
            self.assertEqual(judge(case, answer), verdict, answer)
        self.assertEqual(judge({**case, "truth": free()}, {"status": "contact", "time": 0.1}), "false")
        apart = {"question": "distance", "truth": {"status": "free", "lower": 1.0, "upper": 1.0}}
        for distance, verdict in ((1.0, "right"), (1.1, "late"), (0.9, "early")):
            self.assertEqual(judge(apart, {"status": "free", "distance": distance}), verdict)
        world = {"question": "events", "truth": {"status": "contact", "events": [{"a": 0, "b": 1, "lower": 0.2, "upper": 0.3}]}}
        for events, verdict in (([], "missed"), ([{"a": 1, "b": 0, "time": 0.25}], "right"), ([{"a": 0, "b": 1, "time": 0.31}], "late"),
                                ([{"a": 0, "b": 1, "time": 0.2}, {"a": 0, "b": 2, "time": 0.5}], "false")):
            self.assertEqual(judge(world, {"status": "contact", "events": events}), verdict)
        step = {"question": "step", "truth": {**contact(0.1, 0.2), "contacts": [{"kind": "vertex_face", "first": 1, "second": 2}]}}
        self.assertEqual(judge(step, {"status": "contact", "contacts": []}), "missed")


if __name__ == "__main__":
    unittest.main()

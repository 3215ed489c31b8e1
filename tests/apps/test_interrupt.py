"""Ctrl-C: long work stops with what it has; a second one ends the program at once."""
import json
import math
import signal
import subprocess
import time
import unittest

from program import PROGRAM, ProgramTest


def knot(n, m):
    """A torus knot of 2 n m triangles, as OBJ."""
    lines = []
    for i in range(n):
        t = 2 * math.pi * i / n
        for j in range(m):
            s = 2 * math.pi * j / m
            r = 2 + math.cos(3 * t) + 0.3 * math.cos(s)
            lines.append(f"v {r * math.cos(2 * t)} {r * math.sin(2 * t)} {math.sin(3 * t) + 0.3 * math.sin(s)}")
    for i in range(n):
        for j in range(m):
            a, b = i * m + j + 1, i * m + (j + 1) % m + 1
            c, d = (i + 1) % n * m + j + 1, (i + 1) % n * m + (j + 1) % m + 1
            lines += [f"f {a} {b} {c}", f"f {b} {d} {c}"]
    return "\n".join(lines) + "\n"


class Interrupt(ProgramTest):
    def interrupted(self, *arguments, after=0.5):
        """Runs it, sends one SIGINT; returns stdout, and requires a clean stop soon after."""
        process = subprocess.Popen([PROGRAM, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)
        time.sleep(after)
        self.assertIsNone(process.poll(), "it was over before the signal")
        process.send_signal(signal.SIGINT)
        out, errors = process.communicate(timeout=30)
        self.assertEqual((process.returncode, errors), (130, ""))
        return out

    def test_one_question(self):
        # A strip in its thread: without a budget it takes far longer than this test waits.
        lines = []
        for i in range(64 * 6):
            a = math.pi * i / 32
            lines += [f"v {r * math.cos(a)} {r * math.sin(a)} {0.2 * i / 64}" for r in (0.5, 1.0)]
        for i in range(1, 2 * 64 * 6 - 2, 2):
            lines += [f"f {i} {i + 1} {i + 2}", f"f {i + 1} {i + 3} {i + 2}"]
        strip = self.write("strip.obj", "\n".join(lines) + "\n")
        question = ["clearance", strip, strip, "--from", "0 0 -0.1", "--to", "0 0 -0.3 0 0 -360", "--budget", 0]
        text = self.interrupted(*question, after=1)
        self.assertRegex(text, r"^Out of budget: the closest found is 0\.\d+, at t = \S+\.\n")
        answer = json.loads(self.interrupted(*question, "--json", after=1))
        self.assertEqual(answer["status"], "out_of_budget")
        self.assertLess(answer["lower_distance"], answer["distance"])

    def trials(self):
        eye = "1 0 0 0 1 0 0 0 1"
        path = self.write("trials.txt", f"{eye} -6 0.1 0.2 0 -1 0 1 0 0 0 0 1 6 0.3 0.1\n" * 400_000)
        mesh = self.write("knot.obj", knot(100, 12))
        return ["impact", mesh, mesh, "--trials", path]

    def test_trials(self):
        result = json.loads(self.interrupted(*self.trials(), "--json", after=3))
        self.assertIs(result["interrupted"], True)
        answered = [trial for trial in result["trials"] if trial is not None]
        self.assertEqual(len(result["trials"]), 400_000)
        self.assertEqual(result["summary"]["answered"], len(answered))
        self.assertGreater(len(answered), 0)
        self.assertLess(len(answered), 400_000)
        self.assertEqual({trial["status"] for trial in answered}, {"contact"})

    def sequence(self):
        frames = [self.write(f"f{i}.obj", knot(300, 40)) for i in range(2)]
        return ["sequence", "--all", *(frames * 4000)]

    def test_sequence(self):
        text = self.interrupted(*self.sequence(), after=2)
        self.assertRegex(text, r"Interrupted after \d+ of 7,999 steps\.")
        result = json.loads(self.interrupted(*self.sequence(), "--json", "--check", after=2))
        self.assertIs(result["interrupted"], True)
        self.assertEqual(result["summary"]["steps"], len(result["steps"]))
        self.assertLess(len(result["steps"]), 7999)

    def test_queries(self):
        row = "".join("%d,1,%d,1,%d,1\n" % p for p in
                      [(0, 0, 1), (-1, -1, 0), (1, -1, 0), (0, 1, 0), (0, 0, -3), (-1, -1, 0), (1, -1, 0), (0, 1, 0)])
        files = [self.write(f"vf/{i}.csv", row * 20_000) for i in range(4)]
        result = json.loads(self.interrupted("queries", "--json", "--repeat", 100_000, *files, after=1.5))
        self.assertIs(result["interrupted"], True)
        self.assertLess(len(result["files"]), 4)
        self.assertEqual(result["total"]["queries"], 20_000 * len(result["files"]))

    def test_the_second_one_ends_it_at_once(self):
        # All pairs of triangles: one step of minutes, where this test waits for a second and a half.
        frames = [self.write(f"f{i}.obj", knot(600, 40)) for i in range(2)]
        process = subprocess.Popen([PROGRAM, "sequence", "--all", "--method", "brute", "--threads", "1", *frames],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        time.sleep(0.5)
        self.assertIsNone(process.poll(), "the first one must let the step finish")
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=5)
        self.assertEqual((process.returncode, out), (-signal.SIGINT, ""))


if __name__ == "__main__":
    unittest.main()

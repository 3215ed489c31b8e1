"""Runs the command line for the tests beside this file."""
import json
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

PROGRAM = os.environ["TOCCATA"]
SHARED_DATA = Path(os.environ.get("TOCCATA_SHARED_DATA", "/nonexistent"))


def test_data(name):
    """Public data: the whole set where it is, otherwise the part that is kept in tests/data."""
    whole = SHARED_DATA / name
    return whole if whole.exists() else Path(__file__).resolve().parents[1] / "data" / name


class ProgramTest(unittest.TestCase):
    def setUp(self):
        self._folder = tempfile.TemporaryDirectory()
        self.addCleanup(self._folder.cleanup)
        self.folder = Path(self._folder.name)

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return str(path)

    def run_program(self, *arguments, **options):
        return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=120, **options)

    def succeed(self, *arguments, **options):
        """Exit code 0 and nothing on stderr; returns stdout."""
        done = self.run_program(*arguments, **options)
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        return done.stdout

    def succeed_json(self, *arguments):
        return json.loads(self.succeed(*arguments))

    def check_passes(self, passes, count):
        """What --repeat says of so many passes."""
        self.assertEqual(passes["count"], count)
        for time in ("cpu_microseconds", "wall_microseconds"):
            first, least, median = (passes[which][time] for which in ("first", "least", "median"))
            self.assertTrue(0 <= least <= median and least <= first, passes)

    def refuse(self, *arguments):
        """Exit code 2, nothing on stdout; returns the message on stderr."""
        done = self.run_program(*arguments)
        self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
        self.assertTrue(done.stderr.startswith("toccata: "), done.stderr)
        return done.stderr

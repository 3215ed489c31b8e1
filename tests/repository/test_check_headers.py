"""tools/check_headers finds what it is there to find, what it precompiles notwithstanding."""
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TOOL = Path(__file__).resolve().parents[2] / "tools" / "check_headers"
VECTOR = '#pragma once\n#include <vector>\ntemplate <typename T> struct Vector { std::vector<T> values; };\n'


class CheckHeaders(unittest.TestCase):
    def check(self, files):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in {"base/vector.hpp": VECTOR, **files}.items():
                path = Path(folder) / "include/toccata" / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            done = subprocess.run([sys.executable, TOOL, "g++", folder], capture_output=True, text=True)
            return done.returncode, done.stderr

    def test_what_a_header_includes_through_others_is_enough(self):
        code, errors = self.check({
            "base/pair.hpp": '#pragma once\n#include "toccata/base/vector.hpp"\n#include <map>\nstd::map<int, Vector<int>> pair();\n',
            "io/load.hpp": '#pragma once\n#include "toccata/base/pair.hpp"\nstd::vector<int> load();\n',
        })
        self.assertEqual((code, errors), (0, ""))

    def test_what_it_does_not_include_is_missing(self):
        for name, text in {
            "base/plain.hpp": "#pragma once\nstd::vector<int> plain();\n",
            "base/map.hpp": '#pragma once\n#include "toccata/base/vector.hpp"\nstd::map<int, Vector<int>> map();\n',
            "base/late.hpp": '#pragma once\nstd::vector<int> late();\n#include "toccata/base/vector.hpp"\n',
            "base/vector.hpp": "#pragma once\nstruct Vector { std::vector<int> values; };\n",
        }.items():
            with self.subTest(name):
                code, errors = self.check({name: text})
                self.assertEqual(code, 1)
                self.assertIn(f"toccata/{name} does not compile alone", errors)


if __name__ == "__main__":
    unittest.main()

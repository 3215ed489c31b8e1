"""tools/check_layers finds what it is there to find."""
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TOOL = Path(__file__).resolve().parents[2] / "tools" / "check_layers"


class CheckLayers(unittest.TestCase):
    def check(self, files):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in files.items():
                path = Path(folder) / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            done = subprocess.run([sys.executable, TOOL, folder], capture_output=True, text=True)
            return done.returncode, done.stderr

    def test_this_project(self):
        self.assertEqual(subprocess.run([sys.executable, TOOL], capture_output=True).returncode, 0)

    def test_lower_rows_and_the_own_stage_are_allowed(self):
        code, _ = self.check({
            "include/toccata/bound/a.hpp": '#include "toccata/base/x.hpp"\n#include "toccata/bound/b.hpp"\n',
            "src/ccd/rigid/a.cpp": '#include "toccata/ccd/y.hpp"\n#include "ccd/rigid/a.hpp"\n#include <vector>\n',
            "apps/toccata/a.cpp": '#include "toccata/bound/a.hpp"\n#include "command.hpp"\n',
        })
        self.assertEqual(code, 0)

    def test_what_is_refused(self):
        for name, text, message in [
            ("include/toccata/base/a.hpp", '#include "toccata/geometry/x.hpp"', "'base' (row 0) includes"),
            ("include/toccata/geometry/a.hpp", '#include "toccata/report/x.hpp"', "'geometry' (row 1) includes"),
            ("src/motion/a.cpp", '\n#  include "hierarchy/x.hpp"', "a.cpp:2: 'motion' (row 4) includes"),
            ("src/ccd/rigid/a.cpp", '#include "toccata/ccd/deformable/x.hpp"', "'ccd/rigid' (row 8) includes"),
            ("include/toccata/io/a.hpp", '#include "io/text_cursor.hpp"', "includes the private"),
            ("include/toccata/magic/a.hpp", "", "'magic' is not a stage"),
            ("src/base/utils/a.hpp", "", "'utils' says nothing"),
            ("apps/toccata/a.cpp", '\n#include "toccata/a.hpp"', "a.cpp:2: \"toccata/a.hpp\" is no header of the library"),
        ]:
            with self.subTest(name):
                code, errors = self.check({name: text})
                self.assertEqual(code, 1)
                self.assertIn(message, errors)


if __name__ == "__main__":
    unittest.main()

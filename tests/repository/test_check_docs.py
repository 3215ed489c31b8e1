"""tools/check_links, tools/check_docs and tools/update_figures find what they are there to find."""
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TOOLS = Path(__file__).resolve().parents[2] / "tools"
HEADER = """
struct FitOptions {
  double tolerance = -1e-6;  // a comment; with a semicolon
  std::function<bool(int, int)> filter = {};
  Method method = Method::Fast;
  bool is_empty() const { return tolerance == 0; }
};
enum class Method { Fast, Slow };
"""
TABLE = (
    "| `FitOptions` | default | meaning |\n| --- | --- | --- |\n| `tolerance` | −1e-6 | how near |\n"
    "| `filter` | none | which |\n| `method` | `Fast` | how |\n"
)


class Repository(unittest.TestCase):
    def run_tool(self, tool, files, *arguments):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in {"README.md": "", "ARCHITECTURE.md": "", **files}.items():
                path = Path(folder) / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            done = subprocess.run([sys.executable, TOOLS / tool, *arguments, folder], capture_output=True, text=True)
            read = {name: (Path(folder) / name).read_text() for name in files}
            return done.returncode, done.stderr, read

    def assert_refused(self, tool, files, message, *arguments):
        code, errors, _ = self.run_tool(tool, files, *arguments)
        self.assertEqual(code, 1, errors)
        self.assertIn(message, errors)


class CheckLinks(Repository):
    def test_what_leads_somewhere_passes(self):
        code, errors, _ = self.run_tool("check_links", {
            "README.md": "[a](docs/a.md) ![p](p.png) [web](https://nowhere.invalid/x) `[not](a.link)`\n```\n[x](y)\n```\n",
            "docs/a.md": "# One `two`: three\n[up](../README.md) [here](#one-two-three) [b](b.md#again-1)",
            "docs/b.md": "## Again\n## Again\n",
            "p.png": "",
        })
        self.assertEqual((code, errors), (0, ""))

    def test_what_does_not_is_refused(self):
        self.assert_refused("check_links", {"README.md": "text\n[a](docs/a.md)"}, "README.md:2: 'docs/a.md' does not exist")
        self.assert_refused("check_links", {"README.md": "[a](b.md#two)", "b.md": "# One"}, "no such heading")
        self.assert_refused("check_links", {"README.md": "", "docs/a.md": ""}, "docs/a.md: no way of links")


class CheckDocs(Repository):
    def files(self, page, header=HEADER):
        return {"include/toccata/fit/fit.hpp": header, "docs/fit.md": page, "examples/a.cpp": "int x;\n// Output:\n// 5\n",
                "src/fit/fit.cpp": '#include "toccata/fit/fit.hpp"\n'}

    def test_twins_pass(self):
        program = "<!-- file: examples/a.cpp -->\n```cpp\nint x;\n```\n```text\n5\n```\n`examples/a.cpp`\n"
        code, errors, _ = self.run_tool("check_docs", self.files(TABLE + "\n" + program))
        self.assertEqual((code, errors), (0, ""))

    def test_what_differs_is_refused(self):
        for page, message in [
            ("", "no page has a table of `FitOptions`"),
            (TABLE.replace("| `filter` | none | which |\n", ""), "`FitOptions::filter` is missing"),
            (TABLE + "| `size` | 1 | none |\n", "`FitOptions` has no `size`"),
            (TABLE.replace("−1e-6", "−1e-5"), "`FitOptions::tolerance` is -1e-6 by default"),
            (TABLE.replace("`Fast`", "`Slow`"), "`FitOptions::method` is Method::Fast by default"),
            (TABLE + "\n| `Method` | |\n| --- | --- |\n| `Fast` | quick |\n", "`Method::Slow` is missing"),
            (TABLE + "\n<!-- file: examples/a.cpp -->\n```cpp\nint y;\n```\n", "word for word"),
            (TABLE + "\n<!-- file: examples/a.cpp -->\n```cpp\nint x;\n```\n```text\n6\n```\n", "not the output"),
            (TABLE + "\n<!-- file: examples/b.cpp -->\n```cpp\nint x;\n```\n", "does not exist"),
            (TABLE + "\n`src/fit/fitting.cpp`\n", "there is no src/fit/fitting.cpp"),
        ]:
            with self.subTest(message):
                self.assert_refused("check_docs", self.files(page), message)

    def test_a_header_that_nobody_includes_is_refused(self):
        files = self.files(TABLE)
        files["include/toccata/fit/part.hpp"] = ""
        self.assert_refused("check_docs", files, "include/toccata/fit/part.hpp: nobody includes it")
        files["include/toccata/fit/whole.hpp"] = '#include "toccata/fit/part.hpp"\n'  # which nobody includes either
        self.assert_refused("check_docs", files, "include/toccata/fit/part.hpp: nobody includes it")
        files["src/fit/whole.cpp"] = "#include <toccata/fit/whole.hpp>\n"
        self.assertEqual(self.run_tool("check_docs", files)[:2], (0, ""))

    # The types that the names of examples have.
    DOOR = (
        "#pragma once\n#include <vector>\nnamespace toccata {\nstruct TriangleMesh {};\nstruct Pose {};\nstruct RigidMotion {};\nstruct Body {};\n"
        "struct Vector3 {};\nstruct DeformableScene {};\ntemplate <typename T> struct Expected {};\n"
        "int fit(const TriangleMesh&);\n}\n"
    )

    def test_an_example_that_does_not_compile_is_refused(self):
        files = self.files("", header="")
        files["include/toccata/toccata.hpp"] = "// Prose.\n//\n//   int n = fit(mesh);  // how many\n//   (void)n;\n" + self.DOOR
        self.assertEqual(self.run_tool("check_docs", files)[:2], (0, ""))
        files["include/toccata/toccata.hpp"] = self.DOOR + "//   Contact   time; a table of words\n//   Failed    failure\n"
        self.assertEqual(self.run_tool("check_docs", files)[:2], (0, ""))
        files["include/toccata/toccata.hpp"] = self.DOOR + "//\n//   int n = fit(pose);\n"
        self.assert_refused("check_docs", files, "include/toccata/toccata.hpp:14:")


class UpdateFigures(Repository):
    PAGE = "<!-- figures: t.csv\ncolumns: who as contestant, ns\nwhere: who = a\nnames: a = Anna\n-->\n%s<!-- end of figures -->\n"
    MADE = "| contestant | ns |\n| --- | --- |\n| Anna | 12.3 |\n"
    CSV = "who,ns\na,12.34\nb,5\n"

    def test_makes_the_table_and_keeps_it(self):
        files = {"docs/p.md": self.PAGE % "old\n", "benchmarks/results/t.csv": self.CSV}
        self.assertEqual(self.run_tool("update_figures", files)[2]["docs/p.md"], self.PAGE % self.MADE)
        files["docs/p.md"] = self.PAGE % self.MADE
        self.assertEqual(self.run_tool("update_figures", files, "--check")[0], 0)

    def test_the_summary_is_made_of_what_is_there(self):
        page = "<!-- figures: summary -->\n%s<!-- end of figures -->\n"
        rows = ("question,scene,contestant,microseconds\ndistance free,gear,toccata,100\ndistance free,gear,fcl,1500\n"
                "distance free,knot,toccata,120\ndistance free,knot,fcl,1200\nray cast,gear,toccata,1\n")
        made = ("| question | time | against |\n| --- | --- | --- |\n| [distance at rest](#meshes-at-rest) | "
                "100\u00a0to\u00a0120\u00a0µs | 10\u00a0to\u00a015 times faster than FCL |\n")
        files = {"docs/p.md": page % "old\n", "benchmarks/results/proximity.csv": rows}
        self.assertEqual(self.run_tool("update_figures", files)[2]["docs/p.md"], page % made)

    def test_says_what_is_not_current(self):
        files = {"docs/p.md": self.PAGE % "old\n", "benchmarks/results/t.csv": self.CSV}
        self.assert_refused("update_figures", files, "run tools/update_figures", "--check")
        files["benchmarks/results/t.csv"] = "name,ns\na,1\n"
        self.assert_refused("update_figures", files, "has no column 'who'", "--check")


if __name__ == "__main__":
    unittest.main()

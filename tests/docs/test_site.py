"""The documentation site: it is built, every link of it leads somewhere, nothing comes from the network.

usage: test_site.py [FOLDER]     (FOLDER: where to build it; a temporary one without)
Exit code 77: mkdocs is not installed.
"""
import importlib.machinery
import importlib.util
import re
import subprocess
import sys
import tempfile
import unittest
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

ROOT = Path(__file__).resolve().parents[2]
SITE = None


def tool(name):
    loader = importlib.machinery.SourceFileLoader(name, str(ROOT / "tools" / name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    sys.dont_write_bytecode = True
    loader.exec_module(module)
    return module


class Page(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.ids, self.links, self.loaded = set(), [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        if "id" in given:
            self.ids.add(given["id"])
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        if tag == "link" and "href" in given:
            self.loaded.append(given["href"])
        elif "src" in given:
            self.loaded.append(given["src"])


class SiteTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.pages = {file: Page(file.read_text(encoding="utf-8")) for file in sorted(SITE.rglob("*.html"))}

    def test_links_lead_to_pages_and_headings(self):
        wrong, looked_at = [], 0
        for file, page in self.pages.items():
            if file.name == "404.html":  # served from anywhere, so its links start at the root
                continue
            for link in page.links + page.loaded:
                if re.match(r"(https?|mailto|javascript):", link):
                    continue
                path, _, anchor = unquote(link).partition("#")
                target = (file.parent / path.partition("?")[0]).resolve() if path else file
                target = target / "index.html" if target.is_dir() else target
                looked_at += 1
                if not target.exists():
                    wrong.append(f"{file.relative_to(SITE)}: {link}")
                elif anchor and target in self.pages and anchor not in self.pages[target].ids:
                    wrong.append(f"{file.relative_to(SITE)}: {link}: no such heading")
        self.assertEqual(wrong, [])
        self.assertGreater(looked_at, 5000)

    def test_nothing_is_loaded_from_elsewhere(self):
        for file, page in self.pages.items():
            elsewhere = [link for link in page.loaded if re.match(r"(https?:)?//", link)]
            self.assertEqual(elsewhere, [], file)

    def test_code_and_tables_are_seen_as_such(self):
        for file, page in self.pages.items():
            text = re.sub(r"<(pre|code|script|style)\b.*?</\1>", "", file.read_text(encoding="utf-8"), flags=re.S)
            unread = re.findall(r"```.*|<p>\| .*|\n\| ---.*|<!-- .*", text)
            self.assertEqual(unread, [], file)

    def test_every_header_and_type_is_in_the_reference(self):
        index = (SITE / "reference/index.html").read_text(encoding="utf-8")
        headers = [str(h.relative_to(ROOT / "include/toccata")) for h in (ROOT / "include/toccata").rglob("*.hpp")]
        self.assertEqual([name for name in headers if f">{name}</a>" not in index], [])
        types = tool("check_docs").types_of(ROOT)
        self.assertEqual([name for name in types if f"<code>{name}</code>" not in index], [])

    def test_search_knows_the_pages(self):
        index = (SITE / "search/search_index.js").read_text(encoding="utf-8")
        words = ("closest_approach.html#what-is-promised", "reference/motion/rigid_motion.html#screwmotion",
                 "questions.html", "examples/trials_py.html")
        self.assertEqual([word for word in words if word not in index], [])


class ToolsTest(unittest.TestCase):
    def test_what_github_and_mkdocs_read_differently(self):
        made = tool("build_docs").as_mkdocs_reads_it("words\n- one\n- two\n<!-- unseen -->\n```sh\n  - a\n  <!-- b -->\n```\n| a |\n")
        self.assertEqual(made, "words\n\n- one\n- two\n\n```sh\n- a\n<!-- b -->\n```\n\n| a |\n")

    def test_pages_that_the_nav_does_not_name_are_known(self):
        build = tool("build_docs")
        self.assertEqual(build.further_pages("nav:\n  - old.md\n", {"docs/old.md": "old.md", "docs/new.md": "new.md"}), ["new.md"])
        with self.assertRaisesRegex(build.Problem, "no page 'gone.md'"):
            build.further_pages("nav:\n  - old.md\n  - gone.md\n", {"docs/old.md": "old.md"})

    def test_a_link_to_nothing_is_refused(self):
        build = tool("build_docs")
        pages = build.Pages(Path("/nowhere"))
        pages.place("docs/a.md", "a.md")
        pages.place("docs/notes/b.md", "notes/b.md")
        self.assertEqual(pages.target_of("docs/notes/b.md", "../a.md#x"), "../a.md#x")
        with self.assertRaisesRegex(build.Problem, "no page for 'c.md'"):
            pages.target_of("docs/a.md", "c.md")

    def test_reference_of_a_header(self):
        header = (
            "#pragma once\n// What it is. More.\n//\n//   Ball ball = make(1.0);\n#include <vector>\n\nnamespace toccata {\n\n"
            "struct Hidden;  // private\n\n// A round thing.\nclass Ball {\n public:\n  explicit Ball(double r) : r_(r) {}\n"
            "  double radius() const { return r_; }  // in metres\n\n private:\n  double r_ = 0.0;\n};\n\n"
            "// Makes one.\nBall make(double radius, const Options& options = {});\ninline bool is_round(const Ball&) {\n  return true;\n}\n\n"
            "}  // namespace toccata\n"
        )
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "ball.hpp"
            path.write_text(header)
            page, names, first = tool("cpp_reference").header_page(path, "toccata/geometry/ball.hpp", {"Ball": {"p.md"}})
        self.assertEqual(names, {"Ball": "A round thing.", "make": "Makes one.", "is_round": ""})
        self.assertEqual(first, "What it is.")
        self.assertIn("```cpp\nBall ball = make(1.0);\n```", page)
        self.assertIn("class Ball {\n public:\n  explicit Ball(double r);\n  double radius() const;  // in metres\n};", page)
        self.assertIn("Ball make(double radius, const Options& options = {});\ninline bool is_round(const Ball&);", page)
        self.assertIn("[p](../../p.md)", page)
        for private in ("r_", "return", "Hidden"):
            self.assertNotIn(private, page)

    def test_citation_names_this_version(self):
        version = re.search(r"project\(Toccata VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text())[1]
        self.assertIn(f"\nversion: {version}\n", (ROOT / "CITATION.cff").read_text())


if __name__ == "__main__":
    folder = sys.argv.pop(1) if len(sys.argv) > 1 else tempfile.mkdtemp()
    done = subprocess.run([ROOT / "tools" / "build_docs", folder], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    print(done.stdout, end="")
    if done.returncode != 0:
        sys.exit(done.returncode)
    SITE = Path(folder).resolve() / "site"
    unittest.main()

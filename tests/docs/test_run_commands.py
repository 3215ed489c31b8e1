"""The test of the documentation must itself be able to fail."""
import os
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import run_commands


class RunCommandsTest(unittest.TestCase):
    def problems(self, page: str):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "page.md"
            path.write_text(page)
            return run_commands.run_page(path, dict(os.environ))

    def test_what_is_right_passes(self):
        page = (
            "<!-- prepare\necho 5 > five\n-->\n```sh\ncat five\n```\n```text\n5\n```\n"
            "```python\nx = 2\nprint(x)\n```\n\n```text\n2\n```\n```python\nprint(x + 1, 'at', 0.123)\n```\n"
            "```text\n3 at ...\n```\n<!-- not run: it would recurse -->\n```sh\nfalse\n```\n"
        )
        self.assertEqual(self.problems(page), (4, []))

    def test_blocks_by_debians_python(self):
        page = (
            "```python\nx = 1\n```\n<!-- needs: json -->\n```python\nimport json\ny = json.loads('7')\nprint('x' in globals())\n```\n"
            "```text\nFalse\n```\n<!-- needs: json -->\n```python\nprint(y)\n```\n```text\n7\n```\n"
            "<!-- needs: no_such_module -->\n```python\n1 / 0\n```\n"
        )
        self.assertEqual(self.problems(page), (3, []))
        self.assertEqual(len(self.problems("<!-- needs: json -->\n```python\nprint(1)\n```\n```text\n2\n```\n")[1]), 1)
        self.assertEqual(len(self.problems("<!-- needs: json -->\n```python\n1 / 0\n```\n")[1]), 1)

    def test_what_is_wrong_fails(self):
        for page in (
            "```sh\nfalse\n```\n",
            "```sh\nfalse\ntrue\n```\n",
            "```sh\nfalse | cat\n```\n",
            "```sh\necho 1\n```\n```text\n2\n```\n",
            "```sh\necho 12\n```\n```text\n1\n```\n",
            "```python\n1 / 0\n```\n",
            "```python\nprint(1)\n```\n```text\n1\n2\n```\n",
            "<!-- prepare\nfalse\n-->\n",
            "<!-- not run: -->\n```sh\nfalse\n```\n",
            "<!-- not run: why -->\nwords\n```sh\nfalse\n```\n",
            "```\ntoccata demo\n```\n",
        ):
            with self.subTest(page=page):
                self.assertEqual(len(self.problems(page)[1]), 1)


if __name__ == "__main__":
    unittest.main()

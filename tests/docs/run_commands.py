"""Runs the commands and the Python of the documentation, and compares what they print.

usage: VENV/bin/python run_commands.py --toccata PROGRAM FILE.md...

In a page, in order:
  ```sh            is run by bash, all commands must succeed
  ```python        is run by this Python, which has toccata; the blocks of a page share their names
  ```text          directly after either: what it prints ("..." stands for anything, e.g. a time or a path)
  <!-- not run: REASON -->   directly before a block: it is not run, and REASON says why
  <!-- file: PATH -->        directly before a block: part of a program that has a test of its own (tools/check_docs)
  <!-- prepare COMMANDS -->  shell commands run where they stand, unseen by the reader
  <!-- needs: MODULE -->     directly before a Python block: it is run by Debian's Python, which has MODULE (and not
                             toccata); these blocks share their names with each other. Without MODULE they are skipped
Each page has an empty folder of its own to run in. A block without a language is not run; if it begins with a
command, that is an error, so that no command escapes this test.
"""
from __future__ import annotations

import argparse
import contextlib
import dataclasses
import difflib
import io
import os
import re
import subprocess
import sys
import tempfile
import traceback
from pathlib import Path

DEBIAN_PYTHON = "/usr/bin/python3"
COMMANDS = ("toccata ", "make ", "make\n", "python3 ", "pip ", "cmake ", "sudo ", "git ", "./", "$ ")


@dataclasses.dataclass
class Block:
    language: str
    text: str
    line: int
    skipped: bool = False
    needs: str = ""
    output: str | None = None


def blocks_of(page: str) -> list[Block]:
    """The fenced blocks and <!-- prepare --> comments of a page, in order, outputs attached."""
    pattern = re.compile(
        r"^(?P<indent> *)```(?P<language>[^\n`]*)\n(?P<text>.*?)^ *```[ ]*$|<!--\s*(?P<comment>.*?)-->", re.M | re.S
    )
    blocks: list[Block] = []
    skip_next, needs, end_of_last = False, "", 0
    for match in pattern.finditer(page):
        line = page.count("\n", 0, match.start()) + 1
        between = page[end_of_last : match.start()].strip()
        end_of_last = match.end()
        if match["comment"] is not None:
            comment = match["comment"]
            if comment.startswith("file:") or comment.startswith("not run:") and comment[8:].strip():
                skip_next = True
            elif comment.startswith("needs:"):
                needs = comment[6:].strip()
            elif comment.startswith("prepare"):
                blocks.append(Block("sh", comment[7:], line))
            continue
        language = match["language"].strip()
        text = re.sub(rf"^{match['indent']}", "", match["text"], flags=re.M) if match["indent"] else match["text"]
        if language == "text" and blocks and not between and blocks[-1].language in ("sh", "python"):
            blocks[-1].output = text
        else:
            blocks.append(Block(language, text, line, skip_next and not between, "" if between else needs))
        skip_next, needs = False, ""
    return blocks


def matches(expected: str, printed: str) -> bool:
    """Line by line, "..." for anything."""

    def tidy(text: str) -> str:
        return "\n".join(line.rstrip() for line in text.strip("\n").splitlines())

    pattern = ".*?".join(re.escape(part) for part in tidy(expected).split("..."))
    return re.fullmatch(pattern, tidy(printed), re.S) is not None


def run_shell(block: Block, folder: str, environment: dict[str, str]) -> tuple[bool, str]:
    run = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", block.text],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        text=True,
        timeout=180,
    )
    return run.returncode == 0, run.stdout


def run_python(block: Block, folder: str, names: dict[str, object]) -> tuple[bool, str]:
    printed = io.StringIO()
    before = os.getcwd()
    os.chdir(folder)
    try:
        with contextlib.redirect_stdout(printed):
            exec(compile(block.text, f"block at line {block.line}", "exec"), names)
        return True, printed.getvalue()
    except Exception:
        return False, printed.getvalue() + traceback.format_exc()
    finally:
        os.chdir(before)


def run_debian_python(block: Block, before: list[str], folder: str) -> tuple[bool, str]:
    """Like the other Python blocks, in a process of its own: what `before` prints is not looked at."""
    program = (
        "import contextlib, io, sys\n"
        "names = {'__name__': '__main__'}\n"
        "with contextlib.redirect_stdout(io.StringIO()):\n"
        f"    exec({''.join(before)!r}, names)\n"
        f"exec({block.text!r}, names)\n"
    )
    run = subprocess.run([DEBIAN_PYTHON, "-c", program], cwd=folder, capture_output=True, text=True, timeout=180)
    return run.returncode == 0, run.stdout + run.stderr * (run.returncode != 0)


def is_missing(module: str) -> bool:
    return subprocess.run([DEBIAN_PYTHON, "-c", f"import {module}"], capture_output=True).returncode != 0


def run_page(path: Path, environment: dict[str, str]) -> tuple[int, list[str]]:
    """Runs a page; returns how many blocks ran, and what went wrong."""
    names: dict[str, object] = {"__name__": "__main__"}
    ran, problems, before = 0, [], []
    with tempfile.TemporaryDirectory() as folder:
        for block in blocks_of(path.read_text(encoding="utf-8")):
            where = f"{path}:{block.line}"
            if block.skipped:
                continue
            if block.needs and is_missing(block.needs):
                print(f"{where}: skipped: Debian's python3-{block.needs} is not installed")
                continue
            if block.needs:
                good, printed = run_debian_python(block, before, folder)
                before.append(block.text)
            elif block.language == "sh":
                good, printed = run_shell(block, folder, environment)
            elif block.language == "python":
                good, printed = run_python(block, folder, names)
            else:
                if block.language in ("", "bash", "shell", "console") and block.text.startswith(COMMANDS):
                    problems.append(f"{where}: commands in a block that is not marked 'sh' are not tested")
                continue
            ran += 1
            if not good:
                problems.append(f"{where}: failed\n{block.text}{printed}")
            elif block.output is not None and not matches(block.output, printed):
                lines = difflib.unified_diff(
                    block.output.splitlines(), printed.splitlines(), "documented", "printed", lineterm=""
                )
                problems.append(f"{where}: prints something else\n" + "\n".join(lines))
    return ran, problems


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--toccata", help="the program `toccata`", required=True)
    parser.add_argument("pages", nargs="+", type=Path)
    arguments = parser.parse_args()
    program = Path(arguments.toccata).resolve()
    if not program.exists():
        sys.exit(f"{program}: no such program")
    environment = {
        **os.environ,
        "PATH": os.pathsep.join([str(program.parent), str(Path(sys.executable).parent), os.environ["PATH"]]),
        "TOCCATA_SOURCE": str(Path(__file__).resolve().parents[2]),
        "NO_COLOR": "1",
    }
    total, problems = 0, []
    for page in arguments.pages:
        ran, wrong = run_page(page, environment)
        print(f"{page}: {ran} blocks run, {len(wrong)} wrong")
        total += ran
        problems += wrong
    print("\n\n".join(problems), file=sys.stderr)
    return 1 if problems or total == 0 else 0


if __name__ == "__main__":
    sys.exit(main())

"""Runs an example and compares what it prints with the comment at the end of its source.

usage: run_example.py SOURCE COMMAND...
The expected output follows a line "// Output:" (C++) or "# Output:" (Python), each line as a comment.
"""
import difflib
import subprocess
import sys


def expected_output(source: str) -> list[str]:
    mark = "//" if source.endswith(".cpp") else "#"
    lines = open(source, encoding="utf-8").read().splitlines()
    try:
        start = lines.index(f"{mark} Output:")
    except ValueError:
        sys.exit(f"{source}: has no line '{mark} Output:'")
    return [line[len(mark) :].removeprefix(" ").rstrip() for line in lines[start + 1 :]]


def main() -> int:
    source, command = sys.argv[1], sys.argv[2:]
    run = subprocess.run(command, capture_output=True, text=True, timeout=120)
    if run.returncode != 0:
        sys.stderr.write(run.stdout + run.stderr)
        print(f"{source}: ended with {run.returncode}", file=sys.stderr)
        return 1
    printed = [line.rstrip() for line in run.stdout.splitlines()]
    wanted = expected_output(source)
    if printed != wanted:
        sys.stderr.write("\n".join(difflib.unified_diff(wanted, printed, "expected", "printed", lineterm="")) + "\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

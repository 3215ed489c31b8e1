"""``python3 -m toccata batch FILE.toml``: what the program of the same name hands to Python."""
from __future__ import annotations

import sys

from .batch_file import main

if __name__ == "__main__":
    if sys.argv[1:2] != ["batch"]:
        print("usage: python3 -m toccata batch FILE.toml [--workers N | --scheduler ADDRESS]", file=sys.stderr)
        sys.exit(2)
    sys.exit(main(sys.argv[2:]))

"""The files of the benchmark, version 1: docs/benchmark.md describes them, docs/benchmark.schema.json checks them.

A folder with index.json, one FAMILY.jsonl per family (a case per line) and the meshes that they name, as OFF.
"""
from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any, Iterable, Iterator

import numpy as np

FORMAT = "toccata truth 1"


def write_mesh(folder: Path, name: str, vertices: Any, faces: Any) -> str:
    """Coordinates survive exactly."""
    v, f = np.asarray(vertices, dtype=float), np.asarray(faces, dtype=int)
    lines = ["OFF", f"{len(v)} {len(f)} 0"]
    lines += [" ".join(repr(float(x)) for x in p) for p in v]
    lines += ["3 " + " ".join(str(int(i)) for i in t) for t in f]
    (folder / "meshes").mkdir(exist_ok=True)
    (folder / "meshes" / f"{name}.off").write_text("\n".join(lines) + "\n")
    return f"meshes/{name}.off"


def read_mesh(folder: Path, name: str) -> tuple[np.ndarray, np.ndarray]:
    words = (folder / name).read_text().split()
    vertices, faces = int(words[1]), int(words[2])
    v = np.array(words[4 : 4 + 3 * vertices], dtype=float).reshape(-1, 3)
    f = np.array(words[4 + 3 * vertices :], dtype=int).reshape(faces, 4)[:, 1:]
    return v, f


def write_family(folder: Path, family: str, cases: Iterable[dict[str, Any]]) -> dict[str, Any]:
    text = "".join(json.dumps(case) + "\n" for case in cases)
    path = folder / f"{family}.jsonl"
    path.write_text(text)
    return {"file": path.name, "cases": text.count("\n"), "sha256": hashlib.sha256(text.encode()).hexdigest()}


def read_family(folder: Path, family: str) -> Iterator[dict[str, Any]]:
    index = json.loads((folder / "index.json").read_text())
    if index.get("format") != FORMAT:
        raise ValueError(f"{folder}: is of format {index.get('format')!r}, not {FORMAT!r}")
    entry = index["families"][family]
    text = (folder / entry["file"]).read_text()
    if hashlib.sha256(text.encode()).hexdigest() != entry["sha256"]:
        raise ValueError(f"{folder / entry['file']}: was changed since it was made")
    for line in text.splitlines():
        yield json.loads(line)


def free() -> dict[str, Any]:
    return {"status": "free"}


def contact(lower: float, upper: float) -> dict[str, Any]:
    return {"status": "contact", "lower": float(lower), "upper": float(upper)}

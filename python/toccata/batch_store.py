"""Answers of a batch on disk: one NPZ per chunk, named by all that it depends on.

A file is written aside and renamed, so that under its name there is a whole one or none, whenever the process ends.
"""
from __future__ import annotations

import hashlib
import io
import json
import os
import secrets
import time
from pathlib import Path
from typing import Any, Mapping

import numpy as np
from numpy.typing import NDArray

_FORMAT = "toccata batch 1"
_KEY, _FAILURES = "__key__", "__failures__"


def key_of(*parts: Any, rows: Mapping[str, NDArray[Any]] | None = None) -> str:
    """A name for these parts (anything JSON has) and columns: SHA-256."""
    digest = hashlib.sha256(json.dumps([_FORMAT, *parts], sort_keys=True, default=_plain).encode())
    for name in sorted(rows or {}):
        column = np.ascontiguousarray(rows[name])  # type: ignore[index]
        digest.update(json.dumps([name, column.dtype.str, list(column.shape)]).encode())
        digest.update(column.data if column.size else b"")
    return digest.hexdigest()


def _plain(value: Any) -> Any:
    if isinstance(value, (np.integer, np.floating, np.bool_)):
        return value.item()
    if isinstance(value, np.ndarray):
        return value.tolist()
    raise TypeError(f"options of a batch must be plain values, not {type(value).__name__}")


class Store:
    """A folder, on a disk that the client can write; shapes in it are read by workers, too, where they see it."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = Path(folder).absolute()
        for name in ("chunks", "plans", "things"):
            (self.folder / name).mkdir(parents=True, exist_ok=True)
        self.refused: list[str] = []  #: files that were there and were not what their name says
        _sweep(self.folder)

    def _chunk(self, key: str) -> Path:
        return self.folder / "chunks" / key[:2] / f"{key}.npz"

    def load(self, key: str) -> tuple[dict[str, NDArray[Any]], dict[int, str]] | None:
        """None if it is not there, or damaged: then it is computed again."""
        path = self._chunk(key)
        try:
            with open(path, "rb") as content, np.load(content, allow_pickle=False) as file:
                columns = {name: file[name] for name in file.files}
            if str(columns.pop(_KEY)) != key:
                raise ValueError("it belongs to another chunk")
            failures = json.loads(str(columns.pop(_FAILURES)))
            return columns, {int(row): str(text) for row, text in failures.items()}
        except FileNotFoundError:
            return None
        except Exception as error:  # whatever a damaged zip file makes of itself
            self.refused.append(f"{path}: {error}")
            return None

    def save(self, key: str, columns: Mapping[str, NDArray[Any]], failures: Mapping[int, str]) -> None:
        buffer = io.BytesIO()
        texts = json.dumps({str(row): text for row, text in failures.items()})
        np.savez(buffer, **{_KEY: np.array(key), _FAILURES: np.array(texts)}, **columns)
        path = self._chunk(key)
        path.parent.mkdir(exist_ok=True)
        write_aside(path, buffer.getbuffer())

    def plan(self, family: str) -> int | None:
        """Rows per chunk of the batches of this family, so that a second run asks for the same chunks."""
        try:
            rows = json.loads((self.folder / "plans" / f"{family}.json").read_text())["rows"]
            return rows if isinstance(rows, int) and rows > 0 else None
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def keep_plan(self, family: str, rows: int) -> None:
        write_aside(self.folder / "plans" / f"{family}.json", json.dumps({"rows": rows}).encode())

    def thing(self, name: str) -> Path:
        return self.folder / "things" / name


def write_aside(path: Path, content: Any) -> None:
    """Whole or not at all, and on the disk before it has its name."""
    aside = path.with_name(f".{path.name}.{os.getpid()}-{secrets.token_hex(4)}.part")
    try:
        with open(aside, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(aside, path)
    except BaseException:
        aside.unlink(missing_ok=True)
        raise


def _sweep(folder: Path) -> None:
    """What was being written when a process was killed; of the last hour it may still be written."""
    for aside in folder.glob("*/**/.*.part"):
        try:
            if time.time() - aside.stat().st_mtime > 3600.0:
                aside.unlink()
        except OSError:
            pass

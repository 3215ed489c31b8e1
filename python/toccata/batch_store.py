"""Answers of a batch on disk: one NPZ per chunk, named by all that it depends on.

A file is written aside and renamed, so that under its name there is a whole one or none, whenever the process ends.
"""
from __future__ import annotations

import contextlib
import hashlib
import io
import json
import os
import secrets
import time
from pathlib import Path
from typing import Any, BinaryIO, Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

_FORMAT = "toccata batch 2"
_KEY, _FAILURES = "__key__", "__failures__"
_NAMES = "__names__"  #: after a column's name: its texts, each once; the column itself then holds their numbers


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
                columns = _with_texts({name: file[name] for name in file.files})
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
        np.savez(buffer, **{_KEY: np.array(key), _FAILURES: np.array(texts)}, **_with_codes(columns))
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


def _with_codes(columns: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """Texts as numbers and a table: a link's name takes a byte of most rows instead of four per letter."""
    coded: dict[str, NDArray[Any]] = {}
    for name, column in columns.items():
        if column.dtype.kind == "U":
            names, codes = np.unique(column, return_inverse=True)
            coded[name + _NAMES] = names
            column = codes.reshape(column.shape).astype(np.min_scalar_type(max(len(names) - 1, 0)))
        coded[name] = column
    return coded


def _with_texts(columns: dict[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """In the order in which they were saved."""
    tables = {name[: -len(_NAMES)]: columns.pop(name) for name in list(columns) if name.endswith(_NAMES)}
    return {name: tables[name][column] if name in tables else column for name, column in columns.items()}


@contextlib.contextmanager
def written_aside(path: Path) -> Iterator[BinaryIO]:
    """A file that is there whole or not at all, and on the disk before it has its name. Errors name it."""
    aside = path.with_name(f".{path.name}.{os.getpid()}-{secrets.token_hex(4)}.part")
    try:
        with open(aside, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(aside, path)
    except BaseException as error:
        with contextlib.suppress(OSError):
            aside.unlink(missing_ok=True)
        if isinstance(error, OSError) and error.errno is not None:
            raise OSError(error.errno, f"cannot write: {error.strerror}", str(path)) from None
        raise


def write_aside(path: Path, content: Any) -> None:
    with written_aside(path) as file:
        file.write(content)


def _sweep(folder: Path) -> None:
    """What was being written when a process was killed; of the last hour it may still be written."""
    for aside in folder.glob("*/**/.*.part"):
        try:
            if time.time() - aside.stat().st_mtime > 3600.0:
                aside.unlink()
        except OSError:
            pass

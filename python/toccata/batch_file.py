"""A batch as a file: what ``toccata batch FILE.toml`` runs."""
from __future__ import annotations

import argparse
import csv
import io
import os
import sys
from pathlib import Path
from typing import Any, Mapping

import numpy as np
from numpy.typing import NDArray

from .batch_crew import BatchStopped
from .batch_questions import LISTED, QUESTIONS
from .batch_run import BatchAnswers, batch
from .batch_store import written_aside
from .batch_worker import ChangedContent, VersionMismatch
from .impact import STATUSES
from .mesh import load
from .shape import Shape
from .shape_file import load_shape

_KNOWN = {"question", "rows", "shapes", "robot", "mesh", "options", "store", "output", "chunk"}


class FileError(ValueError):
    """What is wrong with the file of a batch, and where."""


def read(path: str | os.PathLike[str]) -> dict[str, Any]:
    """The table of a TOML file, checked; paths in it are relative to its folder."""
    try:
        import tomllib
    except ModuleNotFoundError:  # before Python 3.11
        try:
            import tomli as tomllib  # type: ignore[no-redef]
        except ModuleNotFoundError:
            raise FileError("reading TOML needs Python 3.11 or newer, or the package tomli") from None
    try:
        with open(path, "rb") as file:
            table = tomllib.load(file)
    except OSError as error:
        raise FileError(f"{path}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise FileError(f"{path}: {error}") from None
    for name in table:
        if name not in _KNOWN:
            raise FileError(f"{path}: {name!r} is nothing that a batch has; it has: {', '.join(sorted(_KNOWN))}")
    for name in ("question", "rows", "output"):
        if name not in table:
            raise FileError(f"{path}: {name!r} is missing")
    if table["question"] not in QUESTIONS:
        raise FileError(f"{path}: question must be one of {', '.join(QUESTIONS)}, not {table['question']!r}")
    for name, kind in (("output", str), ("store", str), ("chunk", int), ("options", dict), ("robot", dict), ("mesh", str)):
        if name in table and not isinstance(table[name], kind):
            raise FileError(f"{path}: {name} must be {'a table' if kind is dict else 'text' if kind is str else 'a number'}")
    subject = {"shapes": "shapes", "robot": "robot", "mesh": "mesh"}[QUESTIONS[table["question"]].subject]
    if subject not in table:
        raise FileError(f"{path}: question {table['question']!r} needs {subject!r}")
    return table


def run(path: str | os.PathLike[str], *, workers: int | None = None, scheduler: str | None = None,
        force: bool = False, progress: Any = None) -> BatchAnswers:
    """Runs the batch of a file and writes its output."""
    table, folder = read(path), Path(path).absolute().parent
    output = folder / table["output"]
    if output.suffix not in (".npz", ".csv"):
        raise FileError(f"{path}: output must end in .npz or .csv, not {output.name!r}")
    if output.exists() and not force:
        raise FileError(f"{output}: exists; it is replaced only with --force")
    if not os.access(output.parent, os.W_OK | os.X_OK):  # told before the work, not after it
        raise FileError(f"{output}: cannot be written: its folder is not there, or read-only")
    subject = _subject(table, folder)
    rows = _rows(table["rows"], folder)
    client = _client(scheduler) if scheduler else None
    try:
        answers = batch(table["question"], subject, rows, executor=client, workers=workers, chunk=table.get("chunk"),
                        store=folder / table["store"] if "store" in table else None, progress=progress,
                        **table.get("options", {}))
    finally:
        if client is not None:
            client.close(timeout=2)
    (_write_npz if output.suffix == ".npz" else _write_csv)(output, answers)
    return answers


def _client(address: str) -> Any:
    try:
        import distributed
    except ModuleNotFoundError:
        raise FileError("--scheduler needs Dask (Debian: python3-distributed)") from None
    try:
        return distributed.Client(address, timeout=10, set_as_default=False)
    except (OSError, ValueError) as error:
        raise FileError(f"there is no scheduler at {address}: {error}") from None


def _subject(table: Mapping[str, Any], folder: Path) -> Any:
    kind = QUESTIONS[table["question"]].subject
    if kind == "shapes":
        names = table["shapes"]
        if isinstance(names, str):
            names = [names]
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names) or not names:
            raise FileError("shapes must be a list of files")
        return [_shape(folder / name) for name in names]
    if kind == "robot":
        return {name: _paths(name, value, folder) for name, value in table["robot"].items()}
    mesh = load(folder / table["mesh"])
    return (len(mesh.vertices), mesh.faces)


def _paths(name: str, value: Any, folder: Path) -> Any:
    if name in ("urdf", "srdf", "scene"):
        return str(folder / str(value))
    if name == "package_path":
        return [str(folder / str(item)) for item in ([value] if isinstance(value, str) else value)]
    return value


def _shape(path: Path) -> Shape:
    return load_shape(path) if path.suffix == ".shape" else load(path)


def _rows(given: Any, folder: Path) -> Any:
    """One file of arrays, or a table of a file per column."""
    if isinstance(given, str):
        return _array(folder / given)
    if isinstance(given, dict) and all(isinstance(name, str) for name in given.values()):
        return {column: _array(folder / name) for column, name in given.items()}
    raise FileError("rows must be a file, or a table that names a file for each column")


def _array(path: Path) -> Any:
    if path.suffix not in (".npy", ".npz"):
        raise FileError(f"{path}: rows are .npy or .npz")
    try:
        found = np.load(path, allow_pickle=False, mmap_mode="r" if path.suffix == ".npy" else None)
    except OSError as error:
        raise FileError(f"{path}: {error.strerror or error}") from None
    except ValueError as error:
        raise FileError(f"{path}: {error}") from None
    if isinstance(found, np.ndarray):
        return found
    with found:
        return {name: found[name] for name in found.files}


def _write_npz(path: Path, answers: BatchAnswers) -> None:
    rows = np.array(sorted(answers.failures), dtype=np.int64)
    texts = np.array([answers.failures[row] for row in rows.tolist()], dtype=np.str_)
    with written_aside(path) as file:
        np.savez(file, failure_row=rows, failure=texts, **answers.columns)


def _write_csv(path: Path, answers: BatchAnswers) -> None:
    """One line per row; vectors as three columns. Lists of contacts are left to .npz."""
    header: list[str] = ["row"]
    columns: list[NDArray[Any]] = [np.arange(answers.stats.rows)]
    for name, column in answers.items():
        if name.startswith(LISTED):
            continue
        if column.ndim == 1:
            header.append(name)
            columns.append(column)
        else:
            flat = column.reshape(len(column), -1)
            header.extend(f"{name}_{'xyz'[i] if flat.shape[1] == 3 else i}" for i in range(flat.shape[1]))
            columns.extend(flat.T)
    with written_aside(path) as binary:
        file = io.TextIOWrapper(binary, encoding="utf-8", newline="")
        writer = csv.writer(file)
        writer.writerow([*header, "failure"])
        for row, values in enumerate(zip(*(column.tolist() for column in columns))):
            named = [STATUSES[value] if name == "status" else value for name, value in zip(header, values)]
            writer.writerow([*named, answers.failures.get(row, "")])
        file.detach()  # what it has is written, and the file stays open


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="toccata batch", description="One question, many rows, on many processes.")
    parser.add_argument("file", metavar="FILE.toml", help="what is asked: see docs/batch.md")
    who = parser.add_mutually_exclusive_group()
    who.add_argument("--workers", type=int, metavar="N", help="processes of this machine (default: all cores)")
    who.add_argument("--scheduler", metavar="ADDRESS", help="of a Dask cluster, e.g. tcp://head:8786")
    parser.add_argument("--force", action="store_true", help="replace the output")
    parser.add_argument("--quiet", action="store_true", help="show no progress")
    given = parser.parse_args(arguments)
    try:
        answers = run(given.file, workers=given.workers, scheduler=given.scheduler, force=given.force,
                      progress=False if given.quiet else None)
    except (FileError, ValueError, TypeError, OSError, ImportError, BatchStopped, VersionMismatch, ChangedContent) as error:
        print(f"toccata batch: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("toccata batch: interrupted; chunks that were finished are in the store, if there is one", file=sys.stderr)
        return 130
    stats = answers.stats
    print(f"{stats.rows} rows, {stats.computed} chunks computed, {stats.from_store} from the store, {stats.seconds:.3g} s.")
    for row in sorted(answers.failures)[:10]:
        print(f"row {row}: {answers.failures[row]}", file=sys.stderr)
    if len(answers.failures) > 10:
        print(f"and {len(answers.failures) - 10} more rows that failed", file=sys.stderr)
    return 1 if answers.failures else 0

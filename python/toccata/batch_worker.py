"""What a worker process of a batch does: loads each shape once, and answers chunks of rows."""
from __future__ import annotations

import hashlib
import io
import os
import pickle
import time
from dataclasses import dataclass, field
from typing import Any, Callable

import numpy as np

from ._toccata import __version__
from .batch_questions import QUESTIONS, Columns, RobotCase, answered
from .deformable import DeformableScene
from .shape_file import load_shape, restored


class VersionMismatch(RuntimeError):
    """Client and worker are not of the same version, so that their answers might differ."""


class ChangedContent(RuntimeError):
    """A file is not any more, or not here, what the batch was asked about."""


@dataclass(frozen=True)
class Thing:
    """A shape, the objects of a deforming scene, or a robot: named by its content, loaded where it is needed."""

    kind: str  #: "shape", "objects" or "robot"
    content: str  #: the hash
    path: str = ""  #: a file that has it; empty: its bytes come with the task
    robot: RobotCase | None = None


@dataclass(frozen=True)
class Job:
    """What is asked of every row."""

    question: str
    options: dict[str, Any]
    things: tuple[Thing, ...]
    version: str = __version__


@dataclass
class ChunkAnswer:
    """The answers of some rows, and what they took."""

    columns: Columns
    failures: dict[int, str]
    seconds: float
    cpu: float
    worker: str = field(default_factory=lambda: f"{os.uname().nodename}:{os.getpid()}")


_loaded: dict[tuple[str, str], Any] = {}  # kept as long as the process lives


def _load(thing: Thing, blob: Any) -> Any:
    key = (thing.kind, thing.content)
    if key in _loaded:
        return _loaded[key]
    if thing.kind == "robot":
        assert thing.robot is not None
        robot, found = thing.robot.load()
        loaded: Any = (robot, thing.robot.scene)
        where = thing.robot.urdf
    elif thing.kind == "shape":
        loaded = load_shape(thing.path) if thing.path else restored(blob)
        found, where = loaded.content_hash, thing.path or "the bytes of the task"
    else:
        if thing.path:
            with open(thing.path, "rb") as file:
                blob = file.read()
        loaded, where = DeformableScene(objects_in(blob), threads=1), thing.path or "the bytes of the task"
        found = hashlib.sha256(blob).hexdigest()
    if found != thing.content:
        raise ChangedContent(f"{where} has not the content that the batch was asked about: it was changed since, "
                             "or is another file on this machine")
    _loaded[key] = loaded
    return loaded


def bytes_of_objects(objects: list[tuple[int, Any, Any]]) -> bytes:
    """The objects of a deforming scene, (vertex count, faces, wires or None) each, as an NPZ."""
    buffer = io.BytesIO()
    arrays = {"counts": np.array([count for count, _, _ in objects], dtype=np.int64)}
    for i, (_, faces, wires) in enumerate(objects):
        arrays[f"faces_{i}"] = np.asarray(faces)
        if wires is not None:
            arrays[f"wires_{i}"] = np.asarray(wires)
    np.savez(buffer, **arrays)
    return buffer.getvalue()


def objects_in(content: bytes) -> list[tuple[int, Any, Any]]:
    with np.load(io.BytesIO(content), allow_pickle=False) as file:
        return [(int(count), file[f"faces_{i}"], file[f"wires_{i}"] if f"wires_{i}" in file else None)
                for i, count in enumerate(file["counts"])]


def _subject(job: Job, blobs: tuple[Any, ...]) -> Any:
    things = [_load(thing, blob) for thing, blob in zip(job.things, blobs or [None] * len(job.things))]
    return things[0] if job.things[0].kind == "robot" else things


def check_version(wanted: str) -> None:
    if wanted != __version__:
        raise VersionMismatch(f"the worker {os.uname().nodename}:{os.getpid()} has toccata {__version__}, "
                              f"the client {wanted}: install the same version on both")


@dataclass(frozen=True)
class Raised:
    """What a task raised. Handed over as an answer: clients of Dask before 2023 do not always survive a task that raises."""

    error: Exception


def guarded(function: Callable[..., Any], *arguments: Any) -> Any:
    """What the function returns, or Raised."""
    try:
        return function(*arguments)
    except Exception as error:
        return Raised(error)


def packed(function: Callable[..., Any], *arguments: Any) -> bytes:
    """The same as one block of bytes: a worker of Dask spends ten times as long on the many arrays of an answer."""
    return pickle.dumps(guarded(function, *arguments), protocol=5)


def hello(wanted: str) -> str:
    """Whether this worker is of the client's version."""
    check_version(wanted)
    return __version__


def answer_chunk(job: Job, rows: Columns, *blobs: Any) -> ChunkAnswer:
    """All rows of a chunk; what is wrong with one of them is part of the answer."""
    check_version(job.version)
    subject = _subject(job, blobs)
    # Of this thread, which does it all: others of the process keep contact with a scheduler.
    start, cpu = time.perf_counter(), time.thread_time()
    columns, failures = answered(QUESTIONS[job.question], subject, rows, job.options)
    columns = {name: np.ascontiguousarray(column) for name, column in columns.items()}
    return ChunkAnswer(columns, failures, time.perf_counter() - start, time.thread_time() - cpu)


def seconds_per_row(job: Job, rows: Columns, *blobs: Any) -> float:
    """Of CPU time, which other work on the machine does not stretch: from rows that stand for all, more and more of
    them, until that takes long enough to tell. What is found here is found again: it must stay a small part of a
    chunk."""
    check_version(job.version)
    subject = _subject(job, blobs)
    count = len(next(iter(rows.values())))
    tried = 1
    while True:
        start = time.thread_time()
        answered(QUESTIONS[job.question], subject, {name: c[:tried] for name, c in rows.items()}, job.options)
        taken = time.thread_time() - start
        if tried >= count or (taken > 0.01 and tried >= 32) or taken > 0.2:
            return taken / tried
        # Cold rows are slow ones: never far at once.
        tried = min(count, tried * (8 if taken < 0.002 else 2))


def same_bytes(content: Any) -> Any:
    """The task that brings a shape to a worker: run again from its argument where a worker died with the result."""
    return content

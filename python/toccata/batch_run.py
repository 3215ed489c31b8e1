"""One question, millions of rows: on the processes of this machine, or on a cluster, kept on disk if wished."""
from __future__ import annotations

import hashlib
import math
import os
import shutil
import sys
import tempfile
import time
from collections import deque
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Callable, Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from . import _toccata
from ._record import Record
from .batch_crew import MOST_DEATHS, BatchStopped, DaskCrew, LocalCrew, Outcome
from .batch_questions import QUESTIONS, Columns, RobotCase, checked_rows, joined, no_answers
from .batch_store import Store, key_of, write_aside
from .batch_worker import ChunkAnswer, Job, Thing, answer_chunk, bytes_of_objects, seconds_per_row
from .deformable import _objects
from .geometry import as_shape
from .shape import Shape

_WANTED_SECONDS = 0.6  # of a chunk, of CPU time: between 0.1, below which handing it out shows, and 1
_MOST_SAMPLED = 512
_MOST_ROWS = 1 << 20


@dataclass(frozen=True, repr=False, eq=False)
class BatchStats(Record):
    """What a batch took."""

    rows: int
    chunks: int
    chunk_rows: int  #: of all chunks but the last
    computed: int  #: chunks that were answered now
    from_store: int  #: chunks that were there already
    deaths: int  #: workers that died, as far as it was seen
    workers: int
    seconds: float  #: from the call to the answer
    worker_seconds: float  #: spent on answers, all workers together
    worker_cpu: float  #: the same in CPU time
    chunk_seconds: tuple[float, float]  #: of the quickest and the slowest chunk computed
    refused: list[str]  #: files of the store that were damaged, and computed again


class BatchAnswers(Mapping[str, NDArray[Any]]):
    """The columns of a batch, in the order of its rows: ``answers["time"]`` or ``answers.time``.

    ``failures``: what was wrong with rows that could not be answered, by row; their status is failed, their numbers
    NaN or -1. ``stats``: what it took.
    """

    def __init__(self, columns: Columns, failures: dict[int, str], stats: BatchStats) -> None:
        self.columns, self.failures, self.stats = columns, failures, stats

    def __getitem__(self, name: str) -> NDArray[Any]:
        return self.columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.columns)

    def __len__(self) -> int:
        return len(self.columns)

    def __getattr__(self, name: str) -> NDArray[Any]:
        try:
            return self.__dict__["columns"][name]  # type: ignore[no-any-return]
        except KeyError:
            raise AttributeError(f"there is no column {name!r}; there are: {', '.join(self.columns)}") from None

    def __repr__(self) -> str:
        s, failed = self.stats, len(self.failures)
        return (f"BatchAnswers({s.rows} rows, {s.computed} chunks computed, {s.from_store} from the store"
                + (f", {failed} failed row{'s' if failed > 1 else ''}" if failed else "") + ")")


@dataclass
class _Piece:
    """Rows [begin, end) of a chunk: all of it, or a part of one that killed its workers."""

    chunk: int
    begin: int
    end: int
    deaths: int = 0
    most_deaths: int = MOST_DEATHS


@dataclass
class _Chunk:
    begin: int
    end: int
    key: str = ""
    parts: dict[int, tuple[Columns, dict[int, str], int]] = field(default_factory=dict)  # by begin

    @property
    def is_whole(self) -> bool:
        return sum(count for _, _, count in self.parts.values()) == self.end - self.begin


def batch(
    question: str,
    shapes: Any,
    rows: Any,
    *,
    executor: Any = None,
    store: str | os.PathLike[str] | None = None,
    workers: int | None = None,
    chunk: int | None = None,
    progress: bool | Callable[[int, int], None] | None = None,
    patience: float = 60.0,
    **options: Any,
) -> BatchAnswers:
    """One question about many rows, divided among processes; the answers are those of one process, bit by bit.

    ``question``: 'first_contact', 'closest_approach', 'distance', 'penetration', 'robot_edges' or 'steps'.
    ``shapes``: a pair of shapes, or a list of them of which the columns ``a`` and ``b`` choose; a ``RobotCase``; the
    objects of a ``DeformableScene``. ``rows``: columns by name, as plain arrays with one entry per row: ``motions_a``,
    ``motions_b``, or ``poses_a``, ``poses_b``, or ``starts``, ``ends``, or ``positions_t0``, ``positions_t1``; one
    array alone is the first of them (of 'steps': frames).

    ``executor``: None for processes of this machine, ``workers`` of them (all cores); or a Dask ``Client``.
    ``store``: a folder that keeps the answers; what is there is not computed again. ``chunk``: rows per chunk; None
    for as many as take 0.1 to 1 s of CPU. ``progress``: None shows it on a terminal; or a function that is
    called with the numbers of chunks done and of all. ``patience``: seconds to wait for a scheduler that is gone.
    ``options``: those of the question, but for threads and time limits.

    What is wrong with a row is part of the answer, in ``failures``; so is a row that ends the process that works on it.

    >>> import numpy as np, toccata
    >>> cube = toccata.box()
    >>> motions = np.tile(np.eye(4), (100, 2, 1, 1))
    >>> motions[:, 0, 0, 3], motions[:, 1, 0, 3] = -3, 3
    >>> motions[:, :, 2, 3] = np.linspace(0, 2.1, 100)[:, None]
    >>> answers = toccata.batch("first_contact", (cube, cube), motions, workers=1)
    >>> int((answers.status == 1).sum()), answers.time.min().round(6)
    (48, 0.333333)
    """
    start = time.perf_counter()
    if question not in QUESTIONS:
        raise ValueError(f"question must be one of {', '.join(map(repr, QUESTIONS))}, not {question!r}")
    chunk, workers = _count(chunk, "chunk"), _count(workers, "workers")
    if not isinstance(patience, (int, float)) or not patience >= 0:
        raise ValueError(f"patience must be a number of seconds, not {patience!r}")
    asked = QUESTIONS[question]
    asked.check_options(options)
    subject = _Subject(asked.subject, shapes)
    columns, count = checked_rows(asked, rows, len(subject.contents))
    kept = None if store is None else Store(store)
    key_of(options)  # plain values, or an error
    model = no_answers(asked, subject.asked(), columns, options)
    is_dask = executor is not None
    if is_dask and not (hasattr(executor, "submit") and hasattr(executor, "scheduler_info")):
        raise TypeError(f"executor must be None or a Dask Client, not {type(executor).__name__}")
    with tempfile.TemporaryDirectory(prefix="toccata-batch-") as folder:
        things = subject.things(kept, None if is_dask else Path(folder))
        blobs = subject.blobs() if is_dask and kept is None else [None] * len(things)
        job = Job(question, options, things)
        crew = DaskCrew(executor, blobs, patience) if is_dask else LocalCrew(workers)
        run = _Run(job, columns, count, crew, kept, subject.contents, model, _Progress(progress))
        try:
            run.go(chunk)
        finally:
            crew.close()
    return run.answers(time.perf_counter() - start)


def _count(value: Any, name: str) -> int | None:
    if value is None:
        return None
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, np.integer)) or value < 1:
        raise ValueError(f"{name} must be a whole number of at least 1, not {value!r}")
    return int(value)


class _Subject:
    """What the rows are about: by content, as files, as bytes."""

    def __init__(self, kind: str, given: Any) -> None:
        self._kind, self._shapes, self._bytes = kind, [], b""
        self._case: RobotCase | None = None
        if kind == "shapes":
            many = given if isinstance(given, (list, tuple)) and not _is_mesh_pair(given) else [given]
            self._shapes = [as_shape(shape, f"shapes[{i}]") for i, shape in enumerate(many)]
            if not self._shapes:
                raise ValueError("shapes is empty")
            self.contents = [shape.content_hash for shape in self._shapes]
        elif kind == "robot":
            self._case = given if isinstance(given, RobotCase) else _case_of(given)
            self._robot, content = self._case.load()
            self.contents = [content]
        else:
            self._bytes = bytes_of_objects(_objects(given))
            self.contents = [hashlib.sha256(self._bytes).hexdigest()]

    def asked(self) -> Any:
        """As the questions take it."""
        return self._shapes if self._case is None else (self._robot, self._case.scene)

    def things(self, store: Store | None, folder: Path | None) -> tuple[Thing, ...]:
        if self._case is not None:
            return (Thing("robot", self.contents[0], robot=self._case),)
        kind = "shape" if self._kind == "shapes" else "objects"
        paths = [self._file(store, folder, i) for i in range(len(self.contents))]
        return tuple(Thing(kind, content, path) for content, path in zip(self.contents, paths))

    def _file(self, store: Store | None, folder: Path | None, index: int) -> str:
        name = f"{self.contents[index]}.{'shape' if self._kind == 'shapes' else 'npz'}"
        if store is None and folder is None:
            return ""
        path = store.thing(name) if store is not None else folder / name  # type: ignore[operator]
        # What is there under this name may be damaged or not what it says.
        content = self.blobs()[index]
        if not _has_bytes(path, content):
            write_aside(path, content)
        return str(path)

    def blobs(self) -> list[Any]:
        if self._kind == "shapes":
            return [_toccata.shape_bytes(shape._core).tobytes() for shape in self._shapes]
        return [self._bytes] if self._kind == "mesh" else [None]


def _has_bytes(path: Path, content: Any) -> bool:
    try:
        return path.stat().st_size == len(content) and path.read_bytes() == content
    except OSError:
        return False


def _is_mesh_pair(given: Any) -> bool:
    """(vertices, faces): one mesh, not two shapes."""
    return (isinstance(given, tuple) and len(given) == 2
            and not any(isinstance(item, (Shape, tuple)) or hasattr(item, "faces") for item in given))


def _case_of(given: Any) -> RobotCase:
    if isinstance(given, Mapping):
        values = dict(given)
        known = {name: values.pop(name) for name in ("urdf", "srdf", "scene", "package_path") if name in values}
        if "urdf" in known:
            paths = known.get("package_path", ())
            many = [paths] if isinstance(paths, (str, os.PathLike)) else paths
            return RobotCase(
                _full(known["urdf"]), _full(known.get("srdf")), _full(known.get("scene")),
                tuple(_full(path) for path in many), values,
            )
    raise TypeError("for 'robot_edges' shapes must be a RobotCase, or a dict with 'urdf' (and 'srdf', 'scene', ...)")


def _full(path: Any) -> Any:
    return None if path is None else os.path.abspath(os.fspath(path))


class _Run:
    """The rows of a batch on their way through the crew."""

    def __init__(self, job: Job, rows: Columns, count: int, crew: Any, store: Store | None, contents: list[str],
                 model: Columns, progress: "_Progress") -> None:
        self._job, self._rows, self._count, self._crew, self._store = job, rows, count, crew, store
        self._about = (job.question, job.options, job.version, contents)
        self._model, self._progress = model, progress
        self._chunks: list[_Chunk] = []
        self._chunk_rows = 0
        self._seconds: list[float] = []
        self._cpu = 0.0
        self._computed = self._deaths = 0

    def go(self, chunk_rows: int | None) -> None:
        family = key_of(*self._about)
        planned = self._store.plan(family) if self._store is not None else None
        rows = chunk_rows or planned
        if rows is not None and self._cut(rows):
            return  # all of it is in the store
        if self._count:
            self._crew.greet()
        if rows is None:
            rows = self._measured_rows()
            self._cut(rows)
        if self._store is not None and planned != rows:
            self._store.keep_plan(family, rows)
        self._answer([chunk for chunk in range(len(self._chunks)) if not self._chunks[chunk].is_whole])

    def _cut(self, rows: int) -> bool:
        """Into chunks; those of the store are answered. Whether all are."""
        self._chunk_rows = rows
        self._chunks = [_Chunk(begin, min(begin + rows, self._count)) for begin in range(0, self._count, rows)]
        for chunk in self._chunks:
            if self._store is not None:
                chunk.key = key_of(*self._about, rows=self._slice(chunk.begin, chunk.end))
                found = self._store.load(chunk.key)
                if found is not None:
                    chunk.parts = {chunk.begin: (*found, chunk.end - chunk.begin)}
        return all(chunk.is_whole for chunk in self._chunks)

    def _slice(self, begin: int, end: int) -> Columns:
        return {name: column[begin:end] for name, column in self._rows.items()}

    def _measured_rows(self) -> int:
        """As many as take about the wanted time, but no fewer chunks than keep all workers busy."""
        sample = np.unique(np.linspace(0, max(self._count - 1, 0), min(self._count, _MOST_SAMPLED)).astype(int))
        if not len(sample):
            return 1
        chosen = np.random.default_rng(0).permutation(sample)
        for _ in range(MOST_DEATHS):
            self._crew.start("measure", seconds_per_row, self._job, {name: c[chosen] for name, c in self._rows.items()})
            outcome = self._first()
            if outcome.error is not None:
                raise outcome.error
            if outcome.answer is not None:
                each = max(outcome.answer, 1e-9)
                wanted = _WANTED_SECONDS / each
                fair = self._count / (4 * self._crew.size)
                if fair < wanted:
                    wanted = max(fair, 0.1 / each)
                return min(_round_number(wanted), _MOST_ROWS)
            self._deaths += bool(outcome.died)
        return 64  # some row of the sample ends its worker; it will be found

    def _first(self) -> Outcome:
        while True:
            for outcome in self._crew.finished(1.0):
                return outcome

    def _answer(self, missing: list[int]) -> None:
        done = len(self._chunks) - len(missing)
        self._progress.show(done, len(self._chunks))
        pending = deque(_Piece(i, self._chunks[i].begin, self._chunks[i].end) for i in missing)
        running = 0
        while pending or running:
            while pending and self._crew.has_room():
                piece = pending.popleft()
                self._crew.start(piece, answer_chunk, self._job, self._slice(piece.begin, piece.end))
                running += 1
            for outcome in self._crew.finished(1.0):
                running -= 1
                piece = outcome.piece
                if outcome.error is not None:
                    raise outcome.error
                if outcome.lost:
                    pending.appendleft(piece)
                elif outcome.died:
                    pending.extendleft(reversed(self._after_death(piece, outcome.died)))
                else:
                    self._take(piece, outcome.answer)
                chunk = self._chunks[piece.chunk]
                if chunk.is_whole and not outcome.lost:
                    self._finish(chunk)
                    done += 1
                    self._progress.show(done, len(self._chunks))
        self._progress.end()

    def _take(self, piece: _Piece, answer: ChunkAnswer) -> None:
        self._seconds.append(answer.seconds)
        self._cpu += answer.cpu
        self._chunks[piece.chunk].parts[piece.begin] = (answer.columns, answer.failures, piece.end - piece.begin)

    def _after_death(self, piece: _Piece, cause: str) -> list[_Piece]:
        """Tried again; after the third time halved, until the row is found that ends its worker."""
        self._deaths += 1
        piece.deaths = piece.most_deaths if isinstance(self._crew, DaskCrew) else piece.deaths + 1
        if piece.deaths < piece.most_deaths:
            return [piece]
        if piece.end - piece.begin == 1:
            text = f"the process that works on this row dies: {cause}"
            self._chunks[piece.chunk].parts[piece.begin] = ({}, {0: text}, 1)
            return []
        middle = (piece.begin + piece.end) // 2
        # It is known by now that a row of it is to blame; one death tells which half.
        halves = [(piece.begin, middle), (middle, piece.end)]
        return [_Piece(piece.chunk, b, e, most_deaths=MOST_DEATHS if e - b == 1 else 1) for b, e in halves]

    def _finish(self, chunk: _Chunk) -> None:
        columns, failures = joined([chunk.parts[begin] for begin in sorted(chunk.parts)])
        chunk.parts = {chunk.begin: (columns, failures, chunk.end - chunk.begin)}
        self._computed += 1
        if self._store is not None:
            self._store.save(chunk.key, columns, failures)

    def answers(self, seconds: float) -> BatchAnswers:
        columns, failures = joined([part for chunk in self._chunks for part in chunk.parts.values()], self._model)
        stats = BatchStats(
            rows=self._count, chunks=len(self._chunks), chunk_rows=self._chunk_rows, computed=self._computed,
            from_store=len(self._chunks) - self._computed, deaths=self._deaths, workers=self._crew.size, seconds=seconds,
            worker_seconds=sum(self._seconds), worker_cpu=self._cpu,
            chunk_seconds=(min(self._seconds, default=0.0), max(self._seconds, default=0.0)),
            refused=list(self._store.refused) if self._store is not None else [],
        )
        return BatchAnswers(columns, failures, stats)


def _round_number(wanted: float) -> int:
    """A power of two, or one and a half of it: another measurement then likely says the same."""
    power = 2 ** math.floor(math.log2(max(wanted, 1.0)))
    steps = (power, 3 * power // 2, 2 * power)
    return min((step for step in steps if step), key=lambda step: abs(math.log(step / max(wanted, 1.0))))


class _Progress:
    """A line on a terminal that is written over, or a function of the user."""

    def __init__(self, wanted: bool | Callable[[int, int], None] | None) -> None:
        self._call = wanted if callable(wanted) else None
        self._line = self._call is None and (bool(wanted) if wanted is not None else sys.stderr.isatty())
        self._begin: tuple[float, int] | None = None

    def show(self, done: int, all_chunks: int) -> None:
        if self._call is not None:
            self._call(done, all_chunks)
        if not self._line or not all_chunks:
            return
        now = time.monotonic()
        if self._begin is None:
            self._begin = (now, done)
        fresh = done - self._begin[1]
        left = f", {(now - self._begin[0]) / fresh * (all_chunks - done):.0f} s left" if fresh else ""
        width = shutil.get_terminal_size().columns
        sys.stderr.write("\r" + f"batch: {done} of {all_chunks} chunks{left}".ljust(width - 1)[: width - 1])
        sys.stderr.flush()

    def end(self) -> None:
        if self._line and self._begin is not None:
            sys.stderr.write("\n")


__all__ = ["BatchAnswers", "BatchStats", "BatchStopped", "RobotCase", "batch"]

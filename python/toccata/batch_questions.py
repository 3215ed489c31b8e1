"""What a batch can ask: for each question its columns of rows, its options, and the answer of a chunk of rows.

Everything here runs in the worker processes, and gives the same bits in any of them.
"""
from __future__ import annotations

import dataclasses
import inspect
import re
from typing import Any, Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from .deformable import DeformableScene
from .pose import pose_axes
from .proximity import distances, penetrations
from .rigid_batch import closest_approaches, first_contacts
from .robot import Robot

Columns = dict[str, NDArray[Any]]

#: Columns that tell of the work rather than of the answer: another machine would give other ones.
_NO_ANSWERS = {"trial", "microseconds", "_batch", "_scene"}
#: Where an answer is a list, its columns begin with this, and "contact_row" says which row they belong to.
LISTED = "contact_"


@dataclasses.dataclass(frozen=True)
class RobotCase:
    """A robot and what stands around it, as files that every worker can read."""

    urdf: str
    srdf: str | None = None
    scene: str | None = None
    package_path: tuple[str, ...] = ()
    robot: Mapping[str, Any] = dataclasses.field(default_factory=dict)  #: other arguments of ``Robot``

    def load(self) -> tuple[Robot, str]:
        """The robot, and a name for all that is in it and around it."""
        robot = Robot(self.urdf, srdf=self.srdf, package_path=self.package_path, **self.robot)
        return robot, str(robot._placed(self.scene).content_hash)


@dataclasses.dataclass(frozen=True)
class Question:
    """One kind of question: which columns its rows may have, and who answers them."""

    name: str
    needed: tuple[str, ...]
    optional: tuple[str, ...]
    subject: str  #: what ``shapes`` must be: "shapes", "robot" or "mesh"
    function: Callable[..., Any]  #: whose keyword options are those of the batch
    answer: Callable[[Any, Columns, dict[str, Any]], Columns]

    def check_options(self, options: Mapping[str, Any]) -> None:
        known = {
            name
            for name, parameter in inspect.signature(self.function).parameters.items()
            if parameter.kind is inspect.Parameter.KEYWORD_ONLY
        } - {"threads", "seconds", "part", "object_filter"}
        for name in options:
            if name == "seconds":
                raise TypeError("a batch has no time limit: its answers would depend on the machine; pass a budget")
            if name not in known:
                raise TypeError(f"{name!r} is no option of {self.name!r}; it has: {', '.join(sorted(known))}")


def _pair_columns(ask: Callable[..., Any], places: str) -> Callable[[Any, Columns, dict[str, Any]], Columns]:
    def answer(shapes: list[Any], rows: Columns, options: dict[str, Any]) -> Columns:
        def asked(a: int, b: int, chosen: Any) -> Columns:
            sides = [_side(rows.get(f"{places}_{side}"), chosen) for side in "ab"]
            return columns_of(ask(shapes[a], sides[0], shapes[b], sides[1], threads=1, **options))

        second = min(1, len(shapes) - 1)  # one shape alone is asked against itself
        if "a" not in rows and "b" not in rows:
            return asked(0, second, slice(None))
        # Rows of other shapes are asked apart, and put back where they were.
        count = len(next(iter(rows.values())))
        pairs = np.stack([rows.get("a", np.zeros(count, int)), rows.get("b", np.full(count, second))], axis=1)
        kinds, which = np.unique(pairs, axis=0, return_inverse=True)
        columns: Columns = {}
        for number, (a, b) in enumerate(kinds):
            chosen = np.flatnonzero(which == number)
            for name, column in asked(int(a), int(b), chosen).items():
                if name not in columns:
                    columns[name] = np.empty((count, *column.shape[1:]), dtype=column.dtype)
                columns[name][chosen] = column
        return columns

    return answer


def _side(column: NDArray[Any] | None, chosen: Any) -> Any:
    return None if column is None else column[chosen]


def _edges(case: list[Any], rows: Columns, options: dict[str, Any]) -> Columns:
    robot, scene = case
    return columns_of(robot.edges(rows["starts"], rows["ends"], scene, threads=1, **options))


def _steps(objects: list[Any], rows: Columns, options: dict[str, Any]) -> Columns:
    scene = objects[0]
    names = ("kind", "first", "second", "status", "time", "lower", "upper", "point", "normal")
    listed: dict[str, list[Any]] = {name: [] for name in ("row", *names)}
    first_times, counts, complete = [], [], []
    for row, (t0, t1) in enumerate(zip(rows["positions_t0"], rows["positions_t1"])):
        scene.update(t0, t1)
        found = scene.all_contacts(threads=1, **options)
        counts.append(len(found))
        complete.append(found.complete)
        first_times.append(found.first_time if len(found) else 1.0)
        listed["row"].append(np.full(len(found), row, dtype=np.int64))
        for name in names:
            listed[name].append(np.array(getattr(found, name)))
    return {
        "count": np.array(counts, dtype=np.int64),
        "complete": np.array(complete, dtype=bool),
        "first_time": np.array(first_times),
        **{LISTED + name: np.concatenate(parts) for name, parts in listed.items()},
    }


def no_answers(question: Question, subject: Any, rows: Columns, options: dict[str, Any]) -> Columns:
    """The columns of no rows, which says what all of them have; what is wrong with the options is raised here, once.

    ``subject``: shapes or robot and scene; of 'steps' nothing.
    """
    if question.subject == "mesh":
        triangle = np.array([[[0.0, 0, 0], [1, 0, 0], [0, 1, 0]]])
        one = question.answer([DeformableScene((3, [[0, 1, 2]]))], {"positions_t0": triangle, "positions_t1": triangle}, options)
        return {name: column[:0] for name, column in one.items()}
    none = {name: column[:0] for name, column in rows.items() if name not in ("a", "b")}
    if not none:  # shapes where they are
        none = {question.optional[0]: np.zeros((0, 2, 4, 4) if question.optional[0].startswith("motions") else (0, 4, 4))}
    try:
        return question.answer(subject[:2], none, options)
    except ValueError as error:  # which tells the shape of no rows
        text = str(error)
        for name, column in none.items():
            text = text.replace(str(column.shape), str(rows[name].shape)) if name in rows else text
        raise ValueError(text) from None


def columns_of(answer: Any) -> Columns:
    """The columns of a batch's answer, without those that tell of the work."""
    columns = {}
    for field in dataclasses.fields(answer):
        if field.name not in _NO_ANSWERS:
            column = getattr(answer, field.name)
            columns[field.name] = np.array(column, dtype=np.str_) if isinstance(column, list) else np.asarray(column)
    return columns


_MOVING = ((), ("motions_a", "motions_b", "a", "b"), "shapes")
_RESTING = ((), ("poses_a", "poses_b", "a", "b"), "shapes")
QUESTIONS = {
    question.name: question
    for question in (
        Question("first_contact", *_MOVING, first_contacts, _pair_columns(first_contacts, "motions")),
        Question("closest_approach", *_MOVING, closest_approaches, _pair_columns(closest_approaches, "motions")),
        Question("distance", *_RESTING, distances, _pair_columns(distances, "poses")),
        Question("penetration", *_RESTING, penetrations, _pair_columns(penetrations, "poses")),
        Question("robot_edges", ("starts", "ends"), (), "robot", Robot.edges, _edges),
        Question("steps", ("positions_t0", "positions_t1"), (), "mesh", DeformableScene._options, _steps),
    )
}


def checked_rows(question: Question, rows: Any, shapes: int) -> tuple[Columns, int]:
    """The columns as arrays, and how many rows there are. One array alone is the first column."""
    names = (*question.needed, *question.optional)
    if question.name == "steps" and not isinstance(rows, Mapping):
        frames = _array(rows, "rows")
        if frames.ndim != 3 or frames.shape[2] != 3:
            raise ValueError(f"rows of 'steps' must be frames (frames, vertices, 3), not shape {frames.shape}")
        rows = {"positions_t0": frames[:-1], "positions_t1": frames[1:]}
    if not isinstance(rows, Mapping):
        rows = {names[0]: rows}
    for name in rows:
        if name not in names:
            raise ValueError(f"rows: {name!r} is no column of {question.name!r}; it has: {', '.join(names)}")
    for name in question.needed:
        if name not in rows:
            raise ValueError(f"rows: {question.name!r} needs the column {name!r}")
    columns = {name: _array(column, name) for name, column in rows.items() if column is not None}
    counts = {name: len(column) if column.ndim else -1 for name, column in columns.items()}
    if not counts or min(counts.values()) < 0:
        raise ValueError(f"rows: {question.name!r} needs at least one column with one entry per row")
    if len(set(counts.values())) > 1:
        raise ValueError("rows: all columns need the same length, not "
                         + ", ".join(f"{name}: {count}" for name, count in counts.items()))
    for name, column in columns.items():
        if name in "ab":
            if column.ndim != 1 or column.dtype.kind not in "iu":
                raise ValueError(f"rows: column {name!r} must be integers, one per row: which of the shapes")
        elif column.dtype.kind not in "fiu":
            raise ValueError(f"rows: column {name!r} must be numbers, not {column.dtype}")
        elif name.startswith(("motions", "poses")) and pose_axes(column.shape) == 0:
            raise ValueError(f"rows: column {name!r} is one pose, where one per row is needed; it has shape {column.shape}")
    if question.subject == "shapes":
        for name in "ab":
            if name in columns and len(columns[name]) and not (0 <= columns[name].min() and columns[name].max() < shapes):
                row = int(np.flatnonzero((columns[name] < 0) | (columns[name] >= shapes))[0])
                raise ValueError(f"rows: row {row} names shape {columns[name][row]} in column {name!r}, "
                                 f"but there are {shapes}")
        if shapes > 2 and not ("a" in columns and "b" in columns):
            raise ValueError(f"{shapes} shapes need the columns 'a' and 'b', which say the two of each row")
    return columns, next(iter(counts.values()))


def _array(value: Any, name: str) -> NDArray[Any]:
    array = np.asarray(value)
    if array.dtype == object:
        raise ValueError(f"rows: column {name!r} is no plain array of numbers")
    return array


def answered(question: Question, subject: Any, rows: Columns, options: dict[str, Any]) -> tuple[Columns, dict[int, str]]:
    """The answers, and what was wrong with rows that have none.

    Where a whole chunk cannot be asked, it is halved until the row is found; the others are answered all the same.
    """
    count = len(next(iter(rows.values())))
    try:
        return question.answer(subject, rows, options), {}
    except (ValueError, TypeError, ArithmeticError) as error:
        if count == 1:  # whoever reads it knows the row: "motions_a[1]", not "motions_a[0][1]", is its second pose
            return {}, {0: re.sub(rf"\b({'|'.join(rows)})\[0\]", r"\1", str(error))}
    half = count // 2
    parts = []
    for begin, end in ((0, half), (half, count)):
        columns, failures = answered(question, subject, {name: c[begin:end] for name, c in rows.items()}, options)
        parts.append((columns, failures, end - begin))
    return joined(parts)


def joined(parts: list[tuple[Columns, dict[int, str], int]], model: Columns | None = None) -> tuple[Columns, dict[int, str]]:
    """Answers one after the other. Rows without one: status failed, NaN, -1 or an empty text.

    ``model``: what the columns are like where no row has an answer.
    """
    model = next((columns for columns, _, _ in parts if columns), model or {})
    failures: dict[int, str] = {}
    pieces: dict[str, list[NDArray[Any]]] = {name: [] for name in model}
    begin = 0
    for columns, failed, count in parts:
        failures.update({begin + row: text for row, text in failed.items()})
        for name, like in model.items():
            if name in columns:
                piece = columns[name]
                pieces[name].append(piece + begin if name == LISTED + "row" else piece)
            else:
                pieces[name].append(_nothing(name, like, count))
        begin += count
    return {name: np.concatenate([model[name][:0], *parts]) for name, parts in pieces.items()}, failures


def _nothing(name: str, like: NDArray[Any], count: int) -> NDArray[Any]:
    if name.startswith(LISTED):
        return like[:0]
    shape = (count, *like.shape[1:])
    if name == "status":
        return np.full(shape, 4, dtype=like.dtype)  # toccata.STATUSES[4] is "failed"
    if like.dtype.kind == "f":
        return np.full(shape, np.nan, dtype=like.dtype)
    if like.dtype.kind == "i":
        return np.full(shape, -1, dtype=like.dtype)
    return np.zeros(shape, dtype=like.dtype)

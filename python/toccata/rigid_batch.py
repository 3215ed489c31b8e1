"""Many pairs of moving rigid bodies in one call: trials of one pair, and one body among many."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple, Sequence

import numpy as np
from numpy.typing import NDArray

from . import _toccata
from ._arguments import count, solids
from ._batch import Batch, trials
from ._interrupt import complete
from ._literals import AtStart, RigidMethod
from ._record import Record
from .contact import FirstContactResult, first_contact_of
from .geometry import as_shape
from .impact import STATUSES
from .motion import FixedMotion, Motion, as_motion, motions_core
from .pose import pose_axes
from .rigid import ClosestApproachResult, closest_approach_of, common_options, first_contact_options
from .shape import Shape

_FIRST = _toccata.first_contact_defaults  # the defaults are those of the C++ options
_CLOSEST = _toccata.closest_approach_defaults


@dataclass(frozen=True, repr=False, eq=False)
class FirstContactBatch(Batch[FirstContactResult]):
    """The answers of a batch as columns, one row per trial.

    ``batch[3]`` is a ``FirstContactResult``; ``batch[:100]``, ``batch[batch.touches]`` and ``batch[[3, 1]]`` are
    smaller batches.
    """

    trial: NDArray[np.intp]  #: (n,): the row's number in the batch as asked
    status: NDArray[np.int32]  #: (n,): an index into ``toccata.STATUSES``: 0 separated, 1 contact, ...
    time: NDArray[np.float64]  #: (n,): never later than the true first contact; 1 when separated
    lower: NDArray[np.float64]
    upper: NDArray[np.float64]
    distance: NDArray[np.float64]  #: (n,): at ``time``; this and the rest hold where they touch
    point_a: NDArray[np.float64]  #: (n, 3), world
    point_b: NDArray[np.float64]
    normal: NDArray[np.float64]
    triangle_a: NDArray[np.int32]  #: (n,): -1 where they do not touch
    triangle_b: NDArray[np.int32]
    _batch: Any = None
    _scene: Any = None

    def _answer(self, trial: int) -> FirstContactResult:
        handle = self._batch.row(trial)
        return first_contact_of(handle.fields(), (handle, *self._scene.pair(trial)))

    @property
    def touches(self) -> NDArray[np.bool_]:
        """(n,): which trials end in contact. The others are not all free: some may be undecided."""
        touching: NDArray[np.bool_] = (self.status == 1) | (self.status == 2)
        return touching

    @property
    def free(self) -> NDArray[np.bool_]:
        """(n,): which trials are proven free of contact."""
        apart: NDArray[np.bool_] = self.status == 0
        return apart

    @property
    def sentence(self) -> str:
        """How the trials ended, for a person."""
        counts = np.bincount(self.status, minlength=len(STATUSES))
        return _toccata.trials_sentence(len(self), int(counts[1] + counts[2]), int(counts[3]), int(counts[4]))

    def __str__(self) -> str:
        return self.sentence

    def __repr__(self) -> str:
        touching = self.touches
        first = f", first at t={self.time[touching].min():.6g}" if touching.any() else ""
        return f"FirstContactBatch({len(self)} trials, {int(touching.sum())} touch{first})"


@dataclass(frozen=True, repr=False, eq=False)
class ClosestApproachBatch(Batch[ClosestApproachResult]):
    """The closest approaches of a batch as columns, one row per trial; rows and parts as of ``FirstContactBatch``."""

    trial: NDArray[np.intp]  #: (n,): the row's number in the batch as asked
    status: NDArray[np.int32]  #: (n,): an index into ``toccata.STATUSES``
    time: NDArray[np.float64]  #: (n,): where ``distance`` is reached
    distance: NDArray[np.float64]  #: (n,): an upper bound on the smallest distance
    lower_distance: NDArray[np.float64]  #: (n,): a proven lower bound on it
    point_a: NDArray[np.float64]  #: (n, 3), world
    point_b: NDArray[np.float64]
    normal: NDArray[np.float64]
    triangle_a: NDArray[np.int32]  #: (n,)
    triangle_b: NDArray[np.int32]
    _batch: Any = None
    _scene: Any = None

    def _answer(self, trial: int) -> ClosestApproachResult:
        return closest_approach_of(self._batch.row(trial), self._scene.pair(trial))

    def __repr__(self) -> str:
        closest = f", {self.distance.min():.6g} at the closest" if len(self) else ""
        return f"ClosestApproachBatch({len(self)} trials{closest})"


class Body(NamedTuple):
    """A shape, how it moves, whether it is full inside, and what it is called."""

    mesh: Any  #: a ``Mesh`` or a shape of any other kind, which is full inside always
    motion: Any = None  #: in any form that ``as_motion`` takes; None: at the identity
    solid: bool = False
    name: str = ""


@dataclass(frozen=True, repr=False, eq=False)
class FirstContactAmong(Record):
    """Which of many bodies is touched first, when and where."""

    body: int | None  #: the index of that body; None where nothing is touched
    name: str  #: its name; its number where it has none
    result: FirstContactResult  #: with that body. Undecided, if that one could be touched before all others
    all: FirstContactBatch  #: the answer with each body

    def __bool__(self) -> bool:
        """False only if the body is proven apart from all others."""
        return bool(self.result)

    def __str__(self) -> str:
        return f"{self.name}: {self.result}" if self.body is not None else str(self.result)

    def __repr__(self) -> str:
        if self.body is None:
            return "FirstContactAmong(separated)"
        return f"FirstContactAmong({self.name}: {self.result.status} at t={self.result.time:.6g})"


class _Side(NamedTuple):
    """One side of all pairs: one shape and solidity for all, or one each; one motion each."""

    meshes: list[Shape]
    motions: _toccata.MotionList
    solid: list[bool]

    def core(self) -> _toccata.BatchSide:
        return _toccata.BatchSide([mesh._core for mesh in self.meshes], self.motions, self.solid)


class Pairs(NamedTuple):
    """What a batch was asked about."""

    a: _Side
    b: _Side

    def pair(self, row: int) -> tuple[Any, ...]:
        """The two bodies of a trial, as ``view`` wants them."""
        (mesh_a, motion_a, solid_a), (mesh_b, motion_b, solid_b) = (
            (side.meshes[row % len(side.meshes)], side.motions.motion(row), side.solid[row % len(side.solid)])
            for side in self
        )
        return mesh_a, motion_a, mesh_b, motion_b, (solid_a, solid_b)


def first_contacts(
    mesh_a: Any,
    motions_a: Any,
    mesh_b: Any,
    motions_b: Any = None,
    *,
    solid: Any = _FIRST["solid"],
    tolerance: float | None = _FIRST["tolerance"],
    relative_tolerance: float = _FIRST["relative_tolerance"],
    minimum_distance: float = _FIRST["minimum_distance"],
    budget: int = _FIRST["budget"],
    seconds: float = _FIRST["seconds"],
    method: RigidMethod = _FIRST["method"],
    at_start: AtStart = _FIRST["at_start"],
    threads: int = _FIRST["threads"],
) -> FirstContactBatch:
    """Many trials of one pair of bodies at once, on all cores and without the GIL.

    ``motions_a``, ``motions_b``: one motion per trial, as an array or a list: all forms of ``MotionList``. One
    ``Motion`` or one pose serves all trials; without ``motions_b`` b stays at the identity. The answers equal those
    of single calls, whatever ``threads`` (0: all cores). ``seconds``: for all trials together, 0 for no limit; those
    that are not answered by then end 'out_of_budget'. Ctrl-C raises ``Interrupted``, which keeps what is finished.

    >>> import numpy as np, toccata
    >>> cube = toccata.box([1, 1, 1])
    >>> motions = np.tile(np.eye(4), (100, 2, 1, 1))                 # (n, 2, 4, 4): from pose to pose
    >>> motions[:, 0, 0, 3], motions[:, 1, 0, 3] = -3, 3
    >>> motions[:, :, 2, 3] = np.linspace(0, 2.1, 100)[:, None]
    >>> batch = toccata.first_contacts(cube, motions, cube)
    >>> batch
    FirstContactBatch(100 trials, 48 touch, first at t=0.333333)
    >>> batch[batch.free]
    FirstContactBatch(52 trials, 0 touch)
    """
    pairs = _pairs(mesh_a, motions_a, mesh_b, motions_b, solid)
    options = first_contact_options(
        tolerance, relative_tolerance, minimum_distance, False, budget, seconds, method, at_start
    )
    return _first_contacts(pairs, options, threads)


def closest_approaches(
    mesh_a: Any,
    motions_a: Any,
    mesh_b: Any,
    motions_b: Any = None,
    *,
    solid: Any = _FIRST["solid"],
    tolerance: float | None = _CLOSEST["tolerance"],
    relative_tolerance: float = _CLOSEST["relative_tolerance"],
    budget: int = _CLOSEST["budget"],
    seconds: float = _CLOSEST["seconds"],
    threads: int = _FIRST["threads"],
) -> ClosestApproachBatch:
    """``closest_approach`` of many trials of one pair of bodies at once; motions as for ``first_contacts``.

    >>> import toccata
    >>> cube = toccata.box([1, 1, 1])
    >>> toccata.closest_approaches(cube, [([-3, 0, z], [3, 0, z]) for z in (1.5, 2, 3)], cube).distance
    array([0.5, 1. , 2. ])
    """
    pairs = _pairs(mesh_a, motions_a, mesh_b, motions_b, solid)
    options = common_options(tolerance, relative_tolerance, budget, seconds)
    batch = _toccata.closest_approaches(pairs.a.core(), pairs.b.core(), options, count(threads, "threads"))
    columns = batch.columns()
    answer = ClosestApproachBatch(trials(len(columns["time"])), **columns, _batch=batch, _scene=pairs)
    return complete(batch.interrupted, answer)


def first_contact_among(
    mesh_a: Any,
    motion_a: Any,
    bodies: Sequence[Any],
    *,
    solid: bool = _FIRST["solid"],
    tolerance: float | None = _FIRST["tolerance"],
    relative_tolerance: float = _FIRST["relative_tolerance"],
    minimum_distance: float = _FIRST["minimum_distance"],
    budget: int = _FIRST["budget"],
    seconds: float = _FIRST["seconds"],
    method: RigidMethod = _FIRST["method"],
    at_start: AtStart = _FIRST["at_start"],
    threads: int = _FIRST["threads"],
) -> FirstContactAmong:
    """One moving body among many: which one does it touch first, when and where?

    ``bodies``: each a ``Body``, or a shape that stands still where it is. ``solid``: of the one body. The others as
    for ``first_contact``. The answer is that with the body whose contact comes first; where one could not be decided
    and might come before it, the answer is undecided, too.

    >>> import toccata
    >>> cube = toccata.box()
    >>> shelf, door = toccata.Body(cube, [9, 0, 0], name="shelf"), toccata.Body(cube, [5, 0, 0], name="door")
    >>> hit = toccata.first_contact_among(cube, ([0, 0, 0], [8, 0, 0]), [shelf, door])
    >>> hit.body, hit.name, round(hit.result.time, 4)
    (1, 'door', 0.5)
    """
    others = [_body(body, i) for i, body in enumerate(bodies)]
    if not others:
        raise ValueError("bodies is empty: there is nothing to touch")
    motion = as_motion(motion_a, "motion_a")
    a = _Side([as_shape(mesh_a, "mesh_a")], _toccata.MotionList(motion._core, len(others)), [bool(solid)])
    b = _Side([body.mesh for body in others], _toccata.MotionList([body.motion._core for body in others]),
              [body.solid for body in others])
    options = first_contact_options(
        tolerance, relative_tolerance, minimum_distance, False, budget, seconds, method, at_start
    )
    every = _first_contacts(Pairs(a, b), options, threads)
    # What is proven free of contact up to the latest time comes last; contacts go before undecided ones.
    order = np.lexsort((~every.touches, every.lower, every.free))
    first = int(order[0])
    result = every[first]
    hit = bool(result)
    return FirstContactAmong(first if hit else None, others[first].name if hit else "", result, every)


def _body(value: Any, index: int) -> Body:
    name = f"bodies[{index}]"
    if not hasattr(value, "mesh"):
        value = Body(value)
    motion = as_motion(value.motion, f"{name}.motion")
    return Body(as_shape(value.mesh, f"{name}.mesh"), motion, bool(value.solid), value.name or f"body {index}")


def _pairs(mesh_a: Any, motions_a: Any, mesh_b: Any, motions_b: Any, solid: Any) -> Pairs:
    """The pairs of a batch: as many as there are motions; one motion alone serves all of them."""
    a, b = as_shape(mesh_a, "mesh_a"), as_shape(mesh_b, "mesh_b")
    alone_a, alone_b = _alone(motions_a), _alone(motions_b)
    many_a = None if alone_a else motions_core(motions_a, "motions_a")
    many_b = None if alone_b else motions_core(motions_b, "motions_b")
    if many_a is not None and many_b is not None and len(many_a) != len(many_b):
        raise ValueError(f"{len(many_a)} motions_a but {len(many_b)} motions_b: one of each per trial")
    size = len(many_a) if many_a is not None else len(many_b) if many_b is not None else 1
    moving_a = many_a if many_a is not None else _toccata.MotionList(alone_a._core, size)  # type: ignore[union-attr]
    moving_b = many_b if many_b is not None else _toccata.MotionList(alone_b._core, size)  # type: ignore[union-attr]
    solid_a, solid_b = solids(solid)
    return Pairs(_Side([a], moving_a, [solid_a]), _Side([b], moving_b, [solid_b]))


def _alone(value: Any) -> Motion | None:
    """A motion or a pose by itself, which serves all trials."""
    if isinstance(value, Motion):
        return value
    if value is None or (hasattr(value, "__array__") and pose_axes(np.shape(value)) == 0):
        return FixedMotion(value)
    return None


def _first_contacts(pairs: Pairs, options: dict[str, Any], threads: int) -> FirstContactBatch:
    batch = _toccata.first_contacts(pairs.a.core(), pairs.b.core(), options, count(threads, "threads"))
    columns = batch.columns()
    answer = FirstContactBatch(trials(len(columns["time"])), **columns, _batch=batch, _scene=pairs)
    return complete(batch.interrupted, answer)

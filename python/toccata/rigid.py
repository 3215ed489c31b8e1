"""Two moving rigid bodies: when do they first touch, where, and how close do they come?

A contact is never missed; the reported time is never later than the true first contact, and at it the bodies
are within the tolerance of touching. Bodies are surfaces: one strictly inside the other is apart from it,
unless it is a solid (``solid=True``).
"""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from . import _toccata
from ._arguments import choice, count, number, solids, tolerances
from ._record import Record
from .contact import Contact, FirstContactResult, contact_of, first_contact_of
from .mesh import Mesh, as_mesh
from .motion import Motion, as_motion

_FIRST = _toccata.first_contact_defaults  # the defaults are those of the C++ options
_CLOSEST = _toccata.closest_approach_defaults
_INTERVALS = _toccata.contact_intervals_defaults


@dataclass(frozen=True, repr=False, eq=False)
class FirstContactBatch(Record):
    """The answers of a batch as columns, one row per trial. Indexing gives a ``FirstContactResult``."""

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

    def __len__(self) -> int:
        return len(self.time)

    def __getitem__(self, row: int) -> FirstContactResult:
        if self._batch is None:
            raise TypeError("single answers are not kept through pickle; use the columns")
        if not -len(self) <= row < len(self):
            raise IndexError(f"trial {row} of {len(self)}")
        row %= len(self)
        mesh_a, motions_a, mesh_b, motions_b, solid = self._scene
        return _first_contact(self._batch.result(row), mesh_a, motions_a[row], mesh_b, motions_b[row], solid)

    def __iter__(self) -> Iterator[FirstContactResult]:
        return (self[row] for row in range(len(self)))

    @property
    def touches(self) -> NDArray[np.bool_]:
        """(n,): which trials end in contact. The others are not all free: some may be undecided."""
        return (self.status == 1) | (self.status == 2)

    @property
    def free(self) -> NDArray[np.bool_]:
        """(n,): which trials are proven free of contact."""
        return self.status == 0

    def __repr__(self) -> str:
        touching = self.touches
        first = f", first at t={self.time[touching].min():.6g}" if touching.any() else ""
        return f"FirstContactBatch({len(self)} trials, {int(touching.sum())} touch{first})"


@dataclass(frozen=True, repr=False, eq=False)
class ClosestApproachResult(Record):
    """How close two moving bodies come."""

    status: str  #: 'separated', 'contact' (they touch on the way), 'overlap_at_start', 'out_of_budget' or 'failed'
    inside: str  #: of solids: 'none', 'first_in_second' or 'second_in_first'
    time: float  #: where ``distance`` is reached; for bodies that touch: the first contact
    distance: float  #: of the bodies at ``time``: an upper bound on the smallest distance
    lower_distance: float  #: a proven lower bound on it
    contact: Contact | None  #: the closest points
    pose_a: NDArray[np.float64]  #: (4, 4), at ``time``
    pose_b: NDArray[np.float64]
    stats: dict[str, int]
    failure: str  #: of a question that could not be asked: what was wrong, and what to do
    sentence: str  #: the answer for a person
    _scene: Any = None

    def __str__(self) -> str:
        return self.sentence

    def __repr__(self) -> str:
        return f"ClosestApproachResult({self.status}, distance={self.distance:.6g} at t={self.time:.6g})"


@dataclass(frozen=True, repr=False, eq=False)
class ContactInterval(Record):
    """The bodies touch from somewhere in [begin_lower, begin_upper] to somewhere in [end_lower, end_upper]."""

    begin_lower: float
    begin_upper: float
    end_lower: float
    end_upper: float

    def __repr__(self) -> str:
        return f"ContactInterval({self.begin_lower:.6g} to {self.end_upper:.6g})"


@dataclass(frozen=True, repr=False, eq=False)
class ContactIntervalsResult(Record):
    """When two moving bodies touch. Between the intervals they are proven apart."""

    status: str  #: 'separated', 'contact', 'overlap_at_start', 'out_of_budget' or 'failed'
    intervals: list[ContactInterval]  #: disjoint, increasing
    proven_until: float  #: 1 unless the budget ran out
    stats: dict[str, int]
    failure: str  #: of a question that could not be asked: what was wrong, and what to do
    sentence: str  #: the answer for a person
    _scene: Any = None

    def __bool__(self) -> bool:
        """False only if the bodies are proven apart during the whole motion."""
        return self.status != "separated"

    def __str__(self) -> str:
        return self.sentence

    def __len__(self) -> int:
        return len(self.intervals)

    def __iter__(self) -> Iterator[ContactInterval]:
        return iter(self.intervals)

    def __repr__(self) -> str:
        return f"ContactIntervalsResult({self.status}, {self.intervals!r})"


def first_contact(
    mesh_a: Any,
    motion_a: Any,
    mesh_b: Any,
    motion_b: Any = None,
    *,
    solid: Any = _FIRST["solid"],
    tolerance: float | None = _FIRST["tolerance"],
    relative_tolerance: float = _FIRST["relative_tolerance"],
    minimum_distance: float = _FIRST["minimum_distance"],
    all_contacts: bool = _FIRST["all_contacts"],
    budget: int = _FIRST["budget"],
    method: str = _FIRST["method"],
    at_start: str = _FIRST["at_start"],
) -> FirstContactResult:
    """When do two moving bodies first touch, and where?

    ``mesh_a``, ``mesh_b``: a ``Mesh``, a pair ``(vertices, faces)``, or anything that has both.
    ``motion_a``, ``motion_b``: a ``Motion``, a pair of poses (from, to), or a pose for a body at rest; ``None``
    is the identity.

    ``solid``: the bodies are full, so that one inside the other is an overlap; True, or a pair, one for each
    body. The mesh of a solid must be closed. ``tolerance``: how close counts as touching, a distance; without
    one it is ``relative_tolerance`` of the size of the smaller body. ``minimum_distance``: ask for the first time the bodies come this close. ``all_contacts``: every pair
    of triangles that touches at that time. ``budget``: most pairs of boxes and triangles to test, 0 for no
    limit. ``method``: 'advancement' (the fast one), 'controlled', 'interval' or 'screw'; all keep the same
    promise. ``at_start``: 'report' bodies that touch at t = 0, or 'skip' that contact and look for the first
    one after they have come apart.

    ``bool(result)`` is on the safe side: it is False only where the bodies are proven apart. ``str(result)`` is
    the answer in a sentence.

    >>> import toccata
    >>> cube = toccata.box([1, 1, 1])
    >>> result = toccata.first_contact(cube, ([-3, 0, 0], [0, 0, 0]), cube)
    >>> result.status, round(result.time, 5)
    ('contact', 0.66667)
    >>> toccata.first_contact(cube, ([-3, 0, 2], [3, 0, 2]), cube)
    FirstContactResult(separated)
    >>> print(toccata.first_contact(toccata.box([0.1, 0.1, 0.1]), None, cube, solid=True))
    a is inside b at the start.
    """
    a, b = as_mesh(mesh_a, "mesh_a"), as_mesh(mesh_b, "mesh_b")
    moving_a, moving_b = as_motion(motion_a, "motion_a"), as_motion(motion_b, "motion_b")
    options = _options(tolerance, relative_tolerance, budget, solid)
    options.update(_first_options(minimum_distance, all_contacts, method, at_start))
    handle = _toccata.first_contact(a._core, moving_a._core, b._core, moving_b._core, options)
    return _first_contact(handle, a, moving_a, b, moving_b, options["solid"])


def all_contacts(mesh_a: Any, motion_a: Any, mesh_b: Any, motion_b: Any = None, **options: Any) -> list[Contact]:
    """Every pair of triangles that touches at the first contact, sorted; empty when there is none.

    Options as for ``first_contact``.

    >>> import toccata
    >>> cube = toccata.box([1, 1, 1])
    >>> contacts = toccata.all_contacts(cube, ([-3, 0, 0], [0, 0, 0]), cube)
    >>> sorted({contact.triangle_a for contact in contacts}) != []
    True
    """
    return first_contact(mesh_a, motion_a, mesh_b, motion_b, all_contacts=True, **options).contacts


def first_contacts(
    mesh_a: Any,
    motions_a: Sequence[Any],
    mesh_b: Any,
    motions_b: Sequence[Any] | None = None,
    *,
    solid: Any = _FIRST["solid"],
    tolerance: float | None = _FIRST["tolerance"],
    relative_tolerance: float = _FIRST["relative_tolerance"],
    minimum_distance: float = _FIRST["minimum_distance"],
    budget: int = _FIRST["budget"],
    method: str = _FIRST["method"],
    at_start: str = _FIRST["at_start"],
    threads: int = _FIRST["threads"],
) -> FirstContactBatch:
    """Many trials of one pair of bodies at once, on all cores and without the GIL.

    ``motions_a``, ``motions_b``: one motion per trial, each as in ``first_contact``; ``motions_b`` may be left
    out (b stays at the identity). The answers equal those of single calls, whatever ``threads`` (0: all
    cores).

    >>> import numpy as np, toccata
    >>> cube = toccata.box([1, 1, 1])
    >>> trials = [([-3, 0, z], [3, 0, z]) for z in np.linspace(0, 2.1, 100)]
    >>> toccata.first_contacts(cube, trials, cube).touches.sum()
    48
    """
    a, b = as_mesh(mesh_a, "mesh_a"), as_mesh(mesh_b, "mesh_b")
    moving_a = [as_motion(motion, f"motions_a[{i}]") for i, motion in enumerate(motions_a)]
    if motions_b is None:
        moving_b = [as_motion(None)] * len(moving_a)
    else:
        moving_b = [as_motion(motion, f"motions_b[{i}]") for i, motion in enumerate(motions_b)]
    if len(moving_a) != len(moving_b):
        raise ValueError(f"{len(moving_a)} motions_a but {len(moving_b)} motions_b: one of each per trial")
    options = _options(tolerance, relative_tolerance, budget, solid)
    options.update(_first_options(minimum_distance, False, method, at_start))
    batch = _toccata.first_contacts(
        a._core, [m._core for m in moving_a], b._core, [m._core for m in moving_b], options, count(threads, "threads")
    )
    return FirstContactBatch(**batch.columns(), _batch=batch, _scene=(a, moving_a, b, moving_b, options["solid"]))


def closest_approach(
    mesh_a: Any,
    motion_a: Any,
    mesh_b: Any,
    motion_b: Any = None,
    *,
    solid: Any = _FIRST["solid"],
    tolerance: float | None = _CLOSEST["tolerance"],
    relative_tolerance: float = _CLOSEST["relative_tolerance"],
    budget: int = _CLOSEST["budget"],
) -> ClosestApproachResult:
    """The smallest distance over the whole motion, when and where.

    Arguments as for ``first_contact``; ``tolerance``: of the distance.

    >>> import toccata
    >>> cube = toccata.box([1, 1, 1])
    >>> toccata.closest_approach(cube, ([-3, 0, 2], [3, 0, 1.5]), cube).status
    'separated'
    """
    a, b = as_mesh(mesh_a, "mesh_a"), as_mesh(mesh_b, "mesh_b")
    moving_a, moving_b = as_motion(motion_a, "motion_a"), as_motion(motion_b, "motion_b")
    options = _options(tolerance, relative_tolerance, budget, solid)
    handle = _toccata.closest_approach(a._core, moving_a._core, b._core, moving_b._core, options)
    fields = handle.fields()
    fields["contact"] = contact_of(fields["contact"]) if fields["contact"] is not None else None
    return ClosestApproachResult(**fields, _scene=(handle, a, moving_a, b, moving_b, options["solid"]))


def contact_intervals(
    mesh_a: Any,
    motion_a: Any,
    mesh_b: Any,
    motion_b: Any = None,
    *,
    solid: Any = _FIRST["solid"],
    tolerance: float | None = _INTERVALS["tolerance"],
    relative_tolerance: float = _INTERVALS["relative_tolerance"],
    time_resolution: float = _INTERVALS["time_resolution"],
    budget: int = _INTERVALS["budget"],
) -> ContactIntervalsResult:
    """Every interval of time in which the bodies touch.

    Arguments as for ``first_contact``; gaps and contacts shorter than ``time_resolution`` may be merged with
    their neighbours.

    >>> import toccata
    >>> cube = toccata.box([1, 1, 1])
    >>> touching = toccata.contact_intervals(cube, ([-3, 0, 0.5], [3, 0, 0.5]), cube)
    >>> touching.status, len(touching), round(touching.intervals[0].begin_lower, 4)
    ('contact', 1, 0.3333)
    """
    a, b = as_mesh(mesh_a, "mesh_a"), as_mesh(mesh_b, "mesh_b")
    moving_a, moving_b = as_motion(motion_a, "motion_a"), as_motion(motion_b, "motion_b")
    options = _options(tolerance, relative_tolerance, budget, solid)
    options["time_resolution"] = number(time_resolution, "time_resolution", least=0.0)
    handle = _toccata.contact_intervals(a._core, moving_a._core, b._core, moving_b._core, options)
    fields = handle.fields()
    fields["intervals"] = [ContactInterval(*interval) for interval in fields["intervals"]]
    return ContactIntervalsResult(**fields, _scene=(handle, a, moving_a, b, moving_b, options["solid"]))


def _options(tolerance: Any, relative_tolerance: Any, budget: int, solid: Any) -> dict[str, Any]:
    """What all questions on moving bodies take."""
    distance, share = tolerances(tolerance, relative_tolerance)
    return {
        "tolerance": distance,
        "relative_tolerance": share,
        "budget": count(budget, "budget"),
        "solid": solids(solid),
    }


def _first_options(minimum_distance: float, every: bool, method: str, at_start: str) -> dict[str, Any]:
    choice(at_start, _toccata.at_start_choices, "at_start")
    return {
        "minimum_distance": number(minimum_distance, "minimum_distance", least=0.0),
        "all_contacts": bool(every),
        "method": method,
        "at_start": at_start,
    }


def _first_contact(
    handle: Any, mesh_a: Mesh, motion_a: Motion, mesh_b: Mesh, motion_b: Motion, solid: tuple[bool, bool]
) -> FirstContactResult:
    return first_contact_of(handle.fields(), (handle, mesh_a, motion_a, mesh_b, motion_b, solid))

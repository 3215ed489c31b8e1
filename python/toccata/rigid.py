"""Two moving rigid bodies: when do they first touch, where, and how close do they come?

A contact is never missed; the reported time is never later than the true first contact, and at it the bodies
are within the tolerance of touching. Bodies are surfaces: one strictly inside the other is apart from it.
"""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from . import _toccata
from ._arguments import choice, count, number
from ._record import Record, short
from .mesh import Mesh, as_mesh
from .motion import Motion, as_motion

_METHODS = ("advancement", "controlled", "interval", "screw")


@dataclass(frozen=True, repr=False, eq=False)
class Contact(Record):
    """Where two triangles meet or come closest."""

    point_a: NDArray[np.float64]  #: (3,), world coordinates
    point_b: NDArray[np.float64]
    normal: NDArray[np.float64]  #: (3,): unit, from a to b; zero only if the geometry leaves it undefined
    distance: float  #: between the two points
    triangle_a: int  #: index of the face of a
    triangle_b: int
    feature_a: tuple[str, int]  #: ('vertex', corner 0..2), ('edge', i: from corner i to i+1 mod 3), ('face', 0)
    feature_b: tuple[str, int]

    def __repr__(self) -> str:
        return (
            f"Contact({self.feature_a[0]}-{self.feature_b[0]}, triangles {self.triangle_a}-{self.triangle_b}, "
            f"point_a={short(self.point_a)}, normal={short(self.normal)}, distance={self.distance:.3g})"
        )


@dataclass(frozen=True, repr=False, eq=False)
class FirstContactResult(Record):
    """The first contact of two moving bodies, or the proof that there is none."""

    status: str  #: 'separated', 'contact', 'overlap_at_start' or 'out_of_budget'
    time: float  #: never later than the true first contact; 1 when separated; out of budget: free until then
    lower: float  #: the bodies are proven apart on [0, lower)
    upper: float  #: if they ever touch, they first do so by then; 1 where this could not be narrowed
    distance: float | None  #: of the bodies at ``time``; None unless they touch
    contact: Contact | None  #: the closest pair at ``time``
    contacts: list[Contact]  #: that one, or all at that time when asked for
    pose_a: NDArray[np.float64]  #: (4, 4), at ``time``
    pose_b: NDArray[np.float64]
    stats: dict[str, int]  #: the work done
    _scene: Any = None

    def __bool__(self) -> bool:
        """True if the bodies touch."""
        return self.status in ("contact", "overlap_at_start")

    def __repr__(self) -> str:
        if self.status == "separated":
            return "FirstContactResult(separated)"
        if self.status == "out_of_budget":
            return f"FirstContactResult(out_of_budget, free until {self.time:.6g})"
        point = short(self.contact.point_a) if self.contact else "?"
        more = f", {len(self.contacts)} contacts" if len(self.contacts) > 1 else ""
        return f"FirstContactResult({self.status} at t={self.time:.6g}, point={point}{more})"


@dataclass(frozen=True, repr=False, eq=False)
class FirstContactBatch(Record):
    """The answers of a batch as columns, one row a trial. Indexing gives a ``FirstContactResult``."""

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
        mesh_a, motions_a, mesh_b, motions_b = self._scene
        return _first_contact(self._batch.result(row), mesh_a, motions_a[row], mesh_b, motions_b[row])

    def __iter__(self) -> Iterator[FirstContactResult]:
        return (self[row] for row in range(len(self)))

    @property
    def touches(self) -> NDArray[np.bool_]:
        """(n,): which trials end in contact."""
        return (self.status == 1) | (self.status == 2)

    def __repr__(self) -> str:
        touching = self.touches
        first = f", first at t={self.time[touching].min():.6g}" if touching.any() else ""
        return f"FirstContactBatch({len(self)} trials, {int(touching.sum())} touch{first})"


@dataclass(frozen=True, repr=False, eq=False)
class ClosestApproachResult(Record):
    """How close two moving bodies come."""

    status: str  #: 'separated', 'contact' (they touch on the way), 'overlap_at_start' or 'out_of_budget'
    time: float  #: where ``distance`` is reached; for bodies that touch: the first contact
    distance: float  #: of the bodies at ``time``: an upper bound on the smallest distance
    lower_distance: float  #: a proven lower bound on it
    contact: Contact | None  #: the closest points
    pose_a: NDArray[np.float64]  #: (4, 4), at ``time``
    pose_b: NDArray[np.float64]
    stats: dict[str, int]
    _scene: Any = None

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

    status: str  #: 'separated', 'contact', 'overlap_at_start' or 'out_of_budget'
    intervals: list[ContactInterval]  #: disjoint, increasing
    proven_until: float  #: 1 unless the budget ran out
    stats: dict[str, int]
    _scene: Any = None

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
    tolerance: float = -1e-6,
    minimum_distance: float = 0.0,
    all_contacts: bool = False,
    budget: int = 0,
    method: str = "advancement",
    initial_contact: str = "report",
) -> FirstContactResult:
    """When do two moving bodies first touch, and where?

    ``mesh_a``, ``mesh_b``: a ``Mesh``, a pair ``(vertices, faces)``, or anything that has both.
    ``motion_a``, ``motion_b``: a ``Motion``, a pair of poses (from, to), or a pose for a body at rest; ``None``
    is the identity.

    ``tolerance``: how close counts as touching, a distance; negative: relative to the size of the smaller
    body. ``minimum_distance``: ask for the first time the bodies come this close. ``all_contacts``: every pair
    of triangles that touches at that time. ``budget``: most pairs of boxes and triangles to test, 0 for no
    limit. ``method``: 'advancement' (the fast one), 'controlled', 'interval' or 'screw'; all keep the same
    promise. ``initial_contact``: 'report' bodies that touch at t = 0, or 'skip' that
    contact and look for the first one after they have come apart.

    >>> import toccata
    >>> cube = toccata.box([1, 1, 1])
    >>> result = toccata.first_contact(cube, ([-3, 0, 0], [0, 0, 0]), cube)
    >>> result.status, round(result.time, 5)
    ('contact', 0.66667)
    >>> toccata.first_contact(cube, ([-3, 0, 2], [3, 0, 2]), cube)
    FirstContactResult(separated)
    """
    a, b = as_mesh(mesh_a, "mesh_a"), as_mesh(mesh_b, "mesh_b")
    moving_a, moving_b = as_motion(motion_a, "motion_a"), as_motion(motion_b, "motion_b")
    options = _options(tolerance, minimum_distance, all_contacts, budget, method, initial_contact)
    handle = _toccata.first_contact(a._core, moving_a._core, b._core, moving_b._core, options)
    return _first_contact(handle, a, moving_a, b, moving_b)


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
    tolerance: float = -1e-6,
    minimum_distance: float = 0.0,
    budget: int = 0,
    method: str = "advancement",
    initial_contact: str = "report",
    threads: int = 0,
) -> FirstContactBatch:
    """Many trials of one pair of bodies at once, on all cores and without the GIL.

    ``motions_a``, ``motions_b``: one motion a trial, each as in ``first_contact``; ``motions_b`` may be left
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
        raise ValueError(f"{len(moving_a)} motions_a but {len(moving_b)} motions_b: one of each a trial")
    options = _options(tolerance, minimum_distance, False, budget, method, initial_contact)
    batch = _toccata.first_contacts(
        a._core, [m._core for m in moving_a], b._core, [m._core for m in moving_b], options, count(threads, "threads")
    )
    return FirstContactBatch(**batch.columns(), _batch=batch, _scene=(a, moving_a, b, moving_b))


def closest_approach(
    mesh_a: Any, motion_a: Any, mesh_b: Any, motion_b: Any = None, *, tolerance: float = -1e-6, budget: int = 0
) -> ClosestApproachResult:
    """The smallest distance over the whole motion, when and where.

    Arguments as for ``first_contact``; ``tolerance``: of the distance, negative: relative to the size of the
    smaller body.

    >>> import toccata
    >>> cube = toccata.box([1, 1, 1])
    >>> toccata.closest_approach(cube, ([-3, 0, 2], [3, 0, 1.5]), cube).status
    'separated'
    """
    a, b = as_mesh(mesh_a, "mesh_a"), as_mesh(mesh_b, "mesh_b")
    moving_a, moving_b = as_motion(motion_a, "motion_a"), as_motion(motion_b, "motion_b")
    handle = _toccata.closest_approach(
        a._core, moving_a._core, b._core, moving_b._core, number(tolerance, "tolerance"), count(budget, "budget")
    )
    fields = handle.fields()
    fields["contact"] = Contact(**fields["contact"]) if fields["contact"] is not None else None
    return ClosestApproachResult(**fields, _scene=(handle, a, moving_a, b, moving_b))


def contact_intervals(
    mesh_a: Any,
    motion_a: Any,
    mesh_b: Any,
    motion_b: Any = None,
    *,
    tolerance: float = -1e-6,
    time_resolution: float = 1e-6,
    budget: int = 0,
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
    handle = _toccata.contact_intervals(
        a._core,
        moving_a._core,
        b._core,
        moving_b._core,
        number(tolerance, "tolerance"),
        number(time_resolution, "time_resolution", least=0.0),
        count(budget, "budget"),
    )
    fields = handle.fields()
    fields["intervals"] = [ContactInterval(*interval) for interval in fields["intervals"]]
    return ContactIntervalsResult(**fields, _scene=(handle, a, moving_a, b, moving_b))


def _options(
    tolerance: float, minimum_distance: float, every: bool, budget: int, method: str, initial_contact: str
) -> dict[str, Any]:
    return {
        "tolerance": number(tolerance, "tolerance"),
        "minimum_distance": number(minimum_distance, "minimum_distance", least=0.0),
        "all_contacts": bool(every),
        "budget": count(budget, "budget"),
        "method": choice(method, _METHODS, "method"),
        "initial_contact": choice(initial_contact, ("report", "skip"), "initial_contact"),
    }


def _first_contact(handle: Any, mesh_a: Mesh, motion_a: Motion, mesh_b: Mesh, motion_b: Motion) -> FirstContactResult:
    fields = handle.fields()
    fields["contact"] = Contact(**fields["contact"]) if fields["contact"] is not None else None
    fields["contacts"] = [Contact(**contact) for contact in fields["contacts"]]
    return FirstContactResult(**fields, _scene=(handle, mesh_a, motion_a, mesh_b, motion_b))

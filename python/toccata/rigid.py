"""Two moving rigid bodies: when do they first touch, where, and how close do they come?

A contact is never missed; the reported time is never later than the true first contact, and at it the bodies
are within the tolerance of touching. Bodies are surfaces: one strictly inside the other is apart from it,
unless it is a solid (``solid=True``).
"""
from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Context
from typing import Any, Iterator

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _toccata
from ._arguments import choice, count, number, solids, time_limit, tolerances, vector
from ._literals import AtStart, Inside, RigidMethod, Status
from ._record import Record
from .contact import Contact, FirstContactResult, contact_of, first_contact_of
from .geometry import as_shape
from .motion import FixedMotion, RigidMotion, as_motion
from .pose import as_pose

_FIRST = _toccata.first_contact_defaults  # the defaults are those of the C++ options
_CLOSEST = _toccata.closest_approach_defaults
_INTERVALS = _toccata.contact_intervals_defaults
_DOWN, _UP = Context(prec=6, rounding=ROUND_FLOOR), Context(prec=6, rounding=ROUND_CEILING)


@dataclass(frozen=True, repr=False, eq=False)
class ClosestApproachResult(Record):
    """How close two moving bodies come."""

    status: Status  #: 'contact': they touch on the way
    inside: Inside  #: of solids
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
        begin = _DOWN.create_decimal(self.begin_lower).normalize()
        return f"ContactInterval({begin} to {_UP.create_decimal(self.end_upper).normalize()})"


@dataclass(frozen=True, repr=False, eq=False)
class ContactIntervalsResult(Record):
    """When two moving bodies touch. Between the intervals they are proven apart."""

    status: Status
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
    seconds: float = _FIRST["seconds"],
    method: RigidMethod = _FIRST["method"],
    at_start: AtStart = _FIRST["at_start"],
) -> FirstContactResult:
    """When do two moving bodies first touch, and where?

    ``mesh_a``, ``mesh_b``: a ``Mesh``, a pair ``(vertices, faces)``, or anything that has both; or a shape of any
    other kind (``Ball``, ``Box``, ``HalfSpace``...), which is full inside always.
    ``motion_a``, ``motion_b``: a ``Motion``, a pair of poses (from, to), or a pose for a body at rest; ``None``
    is the identity.

    ``solid``: the bodies are full, so that one inside the other is an overlap; True, or a pair, one for each
    body. The mesh of a solid must be closed. ``tolerance``: how close counts as touching, a distance; without
    one it is ``relative_tolerance`` of the size of the smaller body. ``minimum_distance``: ask for the first time the bodies come this close. ``all_contacts``: every pair
    of triangles that touches at that time. ``budget``: most pairs of boxes and triangles to test, 0 for no
    limit. ``seconds``: the time limit, 0 for none; what is not decided by then ends 'out_of_budget'. ``method``: 'advancement' (the fast one), 'controlled', 'interval' or 'screw'; all keep the same
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
    a, b = as_shape(mesh_a, "mesh_a"), as_shape(mesh_b, "mesh_b")
    moving_a, moving_b = as_motion(motion_a, "motion_a"), as_motion(motion_b, "motion_b")
    options = first_contact_options(
        tolerance, relative_tolerance, minimum_distance, all_contacts, budget, seconds, method, at_start
    )
    solid = options["solid"] = solids(solid)
    handle = _toccata.first_contact(a._core, moving_a._core, b._core, moving_b._core, options)
    return first_contact_of(handle.fields(), (handle, a, moving_a._core, b, moving_b._core, solid))


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


def shape_cast(
    shape: Any,
    pose: Any,
    way: ArrayLike,
    target: Any,
    target_pose: Any = None,
    *,
    tolerance: float | None = _FIRST["tolerance"],
    relative_tolerance: float = _FIRST["relative_tolerance"],
    minimum_distance: float = _FIRST["minimum_distance"],
    all_contacts: bool = _FIRST["all_contacts"],
    budget: int = _FIRST["budget"],
    seconds: float = _FIRST["seconds"],
    at_start: AtStart = _FIRST["at_start"],
) -> FirstContactResult:
    """How far can a shape go straight ahead, along ``way`` and without turning, until it touches another?

    ``time`` is the share of the way. Poses in any form, ``None`` is the identity; options as for ``first_contact``.

    >>> import toccata
    >>> cast = toccata.shape_cast(toccata.Ball(0.5), [-3, 0, 0], [5, 0, 0], toccata.Box([1, 1, 1]))
    >>> round(5 * cast.time, 4)
    2.0
    """
    a, b = as_shape(shape, "shape"), as_shape(target, "target")
    place, target_place = as_pose(pose, "pose"), as_pose(target_pose, "target_pose")
    along = vector(way, "way")
    options = first_contact_options(
        tolerance, relative_tolerance, minimum_distance, all_contacts, budget, seconds, _FIRST["method"], at_start
    )
    handle = _toccata.shape_cast(a._core, place, along, b._core, target_place, options)
    moving, standing = RigidMotion(place, velocity=along), FixedMotion(target_place)
    return first_contact_of(handle.fields(), (handle, a, moving._core, b, standing._core, (False, False)))


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
    seconds: float = _CLOSEST["seconds"],
) -> ClosestApproachResult:
    """The smallest distance over the whole motion, when and where.

    Arguments as for ``first_contact``; ``tolerance``: of the distance.

    >>> import toccata
    >>> cube = toccata.box([1, 1, 1])
    >>> toccata.closest_approach(cube, ([-3, 0, 2], [3, 0, 1.5]), cube).status
    'separated'
    """
    a, b = as_shape(mesh_a, "mesh_a"), as_shape(mesh_b, "mesh_b")
    moving_a, moving_b = as_motion(motion_a, "motion_a"), as_motion(motion_b, "motion_b")
    options = common_options(tolerance, relative_tolerance, budget, seconds)
    solid = options["solid"] = solids(solid)
    handle = _toccata.closest_approach(a._core, moving_a._core, b._core, moving_b._core, options)
    return closest_approach_of(handle, (a, moving_a._core, b, moving_b._core, solid))


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
    seconds: float = _INTERVALS["seconds"],
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
    a, b = as_shape(mesh_a, "mesh_a"), as_shape(mesh_b, "mesh_b")
    moving_a, moving_b = as_motion(motion_a, "motion_a"), as_motion(motion_b, "motion_b")
    options = common_options(tolerance, relative_tolerance, budget, seconds)
    solid = options["solid"] = solids(solid)
    options["time_resolution"] = number(time_resolution, "time_resolution", least=0.0)
    handle = _toccata.contact_intervals(a._core, moving_a._core, b._core, moving_b._core, options)
    fields = handle.fields()
    fields["intervals"] = [ContactInterval(*interval) for interval in fields["intervals"]]
    return ContactIntervalsResult(**fields, _scene=(handle, a, moving_a._core, b, moving_b._core, solid))


def closest_approach_of(handle: Any, scene: tuple[Any, ...]) -> ClosestApproachResult:
    """The record of what the module answers; ``scene``: what ``view`` needs to draw it."""
    fields = handle.fields()
    fields["contact"] = contact_of(fields["contact"]) if fields["contact"] is not None else None
    return ClosestApproachResult(**fields, _scene=(handle, *scene))


def common_options(tolerance: Any, relative_tolerance: Any, budget: int, seconds: float) -> dict[str, Any]:
    """What all questions on moving bodies take."""
    distance, share = tolerances(tolerance, relative_tolerance)
    return {
        "tolerance": distance,
        "relative_tolerance": share,
        "budget": count(budget, "budget"),
        "seconds": time_limit(seconds),
    }


def first_contact_options(
    tolerance: Any,
    relative_tolerance: Any,
    minimum_distance: float,
    every: bool,
    budget: int,
    seconds: float,
    method: str,
    at_start: str,
) -> dict[str, Any]:
    """Those of ``first_contact``, checked."""
    choice(at_start, _toccata.at_start_choices, "at_start")
    return {
        **common_options(tolerance, relative_tolerance, budget, seconds),
        "minimum_distance": number(minimum_distance, "minimum_distance", least=0.0),
        "all_contacts": bool(every),
        "method": method,
        "at_start": at_start,
    }

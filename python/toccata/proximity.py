"""Two bodies at rest: how far apart are they, do they meet, is one inside the other?"""
from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _toccata
from ._arguments import count, number, time_limit, vector
from ._batch import Batch, trials
from ._interrupt import complete
from ._literals import Containment, ConvexMethod, Status
from ._record import Record, short
from .contact import Contact, contact_of
from .geometry import as_shape
from .impact import STATUSES
from .pose import as_pose, as_poses, pose_axes
from .shape import Shape

_DEFAULTS = _toccata.distance_defaults  # those of the C++ options
#: What ``containment`` answers; ``point_containments`` answers by index.
CONTAINMENTS: tuple[Containment, ...] = tuple(_toccata.containments)


@dataclass(frozen=True, repr=False, eq=False)
class DistanceResult(Record):
    """How far apart two bodies at rest are."""

    distance: float  #: 0 exactly when the surfaces meet; infinite beyond the limit, or without triangles
    lower_distance: float  #: proven: they are no closer than this
    contact: Contact | None  #: the closest points; None when the distance is infinite
    stopped: bool  #: before the answer: ``distance`` is the least one found, and may be too large
    stats: dict[str, int]  #: the work done
    sentence: str  #: the answer for a person
    _scene: Any = None

    def __str__(self) -> str:
        return self.sentence

    def __float__(self) -> float:
        return self.distance

    def __repr__(self) -> str:
        return f"DistanceResult({self.distance:.6g})"


@dataclass(frozen=True, repr=False, eq=False)
class DistanceBatch(Batch[DistanceResult]):
    """The distances of many poses as columns, one row per pose; rows and parts as of ``FirstContactBatch``."""

    trial: NDArray[np.intp]  #: (n,): the row's number in the batch as asked
    distance: NDArray[np.float64]  #: (n,): as in ``DistanceResult``
    lower_distance: NDArray[np.float64]  #: (n,)
    stopped: NDArray[np.bool_]  #: (n,): before the answer: ``distance`` is an upper bound, maybe infinite
    point_a: NDArray[np.float64]  #: (n, 3), world: the closest points; these hold where the distance is finite
    point_b: NDArray[np.float64]
    normal: NDArray[np.float64]
    triangle_a: NDArray[np.int32]  #: (n,)
    triangle_b: NDArray[np.int32]
    _batch: Any = None
    _scene: Any = None

    def _answer(self, trial: int) -> DistanceResult:
        a, places_a, b, places_b = (side[trial % len(side)] for side in self._scene)
        return _distance_of(self._batch.row(trial), a, places_a, b, places_b)

    def __repr__(self) -> str:
        closest = f", {self.distance.min():.6g} at the closest" if len(self) else ""
        return f"DistanceBatch({len(self)} poses{closest})"


@dataclass(frozen=True, repr=False, eq=False)
class PenetrationBatch(Batch["PenetrationResult"]):
    """The depths of many pairs as columns, one row per pair; rows and parts as of ``FirstContactBatch``."""

    trial: NDArray[np.intp]  #: (n,): the row's number in the batch as asked
    status: NDArray[np.int32]  #: (n,): an index into ``toccata.STATUSES``
    lower_depth: NDArray[np.float64]  #: (n,): as in ``PenetrationResult``; 0 where they are apart
    upper_depth: NDArray[np.float64]
    point_a: NDArray[np.float64]  #: (n, 3), world: the deepest points; these hold where they overlap
    point_b: NDArray[np.float64]
    normal: NDArray[np.float64]
    triangle_a: NDArray[np.int32]  #: (n,)
    triangle_b: NDArray[np.int32]
    _batch: Any = None
    _scene: Any = None

    def _answer(self, trial: int) -> PenetrationResult:
        return _penetration_of(self._batch.row(trial).fields(), self._scene)

    @property
    def overlaps(self) -> NDArray[np.bool_]:
        """(n,): which pairs overlap or touch."""
        meet: NDArray[np.bool_] = self.status == STATUSES.index("overlap_at_start")
        return meet

    def __repr__(self) -> str:
        deepest = f", {self.upper_depth.max():.6g} at the deepest" if len(self) else ""
        return f"PenetrationBatch({len(self)} pairs, {int(self.overlaps.sum())} overlap{deepest})"


@dataclass(frozen=True, repr=False, eq=False)
class WithinResult(Record):
    """Whether two bodies at rest are within a distance of each other."""

    within: bool
    stopped: bool  #: before the answer: ``within`` is then True, to be on the safe side
    contact: Contact | None  #: some pair of points at most that far apart; None when not within
    stats: dict[str, int]  #: the work done
    sentence: str  #: the answer for a person

    def __bool__(self) -> bool:
        return self.within

    def __str__(self) -> str:
        return self.sentence

    def __repr__(self) -> str:
        return f"WithinResult({self.within})"


@dataclass(frozen=True, repr=False, eq=False)
class DeepestPoint(Record):
    """The deepest point of the surface of one solid inside another."""

    lower: float  #: proven: the deepest one is no less deep than this
    upper: float  #: and no deeper than this; both 0: no point of the surface is inside
    point: NDArray[np.float64]  #: of the surface inside, world; at least ``lower`` deep. These hold if that is more than 0
    nearest: NDArray[np.float64]  #: of the other's surface
    direction: NDArray[np.float64]  #: unit, from one to the other: the shortest way out for that point
    triangle: int  #: that holds the point; -1 if none
    nearest_triangle: int  #: that holds ``nearest``

    def __float__(self) -> float:
        return self.upper

    def __repr__(self) -> str:
        return f"DeepestPoint({self.lower:.6g} to {self.upper:.6g} deep)"


@dataclass(frozen=True, repr=False, eq=False)
class PenetrationResult(Record):
    """How deep two bodies at rest are in each other, and which way is out."""

    status: Status  #: 'separated'; 'overlap_at_start': they overlap or touch; 'failed'
    lower_depth: float  #: proven: no shorter translation leaves them without a common inner point
    upper_depth: float  #: proven: b moved by this along ``contact.normal`` is apart from a, or touches it
    contact: Contact | None  #: ``normal`` from a to b; the deepest points of a in b and of b in a; None when separated
    a_in_b: DeepestPoint | None  #: of solids that overlap: the deepest point of a's surface in b
    b_in_a: DeepestPoint | None
    stopped: bool  #: of solids: before the bounds were as close as asked; they hold
    failure: str  #: of a question that could not be asked: what was wrong, and what to do
    stats: dict[str, int]  #: the work done

    def __bool__(self) -> bool:
        """False only if the bodies are proven apart."""
        return self.status != "separated"

    def __float__(self) -> float:
        return self.upper_depth

    def __repr__(self) -> str:
        if self.status == "failed":
            return f"PenetrationResult(failed: {self.failure})"
        if self.status == "separated":
            return "PenetrationResult(separated)"
        way = short(self.contact.normal) if self.contact else "?"
        return f"PenetrationResult({self.lower_depth:.6g} to {self.upper_depth:.6g} deep, normal={way})"


def distance(
    mesh_a: Any,
    pose_a: Any,
    mesh_b: Any,
    pose_b: Any = None,
    *,
    relative_error: float = _DEFAULTS["relative_error"],
    absolute_error: float = _DEFAULTS["absolute_error"],
    limit: float = _DEFAULTS["limit"],
    seconds: float = _DEFAULTS["seconds"],
    method: ConvexMethod = _DEFAULTS["method"],
) -> DistanceResult:
    """How far apart are two bodies at rest, and where are they closest?

    ``pose_a``, ``pose_b``: any form of a pose; ``None`` is the identity. The distance may be too large by
    ``relative_error`` of itself or by ``absolute_error``. ``limit``: farther apart does not matter. ``seconds``: the
    time limit, 0 for none; then the answer says ``stopped``, and ``lower_distance`` is proven. ``method``: how it is
    found, of hulls and boxes: 'gjk', 'feature_walk' or 'levels', which give the same answer.
    ``float(result)`` is the distance. Meshes are surfaces: one inside the other is apart from it; all other
    kinds are full inside.

    >>> import toccata
    >>> cube = toccata.box([1, 1, 1])
    >>> toccata.distance(cube, [3, 0, 0], cube)
    DistanceResult(2)
    """
    a, b = as_shape(mesh_a, "mesh_a"), as_shape(mesh_b, "mesh_b")
    place_a, place_b = as_pose(pose_a, "pose_a"), as_pose(pose_b, "pose_b")
    options = _distance_options(relative_error, absolute_error, limit, seconds, method)
    return _distance_of(_toccata.distance(a._core, place_a, b._core, place_b, options), a, place_a, b, place_b)


def distances(
    mesh_a: Any,
    poses_a: Any,
    mesh_b: Any,
    poses_b: Any = None,
    *,
    relative_error: float = _DEFAULTS["relative_error"],
    absolute_error: float = _DEFAULTS["absolute_error"],
    limit: float = _DEFAULTS["limit"],
    seconds: float = _DEFAULTS["seconds"],
    method: ConvexMethod = _DEFAULTS["method"],
    threads: int = 0,
) -> DistanceBatch:
    """``distance`` of many pairs at once, on all cores and without the GIL: the answers of single calls.

    ``mesh_a``, ``mesh_b``: one shape for all rows, or a list of one per row.
    ``poses_a``, ``poses_b``: an array (n, 4, 4), (n, 7) or (n, 3), or a list of poses in any form (``as_poses``); one
    pose, or ``None`` for the identity, serves all rows. ``seconds``: for all rows together. Ctrl-C raises
    ``Interrupted``, which keeps what is finished.

    >>> import numpy as np, toccata
    >>> cube = toccata.box([1, 1, 1])
    >>> toccata.distances(cube, [[2, 0, 0], [3, 0, 0], [0, 0, 5]], cube).distance
    array([1., 2., 4.])
    >>> toccata.distances([toccata.Ball(1), toccata.Ball(2)], np.array([5, 0, 0]), toccata.Box([1, 1, 1])).distance
    array([3.5, 2.5])
    """
    a, places_a, b, places_b, size = _pairs(mesh_a, poses_a, mesh_b, poses_b)
    options = _distance_options(relative_error, absolute_error, limit, seconds, method)
    batch = _toccata.distances(_cores(a), places_a, _cores(b), places_b, size, options, count(threads, "threads"))
    scene = (a, places_a, b, places_b)
    return complete(batch.interrupted, DistanceBatch(trials(size), **batch.columns(), _batch=batch, _scene=scene))


def within(mesh_a: Any, pose_a: Any, mesh_b: Any, pose_b: Any = None, *, distance: float, seconds: float = 0.0) -> WithinResult:
    """Are two bodies at rest at most ``distance`` apart? Stops at the first pair of triangles that shows it.

    >>> import toccata
    >>> cube = toccata.box([1, 1, 1])
    >>> bool(toccata.within(cube, [3, 0, 0], cube, distance=2.5))
    True
    >>> print(toccata.within(cube, [3, 0, 0], cube, distance=1))
    They are more than 1 apart.
    """
    limit = number(distance, "distance", least=0.0)
    a, b = as_shape(mesh_a, "mesh_a"), as_shape(mesh_b, "mesh_b")
    place_a, place_b = as_pose(pose_a, "pose_a"), as_pose(pose_b, "pose_b")
    fields = _toccata.within(a._core, place_a, b._core, place_b, limit, time_limit(seconds))
    fields["contact"] = contact_of(fields["contact"]) if fields["contact"] is not None else None
    return WithinResult(**fields)


def intersects(mesh_a: Any, pose_a: Any, mesh_b: Any, pose_b: Any = None) -> bool:
    """Do the surfaces of two bodies at rest meet? Exact on the world coordinates rounded to double.

    Touching counts. Meshes are surfaces: one strictly inside the other does not intersect it (``containment``
    tells). All other kinds are full inside.

    >>> import toccata
    >>> cube = toccata.box([1, 1, 1])
    >>> toccata.intersects(cube, [0.9, 0, 0], cube), toccata.intersects(cube, [1.1, 0, 0], cube)
    (True, False)
    """
    meet, _ = _meeting_triangles(mesh_a, pose_a, mesh_b, pose_b, False)
    return meet


def intersecting_triangles(mesh_a: Any, pose_a: Any, mesh_b: Any, pose_b: Any = None) -> NDArray[np.int32]:
    """(k, 2): every pair of triangles that meets, as face indices of a and b, sorted; of other kinds, their pieces.

    >>> import toccata
    >>> cube = toccata.box([1, 1, 1])
    >>> len(toccata.intersecting_triangles(cube, [3, 0, 0], cube))
    0
    """
    _, pairs = _meeting_triangles(mesh_a, pose_a, mesh_b, pose_b, True)
    return pairs


def penetration(
    mesh_a: Any,
    pose_a: Any,
    mesh_b: Any,
    pose_b: Any = None,
    *,
    solid: bool = False,
    absolute_error: float = 0.0,
    with_way_out: bool = True,
    seconds: float = 0.0,
) -> PenetrationResult:
    """How deep are two bodies at rest in each other, and which way is out?

    The shortest translation that parts them is between ``lower_depth`` and ``upper_depth``: the same to rounding for
    two convex kinds, and for a half space and anything. Of one mind with ``distance`` about whether they are apart.
    ``float(result)`` is ``upper_depth``.

    ``solid``: closed meshes are full inside, so that one inside the other overlaps it; ``a_in_b`` and ``b_in_a`` then are
    the deepest points of each in the other, with bounds at most ``absolute_error`` apart (0: a thousandth of the smaller
    body's size). ``with_way_out=False`` leaves out the translation. ``seconds``: of solids, the time limit, 0 for none.

    >>> import toccata
    >>> toccata.penetration(toccata.Box([1, 1, 1]), None, toccata.Ball(0.5), [0.9, 0, 0])
    PenetrationResult(0.1 to 0.1 deep, normal=[1, 0, 0])
    >>> deep = toccata.penetration(toccata.box(), None, toccata.box(), [0.7, 0.1, 0.2], solid=True)
    >>> deep.a_in_b.lower <= 0.3 <= deep.a_in_b.upper
    True
    """
    a, b = as_shape(mesh_a, "mesh_a"), as_shape(mesh_b, "mesh_b")
    place_a, place_b = as_pose(pose_a, "pose_a"), as_pose(pose_b, "pose_b")
    options = _penetration_options(solid, absolute_error, with_way_out, seconds)
    return _penetration_of(_toccata.penetration(a._core, place_a, b._core, place_b, options), solid)


def penetrations(
    mesh_a: Any,
    poses_a: Any,
    mesh_b: Any,
    poses_b: Any = None,
    *,
    solid: bool = False,
    absolute_error: float = 0.0,
    with_way_out: bool = True,
    seconds: float = 0.0,
    threads: int = 0,
) -> PenetrationBatch:
    """``penetration`` of many pairs at once, on all cores and without the GIL; shapes and poses as for ``distances``.

    ``seconds``: for all rows together, 0 for no limit; rows that are not answered by then have the status
    'out_of_budget'. So have those of ``Interrupted.partial`` after Ctrl-C.

    >>> import toccata
    >>> toccata.penetrations(toccata.Box([1, 1, 1]), [[0.9, 0, 0], [2, 0, 0]], toccata.Ball(0.5)).upper_depth.round(6)
    array([0.1, 0. ])
    """
    a, places_a, b, places_b, size = _pairs(mesh_a, poses_a, mesh_b, poses_b)
    options = _penetration_options(solid, absolute_error, with_way_out, seconds)
    batch = _toccata.penetrations(_cores(a), places_a, _cores(b), places_b, size, options, count(threads, "threads"))
    return complete(batch.interrupted, PenetrationBatch(trials(size), **batch.columns(), _batch=batch, _scene=bool(solid)))


def still_apart(
    mesh_a: Any, poses_a: Any, mesh_b: Any, poses_b: Any, axes: ArrayLike, *, distance: float = 0.0, threads: int = 0
) -> NDArray[np.bool_]:
    """(n,): which pairs are proven to be more than ``distance`` apart along an axis that parted them before.

    A few nanoseconds per pair, once they are laid out: the first look at pairs that move little. ``axes`` (n, 3):
    from a to b, world, any length, as ``distances(...).normal`` has them. False means nothing: ask ``distances``.
    Shapes and poses as for ``distances``; shapes are seen as boxes with a radius, which boxes, balls and capsules are.

    >>> import numpy as np, toccata
    >>> box, poses = toccata.Box([1, 1, 1]), np.array([[2.0, 0, 0], [0, 3, 0]])
    >>> axes = toccata.distances(box, poses, box).normal
    >>> toccata.still_apart(box, poses * 0.6, box, None, axes)
    array([ True,  True])
    >>> toccata.still_apart(box, poses * 0.5, box, None, axes)
    array([False,  True])
    """
    a, places_a, b, places_b, size = _pairs(mesh_a, poses_a, mesh_b, poses_b, np.shape(axes)[0] if np.ndim(axes) else 0)
    if np.shape(axes) != (size, 3):
        raise ValueError(f"axes must have the shape ({size}, 3), one per pair, not {np.shape(axes)}")
    apart = _toccata.still_apart(
        _cores(a), places_a, _cores(b), places_b, axes, number(distance, "distance", least=0.0), count(threads, "threads")
    ).answers()
    found: NDArray[np.bool_] = apart > 0
    return found


def intersections(
    mesh_a: Any, poses_a: Any, mesh_b: Any, poses_b: Any = None, *, seconds: float = 0.0, threads: int = 0
) -> NDArray[np.bool_]:
    """(n,): ``intersects`` of many pairs at once, on all cores and without the GIL; as for ``distances``.

    ``seconds``: for all rows together, 0 for no limit; rows that are not answered by then are True, to be on the safe
    side. So are those of ``Interrupted.partial`` after Ctrl-C.

    >>> import toccata
    >>> cube = toccata.box([1, 1, 1])
    >>> toccata.intersections(cube, [[0.9, 0, 0], [1.1, 0, 0]], cube)
    array([ True, False])
    """
    a, places_a, b, places_b, size = _pairs(mesh_a, poses_a, mesh_b, poses_b)
    batch = _toccata.intersections(
        _cores(a), places_a, _cores(b), places_b, size, time_limit(seconds), count(threads, "threads")
    )
    meet: NDArray[np.bool_] = batch.answers() > 0
    return complete(batch.interrupted, meet)


def containment(inner: Any, pose_inner: Any, outer: Any, pose_outer: Any = None) -> Containment:
    """Is a shape inside the volume that another encloses? Exact on the rounded world coordinates of meshes.

    'inside': every part of it; 'outside'; 'mixed': the surfaces do not meet, but parts are inside and parts outside;
    'crossing': the surfaces meet; 'undefined': the outer mesh is not closed, or a mesh has no triangles.

    >>> import toccata
    >>> toccata.containment(toccata.box([0.1, 0.1, 0.1]), None, toccata.box())
    'inside'
    """
    a, b = as_shape(inner, "inner"), as_shape(outer, "outer")
    place_a, place_b = as_pose(pose_inner, "pose_inner"), as_pose(pose_outer, "pose_outer")
    return _toccata.containment(a._core, place_a, b._core, place_b)


def point_containment(point: ArrayLike, outer: Any, pose_outer: Any = None) -> Containment:
    """The same for one point in world coordinates; on the surface it counts as 'crossing'.

    >>> import toccata
    >>> toccata.point_containment([0, 0, 0.4], toccata.box())
    'inside'
    """
    return CONTAINMENTS[int(point_containments([vector(point, "point")], outer, pose_outer, threads=1)[0])]


def point_containments(
    points: ArrayLike, outer: Any, pose_outer: Any = None, *, seconds: float = 0.0, threads: int = 0
) -> NDArray[np.int32]:
    """(n,): where many points (n, 3) are, each as an index into ``toccata.CONTAINMENTS``: 0 inside, 1 outside, ...

    ``seconds``: for all points together; those not answered by then are 'undefined', as in ``Interrupted.partial``.

    >>> import toccata
    >>> toccata.point_containments([[0, 0, 0], [2, 0, 0], [0.5, 0, 0]], toccata.box())
    array([0, 1, 3], dtype=int32)
    """
    b = as_shape(outer, "outer")
    place = as_pose(pose_outer, "pose_outer")
    batch = _toccata.point_containments(points, b._core, place, time_limit(seconds), count(threads, "threads"))
    return complete(batch.interrupted, batch.answers())


def _distance_options(
    relative_error: float, absolute_error: float, limit: float, seconds: float, method: str
) -> dict[str, Any]:
    farthest = float(limit)
    if math.isnan(farthest) or farthest < 0:
        raise ValueError(f"limit must be at least 0, not {limit!r}")
    return {
        "relative_error": number(relative_error, "relative_error", least=0.0),
        "absolute_error": number(absolute_error, "absolute_error", least=0.0),
        "limit": farthest,
        "seconds": time_limit(seconds),
        "method": method,
    }


def _distance_of(handle: Any, a: Any, place_a: Any, b: Any, place_b: Any) -> DistanceResult:
    fields = handle.fields()
    fields["contact"] = contact_of(fields["contact"]) if fields["contact"] is not None else None
    return DistanceResult(**fields, _scene=(handle, a, place_a, b, place_b))


def _penetration_options(solid: bool, absolute_error: float, with_way_out: bool, seconds: float) -> dict[str, Any]:
    return {
        "solid": bool(solid),
        "absolute_error": number(absolute_error, "absolute_error", least=0.0),
        "with_way_out": bool(with_way_out),
        "seconds": time_limit(seconds),
    }


def _penetration_of(fields: dict[str, Any], solid: bool) -> PenetrationResult:
    has_way = fields["contact"] is not None and not (solid and math.isinf(fields["upper_depth"]))
    fields["contact"] = contact_of(fields["contact"]) if has_way else None
    for side in ("a_in_b", "b_in_a"):
        fields[side] = DeepestPoint(**fields[side]) if solid and fields["status"] == "overlap_at_start" else None
    return PenetrationResult(**fields)


_Side = tuple[list[Shape], NDArray[np.float64], list[Shape], NDArray[np.float64], int]


def _pairs(mesh_a: Any, poses_a: Any, mesh_b: Any, poses_b: Any, rows: int = 0) -> _Side:
    """Shapes and poses of both sides, each one for all rows or one per row, and the number of rows.

    ``rows``: how many there are where neither side tells.
    """
    a, b = _shapes(mesh_a, "mesh_a"), _shapes(mesh_b, "mesh_b")
    places_a, places_b, size = _many_places(poses_a, poses_b)
    for shapes, name in ((a, "mesh_a"), (b, "mesh_b")):
        if len(shapes) == 1 and not isinstance(mesh_a if name == "mesh_a" else mesh_b, list):
            continue
        if size == 1 and len(places_a) == len(places_b) == 1:
            size = len(shapes)
        if len(shapes) != size:
            raise ValueError(f"{len(shapes)} shapes in {name} but {size} rows: one of each per row")
    if size == 1 and rows > 1 and len(places_a) == len(places_b) == 1:
        size = rows
    return a, places_a, b, places_b, size


def _shapes(value: Any, name: str) -> list[Shape]:
    if isinstance(value, list):
        return [as_shape(shape, f"{name}[{i}]") for i, shape in enumerate(value)]
    return [as_shape(value, name)]


def _cores(shapes: list[Shape]) -> list[Any]:
    return [shape._core for shape in shapes]


def _many_places(poses_a: Any, poses_b: Any) -> tuple[NDArray[np.float64], NDArray[np.float64], int]:
    """Matrices (n, 4, 4), or (1, 4, 4) for a pose that serves all rows, and the number of rows."""
    alone_a, alone_b = _is_one_pose(poses_a), _is_one_pose(poses_b)
    places_a = as_pose(poses_a, "poses_a")[np.newaxis] if alone_a else as_poses(poses_a, "poses_a")
    places_b = as_pose(poses_b, "poses_b")[np.newaxis] if alone_b else as_poses(poses_b, "poses_b")
    if not alone_a and not alone_b and len(places_a) != len(places_b):
        raise ValueError(f"{len(places_a)} poses_a but {len(places_b)} poses_b: one of each per row")
    return places_a, places_b, len(places_b if alone_a else places_a)


def _is_one_pose(value: Any) -> bool:
    return value is None or (hasattr(value, "__array__") and pose_axes(np.shape(value)) == 0)


def _meeting_triangles(mesh_a: Any, pose_a: Any, mesh_b: Any, pose_b: Any, every: bool) -> tuple[bool, NDArray[np.int32]]:
    return _toccata.intersects(
        as_shape(mesh_a, "mesh_a")._core,
        as_pose(pose_a, "pose_a"),
        as_shape(mesh_b, "mesh_b")._core,
        as_pose(pose_b, "pose_b"),
        every,
    )

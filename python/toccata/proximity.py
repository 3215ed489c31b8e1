"""Two bodies at rest: how far apart are they, and do they meet?"""
from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _toccata
from ._arguments import number
from ._record import Record
from .contact import Contact, contact_of
from .mesh import as_mesh
from .pose import as_pose

_DEFAULTS = _toccata.distance_defaults  # those of the C++ options


@dataclass(frozen=True, repr=False, eq=False)
class DistanceResult(Record):
    """How far apart two bodies at rest are."""

    distance: float  #: 0 exactly when the surfaces meet; infinite beyond the limit, or without triangles
    lower_distance: float  #: proven: they are no closer than this
    contact: Contact | None  #: the closest points; None when the distance is infinite
    sentence: str  #: the answer for a person
    _scene: Any = None

    def __str__(self) -> str:
        return self.sentence

    def __float__(self) -> float:
        return self.distance

    def __repr__(self) -> str:
        return f"DistanceResult({self.distance:.6g})"


def distance(
    mesh_a: Any,
    pose_a: Any,
    mesh_b: Any,
    pose_b: Any = None,
    *,
    relative_error: float = _DEFAULTS["relative_error"],
    absolute_error: float = _DEFAULTS["absolute_error"],
    limit: float = _DEFAULTS["limit"],
) -> DistanceResult:
    """How far apart are two bodies at rest, and where are they closest?

    ``pose_a``, ``pose_b``: any form of a pose; ``None`` is the identity. The distance may be too large by
    ``relative_error`` of itself or by ``absolute_error``. ``limit``: farther apart does not matter.
    ``float(result)`` is the distance. Bodies are surfaces: one inside the other is apart from it.

    >>> import toccata
    >>> cube = toccata.box([1, 1, 1])
    >>> toccata.distance(cube, [3, 0, 0], cube)
    DistanceResult(2)
    """
    farthest = float(limit)
    if math.isnan(farthest) or farthest < 0:
        raise ValueError(f"limit must be at least 0, not {limit!r}")
    a, b = as_mesh(mesh_a, "mesh_a"), as_mesh(mesh_b, "mesh_b")
    place_a, place_b = as_pose(pose_a, "pose_a"), as_pose(pose_b, "pose_b")
    handle = _toccata.distance(
        a._core,
        place_a,
        b._core,
        place_b,
        number(relative_error, "relative_error", least=0.0),
        number(absolute_error, "absolute_error", least=0.0),
        farthest,
    )
    fields = handle.fields()
    fields["contact"] = contact_of(fields["contact"]) if fields["contact"] is not None else None
    return DistanceResult(**fields, _scene=(handle, a, place_a, b, place_b))


def intersects(mesh_a: Any, pose_a: Any, mesh_b: Any, pose_b: Any = None) -> bool:
    """Do the surfaces of two bodies at rest meet? Exact on the world coordinates rounded to double.

    Touching counts. Surfaces, not solids: one body strictly inside the other does not intersect it.

    >>> import toccata
    >>> cube = toccata.box([1, 1, 1])
    >>> toccata.intersects(cube, [0.9, 0, 0], cube), toccata.intersects(cube, [1.1, 0, 0], cube)
    (True, False)
    """
    return len(_pairs(mesh_a, pose_a, mesh_b, pose_b, False)) > 0


def intersecting_triangles(mesh_a: Any, pose_a: Any, mesh_b: Any, pose_b: Any = None) -> NDArray[np.int32]:
    """(k, 2): every pair of triangles that meets, as face indices of a and b, sorted.

    >>> import toccata
    >>> cube = toccata.box([1, 1, 1])
    >>> len(toccata.intersecting_triangles(cube, [3, 0, 0], cube))
    0
    """
    return _pairs(mesh_a, pose_a, mesh_b, pose_b, True)


def _pairs(mesh_a: Any, pose_a: Any, mesh_b: Any, pose_b: Any, every: bool) -> NDArray[np.int32]:
    return _toccata.intersects(
        as_mesh(mesh_a, "mesh_a")._core,
        as_pose(pose_a, "pose_a"),
        as_mesh(mesh_b, "mesh_b")._core,
        as_pose(pose_b, "pose_b"),
        every,
    )

"""When do particles, or strands, first touch a body that moves or deforms?"""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _toccata
from ._arguments import count, number, time_limit
from ._interrupt import complete
from ._record import Record
from .distance_field import DistanceField
from .geometry import as_shape
from .motion import as_motion


@dataclass(frozen=True, repr=False, eq=False)
class ParticleContacts(Record):
    """First contacts as columns, one row for each particle or strand."""

    status: NDArray[np.int32]  #: (n,): an index into ``toccata.STATUSES``
    time: NDArray[np.float64]  #: (n,): never later than the true first contact; 1 where there is none
    distance: NDArray[np.float64]  #: (n,): from the surface at that time; negative: how deep it starts inside
    point: NDArray[np.float64]  #: (n, 3), world: of the particle or strand
    body_point: NDArray[np.float64]  #: (n, 3), world: of the body, nearest to it
    normal: NDArray[np.float64]  #: (n, 3): unit, out of the body
    segment: NDArray[np.int32]  #: (n,): of a strand: from its point ``segment`` to the next
    parameter: NDArray[np.float64]  #: (n,): along that, in [0, 1]
    part: NDArray[np.int32]  #: (n,): the body's triangle; 0 of a mesh that deforms
    index: NDArray[np.int32]  #: (n,): the corner or edge of that; of a mesh that deforms its vertex, edge or face

    @property
    def touches(self) -> NDArray[np.bool_]:
        """(n,): a contact, or one at the start."""
        found: NDArray[np.bool_] = (self.status == 1) | (self.status == 2)
        return found

    def __len__(self) -> int:
        return len(self.time)

    def __repr__(self) -> str:
        return f"ParticleContacts({len(self)} paths, {int(self.touches.sum())} touch)"


def particle_contacts(
    points_t0: ArrayLike,
    points_t1: ArrayLike,
    body: Any,
    motion: Any = None,
    *,
    strands: int | ArrayLike | None = None,
    tolerance: float | None = None,
    minimum_distance: float = 0.0,
    refine: bool = True,
    solid: bool = True,
    seconds: float = 0.0,
    threads: int = 0,
) -> ParticleContacts:
    """When points that move straight from ``points_t0`` to ``points_t1`` (n, 3) first touch a body.

    ``body``: a mesh or shape, or a ``DistanceField``, that moves as ``motion`` says (default: stands still); or a tuple
    ``(vertices_t0, vertices_t1, faces)`` of a mesh that deforms. ``strands``: the points are polylines of that many points
    each, or begin at these indices; there is then one row for each strand. Never late, none missed; ``solid``: who starts
    inside of a closed body is reported, with its depth.

    >>> import toccata
    >>> found = toccata.particle_contacts([[2, 0, 0], [0, 0, 0.25]], [[0, 0, 0], [0, 0, 0]], toccata.box())
    >>> found.time.round(5)
    array([0.75, 0.  ])
    >>> found.distance.round(3) + 0.0, found.normal[0].round(3)
    (array([ 0.  , -0.25]), array([1., 0., 0.]))
    """
    options = {
        "tolerance": None if tolerance is None else number(tolerance, "tolerance", least=0.0),
        "minimum_distance": number(minimum_distance, "minimum_distance", least=0.0),
        "refine": bool(refine),
        "solid": bool(solid),
        "seconds": time_limit(seconds),
        "threads": count(threads, "threads"),
    }
    first = _first_points(strands, len(np.atleast_2d(np.asarray(points_t0))))
    if isinstance(body, tuple):
        if len(body) != 3 or motion is not None:
            raise ValueError("a deforming body is a tuple (vertices_t0, vertices_t1, faces), and has no motion")
        faces = np.asarray(body[2], dtype=np.int32).tolist()
        batch = _toccata.deforming_particles(points_t0, points_t1, first, body[0], body[1], faces, options)
    else:
        moves = as_motion(np.eye(4) if motion is None else motion)._core
        if isinstance(body, DistanceField):
            batch = _toccata.field_particles(points_t0, points_t1, first, body._core, moves, options)
        else:
            core = as_shape(body, "body")._core
            batch = _toccata.shape_particles(points_t0, points_t1, first, core, moves, options)
    return complete(batch.interrupted, ParticleContacts(**batch.columns()))


def _first_points(strands: int | ArrayLike | None, points: int) -> list[int]:
    if strands is None:
        return []
    if np.ndim(strands) == 0:
        each = count(strands, "strands")
        if each < 1 or points % each:
            raise ValueError(f"{points} points are not strands of {each} points each")
        return list(range(0, points + 1, each))
    return [int(i) for i in np.asarray(strands)] + [points]

"""Where do rays meet a shape at rest?"""
from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _toccata
from ._arguments import count, time_limit, vector
from ._batch import Batch, trials
from ._interrupt import complete
from ._record import Record, short
from .geometry import as_shape
from .pose import as_pose


@dataclass(frozen=True, repr=False, eq=False)
class RayCastResult(Record):
    """Where a ray first meets a mesh."""

    hit: bool  #: the rest holds when hit
    parameter: float  #: the point is origin + parameter * direction
    point: NDArray[np.float64]  #: (3,), world
    normal: NDArray[np.float64]  #: (3,): unit, of the triangle, counter-clockwise outside; zero if degenerate
    triangle: int  #: the lowest index among equals; of other kinds than meshes the piece; -1 when not hit

    def __bool__(self) -> bool:
        return self.hit

    def __repr__(self) -> str:
        if not self.hit:
            return "RayCastResult(no hit)"
        return f"RayCastResult(triangle {self.triangle} at {self.parameter:.6g}, point={short(self.point)})"


@dataclass(frozen=True, repr=False, eq=False)
class RayCastBatch(Batch[RayCastResult]):
    """Where many rays first meet a mesh, as columns; rows and parts as of ``FirstContactBatch``."""

    trial: NDArray[np.intp]  #: (n,): the ray's number in the batch as asked
    hit: NDArray[np.bool_]  #: (n,): the rest holds where hit
    parameter: NDArray[np.float64]  #: (n,)
    point: NDArray[np.float64]  #: (n, 3)
    normal: NDArray[np.float64]  #: (n, 3)
    triangle: NDArray[np.int32]  #: (n,): -1 where not hit
    stopped: NDArray[np.bool_]  #: (n,): before the ray was cast: ``hit`` is then True with parameter 0, to be on the safe side
    _batch: Any = None
    _scene: Any = None

    def _answer(self, trial: int) -> RayCastResult:
        columns = self._batch.columns()
        return RayCastResult(
            bool(columns["hit"][trial]),
            float(columns["parameter"][trial]),
            columns["point"][trial].copy(),
            columns["normal"][trial].copy(),
            int(columns["triangle"][trial]),
        )

    def __repr__(self) -> str:
        return f"RayCastBatch({len(self)} rays, {int(self.hit.sum())} hit)"


def ray_cast(
    mesh: Any, origin: ArrayLike, direction: ArrayLike, pose: Any = None, *, limit: float = math.inf
) -> RayCastResult:
    """Where does a ray first meet a shape? Whether it does is exact on the rounded world coordinates of a mesh.

    ``origin``, ``direction``: three numbers each, world coordinates; the direction may have any length but zero.
    ``pose``: of the mesh. ``limit``: the largest parameter that counts.

    >>> import toccata
    >>> hit = toccata.ray_cast(toccata.box(), [-3, 0.1, 0.2], [1, 0, 0])
    >>> hit.parameter, hit.normal
    (2.5, array([-1.,  0.,  0.]))
    """
    batch = ray_casts(mesh, [vector(origin, "origin")], [vector(direction, "direction")], pose, limit=limit, threads=1)
    return batch[0]


def ray_casts(
    mesh: Any,
    origins: ArrayLike,
    directions: ArrayLike,
    pose: Any = None,
    *,
    limit: float = math.inf,
    seconds: float = 0.0,
    threads: int = 0,
) -> RayCastBatch:
    """Many rays at once, on all cores and without the GIL: ``origins`` and ``directions`` (n, 3).

    One direction, three numbers, serves all rays. ``seconds``: for all rays together, 0 for no limit; those not cast by
    then are ``stopped``. Ctrl-C raises ``Interrupted``, which keeps what is finished.

    >>> import numpy as np, toccata
    >>> origins = np.stack([np.full(5, -3.0), np.linspace(-1, 1, 5), np.zeros(5)], axis=1)
    >>> toccata.ray_casts(toccata.box(), origins, [1, 0, 0]).hit
    array([False,  True,  True,  True, False])
    """
    farthest = float(limit)
    if math.isnan(farthest) or farthest < 0:
        raise ValueError(f"limit must be at least 0, not {limit!r}")
    along = [vector(directions, "directions")] if np.ndim(directions) == 1 else directions
    core = as_shape(mesh, "mesh")._core
    place = as_pose(pose)
    batch = _toccata.ray_casts(
        core, place, origins, along, farthest, time_limit(seconds), count(threads, "threads")
    )
    columns = batch.columns()
    return complete(batch.interrupted, RayCastBatch(trials(len(columns["hit"])), **columns, _batch=batch))


def ray_crossings(
    mesh: Any, origin: ArrayLike, direction: ArrayLike, pose: Any = None
) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
    """Every triangle that a ray meets and the parameters, by parameter and index.

    >>> import toccata
    >>> triangles, parameters = toccata.ray_crossings(toccata.box(), [-3, 0.1, 0.2], [1, 0, 0])
    >>> parameters
    array([2.5, 3.5])
    """
    core = as_shape(mesh, "mesh")._core
    return _toccata.ray_crossings(core, as_pose(pose), [vector(origin, "origin")], [vector(direction, "direction")])

"""How far are points from a shape at rest, and on which side of its surface?"""
from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _toccata
from ._arguments import count, time_limit, vector
from ._interrupt import complete
from ._record import Record
from .geometry import as_shape
from .pose import as_pose


@dataclass(frozen=True, repr=False, eq=False)
class SignedDistances(Record):
    """Distances of points from the surface of a shape, as columns."""

    distance: NDArray[np.float64]  #: (n,): negative inside; infinite beyond the limit
    lower: NDArray[np.float64]  #: (n,): proven: the true one is no less than this
    upper: NDArray[np.float64]  #: (n,): and no more than this
    side: NDArray[np.int32]  #: (n,): index into ``toccata.CONTAINMENTS``: 0 inside, 1 outside, 3 on the surface, 4 undefined
    point: NDArray[np.float64]  #: (n, 3), world: the nearest point of the surface
    normal: NDArray[np.float64]  #: (n, 3): unit, out of the shape at that point
    triangle: NDArray[np.int32]  #: (n,): the lowest index among equals; -1 beyond the limit

    def __len__(self) -> int:
        return len(self.distance)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return np.array(self.distance, dtype=dtype)

    def __repr__(self) -> str:
        return f"SignedDistances({len(self)} points, {int((self.side == 0).sum())} inside)"


def signed_distance(
    points: ArrayLike,
    shape: Any,
    pose: Any = None,
    *,
    limit: float = math.inf,
    with_sign: bool = True,
    seconds: float = 0.0,
    threads: int = 0,
) -> SignedDistances:
    """How far points (n, 3) are from the surface of a shape: negative inside, with proven bounds.

    The sign is exact, whichever way the faces run and however shells nest; a mesh that is not closed has none (``side`` is
    then 4, 'undefined'). ``limit``: farther away does not matter. ``seconds``: for all points together, 0 for no limit;
    those not come to are infinitely far and 'undefined'.

    >>> import toccata
    >>> near = toccata.signed_distance([[0, 0, 0.25], [0, 0, 2]], toccata.box())
    >>> near.distance
    array([-0.25,  1.5 ])
    >>> near.normal[1]
    array([0., 0., 1.])
    """
    farthest = float(limit)
    if math.isnan(farthest) or farthest < 0:
        raise ValueError(f"limit must be at least 0, not {limit!r}")
    asked = [vector(points, "points")] if np.ndim(points) == 1 and len(points) == 3 else points
    core = as_shape(shape, "shape")._core
    batch = _toccata.signed_distances(
        asked, core, as_pose(pose), farthest, bool(with_sign), time_limit(seconds), count(threads, "threads")
    )
    return complete(batch.interrupted, SignedDistances(**batch.columns()))

"""Convex hulls that provably enclose a mesh."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _toccata
from ._arguments import count as whole
from ._arguments import number
from ._record import Record
from .geometry import Compound, ConvexHull
from .mesh import as_mesh


@dataclass(frozen=True, repr=False, eq=False)
class ConvexParts(Record):
    """Hulls in place of a mesh."""

    shape: Compound  #: of ``ConvexHull``: every point of the solid is in one of them, proven
    error: float  #: proven: no point of a hull is farther than this from the solid
    errors: NDArray[np.float64]  #: the same of each hull

    @property
    def hulls(self) -> list[NDArray[np.float64]]:
        """The corners of each hull, (k, 3), where the mesh is."""
        made = []
        for hull, pose in self.shape.parts:
            assert isinstance(hull, ConvexHull)
            made.append(hull.vertices @ pose[:3, :3].T + pose[:3, 3])
        return made

    def __len__(self) -> int:
        return len(self.errors)

    def __repr__(self) -> str:
        return f"ConvexParts({len(self)} {'hull' if len(self) == 1 else 'hulls'}, error={self.error:.6g})"


def convex_parts(
    mesh: Any, *, error: float | None = None, count: int | None = None, threads: int = 0
) -> ConvexParts:
    """Few convex hulls that provably enclose a closed mesh and all that is inside it.

    Either ``error`` (how far they may reach beyond it) or ``count`` (how many there may be) says how fine.

    >>> import toccata
    >>> toccata.convex_parts(toccata.box([1, 2, 3]), error=0.01)
    ConvexParts(1 hull, error=...)
    """
    hulls, reached, errors = _toccata.convex_parts(
        as_mesh(mesh, "mesh")._core,
        None if error is None else number(error, "error"),
        None if count is None else whole(count, "count"),
        whole(threads, "threads"),
    )
    shape = Compound([(ConvexHull(points, radius), pose) for points, radius, pose in hulls])
    return ConvexParts(shape=shape, error=reached, errors=errors)

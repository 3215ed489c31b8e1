"""Does a mesh intersect itself, at one moment?"""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _toccata
from ._record import Record
from .mesh import as_mesh


@dataclass(frozen=True, repr=False, eq=False)
class SelfIntersectionResult(Record):
    """Which faces of a mesh meet that should not."""

    intersects: bool
    pairs: NDArray[np.int32]  #: (k, 2): faces, smaller index first; sorted, each once
    cleared_regions: int  #: by the curvature test, alone or in pairs
    bound_tests: int
    triangle_tests: int

    def __bool__(self) -> bool:
        return self.intersects

    def __len__(self) -> int:
        return len(self.pairs)

    def __repr__(self) -> str:
        return f"SelfIntersectionResult({len(self.pairs)} pairs)"


def self_intersects(
    mesh: Any, *, curvature_test: bool = _toccata.curvature_test, first_only: bool = False
) -> SelfIntersectionResult:
    """Does a mesh intersect itself? Exact: see docs/self_intersection.md for what counts.

    ``curvature_test``: clears smooth regions at once; off, the answer is the same. ``first_only``: stop at the first
    pair found.

    >>> import toccata
    >>> bool(toccata.self_intersects(toccata.sphere()))
    False
    >>> crossed = toccata.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0], [.2, .2, -1], [.2, .2, 1], [.3, .3, 1]],
    ...                        [[0, 1, 2], [3, 4, 5]])
    >>> toccata.self_intersects(crossed).pairs
    array([[0, 1]], dtype=int32)
    """
    return SelfIntersectionResult(**_toccata.self_intersects(as_mesh(mesh)._core, bool(curvature_test), bool(first_only)))


class SelfIntersectionChecker:
    """Keeps the tree of a mesh for many questions about its deformations.

    >>> import toccata
    >>> sheet = toccata.sheet(4, 4)
    >>> checker = toccata.SelfIntersectionChecker(sheet)
    >>> bool(checker.check(sheet.vertices * [1, 1, 2]))
    False
    """

    __slots__ = ("_core", "_vertex_count")

    def __init__(self, mesh: Any) -> None:
        prepared = as_mesh(mesh)
        self._core = _toccata.SelfIntersectionChecker(prepared._core)
        self._vertex_count = len(prepared.vertices)

    def check(
        self, positions: ArrayLike, *, curvature_test: bool = _toccata.curvature_test, first_only: bool = False
    ) -> SelfIntersectionResult:
        """The same with the vertices at ``positions`` (n, 3); options as for ``self_intersects``."""
        fields = self._core.check(positions, self._vertex_count, bool(curvature_test), bool(first_only))
        return SelfIntersectionResult(**fields)

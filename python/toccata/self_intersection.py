"""Does a mesh intersect itself, at one moment?"""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _toccata
from ._arguments import time_limit
from ._record import Record
from .mesh import as_mesh


@dataclass(frozen=True, repr=False, eq=False)
class SelfIntersectionResult(Record):
    """Which faces of a mesh meet that should not."""

    intersects: bool
    stopped: bool  #: before the answer: ``pairs`` are those found by then, ``intersects`` True, to be on the safe side
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
    mesh: Any,
    *,
    curvature_test: bool = _toccata.curvature_test,
    first_only: bool = False,
    seconds: float = 0.0,
) -> SelfIntersectionResult:
    """Does a mesh intersect itself? Exact: see docs/self_intersection.md for what counts.

    ``curvature_test``: clears smooth regions at once; off, the answer is the same. ``first_only``: stop at the first
    pair found. ``seconds``: the time limit, 0 for none.

    >>> import toccata
    >>> bool(toccata.self_intersects(toccata.sphere()))
    False
    >>> crossed = toccata.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0], [.2, .2, -1], [.2, .2, 1], [.3, .3, 1]],
    ...                        [[0, 1, 2], [3, 4, 5]])
    >>> toccata.self_intersects(crossed).pairs
    array([[0, 1]], dtype=int32)
    """
    core, limit = as_mesh(mesh)._core, time_limit(seconds)
    return SelfIntersectionResult(**_toccata.self_intersects(core, bool(curvature_test), bool(first_only), limit))


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
        self,
        positions: ArrayLike,
        *,
        curvature_test: bool = _toccata.curvature_test,
        first_only: bool = False,
        seconds: float = 0.0,
    ) -> SelfIntersectionResult:
        """The same with the vertices at ``positions`` (n, 3); options as for ``self_intersects``."""
        limit = time_limit(seconds)
        fields = self._core.check(positions, self._vertex_count, bool(curvature_test), bool(first_only), limit)
        return SelfIntersectionResult(**fields)

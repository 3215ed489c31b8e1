"""Elementary impacts: when do two features first touch, if every point moves straight from t = 0 to t = 1?

The answers are exact: no contact missed, none invented, degenerate features and contact at t = 0 included.
"""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Iterator, NamedTuple, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _toccata
from ._arguments import count, number, time_limit
from ._batch import selection
from ._interrupt import complete
from ._literals import Status
from ._record import Record, short

# Names and defaults are those of the library, by its enumerations and its options.
IMPACT_STAGES: tuple[str, ...] = tuple(_toccata.impact_stages)
STATUSES: tuple[Status, ...] = tuple(_toccata.statuses)
_DEFAULTS: dict[str, Any] = _toccata.linear_impact_defaults
_TOUCHING: tuple[int, ...] = (STATUSES.index("contact"), STATUSES.index("overlap_at_start"))


@dataclass(frozen=True, repr=False, eq=False)
class Impact(Record):
    """The answer of one elementary query."""

    status: Status
    time: float  #: never later than the true first contact; 1 when separated
    lower: float  #: the true first contact is in [lower, upper]
    upper: float
    weights: NDArray[np.float64]  #: (4,): the contact as weights of the four points
    point: NDArray[np.float64]  #: (3,): where, at ``time``
    normal: NDArray[np.float64]  #: (3,): unit, from the first feature to the second; zero if undefined
    decided_by: str  #: one of ``toccata.IMPACT_STAGES``: 'axis', 'bernstein', ...

    def __bool__(self) -> bool:
        """False only if the features are proven apart: True if they touch, and where the budget ended before."""
        return self.status != "separated"

    def __repr__(self) -> str:
        if self.status == "separated":
            return "Impact(separated)"
        if self.status == "out_of_budget":
            return f"Impact(out_of_budget, free until {self.lower:.6g})"
        return f"Impact({self.status} at t={self.time:.6g}, point={short(self.point)})"


@dataclass(frozen=True, repr=False, eq=False)
class ImpactBatch(Record):
    """The answers of a batch. Most queries end separated, so only the others carry a full answer."""

    size: int  #: n, the number of queries
    stage: NDArray[np.uint8]  #: (n,): which stage decided, an index into ``toccata.IMPACT_STAGES``
    indices: NDArray[np.uint32]  #: (k,), ascending: the queries that did not end separated; the rest is theirs
    status: NDArray[np.int32]  #: (k,): an index into ``toccata.STATUSES``
    time: NDArray[np.float64]  #: (k,): never later than the true first contact
    lower: NDArray[np.float64]  #: (k,): the true first contact is in [lower, upper]
    upper: NDArray[np.float64]  #: (k,)
    weights: NDArray[np.float64]  #: (k, 4): the contact as weights of the four points
    point: NDArray[np.float64]  #: (k, 3)
    normal: NDArray[np.float64]  #: (k, 3)

    def __len__(self) -> int:
        return self.size

    @overload
    def __getitem__(self, key: slice | NDArray[Any] | list[int] | list[bool]) -> "ImpactBatch": ...
    @overload
    def __getitem__(self, key: int) -> Impact: ...
    def __getitem__(self, key: Any) -> Any:
        """The answer of one query; a smaller batch by a slice, a boolean mask or a list of numbers."""
        query = selection(key, self.size, "query")
        if not isinstance(query, int):
            return self._part(query)
        decided_by = IMPACT_STAGES[self.stage[query]]
        row = int(np.searchsorted(self.indices, query))
        if row == len(self.indices) or self.indices[row] != query:
            return Impact("separated", 1.0, 1.0, 1.0, np.zeros(4), np.zeros(3), np.zeros(3), decided_by)
        return Impact(
            STATUSES[self.status[row]],
            float(self.time[row]),
            float(self.lower[row]),
            float(self.upper[row]),
            self.weights[row].copy(),
            self.point[row].copy(),
            self.normal[row].copy(),
            decided_by,
        )

    def _part(self, queries: NDArray[np.intp]) -> "ImpactBatch":
        rows = np.searchsorted(self.indices, queries)
        kept = np.flatnonzero(np.append(self.indices, self.size)[rows] == queries)  # those with a full answer
        columns = {name: getattr(self, name)[rows[kept]] for name in _ROWS}
        return ImpactBatch(len(queries), self.stage[queries], kept.astype(np.uint32), **columns)

    def __iter__(self) -> Iterator[Impact]:
        return (self[query] for query in range(self.size))

    @property
    def collides(self) -> NDArray[np.bool_]:
        """(n,): which queries touch. The others are not all free: some may be undecided."""
        mask = np.zeros(self.size, dtype=bool)
        mask[self.indices] = np.isin(self.status, _TOUCHING)
        return mask

    @property
    def free(self) -> NDArray[np.bool_]:
        """(n,): which queries are proven free of contact."""
        mask = np.ones(self.size, dtype=bool)
        mask[self.indices] = False
        return mask

    @property
    def times(self) -> NDArray[np.float64]:
        """(n,): the time of contact of every query, infinite where there is none; until when it is proven free
        where it is undecided."""
        times = np.full(self.size, np.inf)
        times[self.indices] = self.time
        return times

    def __repr__(self) -> str:
        first = f", first at t={self.time.min():.6g}" if len(self.indices) else ""
        return f"ImpactBatch({self.size} queries, {int(self.collides.sum())} touch{first})"


class Impacts(NamedTuple):
    """The answers of ``impacts``: one batch for each kind of pair."""

    vertex_face: ImpactBatch
    edge_edge: ImpactBatch


_ROWS = ("status", "time", "lower", "upper", "weights", "point", "normal")


def vertex_face_impact(
    points_t0: ArrayLike,
    points_t1: ArrayLike,
    *,
    t_max: float = _DEFAULTS["t_max"],
    minimum_distance: float = _DEFAULTS["minimum_distance"],
    relative_distance_tolerance: float = _DEFAULTS["relative_distance_tolerance"],
    boolean_only: bool = _DEFAULTS["boolean_only"],
    budget: int = _DEFAULTS["budget"],
    seconds: float = 0.0,
    threads: int = 0,
) -> Any:
    """When does a moving vertex meet a moving triangle? One query, or many at once on all cores.

    ``points_t0``, ``points_t1``: (4, 3) for one query, which gives an ``Impact``, or (n, 4, 3) for a batch,
    which gives an ``ImpactBatch``: the vertex and the three corners, at t = 0 and at t = 1. Batches in Fortran
    order are taken without a copy. The GIL is released.

    ``t_max``: look at [0, t_max] only. ``minimum_distance``: the first time the features come this close
    (conservative: never late, and never while the distance stays above it by more than
    ``relative_distance_tolerance``). ``boolean_only``: whether they touch, and whether at the start already,
    without times. ``budget``: most subdivisions of one query; 0 for no limit (with a minimum distance: for
    the library's own, ``distance_step_limit``). ``seconds``: of the whole batch, 0 for no limit; queries that are not
    answered by then end 'out_of_budget'. Ctrl-C raises ``Interrupted``, which keeps what is finished. ``threads``: 0 for all cores; the answer does not depend on
    it.

    >>> import numpy as np, toccata
    >>> face = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]
    >>> toccata.vertex_face_impact([[.25, .25, 1], *face], [[.25, .25, -1], *face])
    Impact(contact at t=0.5, point=[0.25, 0.25, 0])
    >>> start = np.repeat([[[.25, .25, 1], *face]], 1000, axis=0)
    >>> end = start.copy()
    >>> end[:, 0, 2] = np.linspace(-1, 0.998, 1000)
    >>> toccata.vertex_face_impact(start, end)
    ImpactBatch(1000 queries, 501 touch, first at t=0.5)
    """
    return _impacts(_toccata.vertex_face_impacts, points_t0, points_t1, t_max, minimum_distance,
                    relative_distance_tolerance, boolean_only, budget, seconds, threads)


def edge_edge_impact(
    points_t0: ArrayLike,
    points_t1: ArrayLike,
    *,
    t_max: float = _DEFAULTS["t_max"],
    minimum_distance: float = _DEFAULTS["minimum_distance"],
    relative_distance_tolerance: float = _DEFAULTS["relative_distance_tolerance"],
    boolean_only: bool = _DEFAULTS["boolean_only"],
    budget: int = _DEFAULTS["budget"],
    seconds: float = 0.0,
    threads: int = 0,
) -> Any:
    """When do two moving edges meet? The four points are a0, a1, b0, b1; else as ``vertex_face_impact``.

    >>> import toccata
    >>> toccata.edge_edge_impact([[-1, 0, 0], [1, 0, 0], [0, -1, 1], [0, 1, 1]],
    ...                          [[-1, 0, 0], [1, 0, 0], [0, -1, -3], [0, 1, -3]])
    Impact(contact at t=0.25, point=[0, 0, 0])
    """
    return _impacts(_toccata.edge_edge_impacts, points_t0, points_t1, t_max, minimum_distance,
                    relative_distance_tolerance, boolean_only, budget, seconds, threads)


def impacts(
    vertices_t0: ArrayLike,
    vertices_t1: ArrayLike,
    vertex_face: ArrayLike = (),
    edge_edge: ArrayLike = (),
    *,
    t_max: float = _DEFAULTS["t_max"],
    minimum_distance: float = _DEFAULTS["minimum_distance"],
    relative_distance_tolerance: float = _DEFAULTS["relative_distance_tolerance"],
    boolean_only: bool = _DEFAULTS["boolean_only"],
    budget: int = _DEFAULTS["budget"],
    seconds: float = 0.0,
    threads: int = 0,
) -> Impacts:
    """Which of these pairs of a mesh's features meet, and when? Pairs by the numbers of their vertices.

    ``vertices_t0``, ``vertices_t1``: (n, 3), all vertices at t = 0 and at t = 1. ``vertex_face``: (m, 4), the
    vertex and the three corners; ``edge_edge``: (k, 4), the ends of both edges. The other options, and the
    answers bit by bit, are those of ``vertex_face_impact`` and ``edge_edge_impact``; ``seconds`` holds for each of
    the two kinds. With Ctrl-C ``Interrupted`` keeps the batch that was being answered.

    >>> import toccata
    >>> start = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [.25, .25, 1]]
    >>> end = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [.25, .25, -1]]
    >>> found = toccata.impacts(start, end, vertex_face=[[3, 0, 1, 2]], edge_edge=[[0, 1, 2, 3]])
    >>> found.vertex_face[0], found.edge_edge[0]
    (Impact(contact at t=0.5, point=[0.25, 0.25, 0]), Impact(separated))
    """
    options = _options(t_max, minimum_distance, relative_distance_tolerance, boolean_only, budget, seconds, threads)
    return Impacts(
        _batch(_toccata.indexed_vertex_face_impacts(vertices_t0, vertices_t1, vertex_face, "vertex_face", *options)),
        _batch(_toccata.indexed_edge_edge_impacts(vertices_t0, vertices_t1, edge_edge, "edge_edge", *options)),
    )


def _impacts(solve: Any, points_t0: ArrayLike, points_t1: ArrayLike, t_max: float, minimum_distance: float,
             relative_distance_tolerance: float, boolean_only: bool, budget: int, seconds: float, threads: int) -> Any:
    single = np.ndim(points_t0) == 2
    if single:
        points_t0, points_t1 = np.asarray(points_t0)[np.newaxis], np.asarray(points_t1)[np.newaxis]
    options = _options(t_max, minimum_distance, relative_distance_tolerance, boolean_only, budget, seconds, threads)
    batch = _batch(solve(points_t0, points_t1, *options))
    return batch[0] if single else batch


def _options(t_max: float, minimum_distance: float, relative_distance_tolerance: float, boolean_only: bool,
             budget: int, seconds: float, threads: int) -> tuple[Any, ...]:
    latest = number(t_max, "t_max", least=0.0)
    if latest > 1.0:
        raise ValueError(f"t_max must be at most 1, not {t_max!r}")
    return (
        latest,
        number(minimum_distance, "minimum_distance", least=0.0),
        number(relative_distance_tolerance, "relative_distance_tolerance", least=0.0),
        bool(boolean_only),
        count(budget, "budget"),
        time_limit(seconds),
        count(threads, "threads"),
    )


def _batch(fields: dict[str, Any]) -> ImpactBatch:
    del fields["decided_by"]
    interrupted = fields.pop("interrupted")
    return complete(interrupted, ImpactBatch(size=len(fields["stage"]), **fields))

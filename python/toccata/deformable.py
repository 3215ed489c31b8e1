"""Deforming meshes: every contact of a step, or the first one, self-collision included.

A step is given by all positions at t = 0 and at t = 1; every vertex moves straight in between. A contact is a
vertex and a face, or two edges, that share no vertex and meet at some t: exact on the numbers as given, none
missed, none invented, each reported once.
"""
from __future__ import annotations

import operator
from dataclasses import dataclass, replace
from typing import Any, Callable, Iterator, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _toccata
from ._arguments import choice, count, number, time_limit
from ._batch import selection
from ._interrupt import complete
from ._literals import AtStart, DeformableMethod, FeaturePairKind, PairScope, Status
from ._record import Record, short
from .contact import FirstContactResult, first_contact_of
from .impact import STATUSES, IMPACT_STAGES

KINDS: tuple[FeaturePairKind, ...] = tuple(_toccata.feature_pair_kinds)
_SCOPES: tuple[str, ...] = tuple(_toccata.pair_scopes)
_METHODS: tuple[str, ...] = tuple(_toccata.deformable_methods)
_AT_START: tuple[str, ...] = tuple(_toccata.at_start_choices)
_TOLERANCE: float = _toccata.relative_distance_tolerance


@dataclass(frozen=True, repr=False, eq=False)
class DeformableContact(Record):
    """Two features that meet."""

    kind: FeaturePairKind  #: 'vertex_edge' and 'vertex_vertex' of wires and free points only
    first: int  #: the vertex, or the edge with the lower id
    second: int  #: the face, or the other edge
    status: Status  #: 'contact', or 'overlap_at_start' when they already touch at t = 0
    time: float  #: never later than the true first contact
    lower: float  #: the true first contact is in [lower, upper]
    upper: float
    weights: NDArray[np.float64]  #: (4,): the contact as weights of the vertices of both features
    point: NDArray[np.float64]  #: (3,): where, at ``time``
    normal: NDArray[np.float64]  #: (3,): unit, from the first feature to the second; zero if undefined
    decided_by: str  #: the stage of the elementary test that decided

    def __repr__(self) -> str:
        return (
            f"DeformableContact({self.kind} {self.first}-{self.second} at t={self.time:.6g}, "
            f"point={short(self.point)})"
        )


@dataclass(frozen=True, repr=False, eq=False)
class DeformableContacts(Record):
    """All contacts of a step, as columns, sorted by (kind, first, second). Indexing gives single ones."""

    kind: NDArray[np.uint8]  #: (k,): 0 vertex-face, 1 edge-edge: an index into ``toccata.KINDS``
    first: NDArray[np.int32]  #: (k,): vertex id, or edge id (rows of ``edges``)
    second: NDArray[np.int32]  #: (k,): face id, or edge id
    status: NDArray[np.int32]  #: (k,): 1 contact, 2 overlap at start
    time: NDArray[np.float64]  #: (k,): never later than the true first contact of the pair
    lower: NDArray[np.float64]  #: (k,)
    upper: NDArray[np.float64]  #: (k,)
    weights: NDArray[np.float64]  #: (k, 4)
    point: NDArray[np.float64]  #: (k, 3)
    normal: NDArray[np.float64]  #: (k, 3)
    decided_by: NDArray[np.uint8]  #: (k,): an index into ``toccata.IMPACT_STAGES``
    edges: NDArray[np.int32]  #: (e, 2): the edges of the scene, i < j, by edge id
    stats: dict[str, Any]  #: milliseconds, what each stage of the culling left, who decided
    complete: bool  #: False: the budget or the time ran out, and there may be more contacts than these
    _list: Any = None
    _step: Any = None

    def __len__(self) -> int:
        return len(self.time)

    @overload
    def __getitem__(self, key: slice | NDArray[Any] | list[int] | list[bool]) -> "DeformableContacts": ...
    @overload
    def __getitem__(self, key: int) -> DeformableContact: ...
    def __getitem__(self, key: Any) -> Any:
        """One contact by its number; some of them by a slice, a boolean mask or a list of numbers."""
        row = selection(key, len(self), "contact")
        if not isinstance(row, int):
            chosen = {name: getattr(self, name)[row] for name in _COLUMNS}
            return replace(self, **chosen, _list=self._list and self._list.selected(row.tolist()))
        return DeformableContact(
            KINDS[self.kind[row]],
            int(self.first[row]),
            int(self.second[row]),
            STATUSES[self.status[row]],
            float(self.time[row]),
            float(self.lower[row]),
            float(self.upper[row]),
            self.weights[row].copy(),
            self.point[row].copy(),
            self.normal[row].copy(),
            IMPACT_STAGES[self.decided_by[row]],
        )

    def __iter__(self) -> Iterator[DeformableContact]:
        return (self[row] for row in range(len(self)))

    @property
    def vertex_face(self) -> NDArray[np.int32]:
        """(k, 2): the vertex-face contacts as vertex and face ids."""
        return self._pairs(0)

    @property
    def edge_edge(self) -> NDArray[np.int32]:
        """(k, 2): the edge-edge contacts as ids of edges."""
        return self._pairs(1)

    def _pairs(self, kind: int) -> NDArray[np.int32]:
        rows = self.kind == kind
        return np.stack([self.first[rows], self.second[rows]], axis=1)

    @property
    def first_time(self) -> float:
        """The time of the earliest contact; 1 if there is none."""
        return float(self.time.min()) if len(self) else 1.0

    @property
    def sentence(self) -> str:
        """How many there are and when the first one is, for a person."""
        counts = np.bincount(self.kind, minlength=len(KINDS))
        return _toccata.step_sentence(counts.tolist(), self.first_time if len(self) else None, self.complete)

    def __bool__(self) -> bool:
        """False only if it is proven that there is no contact: an empty list that is not complete is True."""
        return len(self) > 0 or not self.complete

    def __str__(self) -> str:
        return self.sentence

    def __repr__(self) -> str:
        more = "" if self.complete else ", not complete"
        if len(self) == 0:
            return f"DeformableContacts(none{more})"
        return (
            f"DeformableContacts({len(self.vertex_face)} vertex-face, {len(self.edge_edge)} edge-edge, "
            f"first at t={self.first_time:.6g}{more})"
        )


_COLUMNS = ("kind", "first", "second", "status", "time", "lower", "upper", "weights", "point", "normal", "decided_by")


class DeformableScene:
    """Deforming meshes prepared for many steps.

    ``objects``: one mesh or a list of meshes. A mesh here is a number of vertices and faces: a pair
    ``(vertex_count, faces)``, a triple with ``wires`` (edges besides those of the faces), or anything that has
    ``vertices`` and ``faces``. Ids of vertices, faces and edges count over all objects, in their order.

    >>> import numpy as np, toccata
    >>> faces = [[0, 1, 2], [3, 4, 5]]                     # two loose triangles in one mesh
    >>> start = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [.2, .2, 1], [.3, .2, 2], [.2, .3, 2]], float)
    >>> end = start.copy()
    >>> end[3:, 2] -= 1.5
    >>> scene = toccata.DeformableScene((6, faces))
    >>> scene.update(start, end)
    >>> scene.first_contact()
    FirstContactResult(contact at t=0.666667, point=[0.2, 0.2, 0])
    >>> scene.safe_step() <= 2 / 3
    True
    """

    def __init__(self, objects: Any, *, method: DeformableMethod = "clusters", threads: int = 0) -> None:
        self._core = _toccata.DeformableScene(
            _objects(objects), choice(method, _METHODS, "method"), count(threads, "threads")
        )

    def update(self, positions_t0: ArrayLike, positions_t1: ArrayLike) -> None:
        """Sets the step: (n, 3) positions of all vertices, objects one after the other, at both ends."""
        self._core.update(positions_t0, positions_t1)

    def update_topology(self, objects: Any) -> None:
        """New faces: unchanged parts are kept, answers equal those of a new scene. Call ``update`` next."""
        self._core.update_topology(_objects(objects))

    def all_contacts(self, **options: Any) -> DeformableContacts:
        """Every contact of the step. Options as for ``ccd``."""
        fields = self._core.all_contacts(self._options(**options))
        interrupted = fields.pop("interrupted")
        return complete(interrupted, DeformableContacts(edges=self.edges, **fields))

    def first_contact(self, **options: Any) -> FirstContactResult:
        """The earliest contact of the step (ties: the lowest ids). Options as for ``ccd``."""
        fields = self._core.safe_step(self._options(**options))
        del fields["fraction"]
        return first_contact_of(fields)

    def safe_step(self, **options: Any) -> float:
        """The largest known fraction with [0, fraction] proven free of contact.

        1: the whole step, its end included. 0: touching at the start. Otherwise just before the first contact.
        """
        return float(self._core.safe_step(self._options(**options))["fraction"])

    def _options(
        self,
        *,
        scope: PairScope = "all",
        at_start: AtStart = "report",
        minimum_distance: float = 0.0,
        relative_distance_tolerance: float = _TOLERANCE,
        boolean_only: bool = False,
        budget: int = 0,
        seconds: float = 0.0,
        threads: int = 0,
        object_filter: Callable[[int, int], bool] | None = None,
        part: tuple[int, int] = (0, 1),
    ) -> dict[str, Any]:
        pairs = None
        if object_filter is not None:
            objects = range(self.object_count)
            pairs = np.array([[bool(object_filter(a, b)) for b in objects] for a in objects])
        return {
            "scope": choice(scope, _SCOPES, "scope"),
            "at_start": choice(at_start, _AT_START, "at_start"),
            "minimum_distance": number(minimum_distance, "minimum_distance", least=0.0),
            "relative_distance_tolerance": number(relative_distance_tolerance, "relative_distance_tolerance", least=0.0),
            "boolean_only": bool(boolean_only),
            "budget": count(budget, "budget"),
            "seconds": time_limit(seconds),
            "threads": count(threads, "threads"),
            "object_pairs": pairs,
            "part": _part(part),
        }

    @property
    def faces(self) -> NDArray[np.int32]:
        """(m, 3): all faces, over the vertices of the scene, by face id."""
        return self._core.faces

    @property
    def edges(self) -> NDArray[np.int32]:
        """(e, 2): unique edges of faces and wires, by edge id."""
        return self._core.edges

    @property
    def vertex_count(self) -> int:
        return self._core.vertex_count

    @property
    def object_count(self) -> int:
        return self._core.object_count

    @property
    def memory_bytes(self) -> int:
        """What the scene holds between questions."""
        return self._core.memory_bytes

    def __repr__(self) -> str:
        return f"DeformableScene({self.object_count} objects, {self.vertex_count} vertices, {len(self.faces)} faces)"


def ccd(
    positions_t0: ArrayLike,
    positions_t1: ArrayLike,
    faces: ArrayLike,
    *,
    method: DeformableMethod = "clusters",
    scope: PairScope = "all",
    at_start: AtStart = "report",
    minimum_distance: float = 0.0,
    boolean_only: bool = False,
    budget: int = 0,
    seconds: float = 0.0,
    threads: int = 0,
    part: tuple[int, int] = (0, 1),
) -> DeformableContacts:
    """All contacts of one step of a mesh, from plain arrays (continuous collision detection).

    ``positions_t0``, ``positions_t1``: (n, 3); ``faces``: (m, 3). For more than one step build a
    ``DeformableScene``, which keeps its preparation. The GIL is released, all cores are used.

    ``method``: how candidate pairs are found, 'clusters', 'connectivity' or 'brute_force'; the answer is the
    same. ``scope``: 'all', 'within_component' (self-collision), 'between_components', 'within_object',
    'between_objects'. ``at_start``: 'report' or 'skip' pairs of features that already touch at t = 0.
    ``minimum_distance``: contact means coming this close. ``boolean_only``: pairs without times and points.
    ``budget``: most steps of exact arithmetic, 0 for the usual number; ``seconds``: the time limit of the
    search, 0 for none. Beyond either the list may not be ``complete``. Ctrl-C raises
    ``Interrupted`` with what was found. ``threads``: 0 for all cores; the answer does not depend on it.
    ``part``: (index, count), a share of the pairs, so that several processes can divide a step: shares are
    disjoint, and together they are the whole step.

    >>> import numpy as np, toccata
    >>> faces = [[0, 1, 2], [3, 4, 5]]
    >>> start = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [.2, .2, 1], [.3, .2, 2], [.2, .3, 2]], float)
    >>> end = start.copy()
    >>> end[3:, 2] -= 1.5
    >>> contacts = toccata.ccd(start, end, faces)
    >>> contacts
    DeformableContacts(1 vertex-face, 0 edge-edge, first at t=0.666667)
    >>> contacts.vertex_face
    array([[3, 0]], dtype=int32)
    """
    scene = DeformableScene((len(np.asarray(positions_t0)), faces), method=method, threads=threads)
    scene.update(positions_t0, positions_t1)
    contacts = scene.all_contacts(
        scope=scope,
        at_start=at_start,
        minimum_distance=minimum_distance,
        boolean_only=boolean_only,
        budget=budget,
        seconds=seconds,
        threads=threads,
        part=part,
    )
    return replace(contacts, _step=(np.array(positions_t0), np.array(positions_t1), faces))


def _part(value: Any) -> tuple[int, int]:
    try:
        index, parts = (operator.index(number) for number in value)
    except (TypeError, ValueError):
        raise TypeError(f"part must be a pair of integers (index, count), not {value!r}") from None
    if not 0 <= index < parts:
        raise ValueError(f"part must be (index, count) with an index from 0 to count - 1, not ({index}, {parts})")
    return index, parts


def _objects(objects: Any) -> list[tuple[int, Any, Any]]:
    many = isinstance(objects, list) or (isinstance(objects, tuple) and objects and not np.isscalar(objects[0]))
    return [_object(item, i) for i, item in enumerate(objects)] if many else [_object(objects, 0)]


def _object(item: Any, index: int) -> tuple[int, Any, Any]:
    if isinstance(item, tuple) and len(item) in (2, 3):
        vertices, faces = item[0], item[1]
        vertex_count = vertices if np.isscalar(vertices) else len(vertices)
        return (count(vertex_count, "vertex_count"), faces, item[2] if len(item) == 3 else None)
    if hasattr(item, "vertices") and hasattr(item, "faces"):
        return (len(item.vertices), item.faces, None)
    raise TypeError(
        f"objects[{index}] must be a pair (vertex_count, faces), a triple with wires, or have vertices and faces; "
        f"not {type(item).__name__}"
    )

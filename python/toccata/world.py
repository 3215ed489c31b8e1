"""Many moving bodies: which of them touch, when first, and in what order."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, Iterator

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _toccata
from ._arguments import count, number, time_limit, tolerances, vector
from ._literals import AtStart, Inside, Status
from ._record import Record
from .contact import Contact, contact_of
from .geometry import as_shape
from .motion import as_motion

_FIRST = _toccata.first_contact_defaults  # the defaults are those of the C++ options


@dataclass(frozen=True, repr=False, eq=False)
class WorldEvent(Record):
    """The first contact of one pair of bodies."""

    body_a: int  #: the smaller id
    body_b: int
    status: Status  #: 'contact' or 'overlap_at_start'
    inside: Inside  #: of solids
    time: float  #: never later than the true first contact
    lower: float  #: proven apart before it
    upper: float  #: they touch by then; 1 where this is not proven
    group: int  #: events of one group are simultaneous
    contact: Contact  #: at ``time``, of body_a and body_b
    pose_a: NDArray[np.float64]  #: (4, 4), at ``time``
    pose_b: NDArray[np.float64]

    def __repr__(self) -> str:
        return f"WorldEvent({self.body_a} and {self.body_b} at t={self.time:.6g})"


@dataclass(frozen=True, repr=False, eq=False)
class WorldEventsResult(Record):
    """First contacts in order: one row of every array for each, or one ``WorldEvent`` by its index."""

    status: Status
    bodies: NDArray[np.int32]  #: (n, 2): the ids, the smaller one first
    time: NDArray[np.float64]  #: (n,): never later than the true first contact
    lower: NDArray[np.float64]
    upper: NDArray[np.float64]
    group: NDArray[np.int32]  #: (n,): events of one group are simultaneous
    point_a: NDArray[np.float64]  #: (n, 3), world coordinates
    point_b: NDArray[np.float64]
    normal: NDArray[np.float64]
    complete_until: float  #: no event before it is missing
    near_pairs: int
    solved_pairs: int
    known_pairs: int  #: answered by what the last step told
    stats: dict[str, int]
    failure: str
    sentence: str  #: the answer for a person
    _events: Any = None

    def __bool__(self) -> bool:
        """False only if no two bodies touch, proven."""
        return self.status != "separated"

    def __len__(self) -> int:
        return len(self.time)

    def __getitem__(self, index: int) -> WorldEvent:
        place = index + len(self) if index < 0 else index
        if not 0 <= place < len(self):
            raise IndexError(f"there are {len(self)} events, and no event {index}")
        return _event_of(self._events.event(place))

    def __iter__(self) -> Iterator[WorldEvent]:
        return (self[i] for i in range(len(self)))

    def __str__(self) -> str:
        return self.sentence

    def __repr__(self) -> str:
        return f"WorldEventsResult({self.status}, {len(self)} events)"


@dataclass(frozen=True, repr=False, eq=False)
class NearBodies(Record):
    """Pairs of bodies that are near each other at one moment: one row of every array for each."""

    bodies: NDArray[np.int32]  #: (n, 2)
    distance: NDArray[np.float64]  #: (n,): 0 where they touch, or a solid is inside another
    point_a: NDArray[np.float64]  #: (n, 3): where they are closest
    point_b: NDArray[np.float64]
    normal: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.distance)


class WorldResponse:
    """What a function that answers an event may do."""

    __slots__ = ("_core",)

    def __init__(self, core: Any) -> None:
        self._core = core

    def set_motion(self, body: int, motion: Any) -> None:
        """From this event on; at its time the body must be where it is (``RigidMotion.through``)."""
        self._core.set_motion(body, as_motion(motion, "motion")._core)

    def set_velocities(self, body: int, velocities: ArrayLike) -> None:
        """Of a mesh that deforms: how its corners go on from where they are, (n, 3) per unit of time."""
        self._core.set_velocities(body, np.asarray(velocities))

    def stop(self) -> None:
        """No further events: the list ends 'out_of_budget', complete until now."""
        self._core.stop()


class World:
    """Bodies by their ids, the smallest ones free. Answers do not depend on how the bodies came about.

    >>> import toccata
    >>> world = toccata.World()
    >>> ball = toccata.Ball(0.5)
    >>> [world.insert(ball, ([x, 0, 0], [0, 0, 0])) for x in (-5, 5)], world.insert(ball, [0, 3, 0])
    ([0, 1], 2)
    >>> found = world.events()
    >>> found.bodies.tolist(), round(float(found.time[0]), 5)
    ([[0, 1]], 0.9)
    """

    __slots__ = ("_core", "_shapes")

    def __init__(self) -> None:
        self._core = _toccata.World()
        self._shapes: dict[int, Any] = {}

    def insert(
        self, shape: Any, motion: Any = None, *, solid: bool = False, groups: int = 1, wants: int = 0xFFFFFFFF,
        static: bool = False,
    ) -> int:
        """Its id. ``groups`` and ``wants`` are bits: two bodies meet if each is in a group that the other wants, and not
        both are ``static``. ValueError for what cannot be asked about: a solid that is not closed."""
        core = as_shape(shape, "shape")._core
        body: int = self._core.insert(core, as_motion(motion, "motion")._core, bool(solid), groups, wants, bool(static))
        self._shapes[body] = core
        return body

    def insert_deforming(
        self, vertices_t0: ArrayLike, vertices_t1: ArrayLike, faces: ArrayLike, *, groups: int = 1,
        wants: int = 0xFFFFFFFF, static: bool = False,
    ) -> int:
        """The id of a mesh whose corners go straight from ``vertices_t0`` to ``vertices_t1``, (n, 3) each, one by one.
        It meets other bodies, not itself (``DeformableScene`` does that).

        >>> import toccata
        >>> world = toccata.World()
        >>> cloth = [[0, 0, 1], [1, 0, 1], [0, 1, 1]]
        >>> body = world.insert_deforming(cloth, [[0, 0, -1], [1, 0, 1], [0, 1, 1]], [[0, 1, 2]])
        >>> ground = world.insert(toccata.HalfSpace([0, 0, 1], 0))
        >>> round(float(world.events().time[0]), 5)
        0.5
        """
        body: int = self._core.insert_deforming(
            np.asarray(vertices_t0), np.asarray(vertices_t1), np.asarray(faces), groups, wants, bool(static))
        self._shapes[body] = None
        return body

    def set_step(self, body: int, vertices_t0: ArrayLike, vertices_t1: ArrayLike) -> None:
        """The next step of a mesh that deforms."""
        self._known(body)
        if not self._core.set_step(body, np.asarray(vertices_t0), np.asarray(vertices_t1)):
            raise ValueError(f"body {body} does not deform: it is given a motion (set_motion)")

    def remove(self, body: int) -> None:
        self._known(body)
        self._core.remove(body)
        del self._shapes[body]

    def set_motion(self, body: int, motion: Any) -> None:
        self._known(body)
        if not self._core.set_motion(body, as_motion(motion, "motion")._core):
            raise ValueError(f"body {body} deforms: it is given the next step of its corners (set_step)")

    def set_poses(self, bodies: ArrayLike, poses: Any) -> None:
        """Many at once, at rest: ids (n,), poses (n, 4, 4), (n, 7) or (n, 3)."""
        ids = np.asarray(bodies)
        if ids.ndim != 1 or len(ids) != len(poses):
            raise ValueError(f"bodies must be ids, as many as there are poses ({len(poses)}), not of shape {ids.shape}")
        for body, pose in zip(ids.tolist(), poses):
            self.set_motion(body, pose)

    def set_filter(self, body: int, *, groups: int = 1, wants: int = 0xFFFFFFFF, static: bool = False) -> None:
        self._known(body)
        self._core.set_filter(body, groups, wants, bool(static))

    def switch_off(self, a: int, b: int) -> None:
        """The two never touch, until they are switched on or one of them is removed."""
        self._known(a)
        self._known(b)
        self._core.switch(a, b, False)

    def switch_on(self, a: int, b: int) -> None:
        self._known(a)
        self._known(b)
        self._core.switch(a, b, True)

    def generation(self, body: int) -> int:
        """How many bodies had this id before: with it an id names one body for good."""
        self._known(body)
        return int(self._core.generation(body))

    @property
    def ids(self) -> NDArray[np.int32]:
        """(n,), increasing."""
        return np.asarray(self._core.ids())

    def poses(self, t: float = 0.0) -> NDArray[np.float64]:
        """(n, 4, 4): where the bodies are at ``t``, in the order of ``ids``."""
        return np.asarray(self._core.poses(_moment(t)))

    def __contains__(self, body: object) -> bool:
        return body in self._shapes

    def __len__(self) -> int:
        return len(self._shapes)

    def events(
        self, *, tolerance: float | None = _FIRST["tolerance"],
        relative_tolerance: float = _FIRST["relative_tolerance"], minimum_distance: float = 0.0, until: float = 1.0,
        budget: int = 0, seconds: float = 0.0, at_start: AtStart = _FIRST["at_start"], threads: int = 0,
    ) -> WorldEventsResult:
        """Every first contact of every pair, in order. ``budget``: most pairs to solve; ``threads``: 0 for all cores; the
        others as for ``first_contact``."""
        return self._ask("events", _options(
            tolerance, relative_tolerance, minimum_distance, until, budget, seconds, at_start, threads))

    def first_contact(self, **options: Any) -> WorldEventsResult:
        """The first event alone, with those of its group. Options as for ``events``."""
        return self._ask("first_contact", _options_of(options))

    def cast(self, shape: Any, motion: Any, *, solid: bool = False, **options: Any) -> WorldEventsResult:
        """The first contacts of a body that is not in the world with those that are, in order; its id in the events is
        -1. Options as for ``events``."""
        core = as_shape(shape, "shape")._core
        return _result_of(self._core.cast(core, as_motion(motion, "motion")._core, bool(solid), _options_of(options)))

    def step(self, **options: Any) -> WorldEventsResult:
        """``events`` with what the last step told, and for the next one: the same answer, sooner."""
        return self._ask("step", _options_of(options))

    def play(
        self, respond: Callable[[WorldEvent, WorldResponse], bool], **options: Any
    ) -> WorldEventsResult:
        """First contacts one after the other. ``respond(event, response)`` may give bodies another motion from there on;
        it returns True where the two are kept apart, False where they may pass through each other."""
        if not callable(respond):
            raise TypeError(f"respond must be a function of an event and a response, not {respond!r}")
        core = self._core.play(
            lambda fields, response: respond(_event_of(fields), WorldResponse(response)), _options_of(options))
        return _result_of(core)

    def within(self, distance: float, t: float = 0.0, *, threads: int = 0) -> NearBodies:
        """All pairs at most ``distance`` apart at ``t``; those that touch have distance 0."""
        columns = dict(self._core.within(
            number(distance, "distance", least=0.0), _moment(t), count(threads, "threads")))
        bodies = np.stack([columns.pop("body_a"), columns.pop("body_b")], axis=1)
        return NearBodies(bodies=bodies, **columns)

    def nearest(self, point: ArrayLike, t: float = 0.0) -> tuple[int, float, NDArray[np.float64]]:
        """The nearest body to a point, its distance and its nearest point; -1 in an empty world."""
        body, distance, place = self._core.nearest(vector(point, "point"), _moment(t))
        return body, distance, place

    def ray_cast(
        self, origin: ArrayLike, direction: ArrayLike, t: float = 0.0
    ) -> tuple[int, float, NDArray[np.float64], NDArray[np.float64]] | None:
        """The first body that a ray meets, the ray's parameter, the point and the normal; None if it meets none."""
        hit = self._core.ray_cast(vector(origin, "origin"), vector(direction, "direction"), _moment(t))
        return None if hit[0] < 0 else hit

    def _ask(self, question: str, options: dict[str, Any]) -> WorldEventsResult:
        return _result_of(self._core.ask(question, options))

    def _known(self, body: int) -> None:
        if body not in self._shapes:
            raise KeyError(f"there is no body {body!r}")

    def __repr__(self) -> str:
        return f"World({len(self)} bodies)"


def _moment(t: float) -> float:
    moment = number(t, "t", least=0.0)
    if moment > 1.0:
        raise ValueError(f"t must be from 0 to 1, not {t!r}")
    return moment


def _options(
    tolerance: Any, relative_tolerance: Any, minimum_distance: Any, until: Any, budget: Any, seconds: Any,
    at_start: Any, threads: Any,
) -> dict[str, Any]:
    if at_start not in ("report", "skip"):
        raise ValueError(f"at_start must be one of 'report', 'skip', not {at_start!r}")
    distance, share = tolerances(tolerance, relative_tolerance)
    return {
        "tolerance": distance, "relative_tolerance": share,
        "minimum_distance": number(minimum_distance, "minimum_distance", least=0.0), "all_contacts": False,
        "until": number(until, "until", least=0.0), "budget": count(budget, "budget"), "seconds": time_limit(seconds),
        "method": _FIRST["method"], "at_start": at_start, "threads": count(threads, "threads"),
    }


def _options_of(
    given: dict[str, Any],
) -> dict[str, Any]:
    values = {
        "tolerance": _FIRST["tolerance"], "relative_tolerance": _FIRST["relative_tolerance"], "minimum_distance": 0.0,
        "until": 1.0, "budget": 0, "seconds": 0.0, "at_start": _FIRST["at_start"], "threads": 0,
    }
    for name in given:
        if name not in values:
            raise TypeError(f"there is no option {name!r}; options are {', '.join(values)}")
    return _options(**{**values, **given})


def _event_of(fields: dict[str, Any]) -> WorldEvent:
    values: dict[str, Any] = {**fields, "contact": contact_of(fields["contact"])}
    return WorldEvent(**values)


def _result_of(core: Any) -> WorldEventsResult:
    fields = core.fields()
    if fields["status"] == "failed":
        raise ValueError(fields["failure"])
    columns = dict(core.columns())
    bodies = np.stack([columns.pop("body_a"), columns.pop("body_b")], axis=1)
    return WorldEventsResult(bodies=bodies, **columns, **fields, _events=core)

"""Robots: is a path in joint space free, when does it first touch, how close does it come?"""
from __future__ import annotations

import copy
import json
import math
import os
from dataclasses import dataclass
from typing import Any, Iterable, Literal, Mapping, Sequence, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _toccata
from ._arguments import count, number, time_limit
from ._literals import Inside, Status
from ._record import Record
from .geometry import as_shape
from .impact import STATUSES
from .pose import as_pose

#: A file (MoveIt's planning scene, a list, or a mesh), or things as (name, shape, pose).
Scene = Union[str, "os.PathLike[str]", Iterable[Any], None]


@dataclass(frozen=True, repr=False, eq=False)
class PathContactResult(Record):
    """Whether a robot on its path touches anything, and what."""

    status: Status  #: ``"separated"``: the whole path is proven free
    inside: Inside  #: one of the two is inside the other at the start
    time: float  #: of the first contact, never late; 1 if there is none
    lower: float  #: proven free before it
    link_a: str  #: the link, or what it holds; empty without a contact
    link_b: str  #: another link, or the obstacle
    with_scene: bool  #: ``link_b`` is an obstacle
    distance: float  #: at ``time``
    point_a: NDArray[np.float64]  #: (3,), in the frame of the robot's root
    point_b: NDArray[np.float64]
    normal: NDArray[np.float64]  #: from a to b
    microseconds: float  #: that the answer took
    sentence: str  #: the answer for a person

    def __bool__(self) -> bool:
        """Whether there is a contact, or no proof that there is none."""
        return self.status != "separated"

    def __str__(self) -> str:
        return self.sentence


@dataclass(frozen=True, repr=False, eq=False)
class PairClearance(Record):
    """How close two links, or a link and an obstacle, come on a path."""

    link_a: str
    link_b: str
    with_scene: bool  #: ``link_b`` is an obstacle
    time: float  #: where ``distance`` is reached
    distance: float
    lower_distance: float  #: proven
    bands: NDArray[np.float64]  #: (bands, 4), as those of the whole


@dataclass(frozen=True, repr=False, eq=False)
class PairIntervals(Record):
    """When two links, or a link and an obstacle, touch on a path."""

    link_a: str
    link_b: str
    with_scene: bool  #: ``link_b`` is an obstacle
    intervals: NDArray[np.float64]  #: (n, 4): begin between the first two, end between the last two


@dataclass(frozen=True, repr=False, eq=False)
class PathIntervalsResult(Record):
    """When a robot on its path touches anything, all in all."""

    status: Status
    intervals: NDArray[np.float64]  #: (n, 4): when anything touches; proven apart outside
    pairs: list[PairIntervals]  #: that touch, by their first time
    proven_until: float
    microseconds: float
    sentence: str

    def __bool__(self) -> bool:
        return self.status != "separated"

    def __str__(self) -> str:
        return self.sentence


@dataclass(frozen=True, repr=False, eq=False)
class PathClearanceResult(Record):
    """How close a robot on its path comes to anything."""

    status: Status
    time: float  #: where ``distance`` is reached, or of the first contact
    distance: float  #: an upper bound on the smallest distance
    lower_distance: float  #: proven: nothing comes closer than this
    link_a: str
    link_b: str
    with_scene: bool
    point_a: NDArray[np.float64]
    point_b: NDArray[np.float64]
    normal: NDArray[np.float64]
    bands: NDArray[np.float64]  #: (bands, 4): begin, end, proven lower and reached upper distance in that part
    pairs: list[PairClearance]  #: where they were asked for, the nearest first
    microseconds: float
    sentence: str

    def __float__(self) -> float:
        return self.distance

    def __str__(self) -> str:
        return self.sentence


@dataclass(frozen=True, repr=False, eq=False)
class EdgeContacts(Record):
    """The answers of many edges as columns."""

    status: NDArray[np.int8]  #: (n,): index into ``toccata.STATUSES``
    time: NDArray[np.float64]  #: (n,)
    link_a: list[str]  #: empty strings where there is no contact
    link_b: list[str]
    microseconds: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.status)

    @property
    def free(self) -> NDArray[np.bool_]:
        """(n,): the edges that are proven free."""
        found: NDArray[np.bool_] = self.status == STATUSES.index("separated")
        return found

    def __repr__(self) -> str:
        return f"EdgeContacts({len(self)} edges, {int(self.free.sum())} proven free)"


@dataclass(frozen=True, repr=False, eq=False)
class LinkPair(Record):
    """Whether two links can ever touch each other."""

    a: str
    b: str
    kind: str  #: ``"adjacent"``, ``"always_apart"``, ``"always_touching"``, ``"sometimes"`` or ``"undecided"``
    variables: list[str]  #: those between the two
    clearance: float  #: if always apart: proven
    apart: NDArray[np.float64]  #: values of all variables for which they are apart, if some were found
    touching: NDArray[np.float64]  #: for which they touch
    cells: int  #: into which the values were divided


@dataclass(frozen=True, repr=False, eq=False)
class CertificateCheck(Record):
    """Whether a certificate holds."""

    valid: bool
    reason: str  #: why not; empty if it does
    clearance: float  #: confirmed for all pairs and all times
    pairs: int  #: that matter
    spans: int  #: of them in the certificate
    microseconds: float

    def __bool__(self) -> bool:
        return self.valid

    def __str__(self) -> str:
        if self.valid:
            return f"The certificate holds: {self.pairs} pairs stay apart by at least {self.clearance:.6g}."
        return f"The certificate does not hold: {self.reason}."


class PathCertificate:
    """Evidence that a path is free: time spans and pairs with a proven clearance each."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._content: dict[str, Any] = json.loads(text)

    @property
    def clearance(self) -> float:
        """The least of all pairs and times."""
        return float(self._content["clearance"])

    @property
    def pairs(self) -> dict[tuple[str, str], NDArray[np.float64]]:
        """For each pair of names (n, 3): begin, end and clearance of its spans."""
        return {(pair["a"], pair["b"]): np.array(pair["spans"], dtype=np.float64) for pair in self._content["pairs"]}

    def to_json(self) -> str:
        return self._text

    def save(self, path: str | os.PathLike[str]) -> None:
        with open(path, "w", encoding="utf-8") as file:
            file.write(self._text)

    @staticmethod
    def load(path: str | os.PathLike[str]) -> "PathCertificate":
        with open(path, encoding="utf-8") as file:
            return PathCertificate(file.read())

    def __repr__(self) -> str:
        return f"PathCertificate({len(self._content['pairs'])} pairs, clearance {self.clearance:.6g})"


class JointPath:
    """Way-points, a row each, and how the robot gets from one to the next.

    ``times`` are those of the way-points; without them they are evenly spaced. With ``velocities`` the path is a cubic
    spline, with ``accelerations`` a quintic one. Continuous joints take the shorter way unless ``as_given``.
    """

    def __init__(
        self,
        points: ArrayLike,
        *,
        times: Sequence[float] = (),
        velocities: ArrayLike | None = None,
        accelerations: ArrayLike | None = None,
        as_given: bool = False,
    ) -> None:
        self._way = {
            "path": points,
            "times": [float(t) for t in times],
            "velocities": velocities,
            "accelerations": accelerations,
            "shorter": not as_given,
        }


#: An (n, dof) array, a ``JointPath``, or of several robots one for each, by name.
Path = Union[ArrayLike, JointPath, Mapping[str, Any]]


@dataclass(frozen=True, repr=False, eq=False)
class LinkSpheres(Record):
    """Spheres that enclose the meshes of a link."""

    link: str
    spheres: NDArray[np.float64]  #: (n, 4): centre and radius, in the link's frame
    error: float  #: proven: none reaches farther beyond the mesh
    of_hull: bool  #: a mesh was not closed and is enclosed as its convex hull; the error is of that


@dataclass(frozen=True, repr=False, eq=False)
class RobotProxies(Record):
    """A robot of spheres, and which they are."""

    robot: Robot
    links: list[LinkSpheres]  #: those with meshes

    @property
    def count(self) -> int:
        """How many spheres there are."""
        return sum(len(link.spheres) for link in self.links)

    def __repr__(self) -> str:
        return f"RobotProxies({self.count} spheres, {len(self.links)} links)"


class Robot:
    """A robot from a URDF, with names as they are there.

    Paths are (n, dof) arrays, a way-point a row, straight from one to the next; the order of values is that of
    ``variables``. Wherever a path stands, the keywords of ``JointPath`` may be given, too.
    """

    def __init__(
        self,
        urdf: str | os.PathLike[str],
        *,
        srdf: str | os.PathLike[str] | None = None,
        package_path: str | os.PathLike[str] | Sequence[str | os.PathLike[str]] = (),
        allowed: Iterable[tuple[str, str]] = (),
        adjacent_allowed: bool = True,
        self_contact: bool = True,
        padding: float = 0.0,
        paddings: Mapping[Any, float] = {},
    ) -> None:
        """``padding``: a distance that counts as touching, for all pairs; ``paddings``: what is added to it, by the name of
        a link or an obstacle, or by two names as a tuple.
        """
        if not _toccata.has_robots:
            raise ImportError("this toccata was built without robots (Debian: libtinyxml2-dev libyaml-cpp-dev)")
        folders = [package_path] if isinstance(package_path, (str, os.PathLike)) else list(package_path)
        self._start(
            _toccata.RobotModel(
                os.fspath(urdf),
                os.fspath(srdf) if srdf is not None else "",
                [os.fspath(folder) for folder in folders],
                {
                    "allowed": [(str(a), str(b)) for a, b in allowed],
                    "adjacent_allowed": bool(adjacent_allowed),
                    "self_contact": bool(self_contact),
                    "padding": number(padding, "padding", least=0.0),
                    "paddings": [
                        (name, number(distance, f"paddings[{name!r}]", least=0.0))
                        for name, distance in paddings.items()
                        if isinstance(name, str)
                    ],
                    "pair_paddings": [
                        (*_two_names(names), number(distance, f"paddings[{names!r}]", least=0.0))
                        for names, distance in paddings.items()
                        if not isinstance(names, str)
                    ],
                },
            )
        )

    def _start(self, model: Any) -> None:
        self._model = model
        variables = self._model.variables()
        self.name: str = self._model.name
        self.variables: tuple[str, ...] = tuple(name for name, _, _ in variables)  #: one name per joint value
        #: (dof, 2): lower and upper limits; infinite where there are none
        self.limits: NDArray[np.float64] = np.array(
            [[-np.inf if low is None else low, np.inf if high is None else high] for _, low, high in variables]
        ).reshape(-1, 2)
        self.links: tuple[str, ...] = tuple(self._model.links())
        self._last: tuple[Any, Any] | None = None
        self._parts: dict[str, Any] = {}  # of several robots: their models
        self._held: list[Any] = []  # (name, link, shape, rows of its pose, links that it may touch)

    def __repr__(self) -> str:
        return f"Robot({self.name!r}, {len(self.links)} links, {len(self.variables)} variables)"

    def proxies(self, error: float, *, threads: int = 0) -> RobotProxies:
        """The robot with spheres in place of its meshes that provably enclose them: what it finds free is free.

        ``error``: how far they may reach beyond a mesh. Shapes that are no meshes are exact, and stay. A mesh that is not
        closed is enclosed as its convex hull.
        """
        model, links = self._model.proxies(number(error, "error", least=0.0), count(threads, "threads"))
        robot = Robot.__new__(Robot)
        robot._start(model)
        return RobotProxies(robot=robot, links=[LinkSpheres(**link) for link in links])

    def poses(self, values: ArrayLike) -> dict[str, NDArray[np.float64]]:
        """Forward kinematics: the (4, 4) pose of every link in the frame of the root."""
        found = self._model.link_poses([float(value) for value in np.asarray(values, dtype=np.float64)])
        return dict(zip(self.links, found))

    def pairs(self, *, budget: int = 2000, seconds: float = 0.0) -> list[LinkPair]:
        """Which links can ever touch each other, proven for all values within the limits."""
        found = self._model.pairs(count(budget, "budget"), time_limit(seconds))
        return [
            LinkPair(**{**pair, "apart": np.array(pair["apart"]), "touching": np.array(pair["touching"])})
            for pair in found
        ]

    @staticmethod
    def together(robots: Mapping[str, Any]) -> Robot:
        """Several robots in one scene: for each name a robot, or (robot, pose of its base).

        Links and variables are then named ``"name/link"``. A path is one array with the values of all of them, or a
        ``dict`` with a path for each, which run by one clock.
        """
        placed = []
        for name, entry in robots.items():
            robot, pose = entry if isinstance(entry, tuple) else (entry, np.eye(4))
            if not isinstance(robot, Robot):
                raise TypeError(f"robots[{name!r}] must be a Robot, or (Robot, pose), not {type(robot).__name__}")
            placed.append((str(name), robot, _rows(pose, f"the pose of robots[{name!r}]")))
        joined: Robot = Robot.__new__(Robot)
        joined._start(_toccata.RobotModel.together([(name, robot._model, rows) for name, robot, rows in placed]))
        joined._parts = {name: robot._model for name, robot, _ in placed}
        held = [(f"{name}/{thing[0]}", f"{name}/{thing[1]}", *thing[2:4], [f"{name}/{link}" for link in thing[4]])
                for name, robot, _ in placed for thing in robot._held]
        joined._held = held
        return joined

    def hold(
        self, link: str, shape: Any, pose: ArrayLike | None = None, *, name: str = "", touch: Iterable[str] = ()
    ) -> Robot:
        """The same robot with a thing in the hand: it moves with ``link``, and may touch it and the links in ``touch``."""
        if link not in self.links:
            raise ValueError(f"the robot has no link {link!r}")
        rows = _rows(np.eye(4) if pose is None else pose, "pose")
        thing = (name or f"held by {link}", link, as_shape(shape, "shape")._core, rows, [str(other) for other in touch])
        other = copy.copy(self)
        other._held = [*self._held, thing]
        other._last = None
        return other

    def release(self) -> Robot:
        """The same robot, holding nothing."""
        other = copy.copy(self)
        other._held = []
        other._last = None
        return other

    def _way(self, path: Any, way: dict[str, Any]) -> dict[str, Any]:
        if isinstance(path, JointPath):
            if way:
                raise TypeError(f"{', '.join(way)} belong to the JointPath that is given")
            return path._way
        if not isinstance(path, Mapping):
            return JointPath(path, **way)._way
        if set(path) != set(self._parts):
            raise ValueError(f"path must have one path for each of {', '.join(self._parts) or 'several robots'}")
        if way:
            raise TypeError("give each robot a JointPath of its own")
        parts = [(name, model, self._way(path[name], {})) for name, model in self._parts.items()]
        return {"parts": parts}

    def _placed(self, scene: Scene) -> Any:
        """The robot in the scene, with what it holds."""
        placed = self._in_scene(scene)
        return placed.holding(self._held) if self._held else placed

    def _in_scene(self, scene: Scene) -> Any:
        """The robot in the scene; the last scene that came from a file is kept as long as the file stays."""
        if isinstance(scene, (str, os.PathLike)):
            path = os.fspath(scene)
            key = (path, os.stat(path).st_mtime_ns) if os.path.exists(path) else (path, None)
            if self._last is None or self._last[0] != key:
                self._last = (key, self._model.in_scene_file(path))
            return self._last[1]
        if scene is None:
            if self._last is None or self._last[0] is not None:
                self._last = (None, self._model.among([]))
            return self._last[1]
        things = []
        for index, thing in enumerate(scene):
            try:
                name, shape, pose = thing
            except (TypeError, ValueError):
                raise TypeError(f"scene[{index}] must be (name, shape, pose)") from None
            rows = _rows(pose, f"the pose of scene[{index}]")
            things.append((str(name), as_shape(shape, f"the shape of scene[{index}]")._core, rows))
        return self._model.among(things)

    def check(
        self,
        path: Path,
        scene: Scene = None,
        *,
        any_contact: bool = False,
        method: Literal["advancement", "interval"] = "advancement",
        minimum_distance: float = 0.0,
        tolerance: float | None = None,
        seconds: float = 0.0,
        **way: Any,
    ) -> PathContactResult:
        """The first contact of a path with the scene and with the robot itself, or the proof that there is none.

        The method ``"interval"`` is a second opinion that takes longer.
        """
        if method not in ("advancement", "interval"):
            raise ValueError(f'method must be "advancement" or "interval", not {method!r}')
        options = _options(any_contact, minimum_distance, tolerance, 1, method)
        found = self._placed(scene).contact(self._way(path, way), options, time_limit(seconds))
        return PathContactResult(**_arrays(found))

    def clearance(
        self,
        path: Path,
        scene: Scene = None,
        *,
        tolerance: float | None = None,
        bands: int = 0,
        pairs: bool = False,
        pair_limit: float = math.inf,
        seconds: float = 0.0,
        **way: Any,
    ) -> PathClearanceResult:
        """How close the path comes to anything, proven from below; with ``bands``, in each of so many parts of it.

        With ``pairs``, also of every pair by itself that gets within ``pair_limit``.
        """
        options = {
            "tolerance": _tolerance(tolerance),
            "bands": count(bands, "bands"),
            "pairs": bool(pairs),
            "pair_limit": math.inf if pair_limit == math.inf else number(pair_limit, "pair_limit", least=0.0),
        }
        found = self._placed(scene).clearance(self._way(path, way), options, time_limit(seconds))
        found["pairs"] = [PairClearance(**pair) for pair in found["pairs"]]
        return PathClearanceResult(**_arrays(found))

    def intervals(
        self, path: Path, scene: Scene = None, *, tolerance: float | None = None, seconds: float = 0.0, **way: Any
    ) -> PathIntervalsResult:
        """When the path touches anything: every interval, and those of each pair that touches."""
        found = self._placed(scene).intervals(self._way(path, way), _tolerance(tolerance), time_limit(seconds))
        found["pairs"] = [PairIntervals(**pair) for pair in found["pairs"]]
        return PathIntervalsResult(**found)

    def certify(
        self,
        path: Path,
        scene: Scene = None,
        *,
        minimum_distance: float = 0.0,
        share: float = 0.5,
        seconds: float = 0.0,
        **way: Any,
    ) -> PathCertificate:
        """The evidence that a path is free. A path that is not raises ``ValueError``, which says why."""
        text, reason = self._placed(scene).certify(
            self._way(path, way),
            number(minimum_distance, "minimum_distance", least=0.0),
            number(share, "share", least=0.0),
            time_limit(seconds),
        )
        if text is None:
            raise ValueError(f"there is no certificate: {reason}")
        return PathCertificate(text)

    def verify(
        self,
        certificate: PathCertificate,
        path: Path,
        scene: Scene = None,
        *,
        minimum_distance: float = 0.0,
        seconds: float = 0.0,
        **way: Any,
    ) -> CertificateCheck:
        """Whether a certificate of this path holds: by interval kinematics and distances, without the search."""
        found = self._model.verify(
            self._placed(scene),
            self._way(path, way),
            certificate.to_json(),
            number(minimum_distance, "minimum_distance", least=0.0),
            time_limit(seconds),
        )
        return CertificateCheck(**found)

    def edges(
        self,
        starts: ArrayLike,
        ends: ArrayLike,
        scene: Scene = None,
        *,
        any_contact: bool = True,
        minimum_distance: float = 0.0,
        tolerance: float | None = None,
        as_given: bool = False,
        threads: int = 0,
        seconds: float = 0.0,
    ) -> EdgeContacts:
        """Straight edges from row to row of two (n, dof) arrays, on all cores."""
        options = _options(any_contact, minimum_distance, tolerance, count(threads, "threads"))
        return EdgeContacts(**self._placed(scene).edges(starts, ends, not as_given, options, time_limit(seconds)))


def _two_names(names: Any) -> tuple[str, str]:
    if not (isinstance(names, tuple) and len(names) == 2 and all(isinstance(name, str) for name in names)):
        raise TypeError(f"a key of paddings must be a name or two names as a tuple, not {names!r}")
    return str(names[0]), str(names[1])


def _tolerance(tolerance: Any) -> float | None:
    return None if tolerance is None else number(tolerance, "tolerance", least=0.0)


def _rows(pose: Any, name: str) -> list[float]:
    matrix = as_pose(pose, name)
    return [float(x) for x in (*matrix[:3, :3].ravel(), *matrix[:3, 3])]


def _options(
    any_contact: bool, minimum_distance: Any, tolerance: Any, threads: int, method: str = "advancement"
) -> dict[str, Any]:
    return {
        "method": method,
        "any_contact": bool(any_contact),
        "minimum_distance": number(minimum_distance, "minimum_distance", least=0.0),
        "tolerance": _tolerance(tolerance),
        "threads": threads,
    }


def _arrays(fields: dict[str, Any]) -> dict[str, Any]:
    return {**fields, **{name: np.array(fields[name]) for name in ("point_a", "point_b", "normal")}}

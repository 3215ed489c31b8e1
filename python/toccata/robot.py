"""Robots: is a path in joint space free, when does it first touch, how close does it come?"""
from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import Any, Iterable, Literal, Sequence, Union

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


class Robot:
    """A robot from a URDF, with names as they are there.

    Paths are (n, dof) arrays, a way-point a row, straight from one to the next; the order of values is that of
    ``variables``. Continuous joints take the shorter way unless ``as_given``.
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
    ) -> None:
        if not _toccata.has_robots:
            raise ImportError("this toccata was built without robots (Debian: libtinyxml2-dev libyaml-cpp-dev)")
        folders = [package_path] if isinstance(package_path, (str, os.PathLike)) else list(package_path)
        self._model = _toccata.RobotModel(
            os.fspath(urdf),
            os.fspath(srdf) if srdf is not None else "",
            [os.fspath(folder) for folder in folders],
            {
                "allowed": [(str(a), str(b)) for a, b in allowed],
                "adjacent_allowed": bool(adjacent_allowed),
                "self_contact": bool(self_contact),
                "padding": number(padding, "padding", least=0.0),
            },
        )
        variables = self._model.variables()
        self.name: str = self._model.name
        self.variables: tuple[str, ...] = tuple(name for name, _, _ in variables)  #: one name per joint value
        #: (dof, 2): lower and upper limits; infinite where there are none
        self.limits: NDArray[np.float64] = np.array(
            [[-np.inf if low is None else low, np.inf if high is None else high] for _, low, high in variables]
        ).reshape(-1, 2)
        self.links: tuple[str, ...] = tuple(self._model.links())
        self._last: tuple[Any, Any] | None = None

    def __repr__(self) -> str:
        return f"Robot({self.name!r}, {len(self.links)} links, {len(self.variables)} variables)"

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

    def _placed(self, scene: Scene) -> Any:
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
            matrix = as_pose(pose, f"the pose of scene[{index}]")
            rows = [*matrix[:3, :3].ravel(), *matrix[:3, 3]]
            things.append((str(name), as_shape(shape, f"the shape of scene[{index}]")._core, [float(x) for x in rows]))
        return self._model.among(things)

    def check(
        self,
        path: ArrayLike,
        scene: Scene = None,
        *,
        times: Sequence[float] = (),
        velocities: ArrayLike | None = None,
        accelerations: ArrayLike | None = None,
        any_contact: bool = False,
        method: Literal["advancement", "interval"] = "advancement",
        minimum_distance: float = 0.0,
        tolerance: float | None = None,
        as_given: bool = False,
        seconds: float = 0.0,
    ) -> PathContactResult:
        """The first contact of a path with the scene and with the robot itself, or the proof that there is none.

        With ``velocities`` at the way-points the path is a cubic spline, with ``accelerations`` a quintic one. The
        method ``"interval"`` is a second opinion that takes longer.
        """
        if method not in ("advancement", "interval"):
            raise ValueError(f'method must be "advancement" or "interval", not {method!r}')
        options = _options(any_contact, minimum_distance, tolerance, 1, method)
        way = _way(path, times, velocities, accelerations, as_given)
        found = self._placed(scene).contact(way, options, time_limit(seconds))
        return PathContactResult(**_arrays(found))

    def clearance(
        self,
        path: ArrayLike,
        scene: Scene = None,
        *,
        times: Sequence[float] = (),
        velocities: ArrayLike | None = None,
        accelerations: ArrayLike | None = None,
        tolerance: float | None = None,
        bands: int = 0,
        as_given: bool = False,
        seconds: float = 0.0,
    ) -> PathClearanceResult:
        """How close the path comes to anything, proven from below; with ``bands``, in each of so many parts of it."""
        found = self._placed(scene).clearance(
            _way(path, times, velocities, accelerations, as_given),
            None if tolerance is None else number(tolerance, "tolerance", least=0.0),
            count(bands, "bands"),
            time_limit(seconds),
        )
        return PathClearanceResult(**_arrays(found))

    def certify(
        self,
        path: ArrayLike,
        scene: Scene = None,
        *,
        times: Sequence[float] = (),
        velocities: ArrayLike | None = None,
        accelerations: ArrayLike | None = None,
        minimum_distance: float = 0.0,
        share: float = 0.5,
        as_given: bool = False,
        seconds: float = 0.0,
    ) -> PathCertificate:
        """The evidence that a path is free. A path that is not raises ``ValueError``, which says why."""
        text, reason = self._placed(scene).certify(
            _way(path, times, velocities, accelerations, as_given),
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
        path: ArrayLike,
        scene: Scene = None,
        *,
        times: Sequence[float] = (),
        velocities: ArrayLike | None = None,
        accelerations: ArrayLike | None = None,
        minimum_distance: float = 0.0,
        as_given: bool = False,
        seconds: float = 0.0,
    ) -> CertificateCheck:
        """Whether a certificate of this path holds: by interval kinematics and distances, without the search."""
        found = self._model.verify(
            self._placed(scene),
            _way(path, times, velocities, accelerations, as_given),
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


def _way(path: ArrayLike, times: Sequence[float], velocities: Any, accelerations: Any, as_given: bool) -> dict[str, Any]:
    return {
        "path": path,
        "times": [float(t) for t in times],
        "velocities": velocities,
        "accelerations": accelerations,
        "shorter": not as_given,
    }


def _options(
    any_contact: bool, minimum_distance: Any, tolerance: Any, threads: int, method: str = "advancement"
) -> dict[str, Any]:
    return {
        "method": method,
        "any_contact": bool(any_contact),
        "minimum_distance": number(minimum_distance, "minimum_distance", least=0.0),
        "tolerance": None if tolerance is None else number(tolerance, "tolerance", least=0.0),
        "threads": threads,
    }


def _arrays(fields: dict[str, Any]) -> dict[str, Any]:
    return {**fields, **{name: np.array(fields[name]) for name in ("point_a", "point_b", "normal")}}

"""Motions of one rigid body over t in [0, 1], and many of them for a batch."""
from __future__ import annotations

import math
from typing import Any, Callable, Iterator, Sequence, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _toccata
from ._arguments import choice, number, stacked, vector
from ._batch import selection
from ._literals import Interpolation, QuaternionOrder
from .pose import as_pose, pose_axes


_INTERPOLATIONS = ("linear", "screw")


class Motion:
    """Base of the motions. ``motion(t)`` is the 4x4 pose at ``t`` in [0, 1]."""

    __slots__ = ("_core", "_arguments", "__weakref__")
    _core: _toccata.Motion
    _arguments: dict[str, Any]

    def _set(self, core: _toccata.Motion, **arguments: Any) -> None:
        self._core = core
        self._arguments = arguments

    def pose(self, t: float) -> NDArray[np.float64]:
        """The 4x4 pose at ``t`` in [0, 1]."""
        time = number(t, "t")
        if not 0.0 <= time <= 1.0:
            raise ValueError(f"t must be in [0, 1], not {time!r}")
        return self._core.pose(time)

    __call__ = pose

    @property
    def is_fixed(self) -> bool:
        """The body never moves."""
        return self._core.is_fixed

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={_shown(value)}" for name, value in self._arguments.items() if value is not None)
        return f"{type(self).__name__}({shown})"

    def __reduce__(self) -> tuple[Any, ...]:
        return (_restored, (type(self), self._arguments))


class RigidMotion(Motion):
    """A reference point moves straight at constant speed, and the body turns about it at a constant rate.

    Either from pose to pose along the shorter rotation (``pose_t0``, ``pose_t1``), or from a pose with
    velocities per unit of time in world coordinates (``pose_t0``, ``velocity``, ``angular_velocity``; any
    number of turns). ``reference`` is the point that moves straight, in body coordinates: the body's origin
    unless given.

    >>> import numpy as np, toccata
    >>> motion = toccata.RigidMotion(None, [2, 0, 0])
    >>> motion(0.5)[:3, 3]
    array([1., 0., 0.])
    >>> spin = toccata.RigidMotion(angular_velocity=[0, 0, 4 * np.pi])     # two turns
    >>> bool(np.allclose(spin(1.0), np.eye(4)))
    True
    """

    __slots__ = ()

    def __init__(
        self,
        pose_t0: Any = None,
        pose_t1: Any = None,
        *,
        velocity: ArrayLike | None = None,
        angular_velocity: ArrayLike | None = None,
        reference: ArrayLike = (0.0, 0.0, 0.0),
    ) -> None:
        start = as_pose(pose_t0, "pose_t0")
        about = vector(reference, "reference")
        by_velocity = velocity is not None or angular_velocity is not None
        if by_velocity and pose_t1 is not None:
            raise ValueError("give pose_t1 or velocities, not both")
        if by_velocity:
            straight = vector(velocity if velocity is not None else (0, 0, 0), "velocity")
            turning = vector(angular_velocity if angular_velocity is not None else (0, 0, 0), "angular_velocity")
            core = _toccata.rigid_motion_with_velocity(start, straight, turning, about)
            self._set(core, pose_t0=start, velocity=straight, angular_velocity=turning, reference=about)
        else:
            end = as_pose(pose_t1, "pose_t1")
            self._set(_toccata.rigid_motion(start, end, about), pose_t0=start, pose_t1=end, reference=about)

    @classmethod
    def through(
        cls,
        time: float,
        pose: Any,
        velocity: ArrayLike = (0.0, 0.0, 0.0),
        angular_velocity: ArrayLike = (0.0, 0.0, 0.0),
        reference: ArrayLike = (0.0, 0.0, 0.0),
    ) -> RigidMotion:
        """With these velocities, and at ``pose`` at ``time``: what bounces there goes on from it.

        >>> import toccata
        >>> toccata.RigidMotion.through(0.5, [1, 0, 0], [2, 0, 0])(1.0)[:3, 3]
        array([2., 0., 0.])
        """
        straight, turning, about = (
            vector(velocity, "velocity"), vector(angular_velocity, "angular_velocity"), vector(reference, "reference"))
        core = _toccata.rigid_motion_through(number(time, "time"), as_pose(pose, "pose"), straight, turning, about)
        motion = cls.__new__(cls)
        start = core.pose(0.0)
        motion._set(core, pose_t0=start, velocity=straight, angular_velocity=turning, reference=about)
        return motion


class FixedMotion(Motion):
    """The body stays at a pose."""

    __slots__ = ()

    def __init__(self, pose: Any = None) -> None:
        place = as_pose(pose)
        still = (0.0, 0.0, 0.0)
        self._set(_toccata.rigid_motion_with_velocity(place, still, still, still), pose=place)


class ScrewMotion(Motion):
    """The body turns about a fixed axis and slides along it: the same path whatever the frame.

    Either the screw between two poses (``pose_t0``, ``pose_t1``), or about a given ``axis`` (a direction)
    through ``point`` by ``angle`` radians, sliding by ``slide`` along the axis.

    >>> import toccata
    >>> bolt = toccata.ScrewMotion(axis=[0, 0, 1], angle=6.0, slide=-0.1)
    >>> bolt(1.0)[2, 3]
    -0.1
    """

    __slots__ = ()

    def __init__(
        self,
        pose_t0: Any = None,
        pose_t1: Any = None,
        *,
        axis: ArrayLike | None = None,
        point: ArrayLike = (0.0, 0.0, 0.0),
        angle: float = 0.0,
        slide: float = 0.0,
    ) -> None:
        start = as_pose(pose_t0, "pose_t0")
        if axis is None:
            end = as_pose(pose_t1, "pose_t1")
            self._set(_toccata.screw_motion(start, end), pose_t0=start, pose_t1=end)
            return
        if pose_t1 is not None:
            raise ValueError("give pose_t1 or an axis, not both")
        direction = np.asarray(vector(axis, "axis"))
        length = float(np.linalg.norm(direction))
        if length == 0.0:
            raise ValueError("axis must not be zero")
        unit = vector(direction / length, "axis")
        on_axis = vector(point, "point")
        turn, advance = number(angle, "angle"), number(slide, "slide")
        core = _toccata.screw_motion_about(start, unit, on_axis, turn, advance)
        self._set(core, pose_t0=start, axis=unit, point=on_axis, angle=turn, slide=advance)


class PiecewiseMotion(Motion):
    """From pose to pose through timed poses.

    ``times``: increasing, the first 0 and the last 1 (evenly spaced when left out). ``interpolation``:
    'linear' (as ``RigidMotion``) or 'screw'.

    >>> import toccata
    >>> path = toccata.PiecewiseMotion([[0, 0, 0], [1, 0, 0], [1, 1, 0]])
    >>> path(0.75)[:3, 3]
    array([1. , 0.5, 0. ])
    """

    __slots__ = ()

    def __init__(
        self,
        poses: Sequence[Any] | NDArray[Any],
        times: ArrayLike | None = None,
        *,
        interpolation: Interpolation = "linear",
        reference: ArrayLike = (0.0, 0.0, 0.0),
    ) -> None:
        places = [as_pose(pose, f"poses[{i}]") for i, pose in enumerate(poses)]
        if len(places) < 2:
            raise ValueError("a piecewise motion wants at least two poses")
        moments = np.linspace(0.0, 1.0, len(places)) if times is None else np.asarray(times, dtype=np.float64)
        if moments.shape != (len(places),):
            raise ValueError(f"times must be one number a pose ({len(places)}); it has shape {moments.shape}")
        if moments[0] != 0.0 or moments[-1] != 1.0 or not (np.diff(moments) > 0).all():
            raise ValueError("times must increase from 0 to 1; divide by the duration: (times - times[0]) / duration")
        by_screws = choice(interpolation, _INTERPOLATIONS, "interpolation") == 1
        about = vector(reference, "reference")
        core = _toccata.piecewise_motion(moments.tolist(), places, by_screws, about)
        self._set(core, poses=places, times=moments, interpolation=interpolation, reference=about)


class CustomMotion(Motion):
    """A motion of your own: a function from t to a pose, and bounds on how fast it moves.

    ``speed``: at least the speed of the body's origin, ``angular_speed``: at least its angular speed in
    radians, both per unit of time over [0, 1]. The bounds are trusted: too small ones can miss a contact, too
    large ones only cost time. ``pose_error``: how far (translation, rotation) the function's poses may be from
    the motion you mean; the rotation part must cover how far the matrices are from orthonormal.

    ``acceleration``, ``angular_acceleration``: bounds on the acceleration of the body's origin and on the rate of change
    of the angular velocity. Where both are given, near passes and sliding contact are a thousand times cheaper.

    >>> import math, toccata
    >>> swing = toccata.CustomMotion(lambda t: [math.sin(t), 0, 0], speed=1.0, angular_speed=0.0)
    >>> swing(0.0)[:3, 3]
    array([0., 0., 0.])
    """

    __slots__ = ()

    def __init__(
        self,
        pose: Callable[[float], Any],
        *,
        speed: float,
        angular_speed: float,
        pose_error: tuple[float, float] = (0.0, 1e-9),
        acceleration: float = math.inf,
        angular_acceleration: float = math.inf,
    ) -> None:
        if not callable(pose):
            raise TypeError("pose must be a function of t that returns a pose")
        translation_error, rotation_error = (number(error, "pose_error", least=0.0) for error in pose_error)

        def checked(t: float) -> NDArray[np.float64]:
            matrix = as_pose(pose(t), f"pose({t:.17g})")
            error = float(np.abs(matrix[:3, :3].T @ matrix[:3, :3] - np.eye(3)).max())
            if error > rotation_error:
                raise ValueError(
                    f"pose({t:.17g}): R^T R differs from the identity by {error:.3g}, more than the rotation part "
                    f"of pose_error ({rotation_error:g})"
                )
            return matrix

        fastest, spin = number(speed, "speed", least=0.0), number(angular_speed, "angular_speed", least=0.0)
        bounds = {
            name: math.inf if value == math.inf else number(value, name, least=0.0)
            for name, value in (("acceleration", acceleration), ("angular_acceleration", angular_acceleration))
        }
        if (acceleration == math.inf) != (angular_acceleration == math.inf):
            raise ValueError("give both acceleration and angular_acceleration, or neither: one alone is of no use")
        core = _toccata.custom_motion(checked, fastest, spin, translation_error, rotation_error, *bounds.values())
        errors = (translation_error, rotation_error)
        self._set(core, pose=pose, speed=fastest, angular_speed=spin, pose_error=errors, **bounds)


class RecordedMotion(Motion):
    """A motion as a report or a ``MotionList`` keeps it: the poses are those of the query, to the last bit."""

    __slots__ = ()

    def __init__(self, core: _toccata.Motion) -> None:
        self._set(core)

    def __reduce__(self) -> tuple[Any, ...]:
        raise TypeError("a motion out of a report or of a MotionList cannot be pickled; keep what it was made from")


class MotionList(Sequence[Motion]):
    """One motion per trial of a batch, ready for many queries. Parsed at once in C++, errors name the row.

    ``motions``: an array, whose first axis counts the trials:

    * (n, 2, 4, 4): from pose to pose; also as the tuple ``(start, end)`` of two arrays (n, 4, 4),
    * (n, k, 4, 4): through k poses at equal times,
    * (n, 4, 4): at rest;

    in place of 4x4 matrices rows of seven numbers, **x, y, z** and a unit quaternion **w, x, y, z** (or
    ``quaternion='xyzw'``), or translations of three; or a list with one motion per trial, each in any form that
    ``as_motion`` takes. ``interpolation`` and ``reference``: between poses, as for ``PiecewiseMotion``.

    >>> import numpy as np, toccata
    >>> start = np.stack([np.eye(4)] * 1000)
    >>> end = start.copy()
    >>> end[:, 0, 3] = np.linspace(0, 5, 1000)
    >>> motions = toccata.MotionList((start, end))
    >>> motions[-1](0.5)[:3, 3]
    array([2.5, 0. , 0. ])
    >>> motions[::2]
    MotionList(500 motions)
    """

    __slots__ = ("_core",)
    _core: _toccata.MotionList

    def __init__(
        self,
        motions: Any,
        *,
        interpolation: Interpolation = "linear",
        reference: ArrayLike = (0.0, 0.0, 0.0),
        quaternion: QuaternionOrder = "wxyz",
    ) -> None:
        self._core = motions_core(motions, "motions", interpolation, reference, quaternion)

    def __len__(self) -> int:
        return len(self._core)

    @overload
    def __getitem__(self, key: int) -> Motion: ...
    @overload
    def __getitem__(self, key: slice) -> "MotionList": ...
    def __getitem__(self, key: Any) -> Any:
        rows = selection(key, len(self), "motion")
        if isinstance(rows, int):
            return RecordedMotion(self._core.motion(rows))
        part = MotionList.__new__(MotionList)
        part._core = self._core.selected(rows.tolist())
        return part

    def __iter__(self) -> Iterator[Motion]:
        return (self[row] for row in range(len(self)))

    def __repr__(self) -> str:
        return f"MotionList({len(self)} motion{'' if len(self) == 1 else 's'})"

    def __reduce__(self) -> tuple[Any, ...]:
        raise TypeError("a MotionList cannot be pickled; keep the array it was made from")


def motions_core(
    value: Any,
    name: str,
    interpolation: str = "linear",
    reference: ArrayLike = (0.0, 0.0, 0.0),
    quaternion: str = "wxyz",
) -> _toccata.MotionList:
    """The motions of a batch in any of the forms of ``MotionList``."""
    if isinstance(value, MotionList):
        return value._core
    way = (quaternion, choice(interpolation, _INTERPOLATIONS, "interpolation") == 1, vector(reference, "reference"))
    if isinstance(value, (tuple, list)) and len(value) == 2 and all(_is_pose_array(end) for end in value):
        if isinstance(value, list):
            raise ValueError(f"{name} is a list of two arrays of poses: pass the tuple (start, end) for motions from one "
                             "to the other, or np.stack(...) for two paths")
        return _toccata.motions_between_arrays(value[0], value[1], name, *way)
    if isinstance(value, (str, bytes)) or not hasattr(value, "__iter__"):
        raise TypeError(f"{name} must be an array of motions or a list of them, not {type(value).__name__}")
    if not isinstance(value, (tuple, list, np.ndarray)) and not hasattr(value, "__array__"):
        value = list(value)
    array = None if _begins_with_motion(value) else stacked(value)
    if array is not None and (not isinstance(value, (list, tuple)) or _is_motions(array.shape)):
        return _toccata.motions_of_array(array, name, *way)
    return _toccata.MotionList([as_motion(motion, f"{name}[{i}]")._core for i, motion in enumerate(value)])


def _begins_with_motion(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and len(value) > 0 and isinstance(value[0], Motion)


def _is_pose_array(value: Any) -> bool:
    """(n, 4, 4), (n, 7) or (n, 3)."""
    return isinstance(value, np.ndarray) and value.ndim in (2, 3) and pose_axes(value.shape) == 1


def _is_motions(shape: tuple[int, ...]) -> bool:
    """A list of numbers that is motions: three translations of a path cannot be told from a rotation."""
    return pose_axes(shape) in (1, 2) and not (len(shape) == 3 and shape[1:] == (3, 3))


def as_motion(value: Any, name: str = "motion") -> Motion:
    """A ``Motion`` as it is; a pair of poses as the ``RigidMotion`` between them; a pose as a body at rest.

    An array (2, 4, 4) or (2, 7) is such a pair, (k, 4, 4) or (k, 7) a path through k poses at equal times.

    >>> import numpy as np, toccata
    >>> toccata.as_motion(([0, 0, 0], [1, 0, 0]))(0.5)[:3, 3]      # from pose to pose
    array([0.5, 0. , 0. ])
    >>> toccata.as_motion(np.stack([np.eye(4)] * 5))
    PiecewiseMotion(poses=<5 poses>, times=<5 numbers>, interpolation='linear', reference=(0.0, 0.0, 0.0))
    >>> toccata.as_motion([1, 2, 3]).is_fixed
    True
    """
    if isinstance(value, Motion):
        return value
    if isinstance(value, (tuple, list)) and len(value) == 2 and not _is_rotation(value[0]):
        return RigidMotion(as_pose(_tupled(value[0]), f"{name}[0]"), as_pose(_tupled(value[1]), f"{name}[1]"))
    if not isinstance(value, tuple):
        shape = np.shape(value) if hasattr(value, "__array__") else _shape(value)
        if pose_axes(shape) == 1 and shape != (3, 3):
            return _along([as_pose(pose, f"{name}[{i}]") for i, pose in enumerate(value)], name)
    return FixedMotion(as_pose(_tupled(value), name))


def _along(poses: list[NDArray[np.float64]], name: str) -> Motion:
    if len(poses) < 2:
        raise ValueError(f"{name} has {len(poses)} pose{'' if len(poses) == 1 else 's'}: a path wants at least two")
    return RigidMotion(*poses) if len(poses) == 2 else PiecewiseMotion(poses)


def _shape(value: Any) -> tuple[int, ...]:
    array = stacked(value)
    return () if array is None else array.shape


def _is_rotation(value: Any) -> bool:
    """(R, t) and (q, t) begin with a rotation, a pair of poses does not."""
    try:
        return np.shape(value) in ((3, 3), (4,))
    except ValueError:  # ragged: an (R, t) itself
        return False


def _tupled(value: Any) -> Any:
    """Lists of a rotation and a translation count as pairs."""
    if isinstance(value, list) and len(value) == 2 and _is_rotation(value[0]):
        return tuple(value)
    return value


def _shown(value: Any) -> str:
    if isinstance(value, np.ndarray) and value.shape == (4, 4):
        if np.array_equal(value[:3, :3], np.eye(3)):
            return "[" + ", ".join(f"{x:g}" for x in value[:3, 3]) + "]"
        return "<pose>"
    if isinstance(value, np.ndarray):
        return f"<{len(value)} numbers>"
    if isinstance(value, list):
        return f"<{len(value)} poses>"
    return repr(value)


def _restored(kind: type[Motion], arguments: dict[str, Any]) -> Motion:
    return kind(**arguments)

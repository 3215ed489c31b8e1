"""Motions of one rigid body over t in [0, 1]."""
from __future__ import annotations

import math
from typing import Any, Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _toccata
from ._arguments import choice, number, vector
from .pose import as_pose


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
        poses: Sequence[Any],
        times: ArrayLike | None = None,
        *,
        interpolation: str = "linear",
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
        by_screws = choice(interpolation, ("linear", "screw"), "interpolation") == 1
        about = vector(reference, "reference")
        core = _toccata.piecewise_motion(moments.tolist(), places, by_screws, about)
        self._set(core, poses=places, times=moments, interpolation=interpolation, reference=about)


class CustomMotion(Motion):
    """A motion of your own: a function from t to a pose, and bounds on how fast it moves.

    ``speed``: at least the speed of the body's origin, ``angular_speed``: at least its angular speed in
    radians, both per unit of time over [0, 1]. The bounds are trusted: too small ones can miss a contact, too
    large ones only cost time. ``pose_error``: how far (translation, rotation) the function's poses may be from
    the motion you mean; the rotation part must cover how far the matrices are from orthonormal.

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
        core = _toccata.custom_motion(checked, fastest, spin, translation_error, rotation_error)
        self._set(core, pose=pose, speed=fastest, angular_speed=spin, pose_error=(translation_error, rotation_error))


class RecordedMotion(Motion):
    """A motion as a report keeps it: the poses are those of the query, to the last bit. See ``Report.bodies``."""

    __slots__ = ()

    def __init__(self, core: _toccata.Motion) -> None:
        self._set(core)

    def __reduce__(self) -> tuple[Any, ...]:
        raise TypeError("a motion read from a report cannot be pickled; keep the report")


def as_motion(value: Any, name: str = "motion") -> Motion:
    """A ``Motion`` as it is; a pair of poses as the ``RigidMotion`` between them; a pose as a body at rest.

    >>> import toccata
    >>> toccata.as_motion(([0, 0, 0], [1, 0, 0]))(0.5)[:3, 3]      # from pose to pose
    array([0.5, 0. , 0. ])
    >>> toccata.as_motion([1, 2, 3]).is_fixed
    True
    """
    if isinstance(value, Motion):
        return value
    if isinstance(value, (tuple, list)) and len(value) == 2 and not _is_rotation(value[0]):
        return RigidMotion(as_pose(_tupled(value[0]), f"{name}[0]"), as_pose(_tupled(value[1]), f"{name}[1]"))
    return FixedMotion(as_pose(_tupled(value), name))


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

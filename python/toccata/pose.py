"""Poses: where a rigid body is. x_world = R x + t.

A pose is given as any of

* a 4x4 matrix ``[[R, t], [0, 1]]``,
* a pair ``(R, t)`` of a 3x3 rotation matrix and three numbers,
* a pair ``(q, t)`` of a unit quaternion in the order **w, x, y, z** and three numbers,
* seven numbers: the translation **x, y, z**, then a unit quaternion **w, x, y, z** (``quaternion='xyzw'``, as in
  ROS: x, y, z, w),
* three numbers: a translation,
* ``None``: the identity.

Many poses are an array with one pose per row: (n, 4, 4), (n, 7) or (n, 3); or a list of any of the above.
"""
from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _toccata
from ._arguments import stacked, vector
from ._literals import QuaternionOrder

#: How far a rotation matrix may be from orthonormal, and a quaternion from unit length. What is left is
#: removed by taking the nearest rotation.
ROTATION_TOLERANCE: float = _toccata.rotation_tolerance


def as_pose(value: Any, name: str = "pose", *, quaternion: QuaternionOrder = "wxyz") -> NDArray[np.float64]:
    """The 4x4 matrix of a pose given in any of the forms above.

    >>> from toccata import as_pose
    >>> as_pose(([1, 0, 0, 0], [1, 2, 3]))          # quaternion w, x, y, z and translation
    array([[1., 0., 0., 1.],
           [0., 1., 0., 2.],
           [0., 0., 1., 3.],
           [0., 0., 0., 1.]])
    >>> as_pose([[2, 0, 0, 0], [0, 2, 0, 0], [0, 0, 2, 0], [0, 0, 0, 1]])
    Traceback (most recent call last):
        ...
    ValueError: pose is not rigid: R^T R differs from the identity by 3; scale the mesh's vertices instead
    """
    if value is None:
        return np.eye(4)
    if isinstance(value, tuple) and len(value) == 2:
        return _toccata.pose_of_parts(value[0], value[1], name)
    return _toccata.pose_of(value, name, quaternion)


def as_poses(value: Any, name: str = "poses", *, quaternion: QuaternionOrder = "wxyz") -> NDArray[np.float64]:
    """(n, 4, 4): the matrices of many poses, given as an array or as a list of poses in any form.

    >>> import numpy as np, toccata
    >>> toccata.as_poses(np.zeros((5, 3))).shape               # five translations
    (5, 4, 4)
    >>> toccata.as_poses([[1, 2, 3, 0, 0, 0, 1]], quaternion="xyzw")[0, :3, 3]
    array([1., 2., 3.])
    >>> bad = np.stack([np.eye(4)] * 20)
    >>> bad[17, 0, 0] = np.nan
    >>> toccata.as_poses(bad)
    Traceback (most recent call last):
        ...
    ValueError: poses[17] holds NaN or infinity
    """
    array = stacked(value)
    # A list of nothing but None is an array of NaN to numpy: only what has the shape of poses is one here.
    if array is not None and (not isinstance(value, (list, tuple)) or pose_axes(array.shape) == 1):
        return _toccata.pose_matrices(array, name, quaternion)
    matrices = [as_pose(pose, f"{name}[{i}]", quaternion=quaternion) for i, pose in enumerate(value)]
    return np.stack(matrices) if matrices else np.zeros((0, 4, 4))


def pose_axes(shape: tuple[int, ...]) -> int:
    """How many axes of an array come before the pose; -1 if its last axes are none."""
    if shape[-2:] == (4, 4):
        return len(shape) - 2
    return len(shape) - 1 if shape and shape[-1] in (3, 7) else -1


def rotation_about(axis: ArrayLike, angle: float) -> NDArray[np.float64]:
    """The 3x3 matrix that turns by ``angle`` radians about ``axis`` (of any length).

    >>> import numpy as np, toccata
    >>> toccata.rotation_about([0, 0, 1], np.pi / 2).round(12) @ [1, 0, 0]
    array([0., 1., 0.])
    """
    direction = np.asarray(vector(axis, "axis"))
    length = float(np.linalg.norm(direction))
    if length == 0.0:
        raise ValueError("axis must not be zero")
    x, y, z = direction / length
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    turn: NDArray[np.float64] = np.eye(3) + np.sin(angle) * cross + (1.0 - np.cos(angle)) * (cross @ cross)
    return turn

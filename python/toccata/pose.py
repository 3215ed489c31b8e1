"""Poses: where a rigid body is. x_world = R x + t.

A pose is given as any of

* a 4x4 matrix ``[[R, t], [0, 1]]``,
* a pair ``(R, t)`` of a 3x3 rotation matrix and three numbers,
* a pair ``(q, t)`` of a unit quaternion in the order **w, x, y, z** and three numbers,
* three numbers: a translation,
* ``None``: the identity.
"""
from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._arguments import vector

#: How far a rotation matrix may be from orthonormal, and a quaternion from unit length. What is left is
#: removed by taking the nearest rotation.
ROTATION_TOLERANCE = 1e-6


def as_pose(value: Any, name: str = "pose") -> NDArray[np.float64]:
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
        return _from_parts(value[0], value[1], name)
    matrix = _numbers(value, name)
    if matrix.shape == (3,):
        return _from_parts(np.eye(3), matrix, name)
    if matrix.shape != (4, 4):
        raise ValueError(
            f"{name} must be a 4x4 matrix, a pair (R, t), a pair (quaternion wxyz, t) or a translation; "
            f"it has shape {matrix.shape}"
        )
    if not np.array_equal(matrix[3], [0.0, 0.0, 0.0, 1.0]):
        raise ValueError(f"{name} must have the last row 0 0 0 1 (is it transposed?); it is {matrix[3].tolist()}")
    _check_rotation(matrix[:3, :3], name)
    return matrix


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
    return np.eye(3) + np.sin(angle) * cross + (1.0 - np.cos(angle)) * (cross @ cross)


def _numbers(value: Any, name: str) -> NDArray[np.float64]:
    try:
        array = np.array(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise TypeError(f"{name} must be numbers: a 4x4 matrix, (R, t) or (quaternion wxyz, t)") from None
    if not np.isfinite(array).all():
        raise ValueError(f"{name} holds NaN or infinity")
    return array


def _from_parts(rotation: Any, translation: Any, name: str) -> NDArray[np.float64]:
    turn = _numbers(rotation, f"{name}: rotation")
    if turn.shape == (4,):
        turn = _from_quaternion(turn, name)
    elif turn.shape == (3, 3):
        _check_rotation(turn, name)
    else:
        raise ValueError(
            f"{name}: the rotation must be a 3x3 matrix or a quaternion w, x, y, z; it has shape {turn.shape}"
        )
    matrix = np.eye(4)
    matrix[:3, :3] = turn
    matrix[:3, 3] = vector(translation, f"{name}: translation")
    return matrix


def _from_quaternion(quaternion: NDArray[np.float64], name: str) -> NDArray[np.float64]:
    length = float(np.linalg.norm(quaternion))
    if abs(length - 1.0) > ROTATION_TOLERANCE:
        raise ValueError(f"{name}: the quaternion has length {length:g}; divide it by its length (order w, x, y, z)")
    w, x, y, z = quaternion / length
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def _check_rotation(rotation: NDArray[np.float64], name: str) -> None:
    error = float(np.abs(rotation.T @ rotation - np.eye(3)).max())
    if error > ROTATION_TOLERANCE:
        raise ValueError(
            f"{name} is not rigid: R^T R differs from the identity by {error:.3g}; "
            "scale the mesh's vertices instead"
        )
    if np.linalg.det(rotation) < 0:
        raise ValueError(f"{name} mirrors (its determinant is -1): mirror the mesh's vertices instead")

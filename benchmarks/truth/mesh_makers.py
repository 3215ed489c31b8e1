"""Meshes of the benchmark, from formulas: the same everywhere."""
from __future__ import annotations

import numpy as np

Mesh = tuple[np.ndarray, np.ndarray]


def box(x: float, y: float, z: float) -> Mesh:
    corners = np.array([[i & 1, i >> 1 & 1, i >> 2 & 1] for i in range(8)], dtype=float) - 0.5
    faces = [[0, 2, 3], [0, 3, 1], [4, 5, 7], [4, 7, 6], [0, 1, 5], [0, 5, 4], [2, 6, 7], [2, 7, 3], [0, 4, 6], [0, 6, 2],
             [1, 3, 7], [1, 7, 5]]
    return corners * [x, y, z], np.array(faces)


def sheet(size: float, cells: int) -> Mesh:
    line = np.linspace(-size / 2, size / 2, cells + 1)
    x, y = np.meshgrid(line, line)
    vertices = np.stack([x.ravel(), y.ravel(), np.zeros(x.size)], axis=1)
    at = np.arange((cells + 1) ** 2).reshape(cells + 1, cells + 1)
    a, b, c, d = at[:-1, :-1].ravel(), at[:-1, 1:].ravel(), at[1:, 1:].ravel(), at[1:, :-1].ravel()
    return vertices, np.concatenate([np.stack([a, b, c], axis=1), np.stack([a, c, d], axis=1)])


def sphere(radius: float, rings: int) -> Mesh:
    vertices, faces = [[0.0, 0.0, radius]], []
    sides = 2 * rings
    for i in range(1, rings):
        angle = np.pi * i / rings
        for k in range(sides):
            turn = 2 * np.pi * k / sides
            vertices.append([radius * np.sin(angle) * np.cos(turn), radius * np.sin(angle) * np.sin(turn), radius * np.cos(angle)])
    vertices.append([0.0, 0.0, -radius])
    last = len(vertices) - 1
    for k in range(sides):
        n = (k + 1) % sides
        faces.append([0, 1 + k, 1 + n])
        faces.append([last, last - sides + n, last - sides + k])
        for i in range(rings - 2):
            a, b = 1 + i * sides + k, 1 + i * sides + n
            faces += [[a, a + sides, b + sides], [a, b + sides, b]]
    return np.array(vertices), np.array(faces)


def knot(along: int, around: int, tube: float = 0.14) -> Mesh:
    """A (2, 3) torus knot as a closed tube."""
    s = np.linspace(0, 2 * np.pi, along, endpoint=False)

    def curve(t: np.ndarray) -> np.ndarray:
        r = 1 + 0.4 * np.cos(3 * t)
        return np.stack([r * np.cos(2 * t), r * np.sin(2 * t), 0.4 * np.sin(3 * t)], axis=1)

    centre = curve(s)
    tangent = curve(s + 1e-4) - curve(s - 1e-4)
    tangent /= np.linalg.norm(tangent, axis=1)[:, None]
    side = np.cross(tangent, centre)
    side /= np.linalg.norm(side, axis=1)[:, None]
    up = np.cross(tangent, side)
    turn = np.linspace(0, 2 * np.pi, around, endpoint=False)
    vertices = centre[:, None] + tube * (np.cos(turn)[:, None] * side[:, None] + np.sin(turn)[:, None] * up[:, None])
    at = np.arange(along * around).reshape(along, around)
    a, b = at, np.roll(at, -1, axis=1)
    c, d = np.roll(b, -1, axis=0), np.roll(a, -1, axis=0)
    faces = np.concatenate([np.stack([a, b, c], axis=2).reshape(-1, 3), np.stack([a, c, d], axis=2).reshape(-1, 3)])
    return vertices.reshape(-1, 3), faces


def cloud(rng: np.random.Generator, points: int) -> np.ndarray:
    p = rng.normal(size=(points, 3))
    return p / np.linalg.norm(p, axis=1)[:, None] * rng.uniform(0.6, 1.0, size=(points, 1))

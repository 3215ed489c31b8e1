"""A few meshes to try things with."""
from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ._arguments import number, vector
from .mesh import Mesh


def box(size: ArrayLike = (1.0, 1.0, 1.0)) -> Mesh:
    """A box around the origin with edges of the given lengths: 8 vertices, 12 faces, outside out.

    >>> import toccata
    >>> toccata.box([2, 1, 1]).bounds[1]
    array([1. , 0.5, 0.5])
    """
    half = np.asarray(vector(size, "size")) / 2
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * half
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    faces = [triangle for a, b, c, d in quads for triangle in ((a, b, c), (a, c, d))]
    return Mesh(corners, np.array(faces, np.int32))


def sphere(radius: float = 1.0, subdivisions: int = 3) -> Mesh:
    """An icosahedron, subdivided: 20 * 4**subdivisions faces, vertices on the sphere.

    >>> import toccata
    >>> toccata.sphere(subdivisions=2)
    Mesh(162 vertices, 320 faces)
    """
    golden = (1 + 5**0.5) / 2
    corners = [(-1, golden, 0), (1, golden, 0), (-1, -golden, 0), (1, -golden, 0), (0, -1, golden), (0, 1, golden),
               (0, -1, -golden), (0, 1, -golden), (golden, 0, -1), (golden, 0, 1), (-golden, 0, -1), (-golden, 0, 1)]
    vertices = np.array(corners) / np.linalg.norm(corners[0])
    faces = np.array([(0, 11, 5), (0, 5, 1), (0, 1, 7), (0, 7, 10), (0, 10, 11), (1, 5, 9), (5, 11, 4), (11, 10, 2),
                      (10, 7, 6), (7, 1, 8), (3, 9, 4), (3, 4, 2), (3, 2, 6), (3, 6, 8), (3, 8, 9), (4, 9, 5),
                      (2, 4, 11), (6, 2, 10), (8, 6, 7), (9, 8, 1)])
    for _ in range(subdivisions):
        sides = np.sort(np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]]), axis=1)
        edges, where = np.unique(sides, axis=0, return_inverse=True)
        middles = vertices[edges].mean(axis=1)
        ab, bc, ca = (where.reshape(3, -1) + len(vertices))
        a, b, c = faces.T
        faces = np.concatenate([np.stack(t, axis=1) for t in ((a, ab, ca), (b, bc, ab), (c, ca, bc), (ab, bc, ca))])
        vertices = np.concatenate([vertices, middles / np.linalg.norm(middles, axis=1, keepdims=True)])
    return Mesh(number(radius, "radius", least=0.0) * vertices, faces)


def sheet(columns: int = 10, rows: int = 10, size: ArrayLike = (1.0, 1.0)) -> Mesh:
    """A flat rectangle around the origin in the plane z = 0: 2 * columns * rows faces, facing up.

    >>> import toccata
    >>> toccata.sheet(2, 2)
    Mesh(9 vertices, 8 faces)
    """
    width, depth = np.asarray(size, dtype=np.float64)
    x, y = np.meshgrid(np.linspace(-width / 2, width / 2, columns + 1), np.linspace(-depth / 2, depth / 2, rows + 1))
    vertices = np.stack([x.ravel(), y.ravel(), np.zeros(x.size)], axis=1)
    corner = (np.arange(rows)[:, None] * (columns + 1) + np.arange(columns)).ravel()
    lower = np.stack([corner, corner + 1, corner + columns + 2], axis=1)
    upper = np.stack([corner, corner + columns + 2, corner + columns + 1], axis=1)
    return Mesh(vertices, np.concatenate([lower, upper]))

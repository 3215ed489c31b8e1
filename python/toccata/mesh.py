"""Triangle meshes, and their files."""
from __future__ import annotations

import os
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _toccata
from .shape import Shape


class Mesh(Shape):
    """A triangle mesh, prepared once for many queries.

    ``vertices``: (n, 3) float64, ``faces``: (m, 3) integers, counter-clockwise seen from outside. Instead of
    both, anything that has ``vertices`` and ``faces`` (such as a ``trimesh.Trimesh``). No assumption is made
    about the mesh: open, non-manifold and degenerate ones are all right.

    The arrays are copied in; ``mesh.vertices`` and ``mesh.faces`` are read-only views without a copy.

    >>> import numpy as np, toccata
    >>> triangle = toccata.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    >>> triangle
    Mesh(3 vertices, 1 face)
    >>> triangle.bounds
    array([[0., 0., 0.],
           [1., 1., 0.]])
    >>> toccata.Mesh([[0, 0, 0], [1, 0, 0]], [[0, 1, 2]])
    Traceback (most recent call last):
        ...
    IndexError: faces[0] names vertex 2, but there are 2 vertices: indices run from 0 to 1 (do they start at 1?)
    """

    __slots__ = ()
    _core: _toccata.Mesh

    def __init__(self, vertices: Any, faces: ArrayLike | None = None) -> None:
        if faces is None:
            if not (hasattr(vertices, "vertices") and hasattr(vertices, "faces")):
                raise TypeError("Mesh wants vertices and faces, or one object that has both")
            vertices, faces = vertices.vertices, vertices.faces
        self._core = _toccata.Mesh(vertices, faces)

    @property
    def vertices(self) -> NDArray[np.float64]:
        """(n, 3), read-only."""
        return self._core.vertices

    @property
    def faces(self) -> NDArray[np.int32]:
        """(m, 3), read-only."""
        return self._core.faces

    @property
    def bounds(self) -> NDArray[np.float64]:
        """(2, 3): the corners of the bounding box of all vertices."""
        if len(self.vertices) == 0:
            return np.zeros((2, 3))
        return np.stack([self.vertices.min(axis=0), self.vertices.max(axis=0)])

    def prepare(self) -> "Mesh":
        """Builds now what the first query would build. Returns the mesh itself."""
        self._core.prepare()
        return self

    def __repr__(self) -> str:
        vertices, faces = len(self.vertices), len(self.faces)
        return f"Mesh({vertices} {'vertex' if vertices == 1 else 'vertices'}, {faces} face{'' if faces == 1 else 's'})"

    @classmethod
    def _of(cls, core: _toccata.Mesh) -> "Mesh":
        mesh = cls.__new__(cls)
        mesh._core = core
        return mesh


def as_mesh(value: Any, name: str = "mesh", wanted: str = "a toccata.Mesh") -> Mesh:
    """A ``Mesh`` as it is; a pair ``(vertices, faces)``, or anything that has both, as a new one."""
    if isinstance(value, Mesh):
        return value
    if isinstance(value, tuple) and len(value) == 2:
        return Mesh(value[0], value[1])
    if hasattr(value, "vertices") and hasattr(value, "faces") and not isinstance(value, Shape):
        return Mesh(value)
    if isinstance(value, (str, os.PathLike)):
        raise TypeError(f"{name} is a path; load it first: toccata.load({os.fspath(value)!r})")
    if isinstance(value, Shape):
        raise TypeError(f"{name} must be a mesh, and a {type(value).__name__} is none: its display_mesh() is close to it")
    raise TypeError(f"{name} must be {wanted}, a pair (vertices, faces), or have both; not {type(value).__name__}")


def load(path: str | os.PathLike[str], *, weld_stl: bool = True) -> Mesh:
    """Reads a mesh file: OBJ, STL, PLY or OFF, text or binary, by its extension.

    Polygons are triangulated. ``weld_stl``: equal vertices of an STL file, which repeats them in every
    triangle, become one.

    >>> import toccata
    >>> toccata.load("missing.stl")
    Traceback (most recent call last):
        ...
    FileNotFoundError: missing.stl: no such file
    """
    name = os.fspath(path)
    if not os.path.exists(name):
        raise FileNotFoundError(f"{name}: no such file")
    return Mesh._of(_toccata.load(name, weld_stl))


def save(path: str | os.PathLike[str], mesh: Any, *, force: bool = False, ascii: bool = False) -> int:
    """Writes a mesh file, its format by the extension; returns its size in bytes.

    An existing file is an error unless ``force``. Coordinates survive exactly, except in binary STL, which is
    single precision; ``ascii`` writes STL and PLY as text.

    >>> import os, tempfile, toccata
    >>> path = os.path.join(tempfile.mkdtemp(), "triangle.off")
    >>> size = toccata.save(path, ([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]))
    >>> toccata.load(path)
    Mesh(3 vertices, 1 face)
    """
    name = os.fspath(path)
    if os.path.exists(name) and not force:
        raise FileExistsError(f"{name} exists; pass force=True to replace it")
    return _toccata.save(name, as_mesh(mesh)._core, force, ascii)

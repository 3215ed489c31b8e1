"""Prepared shapes in files and in other processes: read, with the tree that queries use, instead of built again."""
from __future__ import annotations

import os
from typing import Any

import numpy as np

from . import _toccata
from .geometry import (
    Ball,
    Box,
    Capsule,
    Compound,
    Cone,
    ConvexHull,
    Cylinder,
    Ellipsoid,
    HalfSpace,
    HeightField,
    Solid,
)
from .medial import MedialMesh
from .mesh import Mesh
from .shape import Shape

_KINDS: dict[str, type[Solid]] = {
    "ball": Ball,
    "box": Box,
    "capsule": Capsule,
    "compound": Compound,
    "cone": Cone,
    "cylinder": Cylinder,
    "ellipsoid": Ellipsoid,
    "half space": HalfSpace,
    "height field": HeightField,
    "hull": ConvexHull,
}


def load_shape(path: str | os.PathLike[str]) -> Shape:
    """A shape that ``Shape.save`` wrote, of any kind, ready for questions.

    A file that was cut off, altered or written by another version is an error that says so. Take such files only from
    people you trust: a forged one does no harm to the process, but may hide a contact.

    >>> import os, tempfile, toccata
    >>> path = os.path.join(tempfile.mkdtemp(), "ball.shape")
    >>> size = toccata.Ball(0.5).save(path)
    >>> toccata.load_shape(path)
    Ball(radius=0.5)
    """
    name = os.fspath(path)
    if not os.path.exists(name):
        raise FileNotFoundError(f"{name}: no such file")
    return shape_of_core(_toccata.load_shape(name))


def shape_of_core(core: Any) -> Shape:
    if isinstance(core, _toccata.Mesh):
        return Mesh._of(core)
    kind, arguments = _toccata.kind_and_arguments(core)
    if kind == "medial mesh":
        return MedialMesh._of(core)
    arguments = {name: tuple(value) if isinstance(value, list) else value for name, value in arguments.items()}
    if kind == "compound":
        arguments["parts"] = [(shape_of_core(part), np.array(pose)) for part, pose in arguments["parts"]]
    shape: Solid = _KINDS[kind].__new__(_KINDS[kind])
    shape._hold(core, **arguments)
    return shape


def restored(content: Any) -> Shape:
    """From what pickle kept."""
    return shape_of_core(_toccata.shape_of_bytes(content, "a pickled shape"))

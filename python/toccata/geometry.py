"""The kinds of shapes that are no meshes: full inside, exact, in body coordinates.

Centred at the origin, their axis along z; sizes are not negative. There are no margins: a radius is part of the shape.
"""
from __future__ import annotations

from typing import Any, Iterable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _toccata
from ._arguments import number, vector
from .mesh import Mesh, as_mesh
from .pose import as_pose
from .shape import Shape


class Solid(Shape):
    """Base of the kinds that are no meshes. They never change."""

    __slots__ = ("_given",)
    _core: _toccata.SolidShape
    _given: dict[str, Any]  #: the arguments that make it again

    def display_mesh(self) -> Mesh:
        """Triangles for the eye: corners and flat sides as they are, round ones within a hundredth of the size.

        >>> import toccata
        >>> toccata.Box([1, 2, 3]).display_mesh().bounds[1]
        array([0.5, 1. , 1.5])
        """
        return Mesh._of(self._core.display_mesh())

    def _hold(self, core: _toccata.SolidShape, **given: Any) -> None:
        self._core, self._given = core, given

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={_short(value)}' for name, value in self._given.items())})"


class Ball(Solid):
    """A ball around the origin; of radius 0 it is a point.

    >>> import toccata
    >>> toccata.distance(toccata.Ball(0.5), [3, 0, 0], toccata.Ball(1))
    DistanceResult(1.5)
    """

    __slots__ = ()

    def __init__(self, radius: float) -> None:
        r = number(radius, "radius", least=0.0)
        self._hold(_toccata.ball(r), radius=r)

    @property
    def radius(self) -> float:
        return float(self._given["radius"])


class _Round(Solid):
    """A radius and a height along z."""

    __slots__ = ()

    @property
    def radius(self) -> float:
        return float(self._given["radius"])

    @property
    def height(self) -> float:
        return float(self._given["height"])


class Capsule(_Round):
    """Every point within ``radius`` of a segment of length ``height`` on the z axis.

    >>> import toccata
    >>> toccata.Capsule(0.2, 1).display_mesh().bounds[1, 2].round(12)
    0.7
    """

    __slots__ = ()

    def __init__(self, radius: float, height: float) -> None:
        r, h = number(radius, "radius", least=0.0), number(height, "height", least=0.0)
        self._hold(_toccata.capsule(r, h), radius=r, height=h)


class Cylinder(_Round):
    """About the z axis, from -height / 2 to height / 2.

    >>> import toccata
    >>> toccata.Cylinder(radius=1, height=2)
    Cylinder(radius=1, height=2)
    """

    __slots__ = ()

    def __init__(self, radius: float, height: float) -> None:
        r, h = number(radius, "radius", least=0.0), number(height, "height", least=0.0)
        self._hold(_toccata.cylinder(r, h), radius=r, height=h)


class Cone(_Round):
    """The base, a disc, is at z = -height / 2, the tip at z = height / 2.

    >>> import toccata
    >>> toccata.ray_cast(toccata.Cone(1, 2), [0, 0, 5], [0, 0, -1]).point[2].round(6)
    1.0
    """

    __slots__ = ()

    def __init__(self, radius: float, height: float) -> None:
        r, h = number(radius, "radius", least=0.0), number(height, "height", least=0.0)
        self._hold(_toccata.cone(r, h), radius=r, height=h)


class Box(Solid):
    """Sides of these lengths about the origin; rounded if ``radius`` > 0: every point within it of the box.

    Not to be taken for ``toccata.box``, which makes a mesh.

    >>> import toccata
    >>> toccata.Box([1, 2, 3])
    Box(size=[1, 2, 3], radius=0)
    """

    __slots__ = ()

    def __init__(self, size: ArrayLike, radius: float = 0.0) -> None:
        sides, r = _lengths(size, "size"), number(radius, "radius", least=0.0)
        self._hold(_toccata.box(sides, r), size=sides, radius=r)

    @property
    def sides(self) -> NDArray[np.float64]:
        """(3,): the lengths given as ``size`` (``box.size`` is that of every shape: the radius of a ball around it)."""
        return np.array(self._given["size"])

    @property
    def radius(self) -> float:
        return float(self._given["radius"])


class Ellipsoid(Solid):
    """Half axes of these lengths along x, y and z.

    >>> import toccata
    >>> toccata.Ellipsoid([1, 2, 3]).radii
    array([1., 2., 3.])
    """

    __slots__ = ()

    def __init__(self, radii: ArrayLike) -> None:
        lengths = _lengths(radii, "radii")
        self._hold(_toccata.ellipsoid(lengths), radii=lengths)

    @property
    def radii(self) -> NDArray[np.float64]:
        """(3,)"""
        return np.array(self._given["radii"])


class ConvexHull(Solid):
    """The hull of any points (n, 3), with exact signs, and every point within ``radius`` of it.

    The points may span space, a plane, a line or nothing; duplicates and points inside are left out.

    >>> import toccata
    >>> hull = toccata.ConvexHull([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [0.1, 0.1, 0.1]])
    >>> hull
    ConvexHull(4 vertices, 4 faces, radius=0)
    >>> hull.sources
    array([0, 1, 2, 3], dtype=int32)
    """

    __slots__ = ()

    def __init__(self, points: ArrayLike, radius: float = 0.0) -> None:
        r = number(radius, "radius", least=0.0)
        self._hold(_toccata.convex_hull(points, r), radius=r)

    @property
    def vertices(self) -> NDArray[np.float64]:
        """(k, 3), read-only: the true corners, untouched, in the order of their sources."""
        return self._core.hull_vertices()

    @property
    def faces(self) -> NDArray[np.int32]:
        """(m, 3), read-only: outward triangles; none for points on a line."""
        return self._core.hull_faces()

    @property
    def sources(self) -> NDArray[np.int32]:
        """(k,), read-only: of each vertex its index in the points given."""
        return self._core.hull_sources()

    @property
    def radius(self) -> float:
        return float(self._given["radius"])

    def __repr__(self) -> str:
        corners, sides = len(self.vertices), len(self.faces)
        counted = f"{corners} {'vertex' if corners == 1 else 'vertices'}, {sides} faces"
        return f"ConvexHull({counted}, radius={_short(self.radius)})"


class HalfSpace(Solid):
    """The points x with ``normal`` . x <= ``offset``; the normal points out and may have any length but zero.

    >>> import toccata
    >>> toccata.distance(toccata.Ball(1), [0, 0, 3], toccata.HalfSpace([0, 0, 1]))
    DistanceResult(2)
    """

    __slots__ = ()

    def __init__(self, normal: ArrayLike = (0.0, 0.0, 1.0), offset: float = 0.0) -> None:
        out, level = vector(normal, "normal"), number(offset, "offset")
        if not any(out):
            raise ValueError("normal must not be zero: it says which way is out")
        self._hold(_toccata.half_space(out, level), normal=out, offset=level)

    @property
    def normal(self) -> NDArray[np.float64]:
        """(3,), as given"""
        return np.array(self._given["normal"])

    @property
    def offset(self) -> float:
        return float(self._given["offset"])


class HeightField(Solid):
    """A landscape, solid below: ``heights[row, column]`` at x = column * spacing[0], y = row * spacing[1].

    NaN makes a hole. ``floor``: how far down the solid reaches; without one, the longer side of the field below its
    lowest height.

    >>> import numpy as np, toccata
    >>> field = toccata.HeightField(np.zeros((3, 5)), spacing=(0.5, 1))
    >>> field
    HeightField(3 rows, 5 columns, spacing=[0.5, 1], floor=-2)
    >>> toccata.distance(toccata.Ball(1), [1, 1, 4], field)
    DistanceResult(3)
    """

    __slots__ = ()

    def __init__(self, heights: ArrayLike, spacing: ArrayLike = (1.0, 1.0), floor: float | None = None) -> None:
        steps = np.asarray(spacing, dtype=np.float64)
        if steps.shape != (2,):
            raise ValueError(f"spacing must be two numbers, along x and y; it has shape {steps.shape}")
        pair = (float(steps[0]), float(steps[1]))
        if not (np.isfinite(steps).all() and (steps > 0.0).all()):
            raise ValueError(f"spacing must be two finite numbers above 0, not {spacing!r}")
        lowest = None if floor is None else number(floor, "floor")
        self._hold(_toccata.height_field(heights, pair, lowest), spacing=pair, floor=lowest)

    @property
    def heights(self) -> NDArray[np.float64]:
        """(rows, columns), read-only"""
        return self._core.heights()

    @property
    def spacing(self) -> NDArray[np.float64]:
        """(2,): along x and y"""
        return np.array(self._given["spacing"])

    @property
    def floor(self) -> float:
        """The one given, or the one that stands for none."""
        return self._core.floor()

    def __repr__(self) -> str:
        rows, columns = self.heights.shape
        return (f"HeightField({rows} rows, {columns} columns, spacing={_short(self._given['spacing'])}, "
                f"floor={_short(self.floor)})")


class Compound(Solid):
    """Parts that move as one: pairs ``(shape, pose)`` of any kinds but half spaces, or shapes where they are.

    They may overlap, and may be compounds again. A mesh stays a surface.

    >>> import toccata
    >>> hammer = toccata.Compound([toccata.Cylinder(0.05, 1), (toccata.Box([0.4, 0.15, 0.15]), [0, 0, 0.5])])
    >>> hammer
    Compound(Cylinder, Box)
    >>> hit = toccata.ray_cast(hammer, [0, -2, 0.5], [0, 1, 0])
    >>> hammer.part_of(hit.triangle)
    (1, 0)
    """

    __slots__ = ()

    def __init__(self, parts: Iterable[Any]) -> None:
        if isinstance(parts, Shape):
            raise TypeError("parts must be a list of pairs (shape, pose), not one shape")
        placed = [_part(part, f"parts[{i}]") for i, part in enumerate(parts)]
        self._hold(_toccata.compound([(shape._core, pose) for shape, pose in placed]), parts=placed)

    @property
    def parts(self) -> list[tuple[Shape, NDArray[np.float64]]]:
        """Each part and its pose in the compound, (4, 4)."""
        return [(shape, pose.copy()) for shape, pose in self._given["parts"]]

    def part_of(self, piece: int) -> tuple[int, int]:
        """Where a piece belongs that a contact or a ray names: the part, and the piece (a mesh's triangle) in it.

        Parts of parts count in their place.
        """
        count = self._core.piece_count
        if not 0 <= piece < count:
            raise IndexError(f"piece {piece} of a compound of {count}")
        return self._core.part_of(piece)

    def __repr__(self) -> str:
        names = [type(shape).__name__ for shape, _ in self._given["parts"]]
        return f"Compound({', '.join(names)})" if len(names) <= 6 else f"Compound({len(names)} parts)"


def as_shape(value: Any, name: str = "shape") -> Shape:
    """A shape of any kind as it is; what ``as_mesh`` takes as a new ``Mesh``."""
    return value if isinstance(value, Shape) else as_mesh(value, name, "a shape (a toccata.Mesh, Ball, Box...)")


def _part(value: Any, name: str) -> tuple[Shape, NDArray[np.float64]]:
    if isinstance(value, (tuple, list)):
        if len(value) != 2:
            raise ValueError(f"{name} must be a pair (shape, pose), not {len(value)} things")
        shape, pose = as_shape(value[0], f"{name}[0]"), as_pose(value[1], f"{name}[1]")
    else:
        shape, pose = as_shape(value, name), as_pose(None)
    if isinstance(shape, HalfSpace):
        raise ValueError(f"{name}: a half space has no end and cannot be a part; ask about it as a body of its own")
    return shape, pose


def _lengths(value: Any, name: str) -> tuple[float, float, float]:
    lengths = vector(value, name)
    if min(lengths) < 0.0:
        raise ValueError(f"{name} must be three numbers of at least 0, not {value!r}")
    return lengths


def _short(value: Any) -> str:
    return "[" + ", ".join(f"{item:.6g}" for item in value) + "]" if isinstance(value, tuple) else f"{value:.6g}"

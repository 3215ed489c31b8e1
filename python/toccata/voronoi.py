"""Voronoi diagrams and penetration on grids, and culling in image space."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _toccata
from ._arguments import choice, count, number, time_limit, vector
from ._record import Record
from .mesh import Mesh, as_mesh

@dataclass(frozen=True, repr=False, eq=False)
class VoronoiGrid(Record):
    """Which site is nearest (farthest) to each cell, how far it is, and whether that holds for the whole cell.

    Arrays of cells have the shape (ny, nx) in the plane and (nz, ny, nx) in space.
    """

    site: NDArray[np.int32]  #: cells: at the centre; none is nearer by more than ``error``; -1 without sites
    distance: NDArray[np.float64]  #: cells: at the centre, weighted as asked
    certified: NDArray[np.bool_]  #: cells: proven to be the site of every point of the cell
    boundary: NDArray[np.bool_]  #: cells: a boundary may go through, or another site is next to it
    lower: NDArray[np.float64]  #: (3,): corner of the first cell
    cell_size: NDArray[np.float64]  #: (3,)
    error: float  #: of distances, from rounding
    reach: float  #: anywhere in a cell the distance differs from that at the centre by no more than this
    site_kind: NDArray[np.uint8]  #: (sites,): 0 a point, 1 an edge, 2 a triangle or a polygon
    site_points: NDArray[np.int32]  #: (sites, 3): its points; -1 where it has fewer, and of polygons
    site_index: NDArray[np.int32]  #: (sites,): of the list it is from; of an edge of triangles ~triangle
    parts: dict[str, NDArray[Any]]  #: of cells that were cut: cell, level, center, site, distance, certified
    neighbours: NDArray[np.int32]  #: (n, 2): sites whose regions meet, if asked for
    neighbours_proven: NDArray[np.bool_]  #: (n,): for sure, and not only as far as the grid can tell
    drawn: dict[str, Any]  #: with method='gl': bound, triangles, and what the check found: wrong, beyond_bound, worst

    def centers(self) -> NDArray[np.float64]:
        """The centres of the cells, (..., 3)."""
        counts = (1, *self.site.shape)[-3:]
        axes = [self.lower[i] + (np.arange(counts[2 - i]) + 0.5) * self.cell_size[i] for i in range(3)]
        z, y, x = np.meshgrid(axes[2], axes[1], axes[0], indexing="ij")
        stacked: NDArray[np.float64] = np.stack([x, y, z], axis=-1).reshape(*self.site.shape, 3)
        return stacked

    def __repr__(self) -> str:
        share = float(self.certified.mean()) if self.certified.size else 0.0
        return f"VoronoiGrid({' x '.join(map(str, self.site.shape[::-1]))} cells, {len(self.site_kind)} sites, {share:.0%} certified)"


def _in_space(points: ArrayLike, name: str) -> NDArray[np.float64]:
    try:
        array = np.asarray(points, dtype=np.float64)
    except (TypeError, ValueError):
        raise TypeError(f"{name} must be points of the shape (n, 2) or (n, 3), or a mesh, not {type(points).__name__}") from None
    if array.ndim == 2 and array.shape[1] == 2:
        array = np.column_stack([array, np.zeros(len(array))])
    if array.size == 0 and array.ndim != 2:
        array = array.reshape(0, 3)
    if array.ndim != 2 or array.shape[1] != 3:
        raise ValueError(f"{name} must have the shape (n, 2) or (n, 3), not {array.shape}")
    return array


def _rows(value: Any, width: int) -> Any:
    return np.empty((0, width), np.int32) if value is None else value


def _parts_of(sites: Any, name: str) -> list[Any]:
    """Points, segments and triangles of a mesh, of a polygon (n, 2), or as given."""
    if isinstance(sites, Mesh) or hasattr(sites, "faces") or isinstance(sites, tuple):
        mesh = as_mesh(sites, name)
        return [mesh.vertices, _rows(None, 2), mesh.faces]
    corners = _in_space(sites, name)
    numbers = np.arange(len(corners), dtype=np.int32)
    return [corners, np.column_stack([numbers, np.roll(numbers, -1)]), _rows(None, 3)]


def _corner(value: Any, name: str, points: NDArray[np.float64]) -> tuple[float, float, float]:
    """Of two numbers: in the plane of the points."""
    if np.shape(value) == (2,):
        value = [*value, points[0, 2] if len(points) else 0.0]
    return vector(value, name)


def _counts(counts: Any, heights: NDArray[np.float64]) -> list[int]:
    """heights: along z, of what the grid is to hold."""
    if counts is None or np.ndim(counts) == 0:
        is_flat = heights.size == 0 or heights.min() == heights.max()
        along = (128 if is_flat else 64) if counts is None else count(counts, "counts")
        return [along] * (2 if is_flat else 3)
    wanted = [count(c, "counts") for c in counts]
    if len(wanted) not in (2, 3):
        raise ValueError(f"counts must be one integer, or 2 or 3, not {len(wanted)}")
    return wanted


def voronoi(
    sites: Any,
    counts: int | Sequence[int] | None = None,
    *,
    segments: ArrayLike | None = None,
    triangles: ArrayLike | None = None,
    polygons: Sequence[Sequence[int]] | None = None,
    box: tuple[ArrayLike, ArrayLike] | None = None,
    kind: str = "nearest",
    additive: ArrayLike | None = None,
    multiplicative: ArrayLike | None = None,
    refine: int = 0,
    neighbours: bool = False,
    method: str = "tree",
    seconds: float = 0.0,
    threads: int = 0,
) -> VoronoiGrid:
    """The Voronoi diagram of points (n, 2) or (n, 3), segments, triangles and polygons between them, or of a mesh, on a grid.

    ``counts``: cells along x, y and, in space, z; one number is that many along each. By default 128 in the plane, where all z
    (of the box, if there is one) are the same, and 64 in space. Sites are features: corners, edges and faces, ties to the lower
    one; with weights (``additive``: distance - weight, ``multiplicative``: distance / weight) or ``kind='farthest'`` they are the
    free points, segments, triangles and polygons as wholes. ``polygons``: filled, in the plane, each one site, by the numbers of
    their points in order; a diagram with them is one of wholes. ``box``: lower and upper corner of the grid, three numbers or, in
    the plane, two. ``refine``: cells that are not certified are cut this many times. Nothing is sampled: see ``certified``.
    ``method='gl'``: distance meshes drawn by OpenGL, corrected by the certified cells; ``drawn`` says what was wrong.

    >>> import toccata
    >>> grid = toccata.voronoi([[0.0, 0.0], [1.0, 0.0]], (4, 2), box=([0, -1, 0], [1, 1, 0]))
    >>> grid.site
    array([[0, 0, 1, 1],
           [0, 0, 1, 1]], dtype=int32)
    """
    if isinstance(sites, Mesh) or hasattr(sites, "faces") or isinstance(sites, tuple):
        if segments is not None or triangles is not None or polygons is not None:
            raise ValueError("segments, triangles and polygons are given with points, not with a mesh")
        points, lines, faces = _parts_of(sites, "sites")
    else:
        points, lines, faces = _in_space(sites, "sites"), _rows(segments, 2), _rows(triangles, 3)
    lower, upper = (None, None) if box is None else (_corner(box[i], f"box[{i}]", points) for i in (0, 1))
    wanted = _counts(counts, points[:, 2] if lower is None or upper is None else np.array([lower[2], upper[2]]))
    if additive is not None and multiplicative is not None:
        raise ValueError("weights are additive or multiplicative, not both")
    given = additive if additive is not None else multiplicative
    weights = [] if given is None else [float(w) for w in np.asarray(given, dtype=np.float64).ravel()]
    raw = _toccata.voronoi(
        points,
        lines,
        faces,
        {
            "counts": (wanted + [1])[:3],
            "polygons": [[count(i, "polygons") for i in ring] for ring in polygons or ()],
            "lower": lower,
            "upper": upper,
            "kind": choice(kind, ("nearest", "farthest"), "kind"),
            "weighting": 1 if additive is not None else 2 if multiplicative is not None else 0,
            "weights": weights,
            "refine": count(refine, "refine"),
            "method": choice(method, ("tree", "gl"), "method"),
            "neighbours": bool(neighbours),
            "threads": count(threads, "threads"),
            "seconds": time_limit(seconds),
        },
    )
    shape = tuple(wanted[::-1])
    return VoronoiGrid(
        site=raw["site"].reshape(shape),
        distance=raw["distance"].reshape(shape),
        certified=raw["certified"].reshape(shape).astype(bool),
        boundary=raw["boundary"].reshape(shape).astype(bool),
        lower=raw["lower"],
        cell_size=raw["cell_size"],
        error=raw["error"],
        reach=raw["reach"],
        site_kind=raw["site_kind"],
        site_points=raw["site_points"],
        site_index=raw["site_index"],
        parts={
            "cell": raw["part_cell"],
            "level": raw["part_level"],
            "center": raw["part_center"],
            "site": raw["part_site"],
            "distance": raw["part_distance"],
            "certified": raw["part_certified"].astype(bool),
        },
        neighbours=raw["neighbours"],
        neighbours_proven=raw["neighbours_proven"].astype(bool),
        drawn=raw["drawn"],
    )


@dataclass(frozen=True, repr=False, eq=False)
class PenetrationField(Record):
    """Where two bodies are in each other on a grid, how deep at every point, and where they nearly touch."""

    point: NDArray[np.float64]  #: (n, 3): centres of cells inside both
    cell: NDArray[np.int64]  #: (n,): of the grid
    depth_a: NDArray[np.float64]  #: (n,): distance from the surface of a, right to rounding
    depth_b: NDArray[np.float64]  #: (n,)
    out_of_a: NDArray[np.float64]  #: (n, 3): unit, the shortest way out of a
    out_of_b: NDArray[np.float64]  #: (n, 3)
    contact_point: NDArray[np.float64]  #: (m, 3): centres of cells near both surfaces
    contact_normal: NDArray[np.float64]  #: (m, 3): unit, from a to b
    contact_distance_a: NDArray[np.float64]  #: (m,): signed
    contact_distance_b: NDArray[np.float64]  #: (m,)
    box_lower: NDArray[np.float64]  #: (k, 3): boxes in which the surfaces may meet; they do nowhere else
    box_upper: NDArray[np.float64]  #: (k, 3)
    depth_in_a: dict[str, Any]  #: lower and upper bound of the deepest point of both below a; point: its row, or -1
    depth_in_b: dict[str, Any]
    separation: tuple[float, float]  #: proven bounds of the distance of the surfaces; (0, 0) if points are in both
    closest: tuple[NDArray[np.float64], NDArray[np.float64]]  #: a point of each surface, if they are apart
    volume: float  #: of what is in both, by cells; in the plane its area
    reach: float  #: half the diagonal of a cell: how far any answer of cells can be off
    counts: tuple[int, int, int]
    lower: NDArray[np.float64]  #: (3,): corner of the grid
    cell_size: NDArray[np.float64]  #: (3,)
    distance_a: NDArray[np.float64]  #: (nz, ny, nx): signed distances at all centres
    distance_b: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.point)

    def __repr__(self) -> str:
        if len(self) == 0:
            return f"PenetrationField(apart by {self.separation[0]:.6g} to {self.separation[1]:.6g}, {len(self.contact_point)} contacts)"
        return f"PenetrationField({len(self)} points, at most {self.depth_in_b['upper']:.6g} deep in b, {len(self.contact_point)} contacts)"


def penetration_field(
    a: Any,
    b: Any = None,
    *,
    cell: float = 0.0,
    contact_distance: float = 0.0,
    most_cells: int = 16_777_216,
    seconds: float = 0.0,
    threads: int = 0,
) -> PenetrationField:
    """Depths, directions and contacts of two closed bodies over all of the region in which they are in each other.

    Bodies are closed meshes, or polygons in the plane as (n, 2) corners; nothing is prepared, so that deforming ones are simply
    given again. Without ``b``: where ``a`` is in itself. ``cell``: side of a cell, which bounds the error (``reach``); 0 for a
    48th of the region.

    >>> import numpy as np, toccata
    >>> square = np.array([[0, 0], [1, 0], [1, 1], [0, 1.0]])
    >>> field = toccata.penetration_field(square, square + [0.5, 0], cell=0.125)
    >>> field.volume
    0.5
    """
    raw = _toccata.penetration_field(
        _parts_of(a, "a"),
        None if b is None else _parts_of(b, "b"),
        {
            "cell": number(cell, "cell", least=0.0),
            "contact_distance": number(contact_distance, "contact_distance", least=0.0),
            "most_cells": count(most_cells, "most_cells"),
            "threads": count(threads, "threads"),
            "seconds": time_limit(seconds),
        },
    )
    shape = tuple(raw["counts"][::-1])
    for name in ("distance_a", "distance_b"):
        raw[name] = raw[name].reshape(shape)
    return PenetrationField(**raw)


@dataclass(frozen=True, repr=False, eq=False)
class ImageSpacePairs(Record):
    """What image space leaves: every pair that touches is here."""

    pairs: NDArray[np.int32]  #: (n, 2): bodies that no view shows apart
    potentially_colliding: NDArray[np.int32]  #: bodies that no view shows apart from all others
    part_pairs: NDArray[np.int32]  #: (m, 2): parts that no view shows apart, if they were asked for
    part_body: NDArray[np.int32]  #: (parts,)
    part_triangles: list[NDArray[np.int32]]  #: of each part
    box_pairs: int  #: pairs of bodies whose boxes overlap
    set_pairs: int  #: of those, with both in the set
    removed_by_view: tuple[int, int, int]  #: bodies that left the set by views along x, y and z

    def __len__(self) -> int:
        return len(self.pairs)

    def __repr__(self) -> str:
        return f"ImageSpacePairs({len(self)} pairs of {self.box_pairs} whose boxes overlap)"


def image_space_pairs(
    bodies: Sequence[Any],
    *,
    ends: Sequence[Any] | None = None,
    resolution: int = 128,
    margin: float = 0.0,
    part_size: int = 0,
    with_self: bool = False,
    method: str = "exact",
    seconds: float = 0.0,
    threads: int = 0,
) -> ImageSpacePairs:
    """Which of many meshes may touch, seen along the three axes in whole numbers: no contact is lost at any resolution.

    ``ends``: where the vertices of each mesh get during the step along straight lines, None for one at rest. ``margin``: pairs
    that come this near count as well. ``part_size``: cut bodies into parts of so many triangles, and pair those, too.
    ``method='gl'``: by occlusion queries of OpenGL, which leave more pairs.

    >>> import toccata
    >>> ball = toccata.sphere(0.5)
    >>> far = toccata.Mesh(ball.vertices + [0.8, 0.8, 0], ball.faces)
    >>> toccata.image_space_pairs([ball, far])
    ImageSpacePairs(0 pairs of 1 whose boxes overlap)
    """
    meshes = [as_mesh(body, f"bodies[{i}]") for i, body in enumerate(bodies)]
    if ends is not None and len(ends) != len(meshes):
        raise ValueError(f"ends must be one per body: {len(ends)} are given for {len(meshes)} bodies")
    raw = _toccata.image_space_pairs(
        [[mesh.vertices, None if ends is None else ends[i], mesh.faces] for i, mesh in enumerate(meshes)],
        {
            "resolution": count(resolution, "resolution"),
            "margin": number(margin, "margin", least=0.0),
            "part_size": count(part_size, "part_size"),
            "with_self": bool(with_self),
            "method": choice(method, ("exact", "gl"), "method"),
            "threads": count(threads, "threads"),
            "seconds": time_limit(seconds),
        },
    )
    return ImageSpacePairs(**raw)

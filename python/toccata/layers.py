"""What a page shows beside bodies and contacts: slices of a field, cells, arrows, strands, balls, parts (docs/report.md)."""
from __future__ import annotations

import base64
import decimal
import json
import os
import tempfile
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _toccata
from .convex_parts import ConvexParts
from .distance_field import DistanceField
from .geometry import ConvexHull, Solid, as_shape
from .medial import MedialMesh, MedialProxy
from .particles import ParticleContacts, _first_points
from .pose import as_pose
from .proximity import PenetrationResult
from .voronoi import PenetrationField, VoronoiGrid

_SLICE_CELLS = 160  # along the longer side
_AXES = "xyz"

Layer = dict[str, Any]
#: What ``view`` shows by layers.
SHOWN = (DistanceField, VoronoiGrid, PenetrationField, PenetrationResult, MedialProxy, MedialMesh, ConvexParts, ParticleContacts)


def layers_report(
    result: Any, title: str, names: tuple[str, str], bodies: Any, positions: Any, strands: int | ArrayLike | None
) -> _toccata.Report:
    """The report of an answer that has no two moving bodies. ``bodies``: what stands there, see ``view``."""
    placed = _placed(bodies)
    query, answer, layers = _answer(result, placed, positions, strands)
    meshes = [_mesh_of(shape) for shape, _ in placed]
    report = {
        "format": "toccata-report", "version": 1, "query": query, "title": title or query.capitalize(), "answer": answer,
        "results": [],
        "bodies": [{"name": names[i] if i < 2 else f"body {i}", "shape": i, "motion": {"type": "fixed", "pose": {
            "rotation": pose[:3, :3].tolist(), "translation": pose[:3, 3].tolist()}}} for i, (_, pose) in enumerate(placed)],
        "shapes": [{"name": names[i] if i < 2 else f"body {i}", "vertices": len(v), "triangles": len(f),
                    "mesh": {"positions": _array(v, 3), "faces": _array(f, 3, "uint32")}} for i, (v, f) in enumerate(meshes)],
    }
    if layers:
        report["layers"] = layers
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "report.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(report, file)
        return _toccata.read_report(path)


def _placed(bodies: Any) -> list[tuple[Any, NDArray[np.float64]]]:
    """Shapes and where they are. One shape; or a list of shapes and of (shape, pose)."""
    if bodies is None:
        return []
    many = bodies if isinstance(bodies, list) else [bodies]
    placed = []
    for body in many:
        shape, pose = body if isinstance(body, tuple) and len(body) == 2 and _is_shape(body[0]) else (body, None)
        placed.append((as_shape(shape, "bodies"), np.eye(4) if pose is None else np.asarray(as_pose(pose), dtype=float)))
    return placed


def _is_shape(value: Any) -> bool:
    return hasattr(value, "faces") or hasattr(value, "_core") or isinstance(value, tuple)


def _mesh_of(shape: Any) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
    mesh = shape.display_mesh() if isinstance(shape, Solid) else shape
    return np.asarray(mesh.vertices), np.asarray(mesh.faces)


def _array(values: Any, components: int, kind: str = "float64") -> dict[str, Any]:
    stored = np.ascontiguousarray(values, dtype=np.dtype(kind).newbyteorder("<"))
    return {"type": kind, "components": components, "base64": base64.b64encode(stored.tobytes()).decode()}


def _layer(kind: str, colours: str, name: str, points: Any, **more: Any) -> Layer:
    layer: Layer = {"name": name, "kind": kind, "colours": colours, "points": _array(points, 3)}
    if "values" in more:
        layer["values"] = _array(np.nan_to_num(np.asarray(more.pop("values"), dtype=float).ravel()), 1, "float32")
    if "vectors" in more:
        layer["vectors"] = _array(more.pop("vectors"), 3)
    if "faces" in more:
        layer["faces"] = _array(more.pop("faces"), 3, "uint32")
    return {**layer, **more}


def _answer(result: Any, placed: list[Any], positions: Any, strands: Any) -> tuple[str, str, list[Layer]]:
    """The question, a sentence, and what is drawn."""
    if isinstance(result, DistanceField):
        return "field", f"Distances to within {result.error:g}.", _field_slices(result, placed)
    if isinstance(result, VoronoiGrid):
        share = 100.0 * float(np.mean(result.certified)) if result.certified.size else 100.0
        text = f"{_counted(len(np.unique(result.site)), 'site has', 'sites have')} a region; {share:.1f} % of the cells are certified whole."
        return "voronoi", text, _voronoi_slices(result)
    if isinstance(result, PenetrationField):
        deepest = max(result.depth_in_a["upper"], result.depth_in_b["upper"])
        text = f"{_counted(len(result), 'cell is', 'cells are')} inside both, no point deeper than {_upwards(deepest)}."
        return "penetration", text if len(result) else "No cell is inside both.", _depth_arrows(result)
    if isinstance(result, PenetrationResult):
        text = f"{result.lower_depth:.6g} to {_upwards(result.upper_depth)} deep in each other." if result.contact else "They do not overlap."
        return "penetration", text, _deepest(result)
    if isinstance(result, ParticleContacts):
        touching = int(result.touches.sum())
        return "particles", f"{touching:,} of {_counted(len(result), 'path touches', 'paths touch')} the body.", _particles(result, positions, strands)
    if isinstance(result, ConvexParts):
        hulls = _counted(len(result), "convex part encloses", "convex parts enclose")
        text = f"{hulls} the mesh, proven, at most {_upwards(result.error)} beyond it."
        return "parts", text, [_parts(result)]
    if isinstance(result, MedialProxy):
        primitives = _counted(len(result.errors), "primitive encloses", "primitives enclose")
        text = f"{primitives} the mesh, proven, at most {_upwards(result.error)} beyond it."
        return "medial", text, [_balls(result.outer, result.errors)]
    return "medial", repr(result), [_balls(result, None)]


def _counted(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}"


def _upwards(bound: float) -> str:
    """Six digits that are not below a proven upper bound."""
    context = decimal.Context(prec=6, rounding=decimal.ROUND_CEILING)
    return f"{float(context.create_decimal_from_float(float(bound))):.6g}"


def _corners(axis: int, lower: Any, upper: Any, at: float) -> NDArray[np.float64]:
    along, up = [k for k in range(3) if k != axis]
    start = np.array(lower, dtype=float)
    start[axis] = at
    row, column = start.copy(), start.copy()
    row[along], column[up] = upper[along], upper[up]
    return np.array([start, row, column])


def _field_slices(field: DistanceField, placed: list[Any]) -> list[Layer]:
    if not placed:
        raise ValueError("view of a field needs the mesh, too: view(field, bodies=mesh)")
    points = np.concatenate([_mesh_of(shape)[0] @ pose[:3, :3].T + pose[:3, 3] for shape, pose in placed])
    room = 0.15 * float(np.ptp(points, axis=0).max())
    lower, upper = points.min(axis=0) - room, points.max(axis=0) + room
    layers = []
    for axis in range(3):
        along, up = [k for k in range(3) if k != axis]
        cell = max(upper[along] - lower[along], upper[up] - lower[up]) / _SLICE_CELLS
        size = [max(1, round((upper[k] - lower[k]) / cell)) for k in (along, up)]
        at = 0.5 * (lower[axis] + upper[axis])
        grid = np.empty((size[1], size[0], 3))
        grid[..., axis] = at
        grid[..., along] = lower[along] + (np.arange(size[0]) + 0.5) / size[0] * (upper[along] - lower[along])
        grid[..., up] = (lower[up] + (np.arange(size[1]) + 0.5) / size[1] * (upper[up] - lower[up]))[:, None]
        values = field.at(grid.reshape(-1, 3)).distance
        layers.append(_layer("slice", "signed" if field.is_signed else "scale", f"distance, across {_AXES[axis]}",
                             _corners(axis, lower, upper, at), size=size, values=values))
    return layers


def _voronoi_slices(grid: VoronoiGrid) -> list[Layer]:
    cells = grid.site if grid.site.ndim == 3 else grid.site[None]
    counts = cells.shape[::-1]
    upper = grid.lower + np.array(counts) * grid.cell_size
    layers = []
    for axis in (2,) if counts[2] == 1 else (0, 1, 2):
        middle = counts[axis] // 2
        site = np.take(cells, middle, axis=2 - axis)
        name = "Voronoi cells" if counts[2] == 1 else f"Voronoi cells, across {_AXES[axis]}"
        layers.append(_layer("slice", "cells", name, _corners(axis, grid.lower, upper, grid.lower[axis] + (middle + 0.5) * grid.cell_size[axis]),
                             size=[site.shape[1], site.shape[0]], values=site))
    return layers


def _depth_arrows(field: PenetrationField) -> list[Layer]:
    """From every point of both to the nearest surface: the shorter of its two ways out."""
    nearer = field.depth_a <= field.depth_b
    depth = np.where(nearer, field.depth_a, field.depth_b)
    ways = np.where(nearer[:, None], field.out_of_a, field.out_of_b) * depth[:, None]
    layers = [_layer("arrows", "scale", "depth, and the way out", field.point, vectors=ways, values=depth)] if len(field) else []
    if len(field.contact_point):
        length = 4.0 * field.reach
        layers.append(_layer("arrows", "plain", "contact normals", field.contact_point, vectors=length * field.contact_normal))
    return layers


def _deepest(result: PenetrationResult) -> list[Layer]:
    layers = []
    if result.contact is not None:
        way = np.asarray(result.contact.normal) * result.upper_depth
        layers.append(_layer("arrows", "plain", "the way out for the second body", [result.contact.point_b], vectors=[way]))
    found = [deepest for deepest in (result.a_in_b, result.b_in_a) if deepest is not None and deepest.lower > 0]
    if found:
        layers.append(_layer("arrows", "plain", "deepest points, and the way out for each", [d.point for d in found],
                             vectors=[np.asarray(d.nearest) - d.point for d in found]))
    return layers


def _particles(found: ParticleContacts, positions: Any, strands: Any) -> list[Layer]:
    layers = []
    if positions is not None:
        if len(positions) != 2 or np.shape(positions[0]) != np.shape(positions[1]):
            raise ValueError("positions must be a pair (at t = 0, at t = 1) of arrays of one shape, as they were asked about")
        end = np.atleast_2d(np.asarray(positions[1], dtype=float))
        if strands is not None:
            first = _first_points(strands, len(end))[:-1]
            layers.append(_layer("lines", "plain", "strands at the end of the step", end, first=first))
        else:
            start = np.atleast_2d(np.asarray(positions[0], dtype=float))
            ways = np.stack([start, end], axis=1).reshape(-1, 3)
            layers.append(_layer("lines", "plain", "ways of the particles", ways, first=list(range(0, len(ways), 2))))
    touching = np.asarray(found.touches)
    if touching.any():
        points = found.point[touching]
        size = float(np.ptp(points, axis=0).max()) or 1.0
        layers.append(_layer("arrows", "scale", "contacts and normals, coloured by time", points,
                             vectors=0.06 * size * found.normal[touching], values=found.time[touching]))
    return layers


def _parts(parts: ConvexParts) -> Layer:
    points, faces, values, first = [], [], [], 0
    for number, (hull, pose) in enumerate(parts.shape.parts):
        assert isinstance(hull, ConvexHull)
        points.append(hull.vertices @ pose[:3, :3].T + pose[:3, 3])
        faces.append(np.asarray(hull.faces) + first)
        values.append(np.full(len(hull.faces), number))
        first += len(hull.vertices)
    return _layer("surface", "cells", "convex parts", np.concatenate(points), faces=np.concatenate(faces), values=np.concatenate(values))


def _balls(mesh: MedialMesh, errors: Any) -> Layer:
    primitives = np.array(mesh.primitives)
    for k in (1, 2):
        primitives[:, k] = np.where(primitives[:, k] < 0, primitives[:, k - 1], primitives[:, k])
    more = {} if errors is None else {"values": errors}
    return _layer("balls", "plain" if errors is None else "scale", "balls" if errors is None else "certified error", mesh.centers,
                  radii=np.asarray(mesh.radii).tolist(), faces=primitives, **more)

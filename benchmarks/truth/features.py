"""Cases of four points, of convex hulls and of steps judged again from the files alone: nothing of toccata is loaded.

Each returns 'confirmed', 'refuted' or 'undecided' for a case as read_family gives it. Meetings are found by exact
rational arithmetic, hulls by all triples of their points, and then all separating axes and all features in 80-bit
numbers.
"""
from __future__ import annotations

import itertools
from typing import Any

import numpy as np

import exact_impact
import separating_axes

SAME = 1e-13  # distances of hulls of size one


def overlap(truth: dict[str, Any], met: tuple[float, float] | None) -> str:
    if met is None or truth["status"] == "free":
        return "confirmed" if met is None and truth["status"] == "free" else "refuted"
    return "confirmed" if met[0] <= truth["upper"] and truth["lower"] <= met[1] else "refuted"


def four_points(case: dict[str, Any]) -> str:
    try:
        met = exact_impact.first_meeting(case["question"], np.array(case["t0"]), np.array(case["t1"]))
    except exact_impact.Undecided:
        return "undecided"
    return overlap(case["truth"], met)


def hull_faces(points: np.ndarray) -> np.ndarray:
    """All triples of points that have the others on one side; a flat side of more than three has all its triples."""
    x = np.asarray(points, dtype=np.longdouble)
    triples = np.array(list(itertools.combinations(range(len(x)), 3)))
    a = x[triples[:, 0]]
    normals = np.cross(x[triples[:, 1]] - a, x[triples[:, 2]] - a)
    heights = normals @ x.T - (normals * a).sum(axis=1)[:, None]
    slack = 1e-17 * np.abs(x).max() ** 3
    below, above = (heights <= slack).all(axis=1), (heights >= -slack).all(axis=1)
    faces = triples[below | above]
    faces[above[below | above]] = faces[above[below | above]][:, ::-1]  # outward
    return faces


def hulls(case: dict[str, Any]) -> str:
    a, b = np.array(case["points_a"]), np.array(case["points_b"])
    faces_a, faces_b = hull_faces(a), hull_faces(b)
    truth = case["truth"]
    if case["question"] == "cast":
        try:
            return overlap(truth, separating_axes.meeting(a, faces_a, b, faces_b, np.array(case["move"])))
        except ArithmeticError:
            return "undecided"
    away = separating_axes.gap(a, faces_a, b, faces_b)
    agrees = (away > 0) == (truth["status"] == "free") and truth["lower"] - SAME <= away <= truth["upper"] + SAME
    return "confirmed" if agrees else "refuted"


def all_meetings(t0: np.ndarray, t1: np.ndarray, faces: np.ndarray, edges: np.ndarray) -> dict[tuple[str, int, int], tuple[float, float]]:
    """Of every pair of features whose boxes over the step meet, those that meet, and when. Raises Undecided."""
    def boxes(groups: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        points = np.concatenate([t0[groups], t1[groups]], axis=1)
        return points.min(axis=1), points.max(axis=1)

    def near(a: Any, b: Any) -> np.ndarray:
        return ((a[0][:, None] <= b[1][None]) & (b[0][None] <= a[1][:, None])).all(axis=2)

    points, of_faces, of_edges = boxes(np.arange(len(t0))[:, None]), boxes(faces), boxes(edges)
    pairs = [("vertex_face", int(v), int(f), [v, *faces[f]]) for v, f in np.argwhere(near(points, of_faces)) if v not in faces[f]]
    pairs += [("edge_edge", int(a), int(b), [*edges[a], *edges[b]]) for a, b in np.argwhere(near(of_edges, of_edges))
              if a < b and not set(edges[a]) & set(edges[b])]
    meetings = {}
    for kind, first, second, rows in pairs:
        met = exact_impact.first_meeting(kind, t0[rows], t1[rows])
        if met is not None:
            meetings[(kind, first, second)] = met
    return meetings


def step(case: dict[str, Any]) -> str:
    try:
        met = all_meetings(*(np.array(case[name]) for name in ("t0", "t1", "faces", "edges")))
    except exact_impact.Undecided:
        return "undecided"
    said = {(c["kind"], c["first"], c["second"]): {"status": "contact", **c} for c in case["truth"]["contacts"]}
    agrees = set(met) == set(said) and all(overlap(said[pair], met[pair]) == "confirmed" for pair in met)
    return "confirmed" if agrees else "refuted"

"""The usual way (Provot 1997, Bridson 2002): roots of the coplanarity cubic in doubles, then weights at each of them.

The roots are numpy's, the eigenvalues of the companion matrix. Weights may be out of [0, 1] by 1e-6, a common choice.
"""
from __future__ import annotations

import time
from pathlib import Path
from typing import Any, Iterator

import numpy as np

questions = {"vertex_face", "edge_edge", "step"}
SLACK = 1e-6


def answers(folder: Path, cases: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for case in cases:
        t0, t1 = np.array(case["t0"]), np.array(case["t1"])
        start = time.perf_counter()
        try:
            if case["question"] == "step":
                status = step(t0, t1, np.array(case["faces"]), np.array(case["edges"]))
            else:
                first = meeting(case["question"] == "vertex_face", t0, t1)
                status = {"status": "free"} if first is None else {"status": "contact", "time": first}
        except np.linalg.LinAlgError:
            status = {"status": "failed"}
        yield {"id": case["id"], **status, "seconds": time.perf_counter() - start}


def step(t0: np.ndarray, t1: np.ndarray, faces: np.ndarray, edges: np.ndarray) -> dict[str, Any]:
    """Every pair of features whose swept boxes meet."""
    low, high = np.minimum(t0, t1), np.maximum(t0, t1)
    contacts, times = [], []

    def ask(kind: str, a: np.ndarray, b: np.ndarray) -> None:
        meet = (low[a].min(1)[:, None] <= high[b].max(1)[None]) & (low[b].min(1)[None] <= high[a].max(1)[:, None])
        for i, k in np.argwhere(meet.all(axis=2)):
            if (a is b and i >= k) or set(a[i]) & set(b[k]):
                continue
            rows = [*a[i], *b[k]]
            time = meeting(kind == "vertex_face", t0[rows], t1[rows])
            if time is not None:
                contacts.append({"kind": kind, "first": int(i), "second": int(k)})
                times.append(time)

    ask("vertex_face", np.arange(len(t0))[:, None], faces)
    ask("edge_edge", edges, edges)
    return {"status": "contact", "time": min(times), "contacts": contacts} if times else {"status": "free"}


def meeting(is_face: bool, t0: np.ndarray, t1: np.ndarray) -> float | None:
    def rows(x: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        if is_face:
            return x[2] - x[1], x[3] - x[1], x[0] - x[1]
        return x[1] - x[0], x[3] - x[2], x[2] - x[0]

    (u, v, w), (u1, v1, w1) = rows(t0), rows(t1)
    du, dv, dw = u1 - u, v1 - v, w1 - w
    det = lambda a, b, c: float(np.dot(np.cross(a, b), c))
    with np.errstate(all="ignore"):
        cubic = [det(du, dv, dw), det(u, dv, dw) + det(du, v, dw) + det(du, dv, w),
                 det(u, v, dw) + det(u, dv, w) + det(du, v, w), det(u, v, w)]
    if not np.isfinite(cubic).all():
        raise np.linalg.LinAlgError
    times = sorted(r.real for r in np.roots(cubic) if abs(r.imag) < 1e-9 and -1e-9 <= r.real <= 1 + 1e-9)
    for t in times:
        x = (1 - t) * t0 + t * t1
        a, b, c = rows(x)
        m = np.stack([a, b], axis=1) if is_face else np.stack([a, -b], axis=1)
        weights, *_ = np.linalg.lstsq(m, c, rcond=None)
        if is_face:
            weights = np.array([*weights, 1 - weights.sum()])
        if (weights >= -SLACK).all() and (weights <= 1 + SLACK).all():
            return float(min(max(t, 0.0), 1.0))
    return None

"""Two convex polytopes, one of them moving straight: from when to when do they meet? By all axes, nothing of toccata.

They are apart at t exactly if a normal of a face of one of them, or of two edges, one of each, separates them; along an
axis the gap is linear in t. In 80-bit numbers, whose rounding is far below the width of the interval returned.
"""
from __future__ import annotations

import numpy as np

SLACK = 1e-14  # of the size over the speed: hundreds of roundings of 80-bit numbers with 64-bit inputs


def _axes(a: np.ndarray, faces_a: np.ndarray, b: np.ndarray, faces_b: np.ndarray) -> np.ndarray:
    def normals(p: np.ndarray, f: np.ndarray) -> np.ndarray:
        return np.cross(p[f[:, 1]] - p[f[:, 0]], p[f[:, 2]] - p[f[:, 0]])

    def edges(p: np.ndarray, f: np.ndarray) -> np.ndarray:
        pairs = np.unique(np.sort(np.concatenate([f[:, [0, 1]], f[:, [1, 2]], f[:, [2, 0]]]), axis=1), axis=0)
        return p[pairs[:, 1]] - p[pairs[:, 0]]

    crossed = np.cross(edges(a, faces_a)[:, None], edges(b, faces_b)[None]).reshape(-1, 3)
    axes = np.concatenate([normals(a, faces_a), normals(b, faces_b), crossed])
    lengths = np.sqrt((axes * axes).sum(axis=1))
    kept = lengths > 1e-9 * lengths.max()
    return axes[kept] / lengths[kept, None]


def meeting(a: np.ndarray, faces_a: np.ndarray, b: np.ndarray, faces_b: np.ndarray,
            move: np.ndarray) -> tuple[float, float] | None:
    """Of a, moved by t * move, with b: bounds of the first time in [0, 1] at which they meet, or None."""
    a, b, d = (np.asarray(x, dtype=np.longdouble) for x in (a, b, move))
    axes = _axes(a, faces_a, b, faces_b)
    axes = np.concatenate([axes, -axes])
    gaps = (axes @ b.T).min(axis=1) - (axes @ a.T).max(axis=1)  # of b beyond a, at t = 0
    speeds = axes @ d
    size = max(np.abs(a).max(), np.abs(b).max())
    slack = SLACK * size
    begin, end = np.longdouble(0), np.longdouble(1)
    width = np.longdouble(0)
    still = np.abs(speeds) < 1e-15
    if (gaps[still] > slack).any():
        return None
    for gap, speed in zip(gaps[~still], speeds[~still]):
        time = gap / speed
        if speed > 0:  # closing: apart before
            if time > begin:
                begin, width = time, slack / speed
        else:
            end = min(end, time)
    if begin - width > end:
        return None
    if begin + width > end:
        raise ArithmeticError("too close to call")
    return max(0.0, float(begin - width)), min(1.0, float(begin + width))


def gap(a: np.ndarray, faces_a: np.ndarray, b: np.ndarray, faces_b: np.ndarray) -> float:
    """The distance of two polytopes: of vertices from faces and of edges, 80-bit numbers; 0 where no axis separates."""
    a, b = np.asarray(a, dtype=np.longdouble), np.asarray(b, dtype=np.longdouble)
    axes = _axes(a, faces_a, b, faces_b)
    axes = np.concatenate([axes, -axes])
    if ((axes @ b.T).min(axis=1) - (axes @ a.T).max(axis=1)).max() <= 0:
        return 0.0
    least = min(_points_faces(a, b, faces_b), _points_faces(b, a, faces_a), _edges_edges(a, faces_a, b, faces_b))
    return float(least)


def _points_faces(points: np.ndarray, p: np.ndarray, faces: np.ndarray) -> np.longdouble:
    """Over the plane of a face where the foot is inside it; its edges are looked at as edges."""
    x, y, z = (p[faces[:, k]][None] for k in range(3))
    n = np.cross(y - x, z - x)
    n = n / np.sqrt((n * n).sum(axis=2))[..., None]
    w = points[:, None] - x
    height = (w * n).sum(axis=2)
    foot = points[:, None] - height[..., None] * n
    inside = np.ones(height.shape, dtype=bool)
    for u, v in ((x, y), (y, z), (z, x)):
        inside &= (np.cross(v - u, foot - u) * n).sum(axis=2) >= 0
    return np.abs(height[inside]).min() if inside.any() else np.longdouble(np.inf)


def _edges_edges(a: np.ndarray, faces_a: np.ndarray, b: np.ndarray, faces_b: np.ndarray) -> np.longdouble:
    def ends(p: np.ndarray, f: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        pairs = np.unique(np.sort(np.concatenate([f[:, [0, 1]], f[:, [1, 2]], f[:, [2, 0]]]), axis=1), axis=0)
        return p[pairs[:, 0]], p[pairs[:, 1]]

    p0, p1 = (x[:, None] for x in ends(a, faces_a))
    q0, q1 = (x[None] for x in ends(b, faces_b))
    u, v, w = p1 - p0, q1 - q0, p0 - q0
    uu, uv, vv = (u * u).sum(-1), (u * v).sum(-1), (v * v).sum(-1)
    uw, vw = (u * w).sum(-1), (v * w).sum(-1)
    det = uu * vv - uv * uv
    best = np.full(det.shape, np.inf, dtype=np.longdouble)

    def take(s: np.ndarray, t: np.ndarray) -> None:
        d = w + s[..., None] * u - t[..., None] * v
        np.minimum(best, np.sqrt((d * d).sum(-1)), out=best)

    with np.errstate(divide="ignore", invalid="ignore"):
        s = np.where(det > 0, (uv * vw - vv * uw) / np.where(det > 0, det, 1), 0)
    take(np.clip(s, 0, 1), np.clip((vw + np.clip(s, 0, 1) * uv) / vv, 0, 1))
    for t in (0, 1):
        fixed = np.full(det.shape, t, dtype=np.longdouble)
        take(np.clip((fixed * uv - uw) / uu, 0, 1), fixed)
        take(fixed, np.clip((vw + fixed * uv) / vv, 0, 1))
    return best.min()

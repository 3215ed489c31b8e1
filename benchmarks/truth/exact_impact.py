"""When a vertex meets a face, or two edges meet, exactly: integers and rational numbers, nothing of toccata.

All doubles are whole multiples of a power of two, so that after scaling the coplanarity of four moving points is a
cubic with whole coefficients. Its roots in [0, 1] are told apart by Sturm's theorem, and at each of them the signs of
the barycentric weights, which are polynomials too, are decided: by bisection, and where a weight may be zero there by
the greatest common divisor of the two polynomials.
"""
from __future__ import annotations

import math
from fractions import Fraction
from typing import Any, Sequence

Polynomial = list[Fraction]  # lowest power first


class Undecided(Exception):
    """All four points stay in one plane, or the features degenerate at an irrational time: not decided here."""


def _trim(p: Polynomial) -> Polynomial:
    while p and p[-1] == 0:
        p.pop()
    return p


def _add(p: Polynomial, q: Polynomial, sign: int = 1) -> Polynomial:
    n = max(len(p), len(q))
    return _trim([(p[i] if i < len(p) else 0) + sign * (q[i] if i < len(q) else 0) for i in range(n)])  # type: ignore[misc]


def _mul(p: Polynomial, q: Polynomial) -> Polynomial:
    r = [Fraction(0)] * max(len(p) + len(q) - 1, 0)
    for i, a in enumerate(p):
        for k, b in enumerate(q):
            r[i + k] += a * b
    return _trim(r)


def _at(p: Polynomial, t: Fraction) -> Fraction:
    value = Fraction(0)
    for c in reversed(p):
        value = value * t + c
    return value


def _remainder(p: Polynomial, q: Polynomial) -> Polynomial:
    p = list(p)
    while len(p) >= len(q):
        factor, shift = p[-1] / q[-1], len(p) - len(q)
        for i, c in enumerate(q):
            p[shift + i] -= factor * c
        p.pop()
        _trim(p)
    return p


def _gcd(p: Polynomial, q: Polynomial) -> Polynomial:
    while q:
        p, q = q, _remainder(p, q)
    return p


def _sign(x: Fraction) -> int:
    return (x > 0) - (x < 0)


class _Sturm:
    def __init__(self, p: Polynomial) -> None:
        self.chain = [p, [i * c for i, c in enumerate(p)][1:]]
        while self.chain[-1]:
            self.chain.append([-c for c in _remainder(self.chain[-2], self.chain[-1])])
        self.chain.pop()

    def changes(self, t: Fraction) -> int:
        signs = [s for s in (_sign(_at(p, t)) for p in self.chain) if s]
        return sum(a != b for a, b in zip(signs, signs[1:]))

    def count(self, low: Fraction, high: Fraction) -> int:
        """Distinct roots in (low, high], neither of which is a root of all of the chain."""
        return self.changes(low) - self.changes(high)


def roots(p: Polynomial) -> list[tuple[Fraction, Fraction]]:
    """Intervals [low, high] with one root each, in order; low == high where the root itself was hit."""
    square_free = p
    if len(p) > 1:
        common = _gcd(p, [i * c for i, c in enumerate(p)][1:])
        if len(common) > 1:
            square_free = _quotient(p, common)
    if len(square_free) <= 1:
        return []
    sturm = _Sturm(square_free)
    found: list[tuple[Fraction, Fraction]] = []
    if _at(square_free, Fraction(0)) == 0:
        found.append((Fraction(0), Fraction(0)))
    open_spans = [(Fraction(0), Fraction(1))]
    while open_spans:
        low, high = open_spans.pop()
        count = sturm.count(low, high)
        if count == 0:
            continue
        if _at(square_free, high) == 0:
            found.append((high, high))
            count -= 1
            if count == 0:
                continue
            # The others are left of it: away from it by bisection, since it is counted in every (.., high].
            middle = (low + high) / 2
            open_spans += [(low, middle)]
            inner = middle
            while sturm.count(inner, high) > 1:
                next_inner = (inner + high) / 2
                open_spans.append((inner, next_inner))
                inner = next_inner
            continue
        if count == 1:
            found.append((low, high))
            continue
        middle = (low + high) / 2
        open_spans += [(low, middle), (middle, high)]
    return sorted(set(found))


def _quotient(p: Polynomial, q: Polynomial) -> Polynomial:
    p, result = list(p), [Fraction(0)] * (len(p) - len(q) + 1)
    while len(p) >= len(q):
        factor, shift = p[-1] / q[-1], len(p) - len(q)
        result[shift] = factor
        for i, c in enumerate(q):
            p[shift + i] -= factor * c
        p.pop()
        _trim(p)
    return result


class _Root:
    """A root of p in an interval that can be made smaller."""

    def __init__(self, p: Polynomial, low: Fraction, high: Fraction) -> None:
        self.p, self.low, self.high = p, low, high
        self._sturm = _Sturm(p)

    def refine(self) -> None:
        if self.low == self.high:
            return
        middle = (self.low + self.high) / 2
        if _at(self.p, middle) == 0:
            self.low = self.high = middle
        elif self._sturm.count(self.low, middle):
            self.high = middle
        else:
            self.low = middle

    def sign_of(self, q: Polynomial) -> int:
        if not q:
            return 0
        q = [Fraction(c) for c in q]
        common = _gcd(self.p, q)
        vanishes = len(common) > 1
        while True:
            if self.low == self.high:
                return _sign(_at(q, self.low))
            if vanishes:
                return self._sign_with_common(common, q)
            low, high = _range(q, self.low, self.high)
            if low > 0 or high < 0:
                return 1 if low > 0 else -1
            self.refine()

    def _sign_with_common(self, common: Polynomial, q: Polynomial) -> int:
        sturm = _Sturm(common)
        if _at(common, self.low) != 0 and _at(common, self.high) != 0:
            if sturm.count(self.low, self.high):
                return 0  # the one root of p in the interval is a root of q
        for _ in range(200):
            low, high = _range(q, self.low, self.high)
            if low > 0 or high < 0:
                return 1 if low > 0 else -1
            self.refine()
            if self.low == self.high:
                return _sign(_at(q, self.low))
        raise Undecided("a weight that may be zero")


def _range(q: Polynomial, low: Fraction, high: Fraction) -> tuple[Fraction, Fraction]:
    """Bounds of q over [low, high], from its expansion about low."""
    width, shifted = high - low, list(q)
    for i in range(len(q) - 1):
        for k in range(len(q) - 2, i - 1, -1):
            shifted[k] += low * shifted[k + 1]
    least = most = shifted[0]
    power = Fraction(1)
    for c in shifted[1:]:
        power *= width
        least += min(c, 0) * power
        most += max(c, 0) * power
    return least, most


Vector = list[Polynomial]


def _moving(start: Sequence[float], end: Sequence[float], scale: Fraction) -> Vector:
    points = []
    for a, b in zip(start, end):
        p, q = int(Fraction(float(a)) * scale), int(Fraction(float(b)) * scale)  # whole by the choice of the scale
        points.append(_trim([p, q - p]))
    return points


def _minus(a: Vector, b: Vector) -> Vector:
    return [_add(x, y, -1) for x, y in zip(a, b)]


def _cross(a: Vector, b: Vector) -> Vector:
    return [_add(_mul(a[(i + 1) % 3], b[(i + 2) % 3]), _mul(a[(i + 2) % 3], b[(i + 1) % 3]), -1) for i in range(3)]


def _dot(a: Vector, b: Vector) -> Polynomial:
    total: Polynomial = []
    for x, y in zip(a, b):
        total = _add(total, _mul(x, y))
    return total


def _value(v: Vector, t: Fraction) -> list[Fraction]:
    return [_at(p, t) for p in v]


def _meet_at(kind: str, points: list[Vector], t: Fraction) -> bool:
    """Closed features at a rational time at which all four points are in a plane: exact, degenerate ones included."""
    x = [_value(p, t) for p in points]
    if kind == "vertex_face":
        return _in_triangle(x[0], x[1], x[2], x[3])
    return _segments_meet(x[0], x[1], x[2], x[3])


def _sub(a: Any, b: Any) -> list[Fraction]:
    return [p - q for p, q in zip(a, b)]


def _crossed(a: Any, b: Any) -> list[Fraction]:
    return [a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3] for i in range(3)]


def _dotted(a: Any, b: Any) -> Fraction:
    return sum((p * q for p, q in zip(a, b)), Fraction(0))


def _on_segment(x: Any, a: Any, b: Any) -> bool:
    u, w = _sub(b, a), _sub(x, a)
    return not any(_crossed(u, w)) and 0 <= _dotted(u, w) <= _dotted(u, u) and (any(u) or not any(w))


def _in_triangle(x: Any, a: Any, b: Any, c: Any) -> bool:
    n = _crossed(_sub(b, a), _sub(c, a))
    if not any(n):
        return _on_segment(x, a, b) or _on_segment(x, b, c) or _on_segment(x, c, a)
    return all(_dotted(n, _crossed(_sub(q, p), _sub(x, p))) >= 0 for p, q in ((a, b), (b, c), (c, a)))


def _segments_meet(a0: Any, a1: Any, b0: Any, b1: Any) -> bool:
    u, v, w = _sub(a1, a0), _sub(b1, b0), _sub(b0, a0)
    n = _crossed(u, v)
    if not any(n):
        return any(_on_segment(p, q, r) for p, q, r in ((a0, b0, b1), (a1, b0, b1), (b0, a0, a1), (b1, a0, a1)))
    nn, s, r = _dotted(n, n), _dotted(_crossed(w, v), n), _dotted(_crossed(w, u), n)
    return 0 <= s <= nn and 0 <= r <= nn


def first_meeting(kind: str, t0: Any, t1: Any) -> tuple[float, float] | None:
    """kind: 'vertex_face' (the vertex, then the face's corners) or 'edge_edge'; four points at t = 0 and t = 1.

    None if they never meet in [0, 1]; else two doubles that the time of the first meeting lies between. Raises
    Undecided.
    """
    exponents = [math.frexp(float(x))[1] for p in (*t0, *t1) for x in p if x]
    scale = Fraction(2) ** (53 - min(exponents, default=0))
    points = [_moving(a, b, scale) for a, b in zip(t0, t1)]
    if kind == "vertex_face":
        x, a, b, d = points
        u, v, w = _minus(b, a), _minus(d, a), _minus(x, a)
    else:
        a0, a1, b0, b1 = points
        u, v, w = _minus(a1, a0), _minus(b1, b0), _minus(b0, a0)
    coplanar = _dot(_cross(u, v), w)
    if not coplanar:
        raise Undecided("the points stay in one plane")
    c = [*coplanar, 0, 0, 0][:4]
    bernstein = (3 * c[0], 3 * c[0] + c[1], 3 * c[0] + 2 * c[1] + c[2], 3 * sum(c))
    if min(bernstein) > 0 or max(bernstein) < 0:
        return None
    coplanar = [Fraction(x) for x in coplanar]
    for low, high in roots(coplanar):
        root = _Root(_square_free(coplanar), low, high)
        if low == high:
            if _meet_at(kind, points, low):
                return _outward(root)
            continue
        n = _cross(u, v)
        nn = _dot(n, n)
        if root.sign_of(nn) == 0:
            if root.low == root.high:
                if _meet_at(kind, points, root.low):
                    return _outward(root)
                continue
            raise Undecided("a feature degenerates")
        if kind == "vertex_face":
            weights = [_dot(n, _cross(_minus(q, p), _minus(x, p))) for p, q in ((a, b), (b, d), (d, a))]
        else:
            s, r = _dot(_cross(w, v), n), _dot(_cross(w, u), n)
            weights = [s, _add(nn, s, -1), r, _add(nn, r, -1)]
        if all(root.sign_of(weight) >= 0 for weight in weights):
            return _outward(root)
    return None


def _square_free(p: Polynomial) -> Polynomial:
    common = _gcd(p, [i * c for i, c in enumerate(p)][1:])
    return _quotient(p, common) if len(common) > 1 else p


def _outward(root: _Root) -> tuple[float, float]:
    while root.high - root.low > Fraction(1, 2**60):
        root.refine()
    low, high = float(root.low), float(root.high)
    if Fraction(low) > root.low:
        low = math.nextafter(low, 0.0)
    if Fraction(high) < root.high:
        high = math.nextafter(high, 1.0)
    return low, high

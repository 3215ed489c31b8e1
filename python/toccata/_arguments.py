"""Checks of arguments: every message says which argument, what was wrong, and what to pass instead."""
from __future__ import annotations

import math
from typing import Any, Sequence

import numpy as np


def choice(value: str, allowed: Sequence[str], name: str) -> int:
    """The position of ``value`` among ``allowed``."""
    if value not in allowed:
        raise ValueError(f"{name} must be one of {', '.join(map(repr, allowed))}, not {value!r}")
    return list(allowed).index(value)


def vector(value: Any, name: str) -> tuple[float, float, float]:
    """Three finite numbers."""
    try:
        array = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise TypeError(f"{name} must be three numbers, not {value!r}") from None
    if array.shape != (3,):
        raise ValueError(f"{name} must be three numbers; it has shape {array.shape}")
    if not np.isfinite(array).all():
        raise ValueError(f"{name} holds NaN or infinity")
    return (float(array[0]), float(array[1]), float(array[2]))


def number(value: Any, name: str, *, least: float = -math.inf) -> float:
    """A finite number, at least ``least``."""
    try:
        result = float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{name} must be a number, not {value!r}") from None
    if not math.isfinite(result) or result < least:
        raise ValueError(f"{name} must be a finite number" + (f" of at least {least:g}" if least > -math.inf else "")
                         + f", not {value!r}")
    return result


def tolerances(tolerance: Any, relative_tolerance: Any) -> tuple[float | None, float]:
    """A distance above 0 or None, and a share above 0."""
    if tolerance is not None:
        tolerance = number(tolerance, "tolerance")
        if tolerance <= 0.0:
            raise ValueError(f"tolerance must be a distance above 0, not {tolerance!r}; "
                             "for a share of the bodies' size pass relative_tolerance")
    share = number(relative_tolerance, "relative_tolerance")
    if share <= 0.0:
        raise ValueError(f"relative_tolerance must be above 0, not {share!r}")
    return tolerance, share


def solids(value: Any) -> tuple[bool, bool]:
    """Which of two bodies are solids: one answer for both, or a pair."""
    if isinstance(value, (tuple, list)):
        if len(value) != 2:
            raise ValueError(f"solid must be True, False or a pair of them, not {value!r}")
        return bool(value[0]), bool(value[1])
    return bool(value), bool(value)


def count(value: Any, name: str) -> int:
    """An integer of at least 0."""
    try:
        whole = -1 if isinstance(value, bool) or int(value) != value else int(value)
    except (TypeError, ValueError, OverflowError):
        whole = -1
    if whole < 0:
        raise ValueError(f"{name} must be an integer of at least 0, not {value!r}")
    return whole


def time_limit(seconds: Any) -> float:
    """A number of seconds, 0 for no limit; an infinite one is none."""
    if seconds is None or seconds == math.inf:
        return 0.0
    return number(seconds, "seconds", least=0.0)


def stacked(value: Any) -> np.ndarray[Any, Any] | None:
    """``value`` as an array; None if it is a list of things that are no numbers, or of different shapes."""
    if isinstance(value, np.ndarray):
        return value
    if not isinstance(value, (list, tuple)):
        return np.asarray(value) if hasattr(value, "__array__") else None
    try:
        return np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        return None

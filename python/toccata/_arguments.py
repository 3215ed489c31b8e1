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


def count(value: Any, name: str) -> int:
    """An integer of at least 0."""
    if isinstance(value, bool) or int(value) != value or value < 0:
        raise ValueError(f"{name} must be an integer of at least 0, not {value!r}")
    return int(value)

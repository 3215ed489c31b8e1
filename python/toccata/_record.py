"""What every answer can do: say itself in a line, become plain data, travel through pickle."""
from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np


def short(value: Any) -> str:
    """A field as the repr of an answer shows it."""
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, np.ndarray):
        if value.size > 12:
            return f"<{'x'.join(map(str, value.shape))} array>"
        return np.array2string(rounded(value), separator=", ", formatter={"float_kind": lambda x: f"{x:.6g}"}).replace(
            "\n", ""
        )
    if isinstance(value, (list, tuple)) and len(value) > 3:
        return f"<{len(value)} items>"
    return repr(value)


def rounded(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """To six digits of the largest number, so that rounding errors beside it show as 0."""
    largest = float(np.abs(array).max(initial=0.0))
    if array.dtype.kind != "f" or not 0.0 < largest < np.inf:
        return array
    return np.round(array, 6 - int(np.ceil(np.log10(largest)))) + 0.0


def plain(value: Any) -> Any:
    """Lists, dicts, numbers and strings only: what json.dumps takes."""
    if isinstance(value, Record):
        return value.to_dict()
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    return value


class Record:
    """Base of the answers. Fields whose name begins with an underscore are not part of the answer."""

    def to_dict(self) -> dict[str, Any]:
        """The answer as plain data, ready for ``json.dumps``."""
        return {field.name: plain(getattr(self, field.name)) for field in self._fields()}

    def _fields(self) -> list[dataclasses.Field[Any]]:
        return [field for field in dataclasses.fields(self) if not field.name.startswith("_")]

    def __repr__(self) -> str:
        shown = ", ".join(f"{field.name}={short(getattr(self, field.name))}" for field in self._fields() if field.repr)
        return f"{type(self).__name__}({shown})"

    def __getstate__(self) -> dict[str, Any]:
        """Everything but what only this process can use (the scene that ``view`` draws)."""
        return {name: value for name, value in self.__dict__.items() if not name.startswith("_")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        for field in dataclasses.fields(self):
            if field.name.startswith("_"):
                object.__setattr__(self, field.name, None)
        for name, value in state.items():
            object.__setattr__(self, name, value)

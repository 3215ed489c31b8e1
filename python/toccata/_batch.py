"""What the answers of a batch can do: columns with one row per trial, single answers, and parts of the batch."""
from __future__ import annotations

import dataclasses
import operator
from typing import Any, Generic, Iterator, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from ._record import Record

Answer = TypeVar("Answer")
Part = TypeVar("Part", bound="Batch[Any]")


def selection(key: Any, size: int, what: str = "row") -> int | NDArray[np.intp]:
    """A row of ``size`` as a number of at least 0, or those that a slice, a mask or a list of rows asks for."""
    if isinstance(key, slice):
        return np.arange(size, dtype=np.intp)[key]
    if not isinstance(key, (bool, np.bool_)):
        try:
            row = operator.index(key)
        except TypeError:
            pass
        else:
            if not -size <= row < size:
                raise IndexError(f"{what} {row} of a batch of {size}")
            return row % size
    rows = np.asarray(key)
    if rows.dtype == bool and rows.ndim == 1:
        if len(rows) != size:
            raise IndexError(f"a mask of {len(rows)} for a batch of {size}")
        return np.flatnonzero(rows)
    if rows.ndim != 1 or (rows.dtype.kind not in "iu" and rows.size):
        raise TypeError("a batch is indexed by an integer, a slice, a boolean mask or integers")
    wanted = rows.astype(np.intp)
    wrong = np.flatnonzero((wanted < -size) | (wanted >= size))
    if len(wrong):
        raise IndexError(f"{what} {wanted[wrong[0]]} of a batch of {size}")
    return np.where(wanted < 0, wanted + size, wanted)


class Batch(Record, Generic[Answer]):
    """Base of the answers of a batch. The public fields are columns; ``trial`` is where a row was when asked."""

    trial: NDArray[np.intp]
    _batch: Any
    _scene: Any

    def __len__(self) -> int:
        return len(self.trial)

    @overload
    def __getitem__(self: Part, key: slice | NDArray[Any] | list[int] | list[bool]) -> Part: ...
    @overload
    def __getitem__(self, key: int) -> Answer: ...
    def __getitem__(self, key: Any) -> Any:
        """One answer by its number; a smaller batch by a slice, a boolean mask or a list of numbers."""
        rows = selection(key, len(self), "trial")
        if not isinstance(rows, int):
            return dataclasses.replace(self, **{field.name: _part(getattr(self, field.name), rows) for field in self._fields()})
        if self._batch is None:
            raise TypeError("single answers are not kept through pickle; use the columns")
        return self._answer(int(self.trial[rows]))

    def __iter__(self) -> Iterator[Answer]:
        return (self[row] for row in range(len(self)))

    def _answer(self, trial: int) -> Answer:
        raise NotImplementedError


def _part(column: NDArray[Any], rows: NDArray[np.intp]) -> NDArray[Any]:
    part = column[rows]
    part.setflags(write=False)
    return part


def trials(count: int) -> NDArray[np.intp]:
    """0, 1, 2, ...: the rows of a whole batch."""
    numbers = np.arange(count, dtype=np.intp)
    numbers.setflags(write=False)
    return numbers

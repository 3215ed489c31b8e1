"""Distances from a mesh, prepared once: proven intervals for many points."""
from __future__ import annotations

import math
import os
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _toccata
from ._arguments import count, number, time_limit, vector
from ._record import Record
from .geometry import as_shape


@dataclass(frozen=True, repr=False, eq=False)
class FieldValues(Record):
    """What a field says of points, as columns."""

    lower: NDArray[np.float64]  #: (n,): proven: the true signed distance is no less than this
    upper: NDArray[np.float64]  #: (n,): and no more than this
    gradient: NDArray[np.float64]  #: (n, 3): unit, about where the distance grows fastest; zero where it has none
    triangle: NDArray[np.int32]  #: (n,): nearest, or nearly, to the middle of the field's cell

    @property
    def distance(self) -> NDArray[np.float64]:
        """(n,): the middle of the interval."""
        middle: NDArray[np.float64] = 0.5 * (self.lower + self.upper)
        return middle

    def __len__(self) -> int:
        return len(self.lower)

    def __repr__(self) -> str:
        return f"FieldValues({len(self)} points, {int((self.upper < 0).sum())} inside)"


class DistanceField:
    """Signed distances from a mesh as an adaptive octree, with a proven interval for every point.

    ``error``: half the width that an interval may have; 0: a thousandth of the mesh's size. ``margin``: how far the field
    reaches beyond the mesh's box, in the mesh's size; farther away the mesh itself is asked, which takes longer. A mesh
    that is not closed has no negative distances. ``band``: farther than that from the surface intervals may be wider than the
    error. ``seconds``: the time limit of the build, 0 for none.

    >>> import toccata
    >>> field = toccata.DistanceField(toccata.box(), error=0.01)
    >>> near = field.at([[0, 0, 0.25], [0, 0, 0.75]])
    >>> bool(near.lower[0] <= -0.25 <= near.upper[0] and near.lower[1] <= 0.25 <= near.upper[1])
    True
    """

    __slots__ = ("_core", "_facts")

    def __init__(
        self,
        mesh: Any,
        *,
        error: float = 0.0,
        margin: float = _toccata.field_margin,
        band: float = math.inf,
        seconds: float = 0.0,
        threads: int = 0,
    ) -> None:
        reach = float(band)
        if math.isnan(reach) or reach < 0:
            raise ValueError(f"band must be at least 0, not {band!r}")
        self._take(
            _toccata.DistanceField(
                as_shape(mesh, "mesh")._core,
                number(error, "error", least=0.0),
                number(margin, "margin", least=0.0),
                reach,
                time_limit(seconds),
                count(threads, "threads"),
            )
        )

    def _take(self, core: Any) -> None:
        self._core = core
        self._facts: dict[str, Any] = core.facts()

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> DistanceField:
        """From a file that ``save`` or ``toccata field build`` wrote."""
        field = cls.__new__(cls)
        field._take(_toccata.DistanceField.load(os.fspath(path)))
        return field

    def save(self, path: str | os.PathLike[str], *, force: bool = True) -> int:
        """Writes field and mesh; returns the size in bytes. ``force=False``: an existing file is an error."""
        return int(self._core.save(os.fspath(path), bool(force)))

    def save_openvdb(
        self,
        path: str | os.PathLike[str],
        *,
        voxel: float = 0.0,
        half_width: float = 3.0,
        threads: int = 0,
        force: bool = True,
    ) -> int:
        """Writes a level set of OpenVDB, a grid named "distance"; returns how many voxels hold distances.

        ``voxel``: the side of one, 0 for a 64th of the mesh's size. ``half_width``: voxels on both sides of the surface that hold
        distances. They are within ``error`` of the true ones, with exact signs. ImportError where OpenVDB is not installed.
        """
        try:
            from . import _openvdb
        except ImportError as problem:
            raise ImportError(f"level sets need OpenVDB, and a toccata that was built with it (Debian: libopenvdb-dev): {problem}") from problem
        return _openvdb.save(
            self._core.bytes(),
            os.fspath(path),
            number(voxel, "voxel", least=0.0),
            number(half_width, "half_width", least=1.5),
            count(threads, "threads"),
            bool(force),
        )

    def at(self, points: ArrayLike, *, threads: int = 0) -> FieldValues:
        """The intervals at points (n, 3), on all cores."""
        asked = [vector(points, "points")] if np.ndim(points) == 1 and np.shape(points) == (3,) else points
        return FieldValues(**self._core.at(asked, count(threads, "threads")))

    def side_at(self, points: ArrayLike) -> NDArray[np.int32]:
        """On which side points (n, 3) are, exactly: index into ``toccata.CONTAINMENTS``."""
        asked = [vector(points, "points")] if np.ndim(points) == 1 and np.shape(points) == (3,) else points
        return self._core.side_at(asked)

    @property
    def error(self) -> float:
        """Half the width that an interval may have."""
        return float(self._facts["error"])

    @property
    def is_signed(self) -> bool:
        """Whether the mesh is closed, so that distances inside are negative."""
        return bool(self._facts["signed"])

    @property
    def memory_bytes(self) -> int:
        """Without the mesh."""
        return int(self._facts["memory_bytes"])

    def __repr__(self) -> str:
        return f"DistanceField({self._facts['leaves']} leaves, error={self.error:.6g})"

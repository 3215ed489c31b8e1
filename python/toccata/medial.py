"""Balls, cones and slabs that provably enclose a mesh."""
from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _toccata
from ._arguments import count, number
from ._record import Record
from .geometry import Solid
from .mesh import as_mesh


class MedialMesh(Solid):
    """The union of balls, of cones (hulls of two balls) and of slabs (hulls of three).

    ``centers`` (n, 3) and ``radii`` (n,) are the balls; ``cones`` (k, 2) and ``slabs`` (m, 3) name them by number. It is a
    shape for every question; features count its ``primitives``.

    >>> import toccata
    >>> cone = toccata.MedialMesh([[0, 0, 0], [3, 0, 0]], [1, 0.5], cones=[[0, 1]])
    >>> cone
    MedialMesh(2 balls, 1 cone, 0 slabs)
    >>> round(toccata.distance(cone, [0, 0, 0], toccata.Ball(1), [0, 0, 4]).distance, 9)
    2.0
    """

    __slots__ = ("_arrays",)
    _arrays: dict[str, NDArray[Any]]

    def __init__(self, centers: ArrayLike, radii: ArrayLike, cones: ArrayLike = (), slabs: ArrayLike = ()) -> None:
        pairs = np.asarray(cones, dtype=np.int32).reshape(-1, 2) if np.size(cones) == 0 else cones
        triples = np.asarray(slabs, dtype=np.int32).reshape(-1, 3) if np.size(slabs) == 0 else slabs
        self._take(_toccata.medial_mesh(centers, radii, pairs, triples))

    def _take(self, core: _toccata.SolidShape) -> None:
        self._hold(core)
        self._arrays = _toccata.medial_arrays(core)

    @classmethod
    def _of(cls, core: _toccata.SolidShape) -> "MedialMesh":
        made: MedialMesh = cls.__new__(cls)
        made._take(core)
        return made

    @staticmethod
    def load(path: str | os.PathLike[str]) -> "MedialMesh":
        """From a ``.ma`` or ``.json`` file."""
        return MedialMesh._of(_toccata.load_medial_mesh(os.fspath(path)))

    def save(self, path: str | os.PathLike[str], *, force: bool = False) -> int:
        """As ``.ma`` or ``.json``; balls alone as ``.urdf`` or ``.yaml``, too. The bytes written."""
        return _toccata.save_medial_mesh(os.fspath(path), self._core, bool(force))

    @property
    def centers(self) -> NDArray[np.float64]:
        """(n, 3), read-only"""
        return self._arrays["centers"]

    @property
    def radii(self) -> NDArray[np.float64]:
        """(n,), read-only"""
        return self._arrays["radii"]

    @property
    def cones(self) -> NDArray[np.int32]:
        """(k, 2), read-only"""
        return self._arrays["cones"]

    @property
    def slabs(self) -> NDArray[np.int32]:
        """(m, 3), read-only"""
        return self._arrays["slabs"]

    @property
    def primitives(self) -> NDArray[np.int32]:
        """(p, 3), read-only: the balls of each primitive that no other holds, -1 where it has fewer than three."""
        return self._arrays["primitives"]

    def encloses(self, mesh: Any, *, finest: float = 0.0, threads: int = 0) -> bool:
        """Whether every triangle of the mesh is proven inside. ``finest``: triangles are cut no smaller; 0: a thousandth."""
        return bool(
            _toccata.medial_encloses(
                self._core, as_mesh(mesh, "mesh")._core, number(finest, "finest", least=0.0), count(threads, "threads")
            )[0]
        )

    def __repr__(self) -> str:
        def counted(values: NDArray[Any], name: str) -> str:
            return f"{len(values)} {name}{'' if len(values) == 1 else 's'}"

        return f"MedialMesh({counted(self.radii, 'ball')}, {counted(self.cones, 'cone')}, {counted(self.slabs, 'slab')})"

    def __reduce__(self) -> tuple[Any, ...]:
        return (MedialMesh, tuple(np.array(array) for array in (self.centers, self.radii, self.cones, self.slabs)))


@dataclass(frozen=True, repr=False, eq=False)
class MedialProxy(Record):
    """A medial mesh in place of a mesh."""

    outer: MedialMesh  #: holds every triangle, proven
    inner: MedialMesh | None  #: balls, each proven inside the solid; None if none fits
    error: float  #: proven: no point of ``outer`` is farther than this from the solid
    errors: NDArray[np.float64]  #: the same of each of ``outer.primitives``

    def __repr__(self) -> str:
        return f"MedialProxy({len(self.errors)} primitives, error={self.error:.6g})"


def medial(
    mesh: Any,
    *,
    error: float | None = None,
    balls: int | None = None,
    primitives: int | None = None,
    spheres_only: bool = False,
    threads: int = 0,
) -> MedialProxy:
    """Few balls, cones and slabs that provably enclose a closed mesh.

    One of ``error`` (how far they may reach beyond it), ``balls`` and ``primitives`` (how many there may be) says how fine.
    ``spheres_only``: no cones and slabs, for planners.

    >>> import toccata
    >>> box = toccata.box([1, 1, 1])
    >>> proxy = toccata.medial(box, error=0.1)
    >>> proxy.error <= 0.1, proxy.outer.encloses(box)
    (True, True)
    """
    found = _toccata.medial_proxy(
        as_mesh(mesh, "mesh")._core,
        None if error is None else number(error, "error"),
        None if balls is None else count(balls, "balls"),
        None if primitives is None else count(primitives, "primitives"),
        bool(spheres_only),
        count(threads, "threads"),
    )
    return _proxy_of(found)


def medial_levels(mesh: Any, *, error: float, spheres_only: bool = False, threads: int = 0) -> list[MedialProxy]:
    """A mesh from fine to coarse: proxies with fewer and fewer primitives, the first within ``error``, the last a single one.

    >>> import toccata
    >>> levels = toccata.medial_levels(toccata.box([1, 1, 1]), error=0.1)
    >>> levels[0].error <= 0.1, len(levels[-1].errors)
    (True, 1)
    """
    found = _toccata.medial_levels(
        as_mesh(mesh, "mesh")._core, number(error, "error"), bool(spheres_only), count(threads, "threads")
    )
    return [_proxy_of(fields) for fields in found]


def _proxy_of(found: dict[str, Any]) -> MedialProxy:
    inner = found["inner"]
    return MedialProxy(
        outer=MedialMesh._of(found["outer"]),
        inner=None if inner is None else MedialMesh._of(inner),
        error=found["error"],
        errors=found["errors"],
    )

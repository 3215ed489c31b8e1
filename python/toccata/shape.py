"""What every shape can tell, whatever its kind."""
from __future__ import annotations

from . import _toccata


class Shape:
    """Base of all shapes: meshes and the solid kinds. Prepared once, and then every question takes it.

    >>> import toccata
    >>> [isinstance(shape, toccata.Shape) for shape in (toccata.Ball(1), toccata.box())]
    [True, True]
    """

    __slots__ = ("_core", "__weakref__")
    _core: _toccata.Shape

    @property
    def size(self) -> float:
        """Radius of a ball around the centre of the bounding box that holds the shape; infinite for a half space."""
        return self._core.size

    @property
    def is_closed(self) -> bool:
        """It encloses a volume. A mesh does if every edge is shared by exactly two triangles; every other kind does."""
        return self._core.is_closed

    @property
    def memory_bytes(self) -> int:
        """Bytes of the geometry and of the tree that queries use."""
        return self._core.memory_bytes

"""What every shape can tell, whatever its kind."""
from __future__ import annotations

import os
import pickle
from typing import Any

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

    @property
    def content_hash(self) -> str:
        """A name for all that is in it, 64 hexadecimal digits: shapes that differ in any number have different ones."""
        return _toccata.content_hash(self._core)

    def save(self, path: str | os.PathLike[str], *, force: bool = False) -> int:
        """Writes the prepared shape, for ``toccata.load_shape``; returns the size in bytes.

        An existing file is an error unless ``force``.

        >>> import os, tempfile, toccata
        >>> path = os.path.join(tempfile.mkdtemp(), "cube.shape")
        >>> size = toccata.box().save(path)
        >>> toccata.load_shape(path)
        Mesh(8 vertices, 12 faces)
        """
        name = os.fspath(path)
        if os.path.exists(name) and not force:
            raise FileExistsError(f"{name} exists; pass force=True to replace it")
        return _toccata.save_shape(name, self._core, bool(force))

    def __reduce_ex__(self, protocol: Any) -> tuple[Any, ...]:
        """Prepared, so that who unpickles it need not build again; out of band where the protocol allows it."""
        from .shape_file import restored

        content = _toccata.shape_bytes(self._core)
        return (restored, (pickle.PickleBuffer(content),) if protocol >= 5 else (content.tobytes(),))

"""A solver kept for many queries on one pair of bodies."""
from __future__ import annotations

from typing import Any

from . import _toccata
from ._arguments import solids
from ._literals import AtStart, RigidMethod
from .contact import FirstContactResult, first_contact_of
from .geometry import as_shape
from .motion import as_motion
from .rigid import ClosestApproachResult, closest_approach_of, common_options, first_contact_options

_FIRST = _toccata.first_contact_defaults  # the defaults are those of the C++ options
_CLOSEST = _toccata.closest_approach_defaults


class ContactSolver:
    """For many queries on one pair of bodies, one after the other: keeps what one answer tells about the next.

    A motion that cannot use up the distance last seen is answered without a search: for short motions that follow
    each other, as of a planner or of a simulation. The answers are those of ``first_contact`` in every field but
    ``stats``, and with a budget, where less work may mean an answer; those of ``closest_approach`` within the
    tolerance. Options as for ``first_contact``; ``seconds`` is of each query. Threads take turns; have one solver per thread.

    >>> import toccata
    >>> cube = toccata.box()
    >>> solver = toccata.ContactSolver(cube, cube)
    >>> [solver.first_contact(([x, 0, 0], [x - 0.5, 0, 0])).status for x in (3, 2.5, 2, 1.2)]
    ['separated', 'separated', 'separated', 'contact']
    """

    __slots__ = ("_core", "_meshes", "_solid")

    def __init__(
        self,
        mesh_a: Any,
        mesh_b: Any,
        *,
        solid: Any = _FIRST["solid"],
        tolerance: float | None = _FIRST["tolerance"],
        relative_tolerance: float = _FIRST["relative_tolerance"],
        minimum_distance: float = _FIRST["minimum_distance"],
        all_contacts: bool = _FIRST["all_contacts"],
        budget: int = _FIRST["budget"],
        seconds: float = _FIRST["seconds"],
        method: RigidMethod = _FIRST["method"],
        at_start: AtStart = _FIRST["at_start"],
    ) -> None:
        self._meshes = (as_shape(mesh_a, "mesh_a"), as_shape(mesh_b, "mesh_b"))
        self._solid = solids(solid)
        options = first_contact_options(
            tolerance, relative_tolerance, minimum_distance, all_contacts, budget, seconds, method, at_start
        )
        self._core = _toccata.ContactSolver(self._meshes[0]._core, self._meshes[1]._core, self._solid, options)

    def first_contact(self, motion_a: Any, motion_b: Any = None) -> FirstContactResult:
        """When do they first touch, moving so? Motions as for the function of the same name."""
        moving_a, moving_b = as_motion(motion_a, "motion_a"), as_motion(motion_b, "motion_b")
        handle = self._core.first_contact(moving_a._core, moving_b._core)
        return first_contact_of(handle.fields(), (handle, *self._scene(moving_a, moving_b)))

    def closest_approach(
        self,
        motion_a: Any,
        motion_b: Any = None,
        *,
        tolerance: float | None = _CLOSEST["tolerance"],
        relative_tolerance: float = _CLOSEST["relative_tolerance"],
        budget: int = _CLOSEST["budget"],
        seconds: float = _CLOSEST["seconds"],
    ) -> ClosestApproachResult:
        """How close do they come, moving so? Options as for the function of the same name."""
        moving_a, moving_b = as_motion(motion_a, "motion_a"), as_motion(motion_b, "motion_b")
        options = common_options(tolerance, relative_tolerance, budget, seconds)
        handle = self._core.closest_approach(moving_a._core, moving_b._core, options)
        return closest_approach_of(handle, self._scene(moving_a, moving_b))

    def _scene(self, moving_a: Any, moving_b: Any) -> tuple[Any, ...]:
        return self._meshes[0], moving_a._core, self._meshes[1], moving_b._core, self._solid

    def __repr__(self) -> str:
        return f"ContactSolver({self._meshes[0]!r}, {self._meshes[1]!r})"

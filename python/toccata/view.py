"""Reports of answers, and the page that shows one: one HTML file, no server, no network."""
from __future__ import annotations

import html
import json
import os
import tempfile
import webbrowser
from typing import Any, NamedTuple, Sequence

from numpy.typing import ArrayLike

from . import _toccata
from ._arguments import count
from ._literals import Axis
from .contact import FirstContactResult
from .deformable import DeformableContacts
from .layers import SHOWN, layers_report
from .mesh import Mesh
from .motion import Motion, RecordedMotion
from .proximity import DistanceResult
from .rigid import ClosestApproachResult, ContactIntervalsResult
from .rigid_batch import FirstContactAmong, FirstContactBatch

_TRIALS_SHOWN = 500  # of a batch: more cannot be paged through
_MOST_LEVELS = 9  # of boxes: the deeper ones are too many to be told apart


class ReportBody(NamedTuple):
    """A body of a report, as it was asked about."""

    name: str
    mesh: Mesh | None  #: None where the report only names the file
    motion: Motion
    solid: bool


class Report:
    """The record of a query, as ``Page.save`` and ``toccata ... --report`` write it; see ``read_report``."""

    __slots__ = ("_core",)

    def __init__(self, core: _toccata.Report) -> None:
        self._core = core

    @property
    def query(self) -> str:
        """What was asked: 'first_contact', 'distance', 'sequence', ..."""
        return self._core.query

    @property
    def answer(self) -> str:
        """The answer as a sentence."""
        return self._core.answer

    @property
    def sentences(self) -> list[str]:
        """One sentence for each result, as of the trials of a batch."""
        return self._core.sentences

    @property
    def bodies(self) -> list[ReportBody]:
        """The bodies, ready to be asked again."""
        return [
            ReportBody(name, None if mesh is None else Mesh._of(mesh), RecordedMotion(motion), solid)
            for name, mesh, motion, solid in self._core.bodies()
        ]

    def to_dict(self) -> dict[str, Any]:
        """Everything, as plain data: docs/report.md says what it holds."""
        return json.loads(self._core.json())  # type: ignore[no-any-return]

    def view(
        self, *, triangle_limit: int = _toccata.triangle_limit, up: Axis | None = None, hierarchy_levels: int = 0
    ) -> "Page":
        """The page that shows it; the options are those of ``toccata.view``."""
        return Page(self._core, count(triangle_limit, "triangle_limit"), up, hierarchy_levels)

    def __str__(self) -> str:
        return self.answer

    def __repr__(self) -> str:
        return f"Report({self.query}: {self.answer})"


def read_report(path: str | os.PathLike[str]) -> Report:
    """Reads a report. What is wrong with one is said with the field it is in.

    >>> import os, tempfile, toccata
    >>> cube = toccata.box()
    >>> found = toccata.first_contact(cube, ([-3, 0, 0], [0, 0, 0]), cube)
    >>> report = toccata.read_report(toccata.view(found).save(os.path.join(tempfile.mkdtemp(), "report.json")))
    >>> a, b = report.bodies
    >>> abs(toccata.first_contact(a.mesh, a.motion, b.mesh, b.motion).time - found.time) < 1e-12
    True
    """
    name = os.fspath(path)
    if not os.path.exists(name):
        raise FileNotFoundError(f"{name}: no such file")
    return Report(_toccata.read_report(name))


class Page:
    """A page that shows an answer. In a notebook it shows itself; ``save`` writes it, ``open`` shows it."""

    def __init__(
        self, report: _toccata.Report, triangle_limit: int, up: Axis | None = None, hierarchy_levels: int = 0
    ) -> None:
        if up not in (None, "x", "y", "z"):
            raise ValueError(f"up must be 'x', 'y' or 'z', not {up!r}")
        levels = count(hierarchy_levels, "hierarchy_levels")
        self._report = report
        self.html: str = report.page(triangle_limit, up or "", min(levels, _MOST_LEVELS))  #: the whole page
        self.path: str | None = None  #: where it was written, if it was

    @property
    def answer(self) -> str:
        """The answer as a sentence."""
        return self._report.answer

    @property
    def report(self) -> dict[str, Any]:
        """The report the page shows, as plain data: what ``toccata view`` and docs/report.md know."""
        return json.loads(self._report.json())  # type: ignore[no-any-return]

    def save(self, path: str | os.PathLike[str], *, force: bool = False) -> str:
        """Writes the page (or, if the name ends in .json, the report); returns where."""
        name = os.path.abspath(os.fspath(path))
        if os.path.exists(name) and not force:
            raise FileExistsError(f"{name} exists; pass force=True to replace it")
        with open(name, "w", encoding="utf-8") as file:
            file.write(self._report.json() if name.endswith(".json") else self.html)
        self.path = name
        return name

    def open(self) -> None:
        """Shows the page in the web browser."""
        if self.path is None or self.path.endswith(".json"):
            self.save(os.path.join(tempfile.mkdtemp(prefix="toccata-"), "page.html"))
        webbrowser.open("file://" + str(self.path))

    def _repr_html_(self) -> str:
        return (
            f'<iframe srcdoc="{html.escape(self.html)}" width="100%" height="640" style="border:0" '
            f'title="{html.escape(self.answer)}"></iframe>'
        )

    def __repr__(self) -> str:
        where = repr(self.path) if self.path else f"{len(self.html) // 1000} kB, not written: .save(path) or .open()"
        return f"Page({self.answer!r}, {where})"


def view(
    result: Any,
    path: str | os.PathLike[str] | None = None,
    *,
    title: str = "",
    names: Sequence[str] = ("a", "b"),
    force: bool = False,
    positions: tuple[ArrayLike, ArrayLike] | None = None,
    faces: ArrayLike | None = None,
    bodies: Any = None,
    strands: int | ArrayLike | None = None,
    clearance_samples: int = _toccata.clearance_samples,
    triangle_limit: int = _toccata.triangle_limit,
    up: Axis | None = None,
    hierarchy_levels: int = 0,
) -> Page:
    """The page that shows an answer in motion; written to ``path`` if one is given, shown inline in a notebook.

    ``result``: what ``first_contact``, ``first_contacts``, ``first_contact_among``, ``closest_approach``,
    ``contact_intervals``, ``distance`` or ``ccd`` returned; or a ``DistanceField`` (slices through the middle), what
    ``voronoi`` (cells in colour), ``penetration``, ``penetration_field`` (arrows of depth), ``particle_contacts`` (strands or
    ways and contact normals: give its ``positions`` and ``strands``, too), ``medial`` (balls, cones and slabs coloured by
    their certified error) or ``convex_parts`` returned, with what stands there as ``bodies``: a shape, or a list of shapes and of
    (shape, pose). ``names``: of the two bodies, as the page and the sentences
    call them. For the contacts of a ``DeformableScene`` give the
    step, too: ``positions=(start, end)`` and ``faces``. An existing file is an error unless ``force``.
    ``clearance_samples``: at how many times the distance of rigid bodies is plotted, 0 for none. Above
    ``triangle_limit`` triangles the scene is thinned out for display. ``up``: the axis that points up, 'x', 'y' or
    'z'; by default as the report says. ``hierarchy_levels``: so many levels of the bodies' boxes can be shown, at most 9.

    >>> import os, tempfile, toccata
    >>> sheet = toccata.sheet(4, 4)
    >>> contacts = toccata.ccd(sheet.vertices, sheet.vertices + [0, 0, 1], sheet.faces)
    >>> page = toccata.view(contacts, os.path.join(tempfile.mkdtemp(), "page.html"))
    >>> page.answer
    'No contact in the step.'
    >>> os.path.getsize(page.path) > 100_000
    True
    """
    samples = count(clearance_samples, "clearance_samples")
    if isinstance(result, SHOWN):
        report = layers_report(result, title, _names(names), bodies, positions, strands)
    else:
        report = _report(result, title, _names(names), positions, faces, samples)
    page = Page(report, count(triangle_limit, "triangle_limit"), up, hierarchy_levels)
    if path is not None:
        page.save(path, force=force)
    return page


def _names(names: Any) -> tuple[str, str]:
    if isinstance(names, str) or len(names) != 2 or not all(isinstance(name, str) for name in names):
        raise ValueError(f"names must be two texts, one for each body, not {names!r}")
    return names[0], names[1]


def _report(
    result: Any, title: str, names: tuple[str, str], positions: Any, faces: Any, samples: int
) -> _toccata.Report:
    if isinstance(result, DeformableContacts):
        return _step_report(result, title, positions, faces)
    if isinstance(result, FirstContactAmong):
        result, names = result.result, (names[0], result.name or names[1])
    if not isinstance(
        result, (FirstContactResult, FirstContactBatch, ClosestApproachResult, ContactIntervalsResult, DistanceResult)
    ):
        raise TypeError(f"view shows the answer of a query (first_contact, ccd, distance...), not {type(result).__name__}")
    if result._scene is None:
        if isinstance(result, FirstContactResult) and result.weights is not None:
            raise ValueError("view shows all contacts of a deforming scene: scene.all_contacts() with the step")
        raise ValueError("an answer that went through pickle cannot be viewed; ask again")
    if isinstance(result, FirstContactBatch):
        return _batch_report(result, title, names)
    if isinstance(result, DistanceResult):
        handle, mesh_a, place_a, mesh_b, place_b = result._scene
        places = (mesh_a._core, place_a, mesh_b._core, place_b)
        return _toccata.distance_report(handle, *places, names, title or "Distance")
    handle, mesh_a, motion_a, mesh_b, motion_b, solid = result._scene
    scene = (handle, mesh_a._core, motion_a, mesh_b._core, motion_b, solid, names)
    if isinstance(result, ClosestApproachResult):
        return _toccata.closest_approach_report(*scene, title or "Closest approach", samples)
    if isinstance(result, ContactIntervalsResult):
        return _toccata.contact_intervals_report(*scene, title or "Contact intervals", samples)
    return _toccata.first_contact_report(*scene, title or "First contact", samples)


def _batch_report(batch: FirstContactBatch, title: str, names: tuple[str, str]) -> _toccata.Report:
    a, b = batch._scene
    if len(a.meshes) > 1 or len(b.meshes) > 1:
        raise ValueError("these are answers on different bodies: view one of them, such as view(batch[0])")
    return _toccata.first_contacts_report(
        batch._batch,
        batch.trial.tolist(),
        a.meshes[0]._core,
        a.motions,
        b.meshes[0]._core,
        b.motions,
        (a.solid[0], b.solid[0]),
        names,
        title or "Trials",
        _TRIALS_SHOWN,
    )


def _step_report(result: DeformableContacts, title: str, positions: Any, faces: Any) -> _toccata.Report:
    if positions is not None and faces is not None:
        step = (positions[0], positions[1], faces)
    elif result._step is not None:
        step = result._step
    else:
        raise ValueError("these contacts came from a scene: pass the step, positions=(start, end) and faces=...")
    if result._list is None:
        raise ValueError("contacts that went through pickle cannot be viewed; ask again")
    return _toccata.step_report(*step, result._list, result.complete, title or "Contacts of a step")

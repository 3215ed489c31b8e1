"""The first contact and where it is: one answer for rigid bodies and for deforming scenes."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ._literals import FeatureKind, Inside, Status
from ._record import Record, short


class Feature(NamedTuple):
    """A vertex, edge or face of a shape.

    Of a rigid mesh ``part`` is the triangle and ``index`` its corner 0..2, its edge (from corner ``index`` to the next
    one) or 0 for its face. Of a convex kind ``part`` is 0 and ``index`` a corner; of a height field ``part`` is the
    triangle, of a compound the piece (``Compound.part_of``). Of a deforming scene ``part`` is the object and ``index``
    counts over the scene.
    """

    kind: FeatureKind
    index: int  # type: ignore[assignment]  # tuple.index is not needed
    part: int


@dataclass(frozen=True, repr=False, eq=False)
class Contact(Record):
    """Where two shapes meet or come closest: the same for rigid bodies and for deforming scenes."""

    point_a: NDArray[np.float64]  #: (3,), world coordinates
    point_b: NDArray[np.float64]
    normal: NDArray[np.float64]  #: (3,): unit, from a to b; zero only if the geometry leaves it undefined
    distance: float  #: between the two points
    feature_a: Feature
    feature_b: Feature

    @property
    def triangle_a(self) -> int:
        """Of a rigid mesh: the index of its face."""
        return self.feature_a.part

    @property
    def triangle_b(self) -> int:
        return self.feature_b.part

    def __repr__(self) -> str:
        return (
            f"Contact({self.feature_a.kind}-{self.feature_b.kind}, parts {self.feature_a.part}-{self.feature_b.part}, "
            f"point_a={short(self.point_a)}, normal={short(self.normal)}, distance={self.distance:.3g})"
        )


@dataclass(frozen=True, repr=False, eq=False)
class FirstContactResult(Record):
    """The first contact of two moving bodies or of a deforming scene, or the proof that there is none."""

    status: Status
    time: float  #: never later than the true first contact; 1 when separated; out of budget: free until then
    lower: float  #: the bodies are proven apart on [0, lower)
    upper: float  #: if they ever touch, they first do so by then; 1 where this could not be narrowed
    minimum_distance: float  #: as asked for: touching means coming this close
    apart_from: float  #: with ``at_start='skip'``: from when on they are apart, 1 if that did not come; else 0
    distance: float | None  #: of the bodies at ``time``; None unless they touch
    contact: Contact | None  #: the closest pair at ``time``
    contacts: list[Contact]  #: that one, or all at that time when asked for
    pose_a: NDArray[np.float64] | None  #: (4, 4), at ``time``; of rigid bodies
    pose_b: NDArray[np.float64] | None
    weights: NDArray[np.float64] | None  #: (4,): of a deforming scene, the contact as weights of the four vertices
    step: int  #: of a list of frames
    stats: dict[str, Any]  #: the work done
    inside: Inside  #: of solids
    failure: str  #: of a question that could not be asked: what was wrong, and what to do
    sentence: str  #: the answer for a person
    _scene: Any = None

    def __bool__(self) -> bool:
        """False only if the bodies are proven apart: True if they touch, and where that is not known."""
        return self.status != "separated"

    def __str__(self) -> str:
        return self.sentence

    def __repr__(self) -> str:
        if self.status == "separated":
            return "FirstContactResult(separated)"
        if self.status == "failed":
            return f"FirstContactResult(failed: {self.failure})"
        if self.inside != "none":
            return f"FirstContactResult(overlap_at_start, {self.inside})"
        if self.status == "out_of_budget":
            return f"FirstContactResult(out_of_budget, free until {self.time:.6g})"
        point = short(self.contact.point_a) if self.contact else "?"
        more = f", {len(self.contacts)} contacts" if len(self.contacts) > 1 else ""
        return f"FirstContactResult({self.status} at t={self.time:.6g}, point={point}{more})"


def first_contact_of(fields: dict[str, Any], scene: Any = None) -> FirstContactResult:
    """The record of what the module answers; ``scene``: what ``view`` needs to draw it."""
    fields["contact"] = contact_of(fields["contact"]) if fields["contact"] is not None else None
    fields["contacts"] = [contact_of(contact) for contact in fields["contacts"]]
    return FirstContactResult(**fields, _scene=scene)


def contact_of(fields: dict[str, Any]) -> Contact:
    features = {side: Feature(*fields[side]) for side in ("feature_a", "feature_b")}
    return Contact(**{**fields, **features})

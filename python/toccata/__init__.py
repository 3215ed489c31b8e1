"""Toccata: do moving shapes touch, when first, where, and how close do they come. It never misses.

>>> import numpy as np, toccata
>>> faces = np.array([[0, 1, 2], [3, 4, 5]])
>>> start = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [.2, .2, 1], [.3, .2, 2], [.2, .3, 2]])
>>> toccata.ccd(start, start - [0, 0, 1] * (np.arange(6) > 2)[:, None] * 1.5, faces)
DeformableContacts(1 vertex-face, 0 edge-edge, first at t=0.666667)
"""
from ._toccata import __version__
from .contact import Contact, Feature, FirstContactResult
from .deformable import (
    KINDS,
    DeformableContact,
    DeformableContacts,
    DeformableScene,
    ccd,
)
from .impact import IMPACT_STAGES, STATUSES, Impact, ImpactBatch, edge_edge_impact, vertex_face_impact
from .mesh import Mesh, as_mesh, load, save
from .motion import (
    CustomMotion,
    FixedMotion,
    Motion,
    PiecewiseMotion,
    RecordedMotion,
    RigidMotion,
    ScrewMotion,
    as_motion,
)
from .pose import as_pose, rotation_about
from .proximity import DistanceResult, distance, intersecting_triangles, intersects
from .rigid import (
    ClosestApproachResult,
    ContactInterval,
    ContactIntervalsResult,
    FirstContactBatch,
    all_contacts,
    closest_approach,
    contact_intervals,
    first_contact,
    first_contacts,
)
from .shapes import box, sheet, sphere
from .view import Page, Report, ReportBody, read_report, view

__all__ = [
    "ClosestApproachResult",
    "Contact",
    "ContactInterval",
    "ContactIntervalsResult",
    "CustomMotion",
    "DeformableContact",
    "DeformableContacts",
    "DeformableScene",
    "DistanceResult",
    "Feature",
    "FirstContactBatch",
    "FirstContactResult",
    "FixedMotion",
    "IMPACT_STAGES",
    "Impact",
    "ImpactBatch",
    "KINDS",
    "Mesh",
    "Motion",
    "Page",
    "PiecewiseMotion",
    "RecordedMotion",
    "Report",
    "ReportBody",
    "RigidMotion",
    "STATUSES",
    "ScrewMotion",
    "__version__",
    "all_contacts",
    "as_mesh",
    "as_motion",
    "as_pose",
    "box",
    "ccd",
    "closest_approach",
    "contact_intervals",
    "distance",
    "edge_edge_impact",
    "first_contact",
    "first_contacts",
    "intersecting_triangles",
    "intersects",
    "load",
    "read_report",
    "rotation_about",
    "save",
    "sheet",
    "sphere",
    "vertex_face_impact",
    "view",
]

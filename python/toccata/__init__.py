"""Toccata: do moving shapes touch, when first, where, and how close do they come. It never misses.

>>> import numpy as np, toccata
>>> faces = np.array([[0, 1, 2], [3, 4, 5]])
>>> start = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [.2, .2, 1], [.3, .2, 2], [.2, .3, 2]])
>>> toccata.ccd(start, start - [0, 0, 1] * (np.arange(6) > 2)[:, None] * 1.5, faces)
DeformableContacts(1 vertex-face, 0 edge-edge, first at t=0.666667)
"""
from ._interrupt import Interrupted
from ._toccata import __version__
from .contact import Contact, Feature, FirstContactResult
from .contact_solver import ContactSolver
from .deformable import (
    KINDS,
    DeformableContact,
    DeformableContacts,
    DeformableScene,
    ccd,
)
from .geometry import (
    Ball,
    Box,
    Capsule,
    Compound,
    Cone,
    ConvexHull,
    Cylinder,
    Ellipsoid,
    HalfSpace,
    HeightField,
    as_shape,
)
from .impact import IMPACT_STAGES, STATUSES, Impact, ImpactBatch, edge_edge_impact, vertex_face_impact
from .mesh import Mesh, as_mesh, load, save
from .motion import (
    CustomMotion,
    FixedMotion,
    Motion,
    MotionList,
    PiecewiseMotion,
    RecordedMotion,
    RigidMotion,
    ScrewMotion,
    as_motion,
)
from .pose import as_pose, as_poses, rotation_about
from .proximity import (
    CONTAINMENTS,
    DistanceBatch,
    DistanceResult,
    PenetrationResult,
    WithinResult,
    containment,
    distance,
    distances,
    intersecting_triangles,
    intersections,
    intersects,
    penetration,
    point_containment,
    point_containments,
    within,
)
from .ray_cast import RayCastBatch, RayCastResult, ray_cast, ray_casts, ray_crossings
from .rigid import (
    ClosestApproachResult,
    ContactInterval,
    ContactIntervalsResult,
    all_contacts,
    closest_approach,
    contact_intervals,
    first_contact,
    shape_cast,
)
from .rigid_batch import (
    Body,
    ClosestApproachBatch,
    FirstContactAmong,
    FirstContactBatch,
    closest_approaches,
    first_contact_among,
    first_contacts,
)
from .self_intersection import SelfIntersectionChecker, SelfIntersectionResult, self_intersects
from .shape import Shape
from .shapes import box, sheet, sphere
from .signed_distance import SignedDistances, signed_distance
from .view import Page, Report, ReportBody, read_report, view

__all__ = [
    "Ball",
    "Body",
    "Box",
    "CONTAINMENTS",
    "Capsule",
    "ClosestApproachBatch",
    "ClosestApproachResult",
    "Compound",
    "Cone",
    "Contact",
    "ContactInterval",
    "ContactIntervalsResult",
    "ContactSolver",
    "ConvexHull",
    "CustomMotion",
    "Cylinder",
    "DeformableContact",
    "DeformableContacts",
    "DeformableScene",
    "DistanceBatch",
    "DistanceResult",
    "Ellipsoid",
    "Feature",
    "FirstContactAmong",
    "FirstContactBatch",
    "FirstContactResult",
    "FixedMotion",
    "HalfSpace",
    "HeightField",
    "IMPACT_STAGES",
    "Impact",
    "ImpactBatch",
    "Interrupted",
    "KINDS",
    "Mesh",
    "Motion",
    "MotionList",
    "Page",
    "PenetrationResult",
    "PiecewiseMotion",
    "RayCastBatch",
    "RayCastResult",
    "RecordedMotion",
    "Report",
    "ReportBody",
    "RigidMotion",
    "STATUSES",
    "ScrewMotion",
    "SelfIntersectionChecker",
    "SelfIntersectionResult",
    "Shape",
    "SignedDistances",
    "WithinResult",
    "__version__",
    "all_contacts",
    "as_mesh",
    "as_motion",
    "as_pose",
    "as_poses",
    "as_shape",
    "box",
    "ccd",
    "closest_approach",
    "closest_approaches",
    "contact_intervals",
    "containment",
    "distance",
    "distances",
    "edge_edge_impact",
    "first_contact",
    "first_contact_among",
    "first_contacts",
    "intersecting_triangles",
    "intersections",
    "intersects",
    "load",
    "penetration",
    "point_containment",
    "point_containments",
    "ray_cast",
    "ray_casts",
    "ray_crossings",
    "read_report",
    "rotation_about",
    "save",
    "self_intersects",
    "shape_cast",
    "sheet",
    "signed_distance",
    "sphere",
    "vertex_face_impact",
    "view",
    "within",
]

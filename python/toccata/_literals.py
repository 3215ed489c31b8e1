"""The words that options and answers are made of, for type checkers. The tests hold them against C++'s own names."""
from __future__ import annotations

from typing import Literal

Status = Literal["separated", "contact", "overlap_at_start", "out_of_budget", "failed"]
Inside = Literal["none", "first_in_second", "second_in_first"]
FeatureKind = Literal["vertex", "edge", "face"]
Containment = Literal["inside", "outside", "mixed", "crossing", "undefined"]
ConvexMethod = Literal["gjk", "feature_walk", "levels"]
RigidMethod = Literal["advancement", "controlled", "interval", "screw"]
AtStart = Literal["report", "skip"]
Interpolation = Literal["linear", "screw"]
Axis = Literal["x", "y", "z"]
QuaternionOrder = Literal["wxyz", "xyzw"]
DeformableMethod = Literal["clusters", "connectivity", "brute_force"]
PairScope = Literal["all", "within_component", "between_components", "within_object", "between_objects"]
FeaturePairKind = Literal["vertex_face", "edge_edge", "vertex_edge", "vertex_vertex"]

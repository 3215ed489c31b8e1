"""The compiled half of toccata; use the package, not this module."""
from typing import Any, Callable, Sequence, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._literals import Containment, FeaturePairKind, Status

__version__: str
impact_stages: tuple[str, ...]
linear_impact_defaults: dict[str, Any]
distance_step_limit: int
statuses: tuple[Status, ...]
feature_pair_kinds: tuple[FeaturePairKind, ...]
inside_names: tuple[str, ...]
feature_kinds: tuple[str, ...]
rigid_methods: tuple[str, ...]
at_start_choices: tuple[str, ...]
first_contact_defaults: dict[str, Any]
closest_approach_defaults: dict[str, Any]
contact_intervals_defaults: dict[str, Any]
distance_defaults: dict[str, Any]
triangle_limit: int
clearance_samples: int
pair_scopes: tuple[str, ...]
deformable_methods: tuple[str, ...]
relative_distance_tolerance: float

_Triple = tuple[float, float, float]

class Mesh:
    def __init__(self, vertices: ArrayLike, faces: ArrayLike) -> None: ...
    @property
    def vertices(self) -> NDArray[np.float64]: ...
    @property
    def faces(self) -> NDArray[np.int32]: ...
    @property
    def size(self) -> float: ...
    @property
    def is_closed(self) -> bool: ...
    @property
    def memory_bytes(self) -> int: ...
    def prepare(self) -> None: ...

def load(path: str, weld_stl: bool) -> Mesh: ...
def save(path: str, mesh: Mesh, force: bool, ascii: bool) -> int: ...

rotation_tolerance: float

def pose_of(value: Any, name: str, quaternion: str) -> NDArray[np.float64]: ...
def pose_of_parts(rotation: Any, translation: Any, name: str) -> NDArray[np.float64]: ...
def pose_matrices(value: Any, name: str, quaternion: str) -> NDArray[np.float64]: ...

class Motion:
    def pose(self, t: float) -> NDArray[np.float64]: ...
    @property
    def is_fixed(self) -> bool: ...

def rigid_motion(pose_t0: NDArray[np.float64], pose_t1: NDArray[np.float64], reference: _Triple) -> Motion: ...
def rigid_motion_with_velocity(
    pose_t0: NDArray[np.float64], velocity: _Triple, angular_velocity: _Triple, reference: _Triple
) -> Motion: ...
def screw_motion(pose_t0: NDArray[np.float64], pose_t1: NDArray[np.float64]) -> Motion: ...
def screw_motion_about(
    pose_t0: NDArray[np.float64], axis: _Triple, point: _Triple, angle: float, slide: float
) -> Motion: ...
def piecewise_motion(
    times: Sequence[float], poses: Sequence[NDArray[np.float64]], by_screws: bool, reference: _Triple
) -> Motion: ...
def custom_motion(
    function: Callable[[float], NDArray[np.float64]],
    speed: float,
    angular_speed: float,
    translation_error: float,
    rotation_error: float,
    acceleration: float,
    angular_acceleration: float,
) -> Motion: ...

class MotionList:
    @overload
    def __init__(self, motions: Sequence[Motion]) -> None: ...
    @overload
    def __init__(self, motion: Motion, count: int) -> None: ...
    def __len__(self) -> int: ...
    def motion(self, row: int) -> Motion: ...
    def selected(self, rows: Sequence[int]) -> MotionList: ...

def motions_of_array(
    value: Any, name: str, quaternion: str, by_screws: bool, reference: _Triple
) -> MotionList: ...
def motions_between_arrays(
    start: Any, end: Any, name: str, quaternion: str, by_screws: bool, reference: _Triple
) -> MotionList: ...
def vertex_face_impacts(
    points_t0: ArrayLike,
    points_t1: ArrayLike,
    t_max: float,
    minimum_distance: float,
    relative_distance_tolerance: float,
    boolean_only: bool,
    budget: int,
    seconds: float,
    threads: int,
) -> dict[str, NDArray[Any]]: ...
def edge_edge_impacts(
    points_t0: ArrayLike,
    points_t1: ArrayLike,
    t_max: float,
    minimum_distance: float,
    relative_distance_tolerance: float,
    boolean_only: bool,
    budget: int,
    seconds: float,
    threads: int,
) -> dict[str, NDArray[Any]]: ...

class DeformableScene:
    def __init__(self, objects: list[tuple[int, Any, Any]], method: int, threads: int) -> None: ...
    def update(self, positions_t0: ArrayLike, positions_t1: ArrayLike) -> float: ...
    def update_topology(self, objects: list[tuple[int, Any, Any]]) -> float: ...
    def all_contacts(self, options: dict[str, Any]) -> dict[str, Any]: ...
    def safe_step(self, options: dict[str, Any]) -> dict[str, Any]: ...
    @property
    def vertex_count(self) -> int: ...
    @property
    def object_count(self) -> int: ...
    @property
    def component_count(self) -> int: ...
    @property
    def faces(self) -> NDArray[np.int32]: ...
    @property
    def edges(self) -> NDArray[np.int32]: ...
    @property
    def memory_bytes(self) -> int: ...

class ContactList:
    def selected(self, rows: Sequence[int]) -> ContactList: ...

def step_sentence(counts: Sequence[int], first_time: float | None) -> str: ...

class Report:
    def json(self) -> str: ...
    def page(self, triangle_limit: int) -> str: ...
    def bodies(self) -> list[tuple[str, Mesh | None, Motion, bool]]: ...
    @property
    def query(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def sentences(self) -> list[str]: ...
    @property
    def answer(self) -> str: ...

def read_report(path: str) -> Report: ...

def step_report(
    positions_t0: ArrayLike, positions_t1: ArrayLike, faces: ArrayLike, contacts: ContactList, title: str
) -> Report: ...

class FirstContactResult:
    def fields(self) -> dict[str, Any]: ...

def first_contact(
    mesh_a: Mesh, motion_a: Motion, mesh_b: Mesh, motion_b: Motion, options: dict[str, Any]
) -> FirstContactResult: ...

class BatchSide:
    def __init__(self, meshes: Sequence[Mesh], motions: MotionList, solid: Sequence[bool]) -> None: ...

class FirstContactBatch:
    @property
    def interrupted(self) -> bool: ...
    def columns(self) -> dict[str, NDArray[Any]]: ...
    def row(self, row: int) -> FirstContactResult: ...

class ClosestApproachBatch:
    @property
    def interrupted(self) -> bool: ...
    def columns(self) -> dict[str, NDArray[Any]]: ...
    def row(self, row: int) -> ClosestApproachResult: ...

def first_contacts(a: BatchSide, b: BatchSide, options: dict[str, Any], threads: int) -> FirstContactBatch: ...
def closest_approaches(a: BatchSide, b: BatchSide, options: dict[str, Any], threads: int) -> ClosestApproachBatch: ...
def trials_sentence(answered: int, touching: int, undecided: int, failed: int) -> str: ...

class ContactSolver:
    def __init__(self, mesh_a: Mesh, mesh_b: Mesh, solid: tuple[bool, bool], options: dict[str, Any]) -> None: ...
    def first_contact(self, motion_a: Motion, motion_b: Motion) -> FirstContactResult: ...
    def closest_approach(
        self, motion_a: Motion, motion_b: Motion, options: dict[str, Any]
    ) -> ClosestApproachResult: ...

class ClosestApproachResult:
    def fields(self) -> dict[str, Any]: ...

class ContactIntervalsResult:
    def fields(self) -> dict[str, Any]: ...

class DistanceResult:
    def fields(self) -> dict[str, Any]: ...

def closest_approach(
    mesh_a: Mesh, motion_a: Motion, mesh_b: Mesh, motion_b: Motion, options: dict[str, Any]
) -> ClosestApproachResult: ...
def contact_intervals(
    mesh_a: Mesh, motion_a: Motion, mesh_b: Mesh, motion_b: Motion, options: dict[str, Any]
) -> ContactIntervalsResult: ...
def closest_approach_report(
    result: ClosestApproachResult,
    mesh_a: Mesh,
    motion_a: Motion,
    mesh_b: Mesh,
    motion_b: Motion,
    solid: tuple[bool, bool],
    names: tuple[str, str],
    title: str,
    samples: int,
) -> Report: ...
def contact_intervals_report(
    result: ContactIntervalsResult,
    mesh_a: Mesh,
    motion_a: Motion,
    mesh_b: Mesh,
    motion_b: Motion,
    solid: tuple[bool, bool],
    names: tuple[str, str],
    title: str,
    samples: int,
) -> Report: ...
def first_contacts_report(
    batch: FirstContactBatch,
    rows: Sequence[int],
    mesh_a: Mesh,
    motions_a: MotionList,
    mesh_b: Mesh,
    motions_b: MotionList,
    solid: tuple[bool, bool],
    names: tuple[str, str],
    title: str,
    shown: int,
) -> Report: ...
def distance_report(
    result: DistanceResult,
    mesh_a: Mesh,
    pose_a: NDArray[np.float64],
    mesh_b: Mesh,
    pose_b: NDArray[np.float64],
    names: tuple[str, str],
    title: str,
) -> Report: ...
def first_contact_report(
    result: FirstContactResult,
    mesh_a: Mesh,
    motion_a: Motion,
    mesh_b: Mesh,
    motion_b: Motion,
    solid: tuple[bool, bool],
    names: tuple[str, str],
    title: str,
    samples: int,
) -> Report: ...
def distance(
    mesh_a: Mesh,
    pose_a: NDArray[np.float64],
    mesh_b: Mesh,
    pose_b: NDArray[np.float64],
    options: dict[str, float],
) -> DistanceResult: ...

class DistanceBatch:
    @property
    def interrupted(self) -> bool: ...
    def columns(self) -> dict[str, NDArray[Any]]: ...
    def row(self, row: int) -> DistanceResult: ...

def distances(
    mesh_a: Mesh,
    poses_a: NDArray[np.float64],
    mesh_b: Mesh,
    poses_b: NDArray[np.float64],
    count: int,
    options: dict[str, float],
    threads: int,
) -> DistanceBatch: ...
def within(
    mesh_a: Mesh, pose_a: NDArray[np.float64], mesh_b: Mesh, pose_b: NDArray[np.float64], distance: float, seconds: float
) -> dict[str, Any]: ...
def intersections(
    mesh_a: Mesh,
    poses_a: NDArray[np.float64],
    mesh_b: Mesh,
    poses_b: NDArray[np.float64],
    count: int,
    seconds: float,
    threads: int,
) -> IntersectsBatch: ...

class IntersectsBatch:
    @property
    def interrupted(self) -> bool: ...
    def answers(self) -> NDArray[np.uint8]: ...

class ContainmentBatch:
    @property
    def interrupted(self) -> bool: ...
    def answers(self) -> NDArray[np.int32]: ...

containments: tuple[Containment, ...]

def containment(
    inner: Mesh, pose_inner: NDArray[np.float64], outer: Mesh, pose_outer: NDArray[np.float64]
) -> Containment: ...
def point_containments(
    points: ArrayLike, outer: Mesh, pose: NDArray[np.float64], seconds: float, threads: int
) -> ContainmentBatch: ...

class RayCastBatch:
    @property
    def interrupted(self) -> bool: ...
    def columns(self) -> dict[str, NDArray[Any]]: ...

def ray_casts(
    mesh: Mesh, pose: NDArray[np.float64], origins: Any, directions: Any, limit: float, seconds: float, threads: int
) -> RayCastBatch: ...
def ray_crossings(
    mesh: Mesh, pose: NDArray[np.float64], origins: Any, directions: Any
) -> tuple[NDArray[np.int32], NDArray[np.float64]]: ...

curvature_test: bool

def self_intersects(mesh: Mesh, curvature_test: bool, first_only: bool, seconds: float) -> dict[str, Any]: ...

class SelfIntersectionChecker:
    def __init__(self, mesh: Mesh) -> None: ...
    def check(
        self, positions: ArrayLike, vertex_count: int, curvature_test: bool, first_only: bool, seconds: float
    ) -> dict[str, Any]: ...

def intersects(
    mesh_a: Mesh, pose_a: NDArray[np.float64], mesh_b: Mesh, pose_b: NDArray[np.float64], all_pairs: bool
) -> NDArray[np.int32]: ...

"""The cases of the benchmark: made by a seed, and answered twice. A case whose two answers disagree ends the making.

Each maker yields cases: what is asked, in numbers; the truth, an interval that both methods allow; how hard it is. The
fast method is always toccata's default. The slow one is exact rational arithmetic (exact_impact), all separating axes
(separating_axes), interval arithmetic over the tree of time spans (method 'interval'), or every pair on its own.
"""
from __future__ import annotations

import itertools
import math
from pathlib import Path
from typing import Any, Callable, Iterator

import numpy as np

import exact_impact
import features
import mesh_makers as makers
import separating_axes
import toccata
from truth_format import contact, free, write_mesh

Case = dict[str, Any]


class Disputed(Exception):
    """Two methods contradict each other: one of them is wrong, and nothing is published until it is known which."""


def _agreed(case: str, first: dict[str, Any], second: dict[str, Any]) -> dict[str, Any]:
    """The interval that both allow."""
    if first["status"] != second["status"]:
        raise Disputed(f"{case}: {first} against {second}")
    if first["status"] == "free":
        return first
    lower, upper = max(first["lower"], second["lower"]), min(first["upper"], second["upper"])
    if lower > upper:
        raise Disputed(f"{case}: {first} against {second}")
    return contact(lower, upper)


def _difficulty(margin: float) -> str:
    """By how little it is decided, as a share of the size: what rounding and sampling must not lose."""
    for name, least in (("easy", 1e-2), ("medium", 1e-4), ("hard", 1e-8)):
        if margin >= least:
            return name
    return "extreme"


def _rotation(rng: np.random.Generator) -> np.ndarray:
    q, r = np.linalg.qr(rng.normal(size=(3, 3)))
    q = q * np.sign(np.diag(r))
    return q if np.linalg.det(q) > 0 else -q


def _rounds(scale: float, rounds: int) -> range:
    return range(max(1, round(scale * rounds)))


def _unit(rng: np.random.Generator) -> np.ndarray:
    v = rng.normal(size=3)
    return v / np.linalg.norm(v)


# ---------------------------------------------------------------- four points


def elementary(rng: np.random.Generator, folder: Path, scale: float) -> Iterator[Case]:
    """Vertex against face, edge against edge: ordinary, exponents, far from the origin, near misses by a few roundings."""
    kinds: list[tuple[str, Callable[[], tuple[np.ndarray, np.ndarray]], float]] = []

    def meeting(kind: str, off: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
        """Four points that meet at a random time in a random place; `off` moves them past each other."""
        t = rng.uniform(0.05, 0.95)
        x = rng.uniform(-1, 1, size=(4, 3))
        if kind == "vertex_face":
            w = rng.dirichlet([1, 1, 1])
            if off:
                w = np.array([-off, *(rng.dirichlet([1, 1]) * (1 + off))])  # beyond an edge
            x[0] = w @ x[1:]
        else:
            s, r = rng.uniform(size=2)
            if off:
                s = 1 + off
            x[3] = x[2] + (x[0] + s * (x[1] - x[0]) - x[2]) / max(r, 0.1) if r else x[3]
        v = rng.normal(size=(4, 3)) * rng.uniform(0.1, 2)
        return x - t * v, x + (1 - t) * v

    def scaled(maker: Callable[[], Any], exponent: int, shift: float) -> Callable[[], Any]:
        def made() -> Any:
            t0, t1 = maker()
            offset = shift * rng.normal(size=3)
            return np.ldexp(t0 + offset, exponent), np.ldexp(t1 + offset, exponent)
        return made

    for kind in ("vertex_face", "edge_edge"):
        def plain(kind: str = kind) -> Any:
            return meeting(kind)
        def missing(kind: str = kind) -> Any:
            return meeting(kind, 0.2)
        kinds += [(kind, plain, 0.1), (kind, missing, 0.1)]
        for exponent in (-280, -60, 60, 280):
            kinds.append((kind, scaled(plain, exponent, 0.0), 1e-3))
        for shift in (1e3, 1e6, 1e9):
            kinds.append((kind, scaled(plain, 0, shift), 1e-16 * shift))
        for off in (1e-6, 1e-10, 1e-13, 1e-15):
            for side in (1, -1):
                def close(kind: str = kind, off: float = off * side) -> Any:
                    return meeting(kind, off)
                kinds.append((kind, close, off))
    number = 0
    for repeat in _rounds(scale, 20):
        for kind, maker, margin in kinds:
            t0, t1 = maker()
            ask = toccata.vertex_face_impact if kind == "vertex_face" else toccata.edge_edge_impact
            fast = ask(t0, t1)
            first = free() if fast.status == "separated" else contact(fast.lower, fast.upper)
            try:
                exact = exact_impact.first_meeting(kind, t0, t1)
            except exact_impact.Undecided:
                continue
            second = free() if exact is None else contact(*exact)
            number += 1
            name = f"elementary/{number}"
            yield {"id": name, "question": kind, "t0": t0.tolist(), "t1": t1.tolist(),
                   "truth": _agreed(name, first, second), "methods": ["default", "exact rational arithmetic"],
                   "difficulty": _difficulty(abs(margin))}


# ---------------------------------------------------------------- rigid meshes


def _motion(place: Any, rotation: Any, velocity: Any, spin: Any) -> dict[str, Any]:
    return {"position": np.asarray(place, float).tolist(), "rotation": np.asarray(rotation, float).tolist(),
            "velocity": np.asarray(velocity, float).tolist(), "spin": np.asarray(spin, float).tolist()}


def motion_of(m: dict[str, Any]) -> toccata.RigidMotion:
    pose = np.eye(4)
    pose[:3, :3], pose[:3, 3] = m["rotation"], m["position"]
    return toccata.RigidMotion(pose, velocity=m["velocity"], angular_velocity=m["spin"])


TOLERANCE = 1e-9  # of the size of the bodies: contact means closer than this, for both methods


def _rigid_case(name: str, meshes: dict[str, toccata.Mesh], a: str, motion_a: Any, b: str, motion_b: Any,
                difficulty: str) -> Case | None:
    """None where the two methods do not tell: a gap between the tolerances."""
    bodies = (meshes[a], motion_of(motion_a), meshes[b], motion_of(motion_b))
    fast = toccata.first_contact(*bodies, relative_tolerance=TOLERANCE)
    slow = toccata.first_contact(*bodies, relative_tolerance=TOLERANCE, method="interval", budget=20_000_000)
    if "out_of_budget" in (fast.status, slow.status):
        return None
    answers = []
    for found in (fast, slow):
        if found.status == "separated":
            answers.append(free())
        elif found.status == "overlap_at_start":
            answers.append(contact(0.0, 0.0))
        else:
            # `upper` is where the bodies are within the tolerance, which may be a little before they touch: the
            # truth ends where they are seen to meet.
            answers.append(contact(found.lower, _meets_by(bodies, found.upper)))
    truth = _agreed(name, *answers)
    return {"id": name, "question": "first_contact", "a": a, "b": b, "motion_a": motion_a, "motion_b": motion_b,
            "truth": truth, "methods": ["default", "interval arithmetic"], "difficulty": difficulty}


def _meets_by(bodies: Any, time: float) -> float:
    """A time at which the meshes intersect, exactly, as placed there; 1 where none was seen."""
    step = 1e-12
    while True:
        later = min(1.0, time + step)
        if toccata.intersects(bodies[0], bodies[1](later), bodies[2], bodies[3](later)) or later == 1.0:
            return later
        step *= 2.0


def _mesh(folder: Path, meshes: dict[str, toccata.Mesh], name: str, mesh: makers.Mesh) -> str:
    path = write_mesh(folder, name, *mesh)
    meshes[path] = toccata.Mesh(*mesh)
    return path


def rigid(rng: np.random.Generator, folder: Path, scale: float) -> Iterator[Case]:
    """Meshes that turn: grazing, thin, many turns, in contact at the start, free by a hair."""
    meshes: dict[str, toccata.Mesh] = {}
    knot = _mesh(folder, meshes, "knot", makers.knot(60, 8))
    ball = _mesh(folder, meshes, "ball", makers.sphere(0.5, 10))
    bar = _mesh(folder, meshes, "bar", makers.box(2.0, 0.05, 0.05))
    plate = _mesh(folder, meshes, "plate", makers.box(1.5, 1.5, 0.01))
    box = _mesh(folder, meshes, "box", makers.box(1.0, 0.7, 0.4))
    rest = _motion([0, 0, 0], np.eye(3), [0, 0, 0], [0, 0, 0])
    number = 0

    def case(a: str, motion: Any, b: str, difficulty: str, other: Any = rest) -> Iterator[Case]:
        nonlocal number
        number += 1
        found = _rigid_case(f"rigid/{number}", meshes, a, motion, b, other, difficulty)
        if found is not None:
            yield found

    for _ in _rounds(scale, 20):
        for a, b in ((knot, knot), (box, ball), (bar, knot), (plate, box)):  # ordinary
            start = 3.0 * _unit(rng)
            to = 0.6 * rng.normal(size=3)
            yield from case(a, _motion(start, _rotation(rng), 1.6 * (to - start), 2 * rng.normal(size=3)), b, "easy")
        # many turns of a bar beside a ball
        yield from case(bar, _motion([1.2, 0, 0.6], _rotation(rng), [-1, 0.1, -0.3], [0, 0, rng.uniform(20, 120)]), ball, "hard")
        # grazing: a bar that turns about z sweeps a ring; a ball stands just within or beyond it
        reach = math.hypot(1.0, 0.025)
        for gap in (1e-2, 1e-4, 1e-6):
            place = [reach + 0.5 + rng.choice([-1, 1]) * gap, 0, 0]
            spin = _motion([0, 0, 0], np.eye(3), [0, 0, 0], [0, 0, math.pi])
            yield from case(bar, spin, ball, _difficulty(gap), _motion(place, _rotation(rng), [0, 0, 0], [0, 0, 0]))
        # free by a hair: a plate slides along another one
        for gap in (1e-3, 1e-5, 1e-7):
            above = _motion([-2, 0.1 * rng.normal(), 0.205 + gap], np.eye(3), [4, 0, 0], [0, 0, rng.uniform(-6, 6)])
            yield from case(plate, above, box, _difficulty(gap))
        # in contact at the start, and leaving
        yield from case(box, _motion([0.3, 0.1, 0.1], _rotation(rng), 3 * _unit(rng), rng.normal(size=3)), ball, "easy")


def tunnelling(rng: np.random.Generator, folder: Path, scale: float) -> Iterator[Case]:
    """Small and fast against thin: sampled poses jump over it."""
    meshes: dict[str, toccata.Mesh] = {}
    wall = _mesh(folder, meshes, "wall", makers.sheet(4.0, 8))
    plate = _mesh(folder, meshes, "thin_plate", makers.box(3.0, 3.0, 1e-3))
    needle = _mesh(folder, meshes, "needle", makers.box(0.3, 0.002, 0.002))
    pellet = _mesh(folder, meshes, "pellet", makers.sphere(0.01, 6))
    number = 0
    for _ in _rounds(scale, 10):
        for small, target in itertools.product((needle, pellet), (wall, plate)):
            for speed in (10.0, 100.0, 1000.0):
                number += 1
                aim = np.array([*rng.uniform(-1.2, 1.2, size=2), 0.0])
                if rng.uniform() < 0.25:
                    aim[:2] += 6.0  # beside it
                way = _unit(rng)
                way[2] = math.copysign(max(abs(way[2]), 0.3), way[2])
                way /= np.linalg.norm(way)
                start = aim - way * speed * rng.uniform(0.2, 0.8)
                moving = _motion(start, _rotation(rng), way * speed, 3 * rng.normal(size=3))
                rest = _motion([0, 0, 0], np.eye(3), [0, 0, 0], [0, 0, 0])
                found = _rigid_case(f"tunnelling/{number}", meshes, small, moving, target, rest, _difficulty(0.01 / speed))
                if found is not None:
                    yield found


# ---------------------------------------------------------------- convex shapes


def _hull(points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    hull = toccata.ConvexHull(points)
    return np.array(hull.vertices), np.array(hull.faces)


def convex(rng: np.random.Generator, folder: Path, scale: float) -> Iterator[Case]:
    """Hulls at rest, apart by 10^-1 to 10^-12 or deep by it, and straight casts that just hit or just miss."""
    number = 0
    for _ in _rounds(scale, 6):
        for exponent in range(1, 13):
            for sign in (1, -1):
                a, faces_a = _hull(makers.cloud(rng, 16))
                b, faces_b = _hull(makers.cloud(rng, 16) @ _rotation(rng).T)
                way = _unit(rng)
                far = b + 4 * way
                # Moved along `way` until the gap along it is as wished: the distance is then at most that.
                met = separating_axes.meeting(far, faces_b, a, faces_a, -4 * way)
                if met is None:
                    continue
                b = b + way * (4 * (1 - met[0]) + sign * 10.0**-exponent)
                number += 1
                name = f"convex/{number}"
                fast = toccata.distance(toccata.ConvexHull(a), None, toccata.ConvexHull(b), None, relative_error=0.0)
                slow = separating_axes.gap(a, faces_a, b, faces_b)
                if (fast.distance == 0.0) != (slow == 0.0) or abs(fast.distance - slow) > 1e-13:
                    raise Disputed(f"{name}: distance {fast.distance!r} against {slow!r}")
                low, high = sorted((fast.distance, slow))
                slack = 1e-14 if slow else 0.0
                yield {"id": name, "question": "distance", "points_a": a.tolist(), "points_b": b.tolist(),
                       "truth": {"status": "free" if slow else "contact", "lower": max(0.0, low - slack), "upper": high + slack},
                       "methods": ["default", "all features in 80-bit numbers"], "difficulty": _difficulty(10.0**-exponent)}
    for _ in _rounds(scale, 6):
        for exponent in range(1, 11):
            for sign in (1, -1):
                a, faces_a = _hull(makers.cloud(rng, 16))
                b, faces_b = _hull(makers.cloud(rng, 16) @ _rotation(rng).T)
                way, side = _unit(rng), rng.normal(size=3)
                side -= way * (side @ way)
                side /= np.linalg.norm(side)
                # How far aside the cast just grazes: the first meeting of one coming from the side.
                shadow = _grazing_offset(a, faces_a, b, faces_b, way, side)
                start = a - 3 * way + side * (shadow + sign * 10.0**-exponent)
                try:
                    slow = separating_axes.meeting(start, faces_a, b, faces_b, 6 * way)
                except ArithmeticError:
                    continue
                number += 1
                name = f"convex/{number}"
                moving = toccata.RigidMotion(None, 6 * way)
                fast = toccata.first_contact(toccata.ConvexHull(start), moving, toccata.ConvexHull(b), None,
                                             relative_tolerance=1e-13)
                first = free() if fast.status == "separated" else contact(fast.lower, min(1.0, fast.upper + 1e-9))
                second = free() if slow is None else contact(*slow)
                yield {"id": name, "question": "cast", "points_a": start.tolist(), "points_b": b.tolist(),
                       "move": (6 * way).tolist(), "truth": _agreed(name, first, second),
                       "methods": ["default", "all separating axes"], "difficulty": _difficulty(10.0**-exponent)}


def _grazing_offset(a: Any, faces_a: Any, b: Any, faces_b: Any, way: np.ndarray, side: np.ndarray) -> float:
    """The largest offset along `side` at which a, on its way along `way`, still meets b: bisected."""
    low, high = 0.0, 4.0
    for _ in range(60):
        middle = 0.5 * (low + high)
        try:
            hit = separating_axes.meeting(a - 3 * way + side * middle, faces_a, b, faces_b, 6 * way) is not None
        except ArithmeticError:
            return middle
        low, high = (middle, high) if hit else (low, middle)
    return low


# ---------------------------------------------------------------- worlds, robots, deforming meshes


def worlds(rng: np.random.Generator, folder: Path, scale: float) -> Iterator[Case]:
    """Many bodies in a box: the first contact of every pair, in order."""
    meshes: dict[str, toccata.Mesh] = {}
    names = [_mesh(folder, meshes, "world_box", makers.box(0.5, 0.3, 0.2)),
             _mesh(folder, meshes, "world_ball", makers.sphere(0.2, 6)),
             _mesh(folder, meshes, "world_rod", makers.box(1.2, 0.02, 0.02))]
    for number in _rounds(scale, 20):
        name = f"worlds/{number + 1}"
        count = 8 + 4 * (number % 3)
        bodies = []
        for i in range(count):
            place = rng.uniform(-2, 2, size=3)
            bodies.append({"shape": names[i % 3], "motion": _motion(place, _rotation(rng), 2 * rng.normal(size=3),
                                                                    4 * rng.normal(size=3))})
        world = toccata.World()
        for body in bodies:
            world.insert(meshes[body["shape"]], motion_of(body["motion"]))
        fast = {(event.body_a, event.body_b): event for event in world.events(relative_tolerance=TOLERANCE)}
        events = []
        for a, b in itertools.combinations(range(count), 2):
            both = (meshes[bodies[a]["shape"]], motion_of(bodies[a]["motion"]), meshes[bodies[b]["shape"]],
                    motion_of(bodies[b]["motion"]))
            slow = toccata.first_contact(*both, method="interval", relative_tolerance=TOLERANCE, budget=20_000_000)
            found = fast.get((a, b))
            if slow.status == "out_of_budget":
                raise Disputed(f"{name}: the slow method does not end on bodies {a} and {b}")
            if (slow.status == "separated") != (found is None):
                raise Disputed(f"{name}: bodies {a} and {b}: {slow} against {found}")
            if found is not None:
                upper = _meets_by(both, slow.upper) if slow.upper > 0 else 0.0
                truth = _agreed(f"{name} {a} {b}", contact(found.lower, max(upper, found.upper)), contact(slow.lower, upper))
                events.append({"a": a, "b": b, "lower": truth["lower"], "upper": truth["upper"]})
        events.sort(key=lambda event: event["lower"])
        yield {"id": name, "question": "events", "bodies": bodies, "truth": {"status": "contact", "events": events},
               "methods": ["default", "every pair by interval arithmetic"], "difficulty": _difficulty(_least_lag(events))}


def _least_lag(events: list[dict[str, Any]]) -> float:
    """Between two events one after the other, whose order is asked; those at the start have none."""
    times = [event["lower"] for event in events if event["upper"] > 0.0]
    return min((b - a for a, b in zip(times, times[1:])), default=1.0)


ARM_LINKS = [(0.4, "0 0 1"), (0.5, "0 1 0"), (0.4, "0 1 0"), (0.3, "1 0 0")]  # length and axis of each
ARM = """<?xml version="1.0"?>
<robot name="arm">
  <link name="base"><collision><geometry><box size="0.3 0.3 0.1"/></geometry></collision></link>
{links}</robot>
"""
LINK = """  <link name="link{i}"><collision><origin xyz="0 0 {half}"/><geometry><box size="{width} {width} {length}"/></geometry></collision></link>
  <joint name="joint{i}" type="revolute"><parent link="{parent}"/><child link="link{i}"/><origin xyz="0 0 {offset}"/>
    <axis xyz="{axis}"/><limit lower="-3" upper="3" effort="1" velocity="1"/></joint>
"""


def robots(rng: np.random.Generator, folder: Path, scale: float) -> Iterator[Case]:
    """Straight edges in the joint space of an arm with thin links among thin rods."""
    links, parent, offset = "", "base", 0.05
    for i, (length, axis) in enumerate(ARM_LINKS):
        links += LINK.format(i=i, half=length / 2, width=0.04, length=length, parent=parent, axis=axis, offset=offset)
        parent, offset = f"link{i}", length
    (folder / "robot").mkdir(exist_ok=True)
    urdf = folder / "robot" / "arm.urdf"
    urdf.write_text(ARM.format(links=links))
    robot = toccata.Robot(urdf, self_contact=False)
    rods = []
    for i in range(8):
        turn, height = 2 * math.pi * i / 8 + 0.2, rng.uniform(0.3, 0.9)
        rods.append({"name": f"rod{i}", "size": [0.004, 0.004, 1.2],
                     "position": [0.7 * math.cos(turn), 0.7 * math.sin(turn), height]})
    scene = [(rod["name"], toccata.Box(rod["size"]), rod["position"]) for rod in rods]
    kept = 0
    wanted = len(_rounds(scale, 150))
    for _ in range(10 * wanted):
        if kept >= wanted:
            return
        start, end = rng.uniform(-2, 2, size=(2, len(robot.variables)))
        end = start + np.clip(end - start, -1.5, 1.5)
        fast = robot.check([start, end], scene)
        slow = robot.check([start, end], scene, method="interval", seconds=20.0)
        if slow.status == "out_of_budget" or fast.status == "overlap_at_start":
            continue
        name = f"robots/{kept + 1}"
        answers = [free() if found.status == "separated" else
                   contact(found.lower, _touches_by(robot, scene, start, end, found.time)) for found in (fast, slow)]
        kept += 1
        yield {"id": name, "question": "edge", "robot": "robot/arm.urdf", "obstacles": rods, "start": start.tolist(),
               "end": end.tolist(), "truth": _agreed(name, *answers), "methods": ["default", "interval arithmetic"],
               "difficulty": _difficulty(_edge_margin(robot, scene, start, end, fast.status == "separated"))}


def _edge_margin(robot: toccata.Robot, scene: Any, start: np.ndarray, end: np.ndarray, is_free: bool) -> float:
    """How far it stays away, in metres, or which part of the edge is in contact, down to 1 / 400."""
    if is_free:
        for margin in (1e-2, 1e-4, 1e-8):
            if robot.check([start, end], scene, minimum_distance=margin).status == "separated":
                return margin
        return 0.0
    states = start + np.linspace(0, 1, 401)[:, None] * (end - start)
    touching = int((~robot.edges(states, states, scene).free).sum())
    return touching / 401 if touching else 1e-5


def _touches_by(robot: toccata.Robot, scene: Any, start: np.ndarray, end: np.ndarray, time: float) -> float:
    """A time at which the robot, standing there, meets an obstacle, exactly, as placed there; 1 where none was seen."""
    step = 1e-9
    while True:
        later = min(1.0, time + step)
        poses = robot.poses(start + later * (end - start))
        links = []
        for i, (length, _) in enumerate(ARM_LINKS):
            middle = np.eye(4)
            middle[2, 3] = length / 2
            links.append((toccata.Box([0.04, 0.04, length]), poses[f"link{i}"] @ middle))
        links.append((toccata.Box([0.3, 0.3, 0.1]), poses["base"]))
        meets = any(toccata.intersects(shape, pose, thing, place) for shape, pose in links for _, thing, place in scene)
        if meets or later == 1.0:
            return later
        step *= 2.0


def deforming(rng: np.random.Generator, folder: Path, scale: float) -> Iterator[Case]:
    """A step of a deforming mesh: which features meet, and when first. Every pair on its own, in rational numbers."""
    number = 0
    for _ in _rounds(scale, 6):
        for cells, motion in ((4, 0.3), (5, 0.05), (6, 0.15)) if scale >= 1 else ((2, 0.3),):
            v, f = makers.sheet(1.0, cells)
            top = v + [0.05 * rng.normal(), 0.05 * rng.normal(), 0.1]
            vertices = np.concatenate([v + 0.02 * rng.normal(size=v.shape), top + 0.02 * rng.normal(size=v.shape)])
            faces = np.concatenate([f, f + len(v)])
            end = vertices + motion * 0.3 * rng.normal(size=vertices.shape)
            end[len(v):, 2] -= motion
            scene = toccata.DeformableScene((len(vertices), faces))
            scene.update(vertices, end)
            fast = scene.all_contacts()
            found = {(toccata.KINDS[k], int(a), int(b)): (lower, upper) for k, a, b, lower, upper in
                     zip(fast.kind, fast.first, fast.second, fast.lower, fast.upper)}
            number += 1
            name = f"deforming/{number}"
            slow = features.all_meetings(vertices, end, faces, np.array(scene.edges))
            if set(found) != set(slow):
                raise Disputed(f"{name}: {set(found) ^ set(slow)}")
            contacts = []
            for pair, (lower, upper) in slow.items():
                truth = _agreed(f"{name} {pair}", contact(*found[pair]), contact(lower, upper))
                contacts.append({"kind": pair[0], "first": pair[1], "second": pair[2], "lower": truth["lower"], "upper": truth["upper"]})
            contacts.sort(key=lambda c: (c["kind"], c["first"], c["second"]))
            truth = free()
            if contacts:
                truth = contact(min(c["lower"] for c in contacts), min(c["upper"] for c in contacts))
            yield {"id": name, "question": "step", "t0": vertices.tolist(), "t1": end.tolist(), "faces": faces.tolist(),
                   "edges": np.array(scene.edges).tolist(), "truth": {**truth, "contacts": contacts},
                   "methods": ["default", "every pair in exact rational arithmetic"],
                   "difficulty": _difficulty(0.02 * motion)}


FAMILIES: dict[str, Callable[[np.random.Generator, Path, float], Iterator[Case]]] = {
    "elementary": elementary,
    "rigid": rigid,
    "convex": convex,
    "tunnelling": tunnelling,
    "worlds": worlds,
    "robots": robots,
    "deforming": deforming,
}

"""Discrete checks, as most planners and engines do: the exact test at 100 poses along the way, and nothing in between.

Robot edges are sampled as OMPL's DiscreteMotionValidator does it by default: in steps of 1 % of the extent of the joint
space. A deforming step is looked at at its end. The tests themselves are toccata's exact ones, so that what is
counted here is what lies between samples.
"""
from __future__ import annotations

import itertools
import math
import time
from pathlib import Path
from typing import Any, Iterator

import numpy as np

import toccata
from toccata_default import Asker, motion_of

questions = {"first_contact", "events", "edge", "step"}
POSES = 100


def answers(folder: Path, cases: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    asker = Asker(folder)
    for case in cases:
        ask = {"first_contact": _pair, "events": _events, "edge": _edge, "step": _step}[case["question"]]
        start = time.perf_counter()
        found = ask(asker, folder, case)
        yield {"id": case["id"], **found, "seconds": time.perf_counter() - start}


def _first(a: Any, motion_a: Any, b: Any, motion_b: Any) -> float | None:
    for i in range(POSES + 1):
        t = i / POSES
        if toccata.intersects(a, motion_a(t), b, motion_b(t)):
            return t
    return None


def _pair(asker: Asker, folder: Path, case: dict[str, Any]) -> dict[str, Any]:
    t = _first(asker.mesh(case["a"]), motion_of(case["motion_a"]), asker.mesh(case["b"]), motion_of(case["motion_b"]))
    return {"status": "free"} if t is None else {"status": "contact", "time": t}


def _events(asker: Asker, folder: Path, case: dict[str, Any]) -> dict[str, Any]:
    bodies = [(asker.mesh(body["shape"]), motion_of(body["motion"])) for body in case["bodies"]]
    events = []
    for a, b in itertools.combinations(range(len(bodies)), 2):
        t = _first(*bodies[a], *bodies[b])
        if t is not None:
            events.append({"a": a, "b": b, "time": t})
    return {"status": "contact", "events": events}


_robots: dict[str, toccata.Robot] = {}


def _edge(asker: Asker, folder: Path, case: dict[str, Any]) -> dict[str, Any]:
    robot = _robots.setdefault(case["robot"], toccata.Robot(folder / case["robot"], self_contact=False))
    scene = [(o["name"], toccata.Box(o["size"]), o["position"]) for o in case["obstacles"]]
    start, end = np.array(case["start"]), np.array(case["end"])
    extent = np.linalg.norm(robot.limits[:, 1] - robot.limits[:, 0])
    steps = max(1, math.ceil(np.linalg.norm(end - start) / (0.01 * extent)))
    for i in range(steps + 1):
        state = start + (end - start) * i / steps
        if robot.check([state, state], scene):
            return {"status": "contact", "time": i / steps}
    return {"status": "free"}


def _step(asker: Asker, folder: Path, case: dict[str, Any]) -> dict[str, Any]:
    scene = toccata.DeformableScene((len(case["t1"]), case["faces"]))
    end = np.array(case["t1"])
    scene.update(end, end)
    return {"status": "contact" if len(scene.all_contacts()) or toccata.self_intersects((end, np.array(case["faces"]))) else "free"}

"""toccata, its defaults."""
from __future__ import annotations

import time
from pathlib import Path
from typing import Any, Iterator

import numpy as np

import toccata
from truth_format import read_mesh

questions = {"vertex_face", "edge_edge", "first_contact", "distance", "cast", "events", "edge", "step"}


def motion_of(m: dict[str, Any]) -> toccata.RigidMotion:
    pose = np.eye(4)
    pose[:3, :3], pose[:3, 3] = m["rotation"], m["position"]
    return toccata.RigidMotion(pose, velocity=m["velocity"], angular_velocity=m["spin"])


def answers(folder: Path, cases: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    asker = Asker(folder)
    for case in cases:
        ask = asker.prepared(case)
        start = time.perf_counter()
        found = ask()
        seconds = time.perf_counter() - start
        yield {"id": case["id"], **asker.plain(case, found), "seconds": seconds}


class Asker:
    """Shapes are prepared before the time is taken, as every method may."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._meshes: dict[str, toccata.Mesh] = {}
        self._robots: dict[str, toccata.Robot] = {}

    def mesh(self, name: str) -> toccata.Mesh:
        if name not in self._meshes:
            self._meshes[name] = toccata.Mesh(*read_mesh(self._folder, name)).prepare()
        return self._meshes[name]

    def prepared(self, case: dict[str, Any]) -> Any:
        question = case["question"]
        if question in ("vertex_face", "edge_edge"):
            ask = toccata.vertex_face_impact if question == "vertex_face" else toccata.edge_edge_impact
            t0, t1 = np.array(case["t0"]), np.array(case["t1"])
            return lambda: ask(t0, t1)
        if question == "first_contact":
            a, b = self.mesh(case["a"]), self.mesh(case["b"])
            motions = motion_of(case["motion_a"]), motion_of(case["motion_b"])
            return lambda: toccata.first_contact(a, motions[0], b, motions[1])
        if question in ("distance", "cast"):
            a, b = toccata.ConvexHull(case["points_a"]), toccata.ConvexHull(case["points_b"])
            if question == "distance":
                return lambda: toccata.distance(a, None, b, None)
            moving = toccata.RigidMotion(None, case["move"])
            return lambda: toccata.first_contact(a, moving, b, None)
        if question == "events":
            world = toccata.World()
            for body in case["bodies"]:
                world.insert(self.mesh(body["shape"]), motion_of(body["motion"]))
            return world.events
        if question == "edge":
            if case["robot"] not in self._robots:
                self._robots[case["robot"]] = toccata.Robot(self._folder / case["robot"], self_contact=False)
            robot = self._robots[case["robot"]]
            scene = [(o["name"], toccata.Box(o["size"]), o["position"]) for o in case["obstacles"]]
            return lambda: robot.check([case["start"], case["end"]], scene)
        scene = toccata.DeformableScene((len(case["t0"]), case["faces"]))
        t0, t1 = np.array(case["t0"]), np.array(case["t1"])

        def step() -> Any:
            scene.update(t0, t1)
            return scene.all_contacts()
        return step

    @staticmethod
    def plain(case: dict[str, Any], found: Any) -> dict[str, Any]:
        question = case["question"]
        if question == "distance":
            return {"status": "contact" if found.distance == 0 else "free", "distance": found.distance}
        if question == "events":
            return {"status": "contact", "events": [
                {"a": int(a), "b": int(b), "time": float(t)} for (a, b), t in zip(found.bodies, found.time)]}
        if question == "step":
            contacts = [{"kind": toccata.KINDS[k], "first": int(a), "second": int(b)}
                        for k, a, b in zip(found.kind, found.first, found.second)]
            return {"status": "contact" if contacts else "free", "contacts": contacts,
                    "time": float(found.lower.min()) if contacts else None}
        if found.status in ("out_of_budget", "failed"):
            return {"status": "failed"}
        return {"status": "free" if found.status == "separated" else "contact", "time": float(found.time)}

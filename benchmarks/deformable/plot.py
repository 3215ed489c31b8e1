#!/usr/bin/python3
"""Draws benchmarks/results/deformable*.csv as docs/images/deformable_*.png. usage: plot.py [RESULTS [IMAGES]]"""
import csv
import pathlib
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

ROOT = pathlib.Path(__file__).resolve().parents[2]
RESULTS = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "benchmarks/results"
IMAGES = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else ROOT / "docs/images"
COLOURS = {"update": "#b0b0b0", "cull": "#2a6fbb", "test": "#3fae8a"}
METHODS = [("base", 1, "base"), ("connectivity", 1, "Connectivity"), ("clusters", 1, "Clusters"),
           ("clusters", 2, "Clusters, 2 threads")]


def rows(name):
    with open(RESULTS / name, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def finish(figure, name):
    figure.savefig(IMAGES / name, dpi=110, bbox_inches="tight")
    plt.close(figure)


def draw_queries():
    """Time of one step by scene and method, on a logarithmic axis."""
    table = rows("deformable.csv")
    scenes = list(dict.fromkeys(r["scene"] for r in table))
    figure, axes = plt.subplots(figsize=(11, 5.2))
    shades = ["#c9803a", "#8a6fbf", "#2a6fbb", "#1b4a80"]
    for i, (method, threads, label) in enumerate(METHODS):
        values = []
        for scene in scenes:
            values.append(next(float(r["total"]) for r in table if r["scene"] == scene
                               and r["method"] == method and int(r["threads"]) == threads))
        places = [k + 0.2 * (i - 1.5) for k in range(len(scenes))]
        axes.bar(places, values, 0.19, color=shades[i], label=label)
        for x, v in zip(places, values):
            axes.text(x, v * 1.06, f"{v:.0f}" if v >= 10 else f"{v:.1f}", ha="center", va="bottom", fontsize=7,
                      rotation=90)
    axes.set_yscale("log")
    axes.set_ylim(top=axes.get_ylim()[1] * 2.5)
    axes.set_ylabel("ms, update and every contact")
    triangles = {r["scene"]: int(r["triangles"]) for r in table}
    axes.set_xticks(range(len(scenes)),
                    [f"{s.replace(' ', chr(10))}\n{triangles[s] / 1000:.0f}K" for s in scenes], fontsize=8)
    axes.legend(frameon=False, ncol=4, loc="upper right")
    axes.spines[["top", "right"]].set_visible(False)
    axes.set_title("One step, every contact with a certified time: lower is better", loc="left")
    finish(figure, "deformable_steps.png")


def draw_split():
    """Where the time of Clusters goes, one thread, as shares."""
    table = [r for r in rows("deformable.csv") if r["method"] == "clusters" and r["threads"] == "1"]
    figure, axes = plt.subplots(figsize=(9, 3.8))
    for k, row in enumerate(reversed(table)):
        parts = {name: float(row[name]) for name in COLOURS}
        total = sum(parts.values())
        left = 0.0
        for name, value in parts.items():
            axes.barh(k, value / total, left=left, color=COLOURS[name], label=name if k == 0 else None)
            left += value / total
        axes.text(1.01, k, f"{float(row['total']):.1f} ms", va="center", fontsize=8)
    axes.set_yticks(range(len(table)), [r["scene"] for r in reversed(table)], fontsize=8)
    axes.set_xlim(0, 1)
    axes.set_xlabel("share of the time, one thread")
    axes.legend(frameon=False, ncol=3, loc="lower left", bbox_to_anchor=(0, 1.0))
    axes.spines[["top", "right"]].set_visible(False)
    finish(figure, "deformable_split.png")


def draw_growth():
    table = rows("deformable_growth.csv")
    x = [int(r["triangles"]) for r in table]
    figure, axes = plt.subplots(figsize=(6, 4.2))
    axes.loglog(x, [float(r["total"]) for r in table], "o-", color="#2a6fbb", label="update and every contact")
    axes.loglog(x, [float(r["update"]) for r in table], "s-", color="#808080", label="update")
    first = float(table[0]["total"])
    axes.loglog(x, [first * n / x[0] for n in x], ":", color="#c9803a", label="proportional")
    axes.set_xlabel("triangles, at the same density")
    axes.set_ylabel("ms, one thread")
    axes.legend(frameon=False)
    axes.spines[["top", "right"]].set_visible(False)
    finish(figure, "deformable_growth.png")


def draw_stages():
    """What each stage of Clusters leaves on the first scene."""
    table = rows("deformable_stages.csv")
    scene = table[0]["scene"]
    left = {r["stage"]: int(r["left"]) for r in table if r["scene"] == scene and r["method"] == "clusters"}
    tested = left["vertex_face_tested"] + left["edge_edge_tested"]
    bars = [
        ("pairs of clusters, cardinal axes", left["cluster_pairs_cardinal"]),
        ("pairs of clusters, all axes", left["cluster_pairs"]),
        ("pairs of features, cardinal axes", left["vertex_face_cardinal_axes"] + left["edge_edge_cardinal_axes"]),
        ("pairs of features, all axes", left["vertex_face_spread_axes"] + left["edge_edge_spread_axes"]),
        ("after single precision", tested - left["decided_by_bernstein"] - left["decided_by_axis"]),
        ("contacts", left["vertex_face_contacts"] + left["edge_edge_contacts"]),
    ]
    figure, axes = plt.subplots(figsize=(8, 3))
    for k, (name, value) in enumerate(reversed(bars)):
        axes.barh(k, value, color="#c9803a" if "clusters" in name else "#2a6fbb")
        axes.text(value * 1.05, k, f"{value:,}", va="center", fontsize=9)
    axes.set_yticks(range(len(bars)), [b[0] for b in reversed(bars)])
    axes.set_xscale("log")
    axes.set_xlim(1e4, max(b[1] for b in bars) * 5)
    axes.spines[["top", "right"]].set_visible(False)
    axes.set_title(f"What each stage leaves: {scene}", loc="left")
    finish(figure, "deformable_stages.png")


def draw_topology():
    """Repairing after a change of the topology against building again."""
    table = [r for r in rows("deformable_topology.csv") if r["change"] == "torn corners"]
    figure, axes = plt.subplots(figsize=(6, 4.2))
    for method, colour in [("clusters", "#2a6fbb"), ("connectivity", "#8a6fbf")]:
        own = [r for r in table if r["method"] == method]
        x = [int(r["changed_triangles"]) for r in own]
        axes.loglog(x, [float(r["repair"]) for r in own], "o-", color=colour, label=f"{method}, repaired")
        axes.loglog(x, [float(r["rebuild"]) for r in own], ":", color=colour, label=f"{method}, built again")
    axes.set_xlabel(f"triangles changed, of the {table[0]['scene']} of 92K")
    axes.set_ylabel("ms, one thread")
    axes.legend(frameon=False)
    axes.spines[["top", "right"]].set_visible(False)
    finish(figure, "deformable_topology.png")


def draw_threads():
    """Speed-up by the number of threads."""
    if not (RESULTS / "deformable_threads.csv").exists():
        return
    table = rows("deformable_threads.csv")
    figure, axes = plt.subplots(figsize=(6, 4.2))
    most = max(int(r["threads"]) for r in table)
    axes.plot([1, most], [1, most], ":", color="#b0b0b0", label="proportional")
    for scene in dict.fromkeys(r["scene"] for r in table):
        for method, style in [("clusters", "o-"), ("connectivity", "s--")]:
            own = [r for r in table if r["scene"] == scene and r["method"] == method]
            axes.plot([int(r["threads"]) for r in own], [float(r["speedup"]) for r in own], style,
                      label=f"{scene}, {method}")
    axes.set_xticks(range(1, most + 1))
    axes.set_xlabel("threads")
    axes.set_ylabel("times faster than one thread")
    axes.legend(frameon=False, fontsize=8)
    axes.spines[["top", "right"]].set_visible(False)
    finish(figure, "deformable_threads.png")


def main() -> None:
    draw_queries()
    draw_split()
    draw_growth()
    draw_stages()
    draw_topology()
    draw_threads()


if __name__ == "__main__":
    main()

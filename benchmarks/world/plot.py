#!/usr/bin/python3
"""Draws I-COLLIDE's five graphs from benchmarks/results/world.csv as docs/images/icollide.png."""
import csv
import pathlib
import re

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

ROOT = pathlib.Path(__file__).resolve().parents[2]
LINES = {
    "Toccata": ("Toccata, dynamic boxes", "#1b4a80", "o-"),
    "Toccata with fixed cubes": ("Toccata, fixed cubes", "#7fa9d6", "o--"),
    "Bullet: its world": ("Bullet, its world", "#a3c293", "s--"),
    "Bullet": ("Bullet, its pair detector", "#6d9c5a", "s-"),
    "FCL": ("FCL", "#c9803a", "^-"),
}
GRAPHS = {  # of the scene's name: axis
    "bodies": "bodies",
    "faces": "faces of a polytope",
    "density": "density, %",
    "turn": "turn a frame, degrees",
    "travel": "travel a frame, % of the radius",
}


def main() -> None:
    with open(ROOT / "benchmarks/results/world.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    figure, all_axes = plt.subplots(1, len(GRAPHS), figsize=(16, 3.6))
    for axes, (graph, title) in zip(all_axes, GRAPHS.items()):
        for name, (label, colour, style) in LINES.items():
            shown = [r for r in rows if r["scene"].split(" ")[0] == graph and r["contestant"] == name]
            numbers = [re.search(r"\d+", r["scene"]) for r in shown]
            x = [float(n.group()) if n else float(r["bodies"]) for n, r in zip(numbers, shown)]
            axes.plot(x, [float(r["milliseconds"]) for r in shown], style, color=colour, label=label, markersize=3)
        axes.set_xlabel(title)
        axes.set_ylim(bottom=0)
        axes.spines[["top", "right"]].set_visible(False)
    all_axes[0].set_ylabel("ms a frame, one thread")
    all_axes[0].legend(fontsize=8, frameon=False)
    figure.tight_layout()
    figure.savefig(ROOT / "docs/images/icollide.png", dpi=110)


if __name__ == "__main__":
    main()

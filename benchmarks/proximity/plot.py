#!/usr/bin/python3
"""Draws benchmarks/results/close_proximity.csv as docs/images/close_proximity.png."""
import csv
import pathlib

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

ROOT = pathlib.Path(__file__).resolve().parents[2]
STYLES = {"sphere": ("#b0b0b0", "o"), "AABB": ("#c9803a", "s"), "18-DOP": ("#3fae8a", "^"), "RSS": ("#8a6fbb", "D"),
          "OBB": ("#1b4a80", "v")}


def main() -> None:
    with open(ROOT / "benchmarks/results/close_proximity.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    figure, axes = plt.subplots(figsize=(7.5, 5))
    for volume, (colour, marker) in STYLES.items():
        line = [(float(r["gap"]), int(r["volume_tests"])) for r in rows if r["volume"] == volume]
        if line:
            axes.plot(*zip(*line), color=colour, marker=marker, markersize=4.5, label=volume)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.invert_xaxis()
    axes.set_xlabel("gap between two concentric spheres of radius 1 (32,040 triangles each)")
    axes.set_ylabel("pairs of volumes tested")
    axes.set_title("Close parallel proximity: tests needed to show that two surfaces are apart")
    axes.legend(title="bounding volume")
    axes.grid(alpha=0.3)
    axes.spines[["top", "right"]].set_visible(False)
    figure.tight_layout()
    figure.savefig(ROOT / "docs/images/close_proximity.png", dpi=120)


if __name__ == "__main__":
    main()

#!/usr/bin/python3
"""Draws benchmarks/results/rigid_pair.csv as docs/images/rigid_pair.png."""
import csv
import pathlib

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

ROOT = pathlib.Path(__file__).resolve().parents[2]
KNOWN = {  # label, colour; other methods are drawn under their own names
    "toccata advancement": ("Toccata", "#1b4a80"),
    "fcl 1000 samples": ("FCL, 1,000 samples (no guarantee)", "#b0b0b0"),
    "fcl continuousCollide": ("FCL continuousCollide, default", "#c9803a"),
}
OTHERS = ["#3fae8a", "#8a6fbb", "#a0a030", "#bb4f6f"]


def main() -> None:
    with open(ROOT / "benchmarks/results/rigid_pair.csv", newline="", encoding="utf-8") as file:
        rows = {(r["scene"], r["method"]): r for r in csv.DictReader(file)}
    scenes = list(dict.fromkeys(scene for scene, _ in rows))
    methods = list(dict.fromkeys(method for _, method in rows))
    others = iter(OTHERS * len(methods))
    figure, axes = plt.subplots(figsize=(10, 4.6))
    width = 0.84 / len(methods)
    for m, method in enumerate(methods):
        label, colour = KNOWN.get(method) or (method, next(others))
        for s, scene in enumerate(scenes):
            if (scene, method) not in rows:
                continue
            row = rows[scene, method]
            value, x = float(row["total_us"]), s + (m - (len(methods) - 1) / 2) * width
            axes.bar(x, value, width * 0.92, color=colour, label=label if s == 0 else None)
            axes.text(x, value * 1.06, f"{value:,.0f}", ha="center", va="bottom", fontsize=7.5)
            wrong = [f"{row[k]} {k}" for k in ("missed", "late", "false") if int(row[k])]
            if wrong:
                axes.text(x, value / 1.1, "\n".join(wrong), ha="center", va="top", fontsize=6.5, color="#700000")
    axes.set_yscale("log")
    values = [float(r["total_us"]) for r in rows.values()]
    axes.set_ylim(0.3 * min(values), 12 * max(values))
    names = [f"{scene.replace('_', ' ')}\n{int(rows[scene, methods[0]]['triangles_a']):,} triangles" for scene in scenes]
    axes.set_xticks(range(len(scenes)), names)
    axes.set_ylabel("µs a query, mean, one thread")
    axes.set_title("First contact of two rigid meshes, rotation included")
    axes.legend(fontsize=8, ncol=2, loc="upper left", framealpha=0.95)
    axes.spines[["top", "right"]].set_visible(False)
    figure.tight_layout()
    figure.savefig(ROOT / "docs/images/rigid_pair.png", dpi=110)


if __name__ == "__main__":
    main()

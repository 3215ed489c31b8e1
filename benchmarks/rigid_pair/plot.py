#!/usr/bin/python3
"""Draws benchmarks/results/rigid_pair.csv as docs/images/rigid_pair.png."""
import csv
import pathlib

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

ROOT = pathlib.Path(__file__).resolve().parents[2]
KNOWN = {  # label, colour; other methods are drawn under their own names
    "toccata advancement": ("Toccata, default", "#1b4a80"),
    "toccata controlled": ("Toccata, controlled (C²A)", "#4f83bd"),
    "toccata screw": ("Toccata, screw", "#7fa9d6"),
    "toccata interval": ("Toccata, interval", "#b3cbe6"),
    "fcl 1000 samples": ("FCL, 1,000 samples (no guarantee)", "#b0b0b0"),
    "fcl continuousCollide": ("FCL continuousCollide, default", "#c9803a"),
    "fcl conservative advancement": ("FCL, conservative advancement", "#9c5a1c"),
    "bullet convex sweep": ("Bullet, sweep of the convex hull", "#6d9c5a"),
}
OTHERS = ["#3fae8a", "#8a6fbb", "#a0a030", "#bb4f6f"]


def main() -> None:
    with open(ROOT / "benchmarks/results/rigid_pair.csv", newline="", encoding="utf-8") as file:
        rows = {(r["scene"], r["method"]): r for r in csv.DictReader(file)}
    scenes = list(dict.fromkeys(scene for scene, _ in rows))
    methods = list(dict.fromkeys(method for _, method in rows))
    others = iter(OTHERS * len(methods))
    figure, axes = plt.subplots(figsize=(2.0 + 2.3 * len(scenes), 5.6))
    width = 0.84 / len(methods)
    for m, method in enumerate(methods):
        label, colour = KNOWN.get(method) or (method, next(others))
        for s, scene in enumerate(scenes):
            if (scene, method) not in rows:
                continue
            row = rows[scene, method]
            value, x = float(row["total_us"]), s + (m - (len(methods) - 1) / 2) * width
            axes.bar(x, value, width * 0.92, color=colour, label=label if s == 0 else None)
            text = f"{value:,.0f}" if value < 10000 else f"{value / 1000:,.0f}k"
            wrong = sum(int(row[k]) for k in ("missed", "late", "false"))
            axes.text(x, value * 1.08, text, ha="center", va="bottom", fontsize=7)
            if wrong:
                share = f"{wrong} of {row['trials']} wrong" if "trials" in row else f"{wrong} wrong"
                axes.text(x, value / 1.15, share, ha="center", va="top", fontsize=6.5, color="white", rotation=90)
    axes.set_yscale("log")
    values = [float(r["total_us"]) for r in rows.values()]
    axes.set_ylim(0.03 * min(values), 60 * max(values))
    names = [f"{scene.replace('_', ' ')}\n{int(rows[scene, methods[0]]['triangles_a']):,} triangles" for scene in scenes]
    axes.set_xticks(range(len(scenes)), names)
    axes.set_ylabel("µs a query, mean, one thread")
    axes.set_title("First contact of two rigid meshes, rotation included (wrong: missed, late or false)")
    axes.legend(fontsize=8, ncol=4, loc="upper left", framealpha=0.95)
    axes.spines[["top", "right"]].set_visible(False)
    figure.tight_layout()
    figure.savefig(ROOT / "docs/images/rigid_pair.png", dpi=110)


if __name__ == "__main__":
    main()

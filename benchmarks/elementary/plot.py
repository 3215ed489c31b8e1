#!/usr/bin/python3
"""Draws benchmarks/results/elementary.csv as docs/images/elementary.png."""
import csv
import pathlib

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

ROOT = pathlib.Path(__file__).resolve().parents[2]
SETS = [
    ("simulation_vf", "simulation-like\nvertex–face"),
    ("simulation_ee", "simulation-like\nedge–edge"),
    ("degenerate_vf", "public degenerate\nvertex–face"),
    ("degenerate_ee", "public degenerate\nedge–edge"),
]
CONTESTANTS = [
    ("cubic", "floating cubic solver (unsafe)", "#b0b0b0"),
    ("boolean", "Toccata, Boolean", "#2a6fbb"),
    ("bracket", "Toccata, certified time", "#1b4a80"),
    ("batch_boolean", "Toccata, batch, Boolean", "#3fae8a"),
    ("batch_bracket", "Toccata, batch, certified time", "#227a5e"),
    ("exact", "pure exact arithmetic", "#c9803a"),
]


def main() -> None:
    with open(ROOT / "benchmarks/results/elementary.csv", newline="", encoding="utf-8") as file:
        rows = {(r["set"], r["contestant"]): r for r in csv.DictReader(file)}
    sets = [s for s in SETS if (s[0], "cubic") in rows]
    figure, axes = plt.subplots(figsize=(10, 4.8))
    width = 0.8 / len(CONTESTANTS)
    for c, (contestant, label, colour) in enumerate(CONTESTANTS):
        places = [s + (c - (len(CONTESTANTS) - 1) / 2) * width for s in range(len(sets))]
        values = [float(rows[(s, contestant)]["ns_per_query"]) for s, _ in sets]
        axes.bar(places, values, width * 0.92, label=label, color=colour)
        for (name, _), x, value in zip(sets, places, values):
            row = rows[(name, contestant)]
            wrong = int(row["false_positives"]) + int(row["false_negatives"])
            text = f"{value:.0f}" if value < 10000 else f"{value / 1000:.0f}k"
            axes.text(x, value * 1.06, text, ha="center", va="bottom", fontsize=7.5)
            if wrong:
                axes.text(x, value / 1.12, f"{wrong}\nwrong", ha="center", va="top", fontsize=7, color="#a01010")
    axes.set_yscale("log")
    axes.set_ylim(5, 25 * max(float(r["ns_per_query"]) for r in rows.values()))
    axes.set_xticks(range(len(sets)), [label for _, label in sets])
    axes.set_ylabel("ns a query, one thread")
    axes.set_title("Elementary impact queries: exact answers at the cost of a floating-point solver")
    axes.legend(fontsize=8, ncol=3, loc="upper left", framealpha=0.95)
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(axis="y", alpha=0.25)
    axes.set_axisbelow(True)
    figure.tight_layout()
    target = ROOT / "docs/images/elementary.png"
    target.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(target, dpi=130)
    print(f"wrote {target}")


if __name__ == "__main__":
    main()

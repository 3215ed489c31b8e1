#!/usr/bin/env python3
"""Draws results/growth.csv and results/stages_off.csv as SVG. usage: plot.py [RESULTS_FOLDER]"""
import csv
import math
import pathlib
import sys

folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent / "results")


def rows(name):
    path = folder / name
    if not path.exists():
        return []
    with path.open() as file:
        return list(csv.DictReader(file))


def svg(width, height, body):
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" '
            f'font-size="12"><rect width="100%" height="100%" fill="white"/>{body}</svg>\n')


def growth():
    """Total time against triangles, both logarithmic, with a line of slope one for the eye."""
    data = [(float(r["triangles"]), float(r["total_ms"])) for r in rows("growth.csv")]
    if len(data) < 2:
        return
    x0, x1 = math.log10(data[0][0]), math.log10(data[-1][0])
    y0 = math.floor(math.log10(min(d[1] for d in data)))
    y1 = math.ceil(math.log10(max(d[1] for d in data)))

    def place(x, y):
        return 60 + 500 * (x - x0) / (x1 - x0), 330 - 290 * (y - y0) / (y1 - y0)

    points = [place(math.log10(t), math.log10(ms)) for t, ms in data]
    body = '<polyline fill="none" stroke="#1f77b4" stroke-width="2" points="%s"/>' % " ".join(
        f"{x:.1f},{y:.1f}" for x, y in points)
    first = math.log10(data[0][1])
    a, b = place(x0, first), place(x1, first + x1 - x0)
    body += f'<line x1="{a[0]:.1f}" y1="{a[1]:.1f}" x2="{b[0]:.1f}" y2="{b[1]:.1f}" stroke="#999" stroke-dasharray="5"/>'
    for (x, y), (t, ms) in zip(points, data):
        body += f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="#1f77b4"/>'
        body += f'<text x="{x:.1f}" y="{y - 8:.1f}" text-anchor="middle">{ms:.3g}</text>'
        body += f'<text x="{x:.1f}" y="350" text-anchor="middle">{t:.0f}</text>'
    body += '<text x="310" y="375" text-anchor="middle">triangles (constant density)</text>'
    body += '<text x="60" y="20">ms a step, every contact, one thread; dashed: linear</text>'
    (folder / "growth.svg").write_text(svg(600, 390, body))


def stages_off():
    """Time with one stage switched off, as bars, one group a scene."""
    data = rows("stages_off.csv")
    if not data:
        return
    largest = max(float(r["total_ms"]) for r in data)
    body, y, scene = '<text x="10" y="20">ms a step with one culling stage off, one thread</text>', 30, None
    for r in data:
        if r["scene"] != scene:
            scene, y = r["scene"], y + 24
            body += f'<text x="10" y="{y}" font-weight="bold">{scene}</text>'
            y += 8
        width = 400 * float(r["total_ms"]) / largest
        body += f'<text x="150" y="{y + 11}" text-anchor="end">{r["off"]}</text>'
        body += f'<rect x="160" y="{y}" width="{width:.1f}" height="13" fill="#1f77b4"/>'
        body += f'<text x="{165 + width:.1f}" y="{y + 11}">{float(r["total_ms"]):.1f}</text>'
        y += 17
    (folder / "stages_off.svg").write_text(svg(640, y + 20, body))


growth()
stages_off()

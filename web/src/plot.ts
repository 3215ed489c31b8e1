// The plot above the slider: clearance over time, or contacts over the steps. It shares the slider's axis.
import { h, s } from "./dom";
import * as format from "./format";
import { contactCount, type Result, type Sequence } from "./report";

export interface Series {
  caption: string;
  draw(x: (t: number) => number, y: (v: number) => number): SVGElement[];
  top: number;  // largest value
  valueAt(t: number): string;
}

/** The curve of sampled distances. Contact intervals press it to zero by themselves. */
export function clearanceSeries(result: Result): Series | null {
  const curve = result.clearance;
  if (!curve || curve.times.length < 2) return null;
  const { times, distances } = curve;
  const at = (t: number) => {
    let i = 0;
    while (i < times.length - 2 && times[i + 1] <= t) ++i;
    const u = (t - times[i]) / (times[i + 1] - times[i] || 1);
    return distances[i] + Math.min(Math.max(u, 0), 1) * (distances[i + 1] - distances[i]);
  };
  return {
    caption: "Clearance", top: Math.max(...distances),
    valueAt: (t) => `clearance ${format.number(at(t), 4)}`,
    draw(x, y) {
      const line = times.map((t, i) => `${i ? "L" : "M"}${x(t).toFixed(2)},${y(distances[i]).toFixed(2)}`).join("");
      const area = `${line}L${x(times[times.length - 1])},${y(0)}L${x(times[0])},${y(0)}Z`;
      return [s("path", { d: area, class: "area" }), s("path", { d: line, class: "curve" })];
    },
  };
}

function bars(values: { from: number; to: number; low: number; high: number; kind: string }[]) {
  return (x: (t: number) => number, y: (v: number) => number): SVGElement[] => values
    .filter((bar) => bar.high > bar.low)
    .map((bar) => {
      const gap = Math.min(1, 0.15 * (x(bar.to) - x(bar.from)));
      return s("rect", {
        x: x(bar.from) + gap, width: Math.max(x(bar.to) - x(bar.from) - 2 * gap, 0.5),
        y: y(bar.high), height: Math.max(y(bar.low) - y(bar.high), 0.5), class: `bar ${bar.kind}`,
      });
    });
}

/** Few steps: when in the step the contacts happen. Many steps: how many in each. */
export function contactsSeries(sequence: Sequence, timesOf: (step: number) => { time: number; edge: boolean }[]): Series | null {
  const steps = sequence.steps;
  if (!steps.length) return null;
  const total = (i: number) => contactCount(steps[i]);
  const fine = steps.length <= 4 && steps.every((_, i) => total(i) === 0 || timesOf(i).length > 0);
  const bins = fine ? Math.max(20, Math.floor(80 / steps.length)) : 1;
  const face = new Array(steps.length * bins).fill(0);
  const edge = new Array(steps.length * bins).fill(0);
  for (const [i, step] of steps.entries()) {
    if (!fine) {
      face[i] = contactCount(step) - step.edge_edge;
      edge[i] = step.edge_edge;
      continue;
    }
    // Stored contacts may be a part of all; the bars count the stored ones.
    for (const contact of timesOf(i)) {
      const bin = i * bins + Math.min(Math.floor(contact.time * bins), bins - 1);
      (contact.edge ? edge : face)[bin] += 1;
    }
  }
  const start = (bin: number) => steps[Math.floor(bin / bins)].from + (bin % bins) / bins;
  const list = face.flatMap((n, i) => [
    { from: start(i), to: start(i) + 1 / bins, low: 0, high: n, kind: "face" },
    { from: start(i), to: start(i) + 1 / bins, low: n, high: n + edge[i], kind: "edge" },
  ]);
  return {
    caption: fine ? "Contacts as they happen" : "Contacts per step",
    top: Math.max(1, ...face.map((n, i) => n + edge[i])),
    valueAt: (t) => {
      const bin = face.findIndex((_, i) => t >= start(i) && t <= start(i) + 1 / bins + 1e-12);
      const n = bin < 0 ? 0 : face[bin] + edge[bin];
      return `${format.count(n)} contact${n === 1 ? "" : "s"} ${fine ? "here" : "in the step"}`;
    },
    draw: bars(list),
  };
}

/** A round number at least as large as `value`. */
function niceTop(value: number): number {
  if (!(value > 0)) return 1;
  const unit = 10 ** Math.floor(Math.log10(value));
  return unit * ([1, 1.5, 2, 3, 4, 5, 6, 8, 10].find((m) => m * unit >= value) ?? 10);
}

export interface PlotMark { time: number; kind: string; label: string }

export class Plot {
  readonly element = s("svg", { class: "plot", role: "img" });
  /** Beside the plot, not in it: it moves with every picture, and the plot need not be painted again. */
  readonly cursor = h("div", { class: "plot-cursor" });
  private width = 0;

  constructor(private series: Series | null, private readonly duration: number, readonly inset: number) {}

  get hasSeries(): boolean {
    return this.series !== null;
  }

  setSeries(series: Series | null): void {
    this.series = series;
  }

  x(t: number): number {
    return this.inset + (t / (this.duration || 1)) * (this.width - 2 * this.inset);
  }

  draw(width: number, height: number, marks: PlotMark[]): void {
    this.width = width;
    this.element.replaceChildren();
    if (!this.series || width < 40) return;
    this.element.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.element.setAttribute("aria-label", `${this.series.caption} over time`);
    const top = niceTop(this.series.top);
    const y = (v: number) => height - 2 - (v / top) * (height - 18);
    const ticks: SVGElement[] = [];
    const labels = marks.map((mark) => {
      const x = this.x(mark.time);
      const length = 7 * mark.label.length;
      const left = x + 5 + length > width;
      return { ...mark, x, left, from: left ? x - 5 - length : x + 5, to: left ? x - 5 : x + 5 + length };
    });
    // Numbers stand at the end of the axis that no mark's label needs.
    const meets = (from: number, to: number) => labels.some((label) => label.from < to && label.to > from);
    const atRight = meets(0, this.inset + 50) && !meets(width - this.inset - 50, width);
    for (const v of [top, top / 2]) {
      this.element.append(s("line", { x1: this.inset, x2: width - this.inset, y1: y(v), y2: y(v), class: "grid" }));
      ticks.push(s("text", {
        x: atRight ? width - this.inset - 4 : this.inset + 4, y: y(v) - 3, class: "tick", "text-anchor": atRight ? "end" : "start",
      }, format.number(v, 3)));
    }
    this.element.append(s("line", { x1: this.inset, x2: width - this.inset, y1: y(0), y2: y(0), class: "axis" }));
    this.element.append(...this.series.draw((t) => this.x(t), y), ...ticks);
    for (const { x, left, kind, label } of labels) {
      this.element.append(s("line", { x1: x, x2: x, y1: 14, y2: y(0), class: `moment ${kind}` }));
      this.element.append(s("text", { x: x + (left ? -5 : 5), y: 11, class: `label ${kind}`, "text-anchor": left ? "end" : "start" }, label));
    }
  }

  setTime(t: number): void {
    this.cursor.hidden = !this.series || !this.width;
    this.cursor.style.transform = `translateX(${(this.x(t) - 0.75).toFixed(2)}px)`;
  }

  valueAt(t: number): string | null {
    return this.series?.valueAt(t) ?? null;
  }
}


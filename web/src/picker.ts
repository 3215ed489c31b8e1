// Clicks on the picture: which triangle is there, and how far it is from here to there.
import { Vector3 } from "three";
import type { Content, Pick } from "./content";
import { h } from "./dom";
import * as format from "./format";
import { ContactMark } from "./marks";
import { Path } from "./path";
import type { Vec3 } from "./report";
import type { Stage } from "./stage";

const slip = 4;  // pixels a click may move

export class Picker {
  readonly element = h("div", { class: "inspector", id: "inspector", hidden: true });
  private readonly label = h("div", { class: "measure", id: "measure-label", hidden: true });
  private measuring = false;
  private picks: Pick[] = [];
  private lines: Path[] = [];
  private marks: ContactMark[] = [];
  private color = "#000";
  private labelAt = new Vector3();

  constructor(private readonly stage: Stage, private readonly content: Content, view: HTMLElement, private readonly changed: () => void) {
    view.append(this.label, this.element);
    const canvas = stage.renderer.domElement;
    let from: { x: number; y: number } | null = null;
    canvas.addEventListener("pointerdown", (event) => {
      from = event.button === 0 && event.isPrimary ? { x: event.clientX, y: event.clientY } : null;
    });
    canvas.addEventListener("pointerup", (event) => {
      if (from && Math.hypot(event.clientX - from.x, event.clientY - from.y) <= slip) this.click(event.clientX, event.clientY);
      from = null;
    });
    stage.beforeRender.push(() => this.marks.forEach((mark) => mark.update((at) => stage.pixel(at))));
    stage.afterRender.push(() => this.placeLabel());
  }

  get isMeasuring(): boolean {
    return this.measuring;
  }

  setMeasuring(on: boolean): void {
    this.measuring = on;
    this.clear();
    if (on) this.show(h("p", { class: "hint" }, "Click two points to measure between them."));
    this.changed();
  }

  setColor(color: string): void {
    this.color = color;
    for (const thing of [...this.lines, ...this.marks]) thing.setColor(color);
  }

  clear(): void {
    this.picks = [];
    this.element.hidden = true;
    this.redraw();
  }

  get isShown(): boolean {
    return !this.element.hidden;
  }

  private click(x: number, y: number): void {
    const pick = this.content.pick(this.stage.rayAt(x, y));
    if (!this.measuring) this.picks = pick ? [pick] : [];
    else if (pick) this.picks = this.picks.length === 1 ? [this.picks[0], pick] : [pick];
    if (!this.picks.length && !this.measuring) this.element.hidden = true;
    this.redraw();
  }

  private show(...children: Node[]): void {
    const close = h("button", { class: "close", title: "Close (esc)", "aria-label": "Close", onclick: () => (this.measuring ? this.setMeasuring(false) : this.clear()) }, "\u00d7");
    this.element.replaceChildren(close, ...children);
    this.element.hidden = false;
  }

  /** Also when the time has changed: places move with their bodies. */
  redraw(): void {
    for (const line of this.lines) {
      line.object.removeFromParent();
      line.dispose();
    }
    for (const mark of this.marks) mark.group.removeFromParent();
    this.lines = [];
    this.marks = [];
    this.label.hidden = true;
    if (this.picks.length) {
      if (this.measuring) this.drawMeasure();
      else this.drawPick(this.picks[0]);
    }
    this.setColor(this.color);
    this.stage.invalidate();
  }

  private addLine(points: Vec3[], width: number): void {
    const drawn = points.map((p) => this.content.frame.point(p));
    for (const through of [false, true]) {
      const line = new Path(drawn, { width, through, opacity: through ? 0.45 : 1 });
      this.lines.push(line);
      this.stage.root.add(line.object);
    }
  }

  private addMark(point: Vec3): void {
    const mark = new ContactMark(this.content.frame.point(point), null, 0.7);
    this.marks.push(mark);
    this.stage.root.add(mark.group);
  }

  private drawPick(pick: Pick): void {
    const { point, corners } = pick.now();
    if (corners.length) this.addLine([...corners, corners[0]], 2.5);
    else this.addMark(point);
    const what: [string, string][] = pick.kind ? [["shape", pick.kind]]
      : [[pick.thinned ? "triangle shown" : "triangle", format.count(pick.triangle)], ...pick.corners.map((p, i): [string, string] => [`corner ${i}`, format.vector(p)])];
    const rows: [string, string][] = [["body", pick.part], ...what, ["clicked at", format.vector(point)]];
    const list = h("dl", {}, ...rows.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]));
    if (pick.kind) this.show(list);
    else this.show(list, h("p", { class: "hint" }, `Corners ${pick.space}${pick.thinned ? ", of the shape thinned out for display" : ""}.`));
  }

  private drawMeasure(): void {
    const points = this.picks.map((pick) => pick.now().point);
    for (const point of points) this.addMark(point);
    if (points.length < 2) return this.show(h("p", { class: "hint" }, `From ${format.vector(points[0])}: click the second point.`));
    this.addLine(points, 2);
    const difference = points[1].map((x, k) => x - points[0][k]);
    const length = format.number(Math.hypot(...difference), 6);
    const rows: [string, string][] = [
      ["distance", length], ["difference", format.vector(difference)],
      [`on ${this.picks[0].part}`, format.vector(points[0])], [`on ${this.picks[1].part}`, format.vector(points[1])],
    ];
    this.show(h("dl", {}, ...rows.flatMap(([name, value], i) => [h("dt", {}, name), h("dd", i === 0 ? { id: "measured" } : {}, value)])));
    this.label.textContent = length;
    this.label.hidden = false;
    this.labelAt = this.content.frame.point(points[0]).lerp(this.content.frame.point(points[1]), 0.5);
  }

  private placeLabel(): void {
    if (this.label.hidden) return;
    const { x, y } = this.stage.project(this.labelAt);
    this.label.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px) translate(-50%, -130%)`;
  }
}

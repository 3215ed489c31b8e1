// Which way the axes point, and how long things are: in the corner of the picture.
import { Vector3 } from "three";
import { h, s } from "./dom";
import * as format from "./format";
import type { Frame } from "./frame";
import type { Stage } from "./stage";

const arm = 24;
const middle = 34;

/** The longest of 1, 2, 5, 10... that is at most `most`. */
export function roundLength(most: number): number {
  const unit = 10 ** Math.floor(Math.log10(most));
  return unit * (most >= 5 * unit ? 5 : most >= 2 * unit ? 2 : 1);
}

export class Gauge {
  private readonly axes = s("svg", { class: "axes", viewBox: "0 0 68 68", "aria-label": "Axes" });
  private readonly bar = h("span", { class: "bar" });
  private readonly length = h("span", { id: "scale" });
  readonly element = h("div", { class: "gauge" }, this.axes, h("div", { class: "scale", title: "At the middle of the picture" }, this.bar, this.length));

  private shown = "";

  /** Only when the camera has moved: every change of the page costs. */
  update(stage: Stage, frame: Frame): void {
    const perPixel = stage.pixel(stage.controls.target) / frame.scale;
    const now = `${stage.camera.quaternion.toArray()} ${perPixel}`;
    if (now === this.shown || !Number.isFinite(perPixel)) return;
    this.shown = now;
    const turn = stage.camera.quaternion.clone().invert();
    const arms = ["x", "y", "z"].map((name, k) => {
      const v = new Vector3().setComponent(k, 1).applyQuaternion(turn);
      return { name, x: middle + arm * v.x, y: middle - arm * v.y, depth: v.z };
    });
    arms.sort((a, b) => a.depth - b.depth);
    this.axes.replaceChildren(...arms.flatMap(({ name, x, y }) => [
      s("line", { x1: middle, y1: middle, x2: x, y2: y, class: name }),
      s("text", { x: middle + 1.32 * (x - middle), y: middle + 1.32 * (y - middle), class: name }, name),
    ]));
    const length = roundLength(110 * perPixel);
    this.bar.style.width = `${(length / perPixel).toFixed(1)}px`;
    this.length.textContent = format.number(length, 3);
  }
}

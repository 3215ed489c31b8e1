// A plane that cuts the scene open: which axis, where, which side is kept.
import { Plane, Vector3 } from "three";
import type { Content } from "./content";
import { h } from "./dom";
import * as format from "./format";
import type { Axis, Look } from "./link";

const axes: Axis[] = ["x", "y", "z"];

export class Section {
  readonly element = h("div", { class: "bar section", id: "section-bar", hidden: true });
  private readonly slider = h("input", { type: "range", id: "section-at", min: 0, max: 1, step: "any", "aria-label": "Place of the section" });
  private readonly label = h("output", { id: "section-value" });
  private readonly buttons = new Map<Axis, HTMLButtonElement>();
  private axis: Axis = "x";
  private at = 0;  // in the report's coordinates
  private flipped = false;

  constructor(private readonly content: Content, private readonly changed: () => void) {
    for (const axis of axes) {
      this.buttons.set(axis, h("button", { class: "word", title: `Cut across ${axis}`, onclick: () => this.set({ axis }) }, axis));
    }
    const flip = h("button", { class: "word", title: "Keep the other side", onclick: () => this.set({ flipped: !this.flipped }) }, "flip");
    this.slider.addEventListener("input", () => this.set({ at: this.fromShare(Number(this.slider.value)) }));
    this.element.append(...this.buttons.values(), this.slider, this.label, flip);
  }

  get isOn(): boolean {
    return !this.element.hidden;
  }

  toggle(on = !this.isOn): void {
    this.element.hidden = !on;
    if (on && !this.placed) this.set({ axis: this.axis });
    this.apply();
  }

  private placed = false;

  /** A new axis starts in the middle. */
  set(change: { axis?: Axis; at?: number; flipped?: boolean }): void {
    if (change.axis) {
      this.axis = change.axis;
      this.at = this.fromShare(0.5);
    }
    this.placed = true;
    this.at = change.at ?? this.at;
    this.flipped = change.flipped ?? this.flipped;
    this.apply();
  }

  get look(): Look["section"] {
    return this.isOn ? { axis: this.axis, at: this.at, flipped: this.flipped } : undefined;
  }

  private span(): [number, number] {
    const k = axes.indexOf(this.axis);
    let low = Infinity, high = -Infinity;
    for (const { center, radius } of this.content.extent()) {
      low = Math.min(low, center.getComponent(k) - radius);
      high = Math.max(high, center.getComponent(k) + radius);
    }
    return low < high ? [low, high] : [-1, 1];
  }

  private fromShare(share: number): number {
    const [low, high] = this.span();
    const k = axes.indexOf(this.axis);
    return this.content.frame.back(new Vector3().setComponent(k, low + share * (high - low)))[k];
  }

  private apply(): void {
    const k = axes.indexOf(this.axis);
    const drawn = this.content.frame.point([0, 1, 2].map((i) => (i === k ? this.at : 0)) as [number, number, number]).getComponent(k);
    const sign = this.flipped ? 1 : -1;
    const plane = new Plane(new Vector3().setComponent(k, sign), -sign * drawn);
    this.content.setClipping(this.isOn ? [plane] : []);
    const [low, high] = this.span();
    this.slider.value = String((drawn - low) / (high - low));
    this.label.textContent = `${this.axis} = ${format.number(this.at, 4)}`;
    for (const [axis, button] of this.buttons) button.setAttribute("aria-pressed", String(axis === this.axis));
    this.changed();
  }
}

// Two reports beside each other: two pages that share the time and the camera.
import { h } from "./dom";
import * as format from "./format";
import { addressHash, type Look } from "./link";
import type { Page } from "./page";
import type { Report, Result, Vec3 } from "./report";
import { hasContact, statusName } from "./status";

const timeOf = (result: Result | undefined) => (hasContact(result) ? result!.time : NaN);
const distanceOf = (result: Result | undefined) => result?.closest_approach?.distance ?? result?.distance ?? NaN;

/** One page as the text of a document: this page's own style and script, with the other report. */
function documentOf(report: Report): string {
  const style = document.querySelector("style")!.textContent!;
  const script = [...document.scripts].find((one) => !one.type)!.textContent!;
  const json = JSON.stringify(report).replaceAll("<", "\\u003c");
  const hash = addressHash().replace(/[^#=&\w.,-]/g, "");
  return `<!doctype html><html lang="en" data-hash="${hash}"><head><meta charset="utf-8">` +
    `<meta name="viewport" content="width=device-width, initial-scale=1"><style>${style}</style></head>` +
    `<body><div id="app"></div><script type="application/json" id="report">${json}</script><script>${script}</script></body></html>`;
}

export class Comparison {
  private readonly frames: HTMLIFrameElement[];
  private readonly summary = h("table", { class: "difference", id: "difference" });
  private readonly linked = { time: true, camera: true };
  private following = false;

  constructor(app: HTMLElement, private readonly reports: [Report, Report]) {
    this.frames = reports.map((_, i) => h("iframe", { title: `Report ${"AB"[i]}`, id: `report-${"ab"[i]}` }));
    const link = (name: "time" | "camera") => {
      const box = h("input", { type: "checkbox", id: `link-${name}`, checked: true, onchange: () => {
        this.linked[name] = box.checked;
        if (box.checked) this.changed(0, name);
      } });
      return h("label", {}, box, ` one ${name}`);
    };
    app.replaceChildren(h("div", { class: "comparison" },
      h("header", { class: "comparison-head" }, h("span", { class: "brand" }, "Toccata"), this.summary, link("time"), link("camera")),
      h("div", { class: "sides" }, ...this.frames)));
    document.documentElement.dataset.theme = window.matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
    document.title = "Two reports \u2013 Toccata";
    for (const [i, frame] of this.frames.entries()) {
      frame.addEventListener("load", () => {
        const page = this.page(i);
        if (page) page.onChange = (what) => this.changed(i, what);
        if (this.page(0) && this.page(1)) {
          this.changed(0, "camera");
          this.drawSummary();
        }
      });
      frame.srcdoc = documentOf(reports[i]);
    }
    this.drawSummary();
  }

  page(i: number): Page | undefined {
    return (this.frames[i].contentWindow as unknown as { toccata?: Page } | null)?.toccata;
  }

  private changed(i: number, what: "time" | "camera" | "result"): void {
    const [from, to] = [this.page(i), this.page(1 - i)];
    if (this.following || !from || !to) return;
    this.following = true;
    try {
      if (what === "time" && this.linked.time && from.duration > 0 && to.duration > 0) to.setTime((from.state().time / from.duration) * to.duration);
      if (what === "camera" && this.linked.camera) {
        const { camera, up } = from.state().look;
        to.follow({ camera: camera && this.elsewhere(camera, from, to), up });
      }
      if (what === "result") {
        const { result } = from.state();
        if (result < (to.report.results?.length ?? 0) && result !== to.state().result) to.showResult(result);
        this.drawSummary();
      }
    } finally {
      this.following = false;
    }
  }

  /** The same place in the world; of scenes far from each other, the same place in the scene. */
  private elsewhere(camera: NonNullable<Look["camera"]>, from: Page, to: Page): Look["camera"] {
    if (!from.frame || !to.frame) return undefined;
    const apart = Math.hypot(...from.frame.origin.map((x, k) => x - to.frame!.origin[k]));
    if (apart * Math.min(from.frame.scale, to.frame.scale) < 2) return camera;
    const ratio = from.frame.scale / to.frame.scale;
    return { target: to.frame.back(from.frame.point(camera.target)), offset: camera.offset.map((x) => x * ratio) as Vec3 };
  }

  private drawSummary(): void {
    const results = this.reports.map((report, i) => report.results?.[this.page(i)?.state().result ?? 0]);
    const row = (name: string, value: (result: Result | undefined) => number, text: (x: number) => string) => {
      const [a, b] = results.map(value);
      if (Number.isNaN(a) && Number.isNaN(b)) return null;
      const show = (x: number) => (Number.isNaN(x) ? "\u2013" : text(x));
      return h("tr", {}, h("th", {}, name), h("td", {}, show(a)), h("td", {}, show(b)), h("td", { class: "delta" }, Number.isNaN(b - a) ? "" : format.number(b - a, 4)));
    };
    const names = this.reports.map((report) => format.clipped(report.title ?? format.words(report.query), 28));
    const endings = results.map((result, i) => (result ? statusName(this.reports[i], result) : "\u2013"));
    this.summary.replaceChildren(...[
      h("tr", {}, h("th", {}), h("td", { title: this.reports[0].title }, names[0]), h("td", { title: this.reports[1].title }, names[1]), h("td", { class: "delta" }, "difference")),
      h("tr", {}, h("th", {}, "ending"), h("td", {}, endings[0]), h("td", {}, endings[1]), h("td", { class: "delta" }, endings[0] === endings[1] ? "" : "not the same")),
      row("first contact", timeOf, (x) => format.time(x, 9)),
      row("distance", distanceOf, (x) => format.number(x, 6)),
    ].filter((one): one is HTMLTableRowElement => one !== null));
  }

  /** For tests. */
  state() {
    return { sides: [0, 1].map((i) => this.page(i)?.state()) };
  }
}

// The page: the picture, the time line, the numbers; and what the keys and buttons do.
import { BodiesContent } from "./bodies";
import type { Content, Toggles } from "./content";
import { h, icon } from "./dom";
import * as format from "./format";
import * as icons from "./icons";
import { Panel, statusName, statusPill } from "./panel";
import { clearanceSeries, contactsSeries, Plot, type Series } from "./plot";
import { contactCount, contactKinds, numbers, readReport, type Report, type Result } from "./report";
import { SequenceContent } from "./sequence";
import { Stage } from "./stage";

const inset = 9;  // half of the slider's thumb: where its axis begins

class Page {
  private readonly toggles: Toggles = { ghosts: true, wireframe: false, contacts: true, path: true, boxes: false, level: 0 };
  private readonly stage: Stage;
  private readonly content: Content | null;
  private readonly panel: Panel;
  private readonly plot: Plot;
  private readonly view = h("div", { class: "view", id: "view" });
  private readonly answer = h("p", { class: "answer", id: "answer" });
  private readonly heading = h("div", { class: "heading" });
  private readonly readout = h("output", { class: "readout", id: "readout" });
  private readonly bands = h("div", { class: "bands" });
  private readonly slider = h("input", { type: "range", id: "slider", min: 0, step: "any", "aria-label": "Time" });
  private readonly playButton = h("button", { class: "play", id: "play", title: "Play or pause (space)", "aria-label": "Play" });
  private readonly plotHolder = h("div", { class: "plot-holder" });
  private readonly levelControl = h("div", { class: "level", hidden: true });
  private readonly buttons = new Map<keyof Toggles, HTMLElement>();
  private readonly helpDialog = this.makeHelp();
  private time = 0;
  private playing = false;
  private lastTick = 0;
  private dwell = 0;
  private resultIndex = 0;
  private isDark = false;

  constructor(app: HTMLElement, private readonly report: Report) {
    this.panel = new Panel(report);
    app.append(this.layout());
    this.stage = new Stage(this.view);
    this.content = this.makeContent();
    this.plot = new Plot(null, this.duration, inset);
    app.querySelector(".page")!.classList.toggle("plain", this.content === null);
    this.plotHolder.append(this.plot.element);
    if (this.content) {
      this.stage.root.add(this.content.object);
      this.stage.beforeRender.push(() => this.content!.beforeRender((at) => this.stage.pixel(at)));
    }
    this.slider.max = String(this.duration || 1);
    app.querySelector(".dock")!.classList.toggle("still", this.duration === 0);
    this.setTheme(window.matchMedia("(prefers-color-scheme: dark)").matches);
    this.setUp(report.up ?? (report.sequence ? "y" : "z"));
    this.showResult(0, true);
    this.listen();
    this.fit(false, true);
    new ResizeObserver(() => this.drawPlot()).observe(this.plotHolder);
    document.title = `${report.title ?? format.words(report.query)} \u2013 Toccata`;
  }

  private get duration(): number {
    return this.content?.duration ?? 0;
  }

  private get result(): Result | undefined {
    return this.report.results?.[this.resultIndex];
  }

  // ------------------------------------------------------------- what is shown

  private makeContent(): Content | null {
    if (this.report.sequence?.frames.length) return new SequenceContent(this.report);
    if (this.report.bodies?.length) return new BodiesContent(this.report);
    return null;
  }

  private makeSeries(): Series | null {
    const sequence = this.report.sequence;
    if (!sequence) return this.result ? clearanceSeries(this.result) : null;
    const timesOf = (i: number) => {
      const stored = sequence.steps[i].contacts;
      if (!stored?.times) return [];
      const kinds = contactKinds(stored);
      return Array.from(numbers(stored.times), (time, k) => ({ time, edge: kinds[k] === 1 }));
    };
    return contactsSeries(sequence, timesOf);
  }

  private setSeries(): void {
    const series = this.makeSeries();
    this.plot.setSeries(series);
    this.plotHolder.classList.toggle("empty", series === null);
  }

  private layout(): HTMLElement {
    this.playButton.append(icon(icons.play));
    const jump = this.button("jump", "Jump to first contact (C)", icons.target, () => this.jump());
    const tools = h("div", { class: "tools", role: "toolbar", "aria-label": "View" },
      this.button("fit", "Fit the scene (F)", icons.fit, () => this.fit()),
      this.button("zoom", "Zoom to the contact (Z)", icons.zoom, () => this.zoom()),
      this.toggleButton("ghosts", "Ghosts at start, contact and end (G)", icons.ghosts),
      this.toggleButton("contacts", "Contacts and normals (N)", icons.contact),
      this.toggleButton("path", "Path of the contact point (T)", icons.path),
      this.toggleButton("wireframe", "Wireframe (W)", icons.wireframe),
      this.toggleButton("boxes", "Bounding-volume hierarchy (H)", icons.boxes),
      this.button("up", "Turn the up axis (U)", icons.up, () => this.turnUp()),
      this.button("theme", "Light or dark (D)", icons.theme, () => this.setTheme(!this.isDark)),
      this.button("help", "Keys (?)", icons.help, () => this.helpDialog.showModal()));
    this.view.append(tools, this.levelControl);
    const trackRow = h("div", { class: "track" }, this.bands, this.slider);
    return h("div", { class: "page" },
      h("main", {},
        h("header", {}, this.heading, this.answer),
        this.view,
        h("footer", { class: "dock" },
          h("div", { class: "transport" }, this.playButton, jump),
          h("div", { class: "line" }, this.plotHolder, trackRow),
          this.readout)),
      this.panel.element, this.helpDialog);
  }

  private button(id: string, title: string, path: string, act: () => void): HTMLButtonElement {
    return h("button", { id, title, "aria-label": title, onclick: act }, icon(path));
  }

  private toggleButton(name: keyof Toggles, title: string, path: string): HTMLButtonElement {
    const button = this.button(name, title, path, () => this.toggle(name));
    this.buttons.set(name, button);
    return button;
  }

  private makeHelp(): HTMLDialogElement {
    const keys: [string, string][] = [
      ["space", "play or pause"], ["\u2190 \u2192", "step in time (shift: fine)"], ["home, end", "start, end"],
      ["C", "jump to first contact, or to the closest approach"], ["Z", "zoom to it"], ["F", "fit the scene"],
      ["G", "ghosts"], ["N", "contacts and normals"], ["T", "path of the contact point"], ["W", "wireframe"],
      ["H", "bounding-volume hierarchy"], ["+ \u2212", "its next level"], ["[ ]", "previous, next trial"],
      ["U", "turn the up axis"], ["D", "light or dark"], ["?", "this list"],
    ];
    const list = h("dl", {}, ...keys.flatMap(([key, what]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, what)]));
    const dialog = h("dialog", { class: "help", onclick: () => dialog.close() },
      h("h2", {}, "Keys"), list, h("p", {}, "Drag to turn, drag with the right button or two fingers to move, scroll or pinch to zoom."));
    return dialog;
  }

  private showResult(index: number, first = false): void {
    const results = this.report.results ?? [];
    this.resultIndex = results.length ? (index + results.length) % results.length : 0;
    if (this.content instanceof BodiesContent) this.content.setResult(this.resultIndex);
    const result = this.result;
    const single = results.length <= 1 && this.report.answer;
    this.answer.textContent = single ? this.report.answer! : result?.sentence ?? this.report.answer ?? "";
    this.drawHeading();
    this.panel.draw(result, this.stage.palette);
    this.setSeries();
    this.content?.setPalette(this.stage.palette);
    this.content?.setToggles(this.toggles);
    this.updateButtons();
    this.drawBands();
    this.drawPlot();
    if (first || results.length > 1) this.setTime(this.openingTime());
    else this.setTime(this.time);
  }

  /** The first contact or closest approach; in a sequence the end of the step with most contacts. */
  private openingTime(): number {
    const steps = this.report.sequence?.steps;
    if (!steps?.length) return this.content?.moments()[0]?.time ?? 0;
    return steps.reduce((best, step) => (contactCount(step) > contactCount(best) ? step : best)).from + 1;
  }

  private titleText(): string {
    return this.report.title ?? format.words(this.report.query);
  }

  private drawHeading(): void {
    const results = this.report.results ?? [];
    const items: Node[] = [h("span", { class: "brand" }, "Toccata"), h("h1", { title: this.titleText() }, format.clipped(this.titleText(), 60))];
    if (this.result) items.push(statusPill(this.report, this.result));
    if (results.length > 1) {
      const select = h("select", { id: "trial", "aria-label": "Trial", onchange: () => this.showResult(select.selectedIndex) },
        ...results.map((result, i) => h("option", {}, `${result.label ?? `trial ${i}`} \u2013 ${result.status === "contact" ? `t = ${format.time(result.time, 4)}` : statusName(this.report, result)}`)));
      select.selectedIndex = this.resultIndex;
      items.push(select);
      if (this.report.answer) items.push(h("span", { class: "batch" }, this.report.answer));
    }
    this.heading.replaceChildren(...items);
  }

  private drawBands(): void {
    const width = this.duration || 1;
    const percent = (t: number) => `calc(${inset}px + (100% - ${2 * inset}px) * ${t / width})`;
    const band = (from: number, to: number, kind: string, title: string) => h("span", {
      class: `band ${kind}`, title, style: `left:${percent(from)};width:calc((100% - ${2 * inset}px) * ${Math.max(to - from, 0) / width})`,
    });
    const bands: HTMLElement[] = [];
    for (const interval of this.result?.intervals ?? []) {
      bands.push(band(interval.begin[0], interval.end[1], "touching", `touching from ${interval.begin[0]} to ${interval.end[1]}`));
    }
    for (const moment of this.content?.moments() ?? []) bands.push(band(moment.time, moment.time, `moment ${moment.kind}`, `${moment.name}: t = ${moment.time}`));
    if (this.result?.status === "out_of_budget") bands.push(band(this.result.lower, 1, "unknown", "not decided"));
    this.bands.replaceChildren(...bands);
  }

  private drawPlot(): void {
    const { clientWidth, clientHeight } = this.plotHolder;
    const marks = (this.content?.moments() ?? []).map((moment) => ({
      time: moment.time, kind: moment.kind, label: moment.name,
    }));
    this.plot.draw(clientWidth, clientHeight, marks);
    this.plot.setTime(this.time);
  }

  // ------------------------------------------------------------- time

  setTime(time: number): void {
    this.time = Math.min(Math.max(time, 0), this.duration);
    this.slider.value = String(this.time);
    this.content?.setTime(this.time);
    this.plot.setTime(this.time);
    const value = this.plot.valueAt(this.time);
    this.readout.replaceChildren(h("span", { class: "now" }, this.timeText()), value ? h("span", { class: "value" }, value) : "");
    if (this.content instanceof SequenceContent) {
      const { index, step } = this.content.stepAt(this.time);
      this.panel.setStep(index, step);
    }
    this.stage.invalidate();
  }

  private timeText(): string {
    return this.report.sequence ? `frame ${this.time.toFixed(2)}` : `t = ${this.time.toFixed(4)}`;
  }

  private play(on: boolean): void {
    this.playing = on && this.duration > 0;
    if (this.playing && this.time >= this.duration) this.setTime(0);
    this.playButton.replaceChildren(icon(this.playing ? icons.pause : icons.play));
    this.playButton.setAttribute("aria-label", this.playing ? "Pause" : "Play");
    this.lastTick = performance.now();
    if (this.playing) requestAnimationFrame(() => this.tick());
  }

  private tick(): void {
    if (!this.playing) return;
    const now = performance.now();
    const elapsed = (now - this.lastTick) / 1000;
    this.lastTick = now;
    const seconds = Math.min(Math.max(this.duration * 0.25, 5), 20);
    if (this.dwell > 0) this.dwell -= elapsed;
    else if (this.time >= this.duration) this.setTime(0);
    else {
      const next = this.time + (elapsed * this.duration) / seconds;
      this.setTime(next);
      if (next >= this.duration) this.dwell = 0.7;
    }
    requestAnimationFrame(() => this.tick());
  }

  private jump(): void {
    const moment = this.content?.moments()[0];
    if (!moment) return;
    this.play(false);
    this.setTime(moment.time);
  }

  private step(direction: number, fine: boolean): void {
    this.play(false);
    const unit = this.report.sequence ? (fine ? 0.1 : 1) : fine ? 0.001 : 0.02;
    const next = this.time + direction * unit;
    this.setTime(this.report.sequence && !fine ? (direction > 0 ? Math.floor(next + 1e-9) : Math.ceil(next - 1e-9)) : next);
  }

  // ------------------------------------------------------------- view

  private fit(fly = true, fromStart = false): void {
    if (!this.content) return;
    this.stage.setHeadroom(this.heading.parentElement!);
    const spheres = this.content.extent();
    if (!fromStart) return this.stage.fit(spheres, undefined, fly);
    const now = this.time;
    const direction = this.content.viewDirection(this.view.clientWidth / Math.max(this.view.clientHeight, 1));
    this.content.setTime(now);
    // The content is built with z up; turn its view with the world.
    this.stage.fit(spheres, this.report.sequence ? this.fromUp(direction) : direction, fly);
  }

  private fromUp(direction: { x: number; y: number; z: number }) {
    const v = this.stage.camera.up.clone();
    if (v.y === 1) return v.set(direction.x, direction.z, -direction.y);
    return v.set(direction.x, direction.y, direction.z);
  }

  private zoom(): void {
    const close = this.content?.closeUp();
    if (!close) return;
    this.jump();
    this.stage.look(close.center, close.radius);
  }

  private setUp(axis: "x" | "y" | "z"): void {
    this.stage.camera.up.set(axis === "x" ? 1 : 0, axis === "y" ? 1 : 0, axis === "z" ? 1 : 0);
    this.stage.controls.dispose();
    this.stage.makeControls();
    this.stage.placeLights();
  }

  private turnUp(): void {
    const { up } = this.stage.camera;
    this.setUp(up.z === 1 ? "y" : up.y === 1 ? "x" : "z");
    this.stage.controls.update();
    this.stage.invalidate();
  }

  private toggle(name: keyof Toggles): void {
    if (name === "level") return;
    this.toggles[name] = !this.toggles[name];
    this.content?.setToggles(this.toggles);
    this.updateButtons();
    this.stage.invalidate();
  }

  private setLevel(level: number): void {
    const levels = this.content?.hierarchyLevels() ?? 0;
    if (!levels) return;
    this.toggles.boxes = true;
    this.toggles.level = Math.min(Math.max(level, 0), levels - 1);
    this.content?.setToggles(this.toggles);
    this.updateButtons();
    this.stage.invalidate();
  }

  private updateButtons(): void {
    const levels = this.content?.hierarchyLevels() ?? 0;
    for (const [name, button] of this.buttons) button.setAttribute("aria-pressed", String(this.toggles[name]));
    const rigid = this.content instanceof BodiesContent;
    const moving = rigid && this.duration > 0;
    this.buttons.get("ghosts")!.hidden = !moving;
    this.buttons.get("path")!.hidden = !moving;
    this.buttons.get("boxes")!.hidden = levels === 0;
    document.getElementById("zoom")!.hidden = !this.content?.closeUp();
    document.getElementById("jump")!.hidden = !this.content?.moments().length;
    this.levelControl.hidden = !(levels && this.toggles.boxes);
    if (this.levelControl.hidden) return;
    const boxes = (this.report.hierarchies ?? []).reduce((sum, tree) => sum + (tree.levels[Math.min(this.toggles.level, tree.levels.length - 1)]?.length ?? 0), 0);
    const slider = h("input", { type: "range", id: "level", min: 0, max: levels - 1, step: 1, value: this.toggles.level, "aria-label": "Hierarchy level",
      oninput: () => this.setLevel(Number(slider.value)) });
    const label = h("span", {}, `level ${this.toggles.level} \u00b7 ${format.count(boxes)} boxes`);
    if (this.levelControl.contains(document.activeElement)) this.levelControl.lastElementChild!.replaceWith(label);
    else this.levelControl.replaceChildren(slider, label);
  }

  private setTheme(isDark: boolean): void {
    this.isDark = isDark;
    document.documentElement.dataset.theme = isDark ? "dark" : "light";
    this.stage.setTheme(isDark);
    this.content?.setPalette(this.stage.palette);
    this.panel.draw(this.result, this.stage.palette);
    this.setTime(this.time);
  }

  // ------------------------------------------------------------- input

  private listen(): void {
    this.slider.addEventListener("input", () => {
      this.play(false);
      this.setTime(Number(this.slider.value));
    });
    this.playButton.addEventListener("click", () => this.play(!this.playing));
    const scrub = (event: PointerEvent) => {
      const box = this.plotHolder.getBoundingClientRect();
      this.setTime(((event.clientX - box.left - inset) / (box.width - 2 * inset)) * this.duration);
    };
    this.plotHolder.addEventListener("pointerdown", (event) => {
      this.play(false);
      this.plotHolder.setPointerCapture(event.pointerId);
      scrub(event);
    });
    this.plotHolder.addEventListener("pointermove", (event) => {
      if (this.plotHolder.hasPointerCapture(event.pointerId)) scrub(event);
    });
    document.addEventListener("keydown", (event) => this.key(event));
  }

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || this.helpDialog.open) return;
    if (event.target instanceof HTMLSelectElement) return;
    const actions: Record<string, () => void> = {
      " ": () => this.play(!this.playing),
      ArrowRight: () => this.step(1, event.shiftKey), ArrowLeft: () => this.step(-1, event.shiftKey),
      Home: () => this.setTime(0), End: () => this.setTime(this.duration),
      c: () => this.jump(), z: () => this.zoom(), f: () => this.fit(),
      g: () => this.toggle("ghosts"), n: () => this.toggle("contacts"), t: () => this.toggle("path"),
      w: () => this.toggle("wireframe"), h: () => this.content?.hierarchyLevels() && this.toggle("boxes"),
      "+": () => this.setLevel(this.toggles.level + 1), "=": () => this.setLevel(this.toggles.level + 1),
      "-": () => this.setLevel(this.toggles.level - 1),
      "[": () => this.showResult(this.resultIndex - 1), "]": () => this.showResult(this.resultIndex + 1),
      u: () => this.turnUp(), d: () => this.setTheme(!this.isDark), "?": () => this.helpDialog.showModal(),
    };
    const act = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  /** For tests: what is on the screen. */
  state() {
    return {
      time: this.time, duration: this.duration, playing: this.playing, result: this.resultIndex,
      triangles: this.content?.triangles ?? 0, frames: this.stage.frames, dark: this.isDark, toggles: { ...this.toggles },
      centers: this.content instanceof BodiesContent ? (this.report.bodies ?? []).map((_, i) => (this.content as BodiesContent).bodyCenter(i)) : [],
    };
  }
}

function start(): void {
  const app = document.getElementById("app")!;
  try {
    const page = new Page(app, readReport(document.getElementById("report")!.textContent ?? ""));
    (window as unknown as { toccata: Page }).toccata = page;
  } catch (error) {
    app.replaceChildren(h("p", { class: "failure", id: "failure" }, error instanceof Error ? error.message : String(error)));
  }
}

start();

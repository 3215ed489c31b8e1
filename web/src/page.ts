// The page of one report: the picture, the time line, the numbers; and what the keys and buttons do.
import { Vector3 } from "three";
import { BodiesContent } from "./bodies";
import { Caption } from "./caption";
import type { Content, Toggles } from "./content";
import { h, icon, wholeEquations } from "./dom";
import { canFilm } from "./film";
import * as format from "./format";
import type { Frame } from "./frame";
import { Gauge } from "./gauge";
import { helpDialog, isTaken, presets } from "./help";
import * as icons from "./icons";
import { addressHash, fromHash, toHash, type Axis, type Look } from "./link";
import { Menu, type MenuItem } from "./menu";
import { dark, light, type Palette } from "./palette";
import { Panel } from "./panel";
import { Picker } from "./picker";
import { advance, speeds, type PlaybackSettings } from "./playback";
import { clearanceSeries, contactsSeries, Plot, type Series } from "./plot";
import { resultLabel } from "./records";
import { contactCount, contactKinds, isBatch, numbers, type Report, type Result } from "./report";
import { Saving } from "./saving";
import { Section } from "./section";
import { SequenceContent } from "./sequence";
import { Stage } from "./stage";
import { statusPill } from "./status";
import { directionOf, nearestDirection, openingDirection } from "./view_direction";

const inset = 9;  // half of the slider's thumb: where its axis begins

export class Page {
  private readonly toggles: Toggles = { ghosts: true, wireframe: false, contacts: true, path: true, boxes: false, level: 0 };
  private readonly playback: PlaybackSettings = { speed: 1, loop: true, slow: true };
  private readonly stage: Stage | null;
  private readonly content: Content | null;
  private readonly section: Section | null;
  private readonly saving: Saving;
  private readonly picker: Picker | null;
  private readonly gauge = new Gauge();
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
  private readonly levelControl = h("div", { class: "bar level", hidden: true });
  private readonly bars = h("div", { class: "bars" }, this.levelControl);
  private plotSize = { width: 0, height: 0 };  // kept: to ask for it makes the browser lay out the page
  private tools: HTMLElement | null = null;
  private readonly menus: Menu[] = [];
  private readonly helpDialog = helpDialog();
  private time = 0;
  private playing = false;
  private lastTick = 0;
  private dwell = 0;
  private resultIndex = 0;
  private isDark = false;
  private up: Axis = "z";
  /** Called when the time, the camera or the result shown has changed: for the page of two reports. */
  onChange: ((what: "time" | "camera" | "result") => void) | null = null;

  constructor(app: HTMLElement, readonly report: Report, private readonly compare: (other: Report) => void) {
    this.stage = Stage.in(this.view);
    this.content = this.stage && this.makeContent();
    this.saving = new Saving(this.stage, {
      title: () => this.titleText(), look: () => this.currentLook(), play: (on) => this.play(on), rewind: () => this.setTime(0),
    });
    this.section = this.content && new Section(this.content, () => this.stage?.invalidate());
    this.picker = this.stage && this.content && new Picker(this.stage, this.content, this.view, () => this.updateButtons());
    this.panel = new Panel(report, {
      canShow: this.content !== null,
      parts: () => this.content?.parts() ?? (report.bodies ?? []).map((body, i) => ({ name: body.name || `body ${i}`, detail: "", color: i })),
      show: (part) => this.content?.show(part) ?? "shown",
      setShow: (part, show) => {
        this.content?.setShow(part, show);
        this.stage?.invalidate();
      },
      chooseResult: (index) => this.showResult(index),
      chooseContact: (contact) => this.look(this.content instanceof BodiesContent ? this.content.around(contact) : null),
      chooseStored: (contact) => {
        this.setTime(contact.step + contact.time);
        if (!(this.content instanceof SequenceContent)) return;
        this.content.markContact(contact.point, contact.normal);
        this.look({ center: this.content.frame.point(contact.point), radius: 0.2 });
      },
    });
    app.replaceChildren(this.layout());
    this.plot = new Plot(null, this.duration, inset);
    const page = app.querySelector(".page")!;
    page.classList.toggle("plain", this.content === null);
    page.classList.toggle("undrawn", !this.stage);
    this.plotHolder.append(this.plot.element, this.plot.cursor);
    if (this.stage && this.content) this.connect(this.stage, this.content);
    this.slider.max = String(this.duration || 1);
    app.querySelector(".dock")!.classList.toggle("still", this.duration === 0);
    const look = fromHash(addressHash());
    this.setTheme(look.dark ?? window.matchMedia("(prefers-color-scheme: dark)").matches);
    this.setUp(look.up ?? report.up ?? (report.sequence ? "y" : "z"));
    this.showResult(look.result ?? 0, true);
    this.listen();
    this.fit(false, true);
    this.follow(look);
    new ResizeObserver(([entry]) => {
      this.plotSize = entry.contentRect;
      this.drawPlot();
    }).observe(this.plotHolder);
    document.title = `${this.titleText()} \u2013 Toccata`;
  }

  private connect(stage: Stage, content: Content): void {
    stage.root.add(content.object);
    stage.beforeRender.push(() => content.beforeRender((at) => stage.pixel(at), stage.isCoarse));
    stage.afterRender.push(() => this.gauge.update(stage, content.frame));
    new Caption(stage, content, this.view);
    stage.onCamera = () => this.onChange?.("camera");
  }

  /** Without a picture there is still the time line of moving bodies. */
  get duration(): number {
    if (this.content) return this.content.duration;
    if (this.report.sequence) return Math.max(this.report.sequence.frames.length - 1, 0);
    return this.report.results?.some((result) => (result.clearance?.times.length ?? 0) > 1) ? 1 : 0;
  }

  get frame(): Frame | undefined {
    return this.content?.frame;
  }

  private get result(): Result | undefined {
    return this.report.results?.[this.resultIndex];
  }

  private get palette(): Palette {
    return this.isDark ? dark : light;
  }

  // ------------------------------------------------------------- what is shown

  private makeContent(): Content | null {
    if (this.report.sequence?.frames.length) return new SequenceContent(this.report);
    if (this.report.bodies?.length || this.report.layers?.length) return new BodiesContent(this.report);
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
    if (this.report.sequence && this.plot.hasSeries) return;
    const series = this.makeSeries();
    this.plot.setSeries(series);
    this.plotHolder.classList.toggle("empty", series === null);
  }

  private layout(): HTMLElement {
    this.playButton.append(icon(icons.play));
    const jump = this.button("jump", "Jump to first contact (C)", icons.target, () => this.jump());
    if (this.content) {
      this.tools = this.makeTools();
      this.view.append(this.tools, this.bars, this.gauge.element, this.saving.notice);
    }
    if (this.section) this.bars.append(this.section.element);
    const speed = this.menu("speed", "Speed, loop, slow motion", icons.clock, [
      { id: "loop", label: "Loop", key: "L", act: () => this.setPlayback({ loop: !this.playback.loop }), pressed: () => this.playback.loop },
      { id: "slow", label: "Slow near the events", key: "S", act: () => this.setPlayback({ slow: !this.playback.slow }), pressed: () => this.playback.slow },
      ...speeds.map((value): MenuItem => ({
        id: `speed-${value}`, label: `${value}\u00d7`, act: () => this.setPlayback({ speed: value }), pressed: () => this.playback.speed === value,
      })),
    ]);
    return h("div", { class: "page" },
      h("main", {},
        h("header", {}, this.heading, this.answer,
          !this.stage && h("p", { class: "no-picture", id: "no-picture" }, "This browser cannot draw the scene (it offers no WebGL 2). The numbers are all here.")),
        this.view,
        h("footer", { class: "dock" },
          h("div", { class: "transport" }, this.playButton, jump, speed.element),
          h("div", { class: "line" }, this.plotHolder, h("div", { class: "track" }, this.bands, this.slider)),
          this.readout)),
      this.panel.element, this.helpDialog);
  }

  private makeTools(): HTMLElement {
    const rigid = this.content instanceof BodiesContent;
    const moving = rigid && this.duration > 0;
    const toggle = (name: Exclude<keyof Toggles, "level">, label: string, key: string, hidden?: () => boolean): MenuItem =>
      ({ id: name, label, key, act: () => this.toggle(name), pressed: () => this.toggles[name], hidden });
    const camera = this.menu("camera", "Look from", icons.camera, [
      { id: "opening", label: "As opened", key: "0", act: () => this.fit(true, true) },
      ...presets.map((preset): MenuItem => ({ id: `from-${preset.name.toLowerCase()}`, label: preset.name, key: preset.key, act: () => this.lookFrom(preset) })),
      { id: "up", label: "Turn the up axis", key: "U", act: () => this.turnUp() },
    ]);
    const show = this.menu("show", "What is shown", icons.layers, [
      toggle("ghosts", "Ghosts at start, contact and end", "G", () => !moving),
      toggle("contacts", "Contacts and normals", "N"),
      toggle("path", "Path of the contact point", "T", () => !moving),
      toggle("wireframe", "Wireframe", "W"),
      toggle("boxes", "Bounding-volume hierarchy", "H", () => !this.content?.hierarchyLevels()),
    ]);
    const save = this.menu("save", "Save, link, compare", icons.save, [
      { id: "picture", label: "Picture (PNG)", key: "P", act: () => void this.saving.picture() },
      { id: "film", label: "Film (WebM)", act: () => this.saving.startFilm(), hidden: () => this.duration === 0 || !canFilm(this.stage!.renderer.domElement) },
      { id: "link", label: "Copy a link to this view", key: "K", act: () => void this.saving.copyLink() },
      { id: "compare", label: "Compare with another report\u2026", act: () => this.saving.chooseOther(this.compare) },
    ]);
    return h("div", { class: "tools", role: "toolbar", "aria-label": "View" },
      this.button("fit", "Fit the scene (F)", icons.fit, () => this.fit()),
      this.button("zoom", "Zoom to the contact (Z)", icons.zoom, () => this.zoom()),
      camera.element, show.element,
      this.button("section", "Cut the scene open (X)", icons.section, () => this.toggleSection()),
      this.button("measure", "Measure between two points (M)", icons.measure, () => this.picker?.setMeasuring(!this.picker.isMeasuring)),
      save.element,
      this.button("theme", "Light or dark (D)", icons.theme, () => this.setTheme(!this.isDark)),
      this.button("help", "Keys (?)", icons.help, () => this.helpDialog.showModal()));
  }

  private menu(...parameters: ConstructorParameters<typeof Menu>): Menu {
    const menu = new Menu(...parameters);
    this.menus.push(menu);
    return menu;
  }

  private button(id: string, title: string, path: string, act: () => void): HTMLButtonElement {
    return h("button", { id, title, "aria-label": title, onclick: act }, icon(path));
  }

  showResult(index: number, first = false): void {
    const results = this.report.results ?? [];
    this.resultIndex = results.length ? (index + results.length) % results.length : 0;
    if (this.content instanceof BodiesContent) this.content.setResult(this.resultIndex);
    const result = this.result;
    const single = results.length <= 1 && this.report.answer;
    this.answer.replaceChildren(...wholeEquations(single ? this.report.answer! : result?.sentence ?? this.report.answer ?? ""));
    this.drawHeading();
    this.panel.draw(result, this.resultIndex, this.palette);
    this.setSeries();
    this.content?.setPalette(this.palette);
    this.content?.setToggles(this.toggles);
    this.updateButtons();
    this.drawBands();
    this.drawPlot();
    if (first || results.length > 1) this.setTime(this.openingTime());
    else this.setTime(this.time);
    this.onChange?.("result");
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
      const label = resultLabel(this.report, this.resultIndex);
      items.push(h("span", { class: "chooser" },
        this.button("previous", "Previous ([)", icons.left, () => this.showResult(this.resultIndex - 1)),
        h("span", { id: "which" }, `${label} \u00b7 ${format.count(this.resultIndex + 1)} of ${format.count(results.length)}`),
        this.button("next", "Next (])", icons.right, () => this.showResult(this.resultIndex + 1))));
      if (this.report.answer) items.push(h("span", { class: "batch" }, this.report.answer));
    }
    const focused = document.activeElement?.id;
    this.heading.replaceChildren(...items);
    if (focused === "previous" || focused === "next") document.getElementById(focused)?.focus();
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
    for (const [i, moment] of (this.content?.moments() ?? []).entries()) {
      const mark = band(moment.time, moment.time, `moment ${moment.kind}${i ? " other" : ""}`, `${moment.name}: t = ${moment.time}`);
      mark.addEventListener("click", () => (moment.result === undefined ? this.setTime(moment.time) : this.showResult(moment.result)));
      bands.push(mark);
    }
    if (this.result?.status === "out_of_budget") bands.push(band(this.result.lower, 1, "unknown", "not decided"));
    this.bands.replaceChildren(...bands);
  }

  private drawPlot(): void {
    const marks = (this.content?.moments() ?? []).slice(0, 1).map((moment) => ({ time: moment.time, kind: moment.kind, label: moment.name }));
    this.plot.draw(this.plotSize.width, this.plotSize.height, marks);
    this.plot.setTime(this.time);
  }

  // ------------------------------------------------------------- time

  setTime(time: number): void {
    this.time = Math.min(Math.max(time, 0), this.duration);
    this.slider.value = String(this.time);
    this.content?.setTime(this.time);
    this.picker?.redraw();
    this.plot.setTime(this.time);
    const value = this.plot.valueAt(this.time);
    this.readout.replaceChildren(h("span", { class: "now" }, this.timeText()), value ? h("span", { class: "value" }, value) : "");
    if (this.report.sequence) {
      const index = Math.max(0, Math.min(Math.ceil(this.time) - 1, this.duration - 1));
      this.panel.setStep(index, this.report.sequence.steps.find((step) => step.from === index));
    }
    this.stage?.invalidate();
    this.onChange?.("time");
  }

  private timeText(): string {
    return this.report.sequence ? `frame ${this.time.toFixed(2)}` : `t = ${this.time.toFixed(4)}`;
  }

  private play(on: boolean): void {
    if (!on) void this.saving.endFilm();
    this.playing = on && this.duration > 0;
    if (this.playing && this.time >= this.duration) this.setTime(0);
    this.playButton.replaceChildren(icon(this.playing ? icons.pause : icons.play));
    this.playButton.setAttribute("aria-label", this.playing ? "Pause" : "Play");
    this.lastTick = performance.now();
    this.dwell = 0;
    if (this.playing) requestAnimationFrame(() => this.tick());
  }

  private tick(): void {
    if (!this.playing) return;
    const now = performance.now();
    const elapsed = (now - this.lastTick) / 1000;
    this.lastTick = now;
    if (this.dwell > 0) {
      this.dwell -= elapsed;
    } else if (this.time >= this.duration) {
      if (!this.playback.loop || this.saving.isFilming) return this.play(false);
      this.setTime(0);
    } else {
      this.setTime(advance(this.time, elapsed, this.duration, (this.content?.moments() ?? []).map((moment) => moment.time), this.playback));
      if (this.time >= this.duration) this.dwell = 0.7;
    }
    requestAnimationFrame(() => this.tick());
  }

  setPlayback(change: Partial<PlaybackSettings>): void {
    Object.assign(this.playback, change);
    for (const menu of this.menus) menu.update();
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

  /** The whole scene in the window; `opening`: from where the event is seen best. */
  private fit(fly = true, opening = false): void {
    if (!this.content || !this.stage) return;
    this.stage.setRoom(this.heading.parentElement!, this.tools!);
    const aspect = this.view.clientWidth / Math.max(this.view.clientHeight, 1);
    const direction = opening ? openingDirection(this.content.sight(), this.stage.camera.up, aspect) : undefined;
    this.stage.fit(this.content.extent(), direction, fly);
  }

  private lookFrom({ azimuth, elevation }: { azimuth: number; elevation: number }): void {
    if (!this.content || !this.stage) return;
    this.stage.setRoom(this.heading.parentElement!, this.tools!);
    this.stage.fit(this.content.extent(), directionOf(this.stage.camera.up, azimuth, elevation));
  }

  private zoom(): void {
    if (!this.content?.closeUp()) return;
    this.jump();
    this.look(this.content.closeUp());
  }

  /** At a ball, from where it is seen. */
  private look(ball: { center: Vector3; radius: number } | null): void {
    if (!ball || !this.stage || !this.content) return;
    const sight = this.content.sight();
    const direction = nearestDirection({ ...sight, targets: [ball.center] }, this.stage.camera.up, this.stage.direction);
    this.stage.look(ball.center, ball.radius, direction);
  }

  private setUp(axis: Axis): void {
    this.up = axis;
    if (!this.stage) return;
    this.stage.camera.up.set(axis === "x" ? 1 : 0, axis === "y" ? 1 : 0, axis === "z" ? 1 : 0);
    this.stage.controls.dispose();
    this.stage.makeControls();
    this.stage.placeLights();
  }

  private turnUp(): void {
    if (!this.stage) return;
    this.setUp(this.up === "z" ? "y" : this.up === "y" ? "x" : "z");
    this.stage.controls.update();
    this.stage.invalidate();
  }

  private toggle(name: Exclude<keyof Toggles, "level">): void {
    this.toggles[name] = !this.toggles[name];
    this.content?.setToggles(this.toggles);
    this.updateButtons();
    this.stage?.invalidate();
  }

  private toggleSection(): void {
    this.section?.toggle();
    this.updateButtons();
  }

  private setLevel(level: number): void {
    const levels = this.content?.hierarchyLevels() ?? 0;
    if (!levels) return;
    this.toggles.boxes = true;
    this.toggles.level = Math.min(Math.max(level, 0), levels - 1);
    this.content?.setToggles(this.toggles);
    this.updateButtons();
    this.stage?.invalidate();
  }

  private updateButtons(): void {
    for (const menu of this.menus) menu.update();
    const press = (id: string, on: boolean) => document.getElementById(id)?.setAttribute("aria-pressed", String(on));
    press("section", this.section?.isOn ?? false);
    press("measure", this.picker?.isMeasuring ?? false);
    const zoom = document.getElementById("zoom");
    if (zoom) zoom.hidden = !this.content?.closeUp();
    document.getElementById("jump")!.hidden = !this.content?.moments().length;
    const levels = this.content?.hierarchyLevels() ?? 0;
    this.levelControl.hidden = !(levels && this.toggles.boxes);
    if (this.levelControl.hidden) return;
    const boxes = (this.report.hierarchies ?? []).reduce((sum, tree) => sum + (tree.levels[Math.min(this.toggles.level, tree.levels.length - 1)]?.length ?? 0), 0);
    const slider = h("input", { type: "range", id: "level", min: 0, max: levels - 1, step: 1, value: this.toggles.level, "aria-label": "Hierarchy level",
      oninput: () => this.setLevel(Number(slider.value)) });
    const label = h("span", {}, `level ${this.toggles.level} \u00b7 ${format.count(boxes)} boxes`);
    if (this.levelControl.contains(document.activeElement)) this.levelControl.lastElementChild!.replaceWith(label);
    else this.levelControl.replaceChildren(slider, label);
  }

  setTheme(isDark: boolean): void {
    this.isDark = isDark;
    document.documentElement.dataset.theme = isDark ? "dark" : "light";
    this.stage?.setTheme(isDark);
    this.content?.setPalette(this.palette);
    this.picker?.setColor(this.palette.measure);
    this.panel.draw(this.result, this.resultIndex, this.palette);
    this.setTime(this.time);
  }

  // ------------------------------------------------------------- links

  /** What is looked at now. */
  currentLook(): Look {
    const look: Look = { time: this.time, result: this.resultIndex, up: this.up, section: this.section?.look, dark: this.isDark };
    if (!this.stage || !this.content) return look;
    const { frame } = this.content;
    const { target } = this.stage.controls;
    const offset = this.stage.camera.position.clone().sub(target).divideScalar(frame.scale);
    look.camera = { target: frame.back(target), offset: [offset.x, offset.y, offset.z] };
    look.shows = this.content.parts().map((_, part) => ({ part, show: this.content!.show(part) })).filter(({ show }) => show !== "shown");
    return look;
  }

  /** Shows what a link asks for; what it does not say stays. */
  follow(look: Look): void {
    if (look.result !== undefined && look.result !== this.resultIndex) this.showResult(look.result);
    if (look.up && look.up !== this.up) this.setUp(look.up);
    if (look.dark !== undefined && look.dark !== this.isDark) this.setTheme(look.dark);
    if (look.time !== undefined) this.setTime(look.time);
    const parts = this.content?.parts().length ?? 0;
    for (const { part, show } of look.shows ?? []) if (part < parts) this.content!.setShow(part, show);
    if (look.shows) this.panel.draw(this.result, this.resultIndex, this.palette);
    if (look.section && this.section) {
      this.section.set(look.section);
      this.section.toggle(true);
    }
    if (look.camera && this.stage && this.content) {
      const target = this.content.frame.point(look.camera.target);
      const offset = new Vector3(...look.camera.offset).multiplyScalar(this.content.frame.scale);
      if (offset.lengthSq() > 0) this.stage.move(target, target.clone().add(offset), false);
    }
    this.updateButtons();
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
    window.addEventListener("hashchange", () => {
      if (location.hash !== toHash(this.currentLook())) this.follow(fromHash(location.hash));
    });
  }

  private escape(): void {
    if (this.picker?.isMeasuring) this.picker.setMeasuring(false);
    else if (this.picker?.isShown) this.picker.clear();
    else if (this.section?.isOn) this.toggleSection();
  }

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || this.helpDialog.open || isTaken(event)) return;
    const actions: Record<string, () => void> = {
      " ": () => this.play(!this.playing),
      ArrowRight: () => this.step(1, event.shiftKey), ArrowLeft: () => this.step(-1, event.shiftKey),
      Home: () => this.setTime(0), End: () => this.setTime(this.duration), Escape: () => this.escape(),
      c: () => this.jump(), z: () => this.zoom(), f: () => this.fit(), 0: () => this.fit(true, true),
      g: () => this.toggle("ghosts"), n: () => this.toggle("contacts"), t: () => this.toggle("path"),
      w: () => this.toggle("wireframe"), h: () => this.content?.hierarchyLevels() && this.toggle("boxes"),
      "+": () => this.setLevel(this.toggles.level + 1), "=": () => this.setLevel(this.toggles.level + 1),
      "-": () => this.setLevel(this.toggles.level - 1),
      x: () => this.toggleSection(), m: () => this.picker?.setMeasuring(!this.picker.isMeasuring),
      l: () => this.setPlayback({ loop: !this.playback.loop }), s: () => this.setPlayback({ slow: !this.playback.slow }),
      "[": () => this.showResult(this.resultIndex - 1), "]": () => this.showResult(this.resultIndex + 1),
      p: () => void this.saving.picture(), k: () => void this.saving.copyLink(),
      u: () => this.turnUp(), d: () => this.setTheme(!this.isDark), "?": () => this.helpDialog.showModal(),
    };
    for (const preset of presets) actions[preset.key] = () => this.lookFrom(preset);
    const act = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  /** For tests and for the page of two reports: what is on the screen. */
  state() {
    return {
      time: this.time, duration: this.duration, playing: this.playing, result: this.resultIndex, batch: isBatch(this.report),
      triangles: this.content?.triangles ?? 0, frames: this.stage?.frames ?? 0, moving: this.stage?.isCoarse ?? false,
      dark: this.isDark, toggles: { ...this.toggles }, playback: { ...this.playback }, look: this.currentLook(),
      centers: this.content instanceof BodiesContent ? (this.report.bodies ?? []).map((_, i) => (this.content as BodiesContent).bodyCenter(i)) : [],
    };
  }
}

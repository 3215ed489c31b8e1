// The numbers beside the picture.
import type { Part, Show } from "./content";
import { h, icon, s } from "./dom";
import * as format from "./format";
import * as icons from "./icons";
import type { Palette } from "./palette";
import { contactColumns, featureText, resultColumns, StoredContacts, type StoredContact } from "./records";
import { contactCount, isBatch, type Contact, type Report, type Result, type Stage as CullStage, type Step } from "./report";
import { hasContact, isTimed } from "./status";
import { Table } from "./table";

function card(title: string, ...children: (Node | null)[]): HTMLElement {
  return h("section", { class: "card" }, h("h2", {}, title), ...children);
}

type Row = [string, Node | string, string?];

function table(rows: Row[]): HTMLElement {
  return h("dl", {}, ...rows.flatMap(([name, value, id]) => [h("dt", {}, name), h("dd", id ? { id } : {}, value)]));
}

/** The bracket, rounded outward, with the digits both ends share in plain, those that differ set off. */
function bracket(lower: number, upper: number): HTMLElement {
  const shared = (a: string, b: string) => {
    let same = 0;
    while (same < a.length && a[same] === b[same]) ++same;
    return same;
  };
  const width = upper > lower ? 1 - Math.floor(Math.log10(upper - lower)) : 12;
  const decimals = Math.min(Math.max(shared(lower.toFixed(12), upper.toFixed(12)), width, 3), 12);
  const a = format.time(lower, decimals);
  const b = format.timeAbove(upper, decimals);
  const same = shared(a, b);
  const part = (text: string) => h("span", { class: "end" }, text.slice(0, same), h("b", {}, text.slice(same)));
  return h("span", { class: "bracket" }, "[", part(a), ", ", part(b), "]");
}

function resultRows(report: Report, result: Result): Row[] {
  const rows: Row[] = [];
  const timed = isTimed(report);
  const touching = hasContact(result);
  if (result.failure) rows.push(["not answered", result.failure, "failure"]);
  if (result.inside) {
    const [inner, outer] = result.inside === "first_in_second" ? [0, 1] : [1, 0];
    const name = (i: number) => report.bodies?.[result.bodies[i]]?.name || "AB"[i];
    rows.push(["inside", `${name(inner)} in ${name(outer)}`, "inside"]);
  } else if (timed && touching) {
    rows.push(["first contact", `t = ${format.time(result.time, 9)}`, "contact-time"]);
    if (result.upper > result.lower && result.upper - result.lower < 0.5) {
      rows.push(["certified", bracket(result.lower, result.upper), "bracket"]);
      rows.push(["its width", format.number(result.upper - result.lower, 3)]);
    }
  }
  if (result.status === "out_of_budget") rows.push(["proven free to", `t = ${format.time(result.lower, 9)}`]);
  if (result.depth) {
    rows.push(["depth", format.number(result.depth[1]), "depth"], ["certified", bracket(...result.depth), "depth-bracket"]);
  } else if (result.distance !== undefined && report.query !== "intersect" && !result.inside) {
    rows.push([timed && touching ? "distance then" : "distance", format.number(result.distance), "distance"]);
  }
  const closest = result.closest_approach;
  if (closest && !touching) {
    rows.push(["closest approach", format.number(closest.distance, 7), "closest"]);
    rows.push(["proven at least", format.number(format.below(closest.lower_distance, 7), 7)]);
    rows.push(["at", `t = ${format.time(closest.time, 6)}`]);
  }
  for (const interval of result.intervals ?? []) {
    const name = report.bodies?.some((body) => body.solid) ? "overlapping" : "touching";
    rows.push([name, `${format.time(interval.begin[0], 5)} \u2013 ${format.timeAbove(interval.end[1], 5)}`]);
  }
  if (result.microseconds !== undefined) rows.push(["query", format.duration(result.microseconds / 1000)]);
  return rows;
}

function contactRows(report: Report, result: Result): Row[] {
  const contact = result.contacts?.[0] ?? result.closest_approach?.contact;
  if (!contact) return [];
  const name = (i: 0 | 1) => format.clipped(report.bodies?.[result.bodies[i]]?.name ?? (i ? "B" : "A"), 14);
  const [a, b] = [contact.point_a, contact.point_b];
  const gap = Math.hypot(...a.map((x, i) => x - b[i]));
  // Points that print the same are printed once.
  const same = gap <= 2e-6 * Math.max(...a.map(Math.abs), ...b.map(Math.abs));
  const rows: Row[] = same ? [["point", format.vector(a)]] : [[`on ${name(0)}`, format.vector(a)], [`on ${name(1)}`, format.vector(b)]];
  if (contact.normal && Math.hypot(...contact.normal) > 0.5) rows.push([result.depth ? `way out for ${name(1)}` : "normal", format.vector(contact.normal, 4)]);
  const meshes = ([0, 1] as const).map((i) => !report.shapes?.[report.bodies?.[result.bodies[i]]?.shape ?? -1]?.kind);
  // The text of the feature as every output has it; of what is no mesh a person would misread it (docs/report.md).
  const feature = (text: string | undefined, triangle: number | undefined, isMesh: boolean) =>
    (!isMesh ? "" : triangle === undefined || !text || text.startsWith("face") ? featureText(text, triangle) : `${text}, triangle ${triangle}`);
  const [onA, onB] = [feature(contact.feature_a, contact.triangle_a, meshes[0]), feature(contact.feature_b, contact.triangle_b, meshes[1])];
  if (onA) rows.push([name(0), onA]);
  if (onB) rows.push([name(1), onB]);
  const more = (result.contacts?.length ?? 0) - 1;
  if (more > 0) rows.push(isTimed(report) ? ["at that time", `${format.count(more + 1)} contacts`] : ["of", `${format.count(more + 1)} pairs that meet`]);
  return rows;
}

/** Whether a kind of pairs ("vertex edge", say) occurs at all: stages of one that does not are left out. */
function kindOccurs(stages: CullStage[], stage: CullStage): boolean {
  const kind = (name: string) => format.words(name).split(" ").slice(0, 2).join(" ");
  const same = stages.filter((other) => kind(other.name) === kind(stage.name));
  return same.length < 2 || same.some((other) => other.left > 0);
}

/** What each stage of the culling left, on a logarithmic scale: pairs range over many powers of ten. */
export function stageChart(all: CullStage[]): HTMLElement {
  const stages = all.filter((stage) => stage.left > 0 || kindOccurs(all, stage));
  const top = Math.log10(Math.max(10, ...stages.map((stage) => stage.left)) + 1);
  const rows = stages.map((stage) => {
    const width = (100 * Math.log10(stage.left + 1)) / top;
    const time = stage.milliseconds === undefined ? "" : ` \u00b7 ${format.duration(stage.milliseconds)}`;
    return h("li", {},
      h("span", { class: "name" }, format.words(stage.name)),
      h("span", { class: "value" }, format.count(stage.left) + time),
      h("span", { class: "bar-track" }, h("span", { class: "bar-fill", style: `width:${width.toFixed(2)}%` })));
  });
  return h("div", {}, h("ol", { class: "stages" }, ...rows), h("p", { class: "scale-note" }, "Bars are logarithmic: a tenth is one step shorter, not a tenth as long."));
}

function swatch(color: string): SVGElement {
  return s("svg", { class: "swatch", viewBox: "0 0 10 10" }, s("circle", { cx: 5, cy: 5, r: 5, fill: color }));
}

const nextShow: Record<Show, Show> = { shown: "faded", faded: "hidden", hidden: "shown" };
const showIcons: Record<Show, string> = { shown: icons.eye, faded: icons.eyeHalf, hidden: icons.eyeOff };

/** Bodies by their names, each with a button that fades it, hides it, shows it again. */
function bodyCard(title: string, actions: PanelActions, palette: Palette): HTMLElement | null {
  const parts = actions.parts();
  if (!parts.length) return null;
  const items = parts.map((part, i) => {
    const button = h("button", { class: "eye", "data-part": i, onclick: () => {
      actions.setShow(i, nextShow[actions.show(i)]);
      draw();
    } });
    const draw = () => {
      const show = actions.show(i);
      button.title = `${part.name} is ${show}: ${{ shown: "fade it", faded: "hide it", hidden: "show it" }[show]}`;
      button.setAttribute("aria-label", button.title);
      button.dataset.show = show;
      button.replaceChildren(icon(showIcons[show]));
    };
    draw();
    const mark = part.color < 0 ? h("span", { class: "swatch layer" }) : swatch(palette.bodies[part.color % palette.bodies.length]);
    const bar = part.gradient && h("span", { class: "gradient", style: `background:${part.gradient}` });
    return h("li", {}, mark,
      h("div", {}, h("strong", {}, part.name), h("span", {}, part.detail), bar, part.note && h("span", { class: "note" }, part.note)),
      actions.canShow && button);
  });
  return card(title, h("ul", { class: "bodies" }, ...items));
}

function namedRows(values: Record<string, number | string> | undefined, show: (x: never) => string): Row[] {
  return Object.entries(values ?? {}).map(([name, value]) => [format.clipped(format.words(name), 30), show(value as never)]);
}

/** What the panel may ask of the page. */
export interface PanelActions {
  canShow: boolean;  // there is a picture
  parts(): Part[];
  show(part: number): Show;
  setShow(part: number, show: Show): void;
  chooseResult(index: number): void;
  chooseContact(contact: Contact): void;
  chooseStored(contact: StoredContact): void;
}

type Tab = "numbers" | "results" | "contacts";

export class Panel {
  readonly element = h("aside", { class: "panel", "aria-label": "Numbers" });
  private readonly tabs = h("div", { class: "tabs", role: "tablist" });
  private readonly cards = h("div", { class: "cards", id: "numbers" });
  private readonly place = h("div", { class: "table-place" });
  private readonly stepCard = h("section", { class: "card" });
  private shownStep: Step | undefined | null = null;
  private tab: Tab = "numbers";
  private result: Result | undefined;
  private resultIndex = 0;
  private results: Table | null = null;
  private stored: Table | null = null;

  constructor(private readonly report: Report, private readonly actions: PanelActions) {
    this.element.append(this.tabs, this.cards, this.place);
  }

  draw(result: Result | undefined, index: number, palette: Palette): void {
    const { report } = this;
    this.shownStep = null;
    this.result = result;
    this.resultIndex = index;
    const rows = result ? resultRows(report, result) : [];
    const contact = result ? contactRows(report, result) : [];
    const touching = hasContact(result) && !result!.inside;
    const work = namedRows(report.counts, format.count as never);
    const timings = namedRows(report.timings, format.duration as never);
    const cards = [
      rows.length ? card("Answer", table(rows)) : null,
      contact.length ? card(result!.depth ? "Deepest points" : touching ? "Contact" : "Closest points", table(contact)) : null,
      report.sequence ? this.stepCard : null,
      report.sequence ? this.sequenceCard() : null,
      bodyCard(report.sequence ? "Parts" : report.layers?.length ? "Bodies and layers" : "Bodies", this.actions, palette),
      report.stages?.length ? card("What each stage left", stageChart(report.stages)) : null,
      work.length ? card("Work", table(work)) : null,
      timings.length ? card("Time", table(timings)) : null,
      this.questionCard(),
    ];
    this.cards.replaceChildren(...cards.filter((c): c is HTMLElement => c !== null));
    this.drawTabs();
    if (this.tab === "results") this.results?.select(index);
    if (this.tab === "contacts" && !report.sequence) this.drawTable();
  }

  private contactTotal(): number {
    const steps = this.report.sequence?.steps ?? [];
    return this.report.sequence ? steps.reduce((sum, step) => sum + (step.contacts?.stored ?? 0), 0) : this.result?.contacts?.length ?? 0;
  }

  private drawTabs(): void {
    const results = this.report.results?.length ?? 0;
    const contacts = this.contactTotal();
    const choices: [Tab, string][] = [["numbers", "Numbers"]];
    if (results > 1) choices.push(["results", `${isBatch(this.report) ? "Trials" : "Pairs"} ${format.count(results)}`]);
    if (contacts > 1) choices.push(["contacts", `Contacts ${format.count(contacts)}`]);
    if (!choices.some(([tab]) => tab === this.tab)) this.setTab("numbers");
    this.tabs.hidden = choices.length < 2;
    this.tabs.replaceChildren(...choices.map(([tab, title]) => h("button", {
      class: "word", role: "tab", id: `tab-${tab}`, "aria-selected": String(tab === this.tab), onclick: () => this.setTab(tab),
    }, title)));
  }

  private setTab(tab: Tab): void {
    this.tab = tab;
    this.cards.hidden = tab !== "numbers";
    for (const button of this.tabs.children) button.setAttribute("aria-selected", String(button.id === `tab-${tab}`));
    this.drawTable();
  }

  private drawTable(): void {
    this.place.hidden = this.tab === "numbers";
    if (this.tab === "results") {
      this.results ??= new Table(this.report.results!.length, resultColumns(this.report), isBatch(this.report) ? "trial" : "pair",
        (row) => this.actions.chooseResult(row));
      this.place.replaceChildren(this.results.element);
      this.results.select(this.resultIndex);
    } else if (this.tab === "contacts") {
      this.place.replaceChildren(this.contactTable().element);
    }
  }

  private contactTable(): Table {
    if (this.report.sequence) {
      if (!this.stored) {
        const contacts = new StoredContacts(this.report.sequence);
        this.stored = new Table(contacts.count, contacts.columns(), "contact", (row) => this.actions.chooseStored(contacts.at(row)));
      }
      return this.stored;
    }
    const contacts = this.result?.contacts ?? [];
    return new Table(contacts.length, contactColumns(this.result!), "contact", (row) => this.actions.chooseContact(contacts[row]));
  }

  private sequenceCard(): HTMLElement {
    const sequence = this.report.sequence!;
    const sum = (f: (step: Step) => number) => sequence.steps.reduce((total, step) => total + f(step), 0);
    const rows: Row[] = [
      ["frames", format.count(sequence.frames.length)],
      ["vertex\u2013face", format.count(sum((step) => step.vertex_face)), "total-vertex-face"],
      ["edge\u2013edge", format.count(sum((step) => step.edge_edge)), "total-edge-edge"],
    ];
    const points = sum((step) => (step.vertex_edge ?? 0) + (step.vertex_vertex ?? 0));
    if (points > 0) rows.push(["of wires and points", format.count(points)]);
    const ms = sum((step) => step.milliseconds?.total ?? 0);
    if (ms > 0) rows.push(["query time", format.duration(ms)]);
    if (sequence.displayed_triangles !== undefined) {
      rows.push(["shown with", `${format.count(sequence.displayed_triangles)} of ${format.count(sequence.triangles ?? 0)} triangles`]);
    }
    return card("Sequence", table(rows));
  }

  private questionCard(): HTMLElement | null {
    const { report } = this;
    const rows: Row[] = [["query", format.words(report.query)]];
    if (report.method) rows.push(["method", report.method]);
    rows.push(...namedRows(report.options, ((x: string) => String(x)) as never));
    const command = report.command ? h("code", { class: "command" }, report.command) : null;
    return card("Question", table(rows), command);
  }

  /** The step under the slider. */
  setStep(index: number, step: Step | undefined): void {
    if (step === this.shownStep) return;
    this.shownStep = step;
    const sequence = this.report.sequence!;
    const label = (i: number) => sequence.frames[i]?.label ?? `frame ${i}`;
    const frame = (i: number) => h("span", { title: label(i) }, format.clipped(label(i), 30));
    const rows: Row[] = [["from", frame(index)], ["to", frame(index + 1)]];
    if (step) {
      const undecided = step.proven_until !== undefined;
      const none = undecided ? "none found" : "none";
      rows.push([undecided ? "first contact found" : "first contact", step.first_time === null ? none : `t = ${format.time(step.first_time, 9)}`, "step-first"]);
      rows.push(["vertex\u2013face", format.count(step.vertex_face), "step-vertex-face"]);
      rows.push(["edge\u2013edge", format.count(step.edge_edge), "step-edge-edge"]);
      if (undecided) rows.push(["out of budget", `no contact up to t = ${format.time(step.proven_until!, 9)} is proven; there may be more`, "step-undecided"]);
      if (step.vertex_edge) rows.push(["vertex\u2013edge", format.count(step.vertex_edge), "step-vertex-edge"]);
      if (step.vertex_vertex) rows.push(["vertex\u2013vertex", format.count(step.vertex_vertex), "step-vertex-vertex"]);
      const stored = step.contacts?.stored ?? 0;
      const all = contactCount(step);
      if (all > stored) rows.push(["shown", `${format.count(stored)} of ${format.count(all)} contacts`]);
      for (const [name, ms] of Object.entries(step.milliseconds ?? {})) rows.push([name, format.duration(ms)]);
    }
    this.stepCard.replaceChildren(h("h2", {}, `Step ${index + 1} of ${sequence.frames.length - 1}`), table(rows));
    if (step?.stages?.length) this.stepCard.append(h("h3", {}, "What each stage left"), stageChart(step.stages));
  }
}

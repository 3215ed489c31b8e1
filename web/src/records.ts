// The tables of a report: its trials, its contacts.
import * as format from "./format";
import { contactKinds, numbers, type Contact, type Report, type Result, type Sequence, type Vec3 } from "./report";
import { hasContact, statusName } from "./status";
import type { Column } from "./table";

const number = (x: number, digits = 5) => (Number.isNaN(x) ? "" : format.number(x, digits));

/** Of trials, or of the pairs of one scene. */
export function resultColumns(report: Report): Column[] {
  const results = report.results!;
  const time = (row: number) => (hasContact(results[row]) ? results[row].time : results[row].closest_approach?.time ?? NaN);
  const distance = (row: number) => (hasContact(results[row]) ? 0 : results[row].closest_approach?.distance ?? results[row].distance ?? NaN);
  const columns: Column[] = [
    { name: "label", title: "which", width: "minmax(60px, 1fr)", text: (row) => resultLabel(report, row) },
    { name: "ending", title: "ending", width: "minmax(66px, 1.2fr)", text: (row) => statusName(report, results[row]) },
    { name: "time", title: "time", width: "48px", number: time, text: (row) => (Number.isNaN(time(row)) ? "" : format.time(time(row), 4)) },
    { name: "distance", title: "distance", width: "60px", number: distance, text: (row) => number(distance(row), 4) },
  ];
  if (results.some((result) => result.microseconds !== undefined)) {
    const microseconds = (row: number) => results[row].microseconds ?? NaN;
    columns.push({ name: "microseconds", title: "\u00b5s", width: "42px", number: microseconds, text: (row) => number(microseconds(row), 3) });
  }
  return columns;
}

export function resultLabel(report: Report, row: number): string {
  const result = report.results![row];
  if (result.label) return result.label;
  const name = (i: 0 | 1) => report.bodies?.[result.bodies[i]]?.name || `body ${result.bodies[i]}`;
  return `${name(0)}, ${name(1)}`;
}

/** The face of a triangle is the triangle. */
export function featureText(text: string | undefined, triangle: number | undefined): string {
  if (triangle === undefined) return text ?? "";
  return !text || text === "face" ? `face ${triangle}` : text;
}

const pointColumns = (point: (row: number) => Vec3): Column[] => (["x", "y", "z"] as const).map((name, k) => (
  { name, title: name, width: "minmax(54px, 0.5fr)", number: (row) => point(row)[k], text: (row) => number(point(row)[k], 3) }));

export function contactColumns(result: Result): Column[] {
  const contacts = result.contacts ?? [];
  const at = (row: number): Contact => contacts[row];
  const columns: Column[] = [
    { name: "number", title: "no.", width: "38px", number: (row) => row, text: (row) => String(row) },
    { name: "first", title: "first body", width: "minmax(84px, 1fr)", text: (row) => featureText(at(row).feature_a, at(row).triangle_a) },
    { name: "second", title: "second body", width: "minmax(84px, 1fr)", text: (row) => featureText(at(row).feature_b, at(row).triangle_b) },
    ...pointColumns((row) => at(row).point_a),
  ];
  if (contacts.some((contact) => contact.distance)) {
    columns.push({ name: "distance", title: "distance", width: "72px", number: (row) => at(row).distance ?? NaN, text: (row) => number(at(row).distance ?? NaN, 4) });
  }
  return columns;
}

export interface StoredContact { step: number; time: number; point: Vec3; normal: Vec3 | null }

const kindNames = ["vertex\u2013face", "edge\u2013edge", "vertex\u2013edge", "vertex\u2013vertex"];

/** Every stored contact of a sequence, step by step. */
export class StoredContacts {
  readonly count: number;
  private readonly start: number[] = [];  // first contact of each step
  private readonly steps: Sequence["steps"];
  private readonly arrays: { points: Float64Array; normals: Float64Array | null; times: Float64Array; kinds: Float64Array }[];

  constructor(sequence: Sequence) {
    this.steps = sequence.steps.filter((step) => step.contacts?.stored);
    let count = 0;
    for (const step of this.steps) {
      this.start.push(count);
      count += step.contacts!.stored;
    }
    this.count = count;
    this.arrays = this.steps.map(({ contacts }) => ({
      points: numbers(contacts!.points), normals: contacts!.normals ? numbers(contacts!.normals) : null,
      times: contacts!.times ? numbers(contacts!.times) : new Float64Array(contacts!.stored), kinds: contactKinds(contacts!),
    }));
  }

  private place(row: number): { step: number; i: number } {
    let low = 0, high = this.start.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.start[middle] <= row) low = middle;
      else high = middle - 1;
    }
    return { step: low, i: row - this.start[low] };
  }

  at(row: number): StoredContact {
    const { step, i } = this.place(row);
    const { points, normals, times } = this.arrays[step];
    const three = (values: Float64Array): Vec3 => [values[3 * i], values[3 * i + 1], values[3 * i + 2]];
    return { step: this.steps[step].from, time: times[i], point: three(points), normal: normals ? three(normals) : null };
  }

  columns(): Column[] {
    const kind = (row: number) => {
      const { step, i } = this.place(row);
      return kindNames[this.arrays[step].kinds[i]] ?? "";
    };
    return [
      { name: "step", title: "step", width: "34px", number: (row) => this.at(row).step + 1, text: (row) => String(this.at(row).step + 1) },
      { name: "time", title: "time", width: "48px", number: (row) => this.at(row).time, text: (row) => format.time(this.at(row).time, 4) },
      { name: "kind", title: "kind", width: "minmax(78px, 1fr)", text: kind },
      ...pointColumns((row) => this.at(row).point),
    ];
  }
}

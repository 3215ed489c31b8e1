// The end of the page's address: what is looked at, so that a link shows the same.
import type { Show } from "./content";
import type { Vec3 } from "./report";

export type Axis = "x" | "y" | "z";

export interface Look {
  time?: number;
  result?: number;
  camera?: { target: Vec3; offset: Vec3 };  // in the report's coordinates
  up?: Axis;
  shows?: { part: number; show: Show }[];   // those that are not simply shown
  section?: { axis: Axis; at: number; flipped: boolean };
  dark?: boolean;
}

const list = (values: number[]) => values.join(",");
const isAxis = (text: string | null): text is Axis => text === "x" || text === "y" || text === "z";

export function toHash(look: Look): string {
  const words: string[] = [];
  if (look.time !== undefined) words.push(`t=${Number(look.time.toPrecision(12))}`);
  if (look.result) words.push(`result=${look.result}`);
  if (look.camera) {
    const { target, offset } = look.camera;
    words.push(`camera=${list([...target.map((x) => Number(x.toPrecision(12))), ...offset.map((x) => Number(x.toPrecision(6)))])}`);
  }
  if (look.up) words.push(`up=${look.up}`);
  for (const kind of ["faded", "hidden"] as const) {
    const parts = (look.shows ?? []).filter(({ show }) => show === kind).map(({ part }) => part);
    if (parts.length) words.push(`${kind}=${list(parts)}`);
  }
  if (look.section) words.push(`section=${look.section.axis},${Number(look.section.at.toPrecision(8))}${look.section.flipped ? ",flipped" : ""}`);
  if (look.dark !== undefined) words.push(`theme=${look.dark ? "dark" : "light"}`);
  return `#${words.join("&")}`;
}

/** What the address asks for; what cannot be read is left out. */
export function fromHash(hash: string): Look {
  const values = new URLSearchParams(hash.replace(/^#/, ""));
  const number = (name: string) => {
    const text = values.get(name);
    return text !== null && text !== "" && Number.isFinite(Number(text)) ? Number(text) : undefined;
  };
  const numbers = (name: string) => (values.get(name) ?? "").split(",").filter((word) => word !== "").map(Number);
  const look: Look = { time: number("t"), result: number("result") };
  const camera = numbers("camera");
  if (camera.length === 6 && camera.every(Number.isFinite)) look.camera = { target: camera.slice(0, 3) as Vec3, offset: camera.slice(3) as Vec3 };
  const up = values.get("up");
  if (isAxis(up)) look.up = up;
  for (const show of ["faded", "hidden"] as const) {
    for (const part of numbers(show)) if (Number.isInteger(part)) (look.shows ??= []).push({ part, show });
  }
  const [axis, at, flipped] = (values.get("section") ?? "").split(",");
  if (isAxis(axis) && at && Number.isFinite(Number(at))) look.section = { axis, at: Number(at), flipped: flipped === "flipped" };
  const theme = values.get("theme");
  if (theme) look.dark = theme === "dark";
  return look;
}

/** The page of two reports holds each in a document of its own, which has no address: it is told it. */
export function addressHash(): string {
  return document.documentElement.dataset.hash ?? location.hash;
}

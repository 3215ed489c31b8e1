// The keys, and the list of them.
import { h } from "./dom";

/** Directions to look from, by a key each; degrees. */
export const presets: { name: string; key: string; azimuth: number; elevation: number }[] = [
  { name: "Front", key: "1", azimuth: -90, elevation: 0 }, { name: "Back", key: "2", azimuth: 90, elevation: 0 },
  { name: "Right", key: "3", azimuth: 0, elevation: 0 }, { name: "Left", key: "4", azimuth: 180, elevation: 0 },
  { name: "Top", key: "5", azimuth: -90, elevation: 89.9 }, { name: "Bottom", key: "6", azimuth: -90, elevation: -89.9 },
  { name: "Corner", key: "7", azimuth: -45, elevation: 35.26 },
];

const keys: [string, string][] = [
  ["space", "play or pause"], ["\u2190 \u2192", "step in time (shift: fine)"], ["home, end", "start, end"],
  ["C", "jump to first contact, or to the closest approach"], ["Z", "zoom to it"], ["F", "fit the scene"],
  ["1 \u2013 7, 0", "front, back, right, left, top, bottom, corner; as opened"], ["U", "turn the up axis"],
  ["G, N, T, W", "ghosts, contacts and normals, path, wireframe"], ["H, + \u2212", "bounding-volume hierarchy, its levels"],
  ["X, M", "cut the scene open, measure"], ["L, S", "loop, slow near the events"], ["[ ]", "previous, next trial or pair"],
  ["P, K", "save a picture, copy a link"], ["D, ?", "light or dark, this list"],
];

export function helpDialog(): HTMLDialogElement {
  const list = h("dl", {}, ...keys.flatMap(([key, what]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, what)]));
  const dialog = h("dialog", { class: "help", onclick: () => dialog.close() }, h("h2", {}, "Keys"), list,
    h("p", {}, "Drag to turn, drag with the right button or two fingers to move, scroll or pinch to zoom. A click names the triangle, or the shape."));
  return dialog;
}

/** Keys that the focused element has a use for are its own. */
export function isTaken(event: KeyboardEvent): boolean {
  const target = event.target;
  if (target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement) return true;
  if (target instanceof HTMLInputElement) {
    if (target.type !== "range") return true;
    return /^(Arrow|Page|Home$|End$)/.test(event.key);
  }
  if (target instanceof HTMLButtonElement || target instanceof HTMLAnchorElement) return event.key === " " || event.key === "Enter";
  return false;
}

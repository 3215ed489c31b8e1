// What the page can show: bodies that move, or a sequence of frames.
import type { Object3D, Vector3 } from "three";
import type { Palette } from "./palette";

export interface Toggles { ghosts: boolean; wireframe: boolean; contacts: boolean; path: boolean; boxes: boolean; level: number }

/** A moment worth a mark on the time line. */
export interface Moment { time: number; name: string; kind: "contact" | "closest" }

export interface Content {
  readonly object: Object3D;
  readonly duration: number;  // the time line runs from 0 to this
  readonly triangles: number;
  setTime(time: number): void;
  setToggles(toggles: Toggles): void;
  setPalette(palette: Palette): void;
  /** Called before each picture: marks keep their size on the screen. */
  beforeRender(pixel: (at: Vector3) => number): void;
  /** The moments to jump to, first the one to show at the start. */
  moments(): Moment[];
  /** Where to look, to see the answer up close. */
  closeUp(): { center: Vector3; radius: number } | null;
  /** What must fit in the window, over the whole time. */
  extent(): { center: Vector3; radius: number }[];
  /** From where to look at first, in a window of this width to height. */
  viewDirection(aspect: number): Vector3;
  hierarchyLevels(): number;
}

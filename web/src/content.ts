// What the page can show: bodies that move, or a sequence of frames. Whatever kind comes next (convex shapes, worlds,
// robots) implements this; the page knows nothing else of it.
import type { Mesh, Object3D, Plane, Raycaster, Vector3 } from "three";
import type { Frame } from "./frame";
import type { Palette } from "./palette";
import type { Vec3 } from "./report";

export interface Toggles { ghosts: boolean; wireframe: boolean; contacts: boolean; path: boolean; boxes: boolean; level: number }

/** A moment worth a mark on the time line. */
export interface Moment { time: number; name: string; kind: "contact" | "closest"; result?: number }

/** How a part is drawn. */
export type Show = "shown" | "faded" | "hidden";

/** What can be hidden by its name: a body, or a piece of a deforming mesh. */
export interface Part { name: string; detail: string; note?: string; color: number; gradient?: string }

/** A place on a body that was clicked. */
export interface Pick {
  part: string;
  kind?: string;     // of what is no mesh: "capsule, radius 0.2, height 1"; it has no triangles that mean something
  triangle: number;  // its number in the shape
  thinned: boolean;  // the shape is thinned out for display, and the number is that of what is shown
  corners: Vec3[];   // in the coordinates of `space`
  space: string;
  now(): { point: Vec3; corners: Vec3[] };  // in the world, at the time shown: the place moves with its body
}

/** What should be in sight, and what may stand in front of it. */
export interface Sight {
  targets: Vector3[];
  clearance: number;  // surfaces nearer than this to a target do not hide it: it lies on them
  meshes: Mesh[];
  along: Vector3;     // the way things move
  others?: { targets: Vector3[]; meshes: Mesh[] };  // bodies of the answer, and those that have no part in it
}

export interface Content {
  readonly object: Object3D;
  readonly frame: Frame;
  readonly duration: number;  // the time line runs from 0 to this
  readonly triangles: number;
  setTime(time: number): void;
  setToggles(toggles: Toggles): void;
  setPalette(palette: Palette): void;
  /** Cuts away what lies on the negative side of the planes. */
  setClipping(planes: Plane[]): void;
  /** Called before each picture: marks keep their size on the screen. `hasty`: what is dear and not needed is left out. */
  beforeRender(pixel: (at: Vector3) => number, hasty: boolean): void;
  parts(): Part[];
  show(part: number): Show;
  setShow(part: number, show: Show): void;
  pick(ray: Raycaster): Pick | null;
  /** The moments to jump to, first the one to show at the start. */
  moments(): Moment[];
  /** Where to look, to see the answer up close. */
  closeUp(): { center: Vector3; radius: number } | null;
  /** What must fit in the window, over the whole time. */
  extent(): { center: Vector3; radius: number }[];
  /** At the time shown. */
  sight(): Sight;
  hierarchyLevels(): number;
  /** Words at a place of the picture, as it is now. */
  caption(): { at: Vector3; text: string } | null;
}

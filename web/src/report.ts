// The report as it is stored (docs/report.md), and its arrays as numbers.

export type Vec3 = [number, number, number];

export interface Pose {
  rotation: [Vec3, Vec3, Vec3];
  translation: Vec3;
}

export interface FixedMotion { type: "fixed"; pose: Pose }
export interface LinearMotion {
  type: "linear"; from: Pose; reference: Vec3; displacement: Vec3; axis: Vec3; angle: number; angular_velocity?: Vec3;
}
export interface ScrewMotion {
  type: "screw"; from: Pose; point: Vec3; axis: Vec3; angle: number; advance: number; velocity?: Vec3;
}
export interface SampledMotion { type: "sampled"; times: number[]; poses: Pose[] }
export interface PiecewiseMotion { type: "piecewise"; times: number[]; segments: Motion[] }
export type Motion = FixedMotion | LinearMotion | ScrewMotion | SampledMotion | PiecewiseMotion;

export interface TypedArrayJson {
  type: "float64" | "float32" | "uint32" | "int32" | "uint16" | "uint8";
  components: number;
  base64: string;
  offset?: number[];
  scale?: number[];
}
export type ArrayJson = TypedArrayJson | number[][] | number[];

export interface Shape {
  name: string;
  source?: string;
  vertices?: number;
  triangles?: number;
  displayed_triangles?: number;
  kind?: string;     // of what is no mesh: "ball", "half space"...; its triangles are for the eye
  sizes?: number[];  // the numbers that make it, in the order of docs/report.md
  mesh?: { positions: ArrayJson; faces: ArrayJson; positions_t1?: ArrayJson };  // positions_t1: of a mesh that deforms
}
export interface Body { name: string; shape: number; motion: Motion; solid?: boolean }

export interface Contact {
  point_a: Vec3; point_b: Vec3; normal?: Vec3; distance?: number;
  triangle_a?: number; triangle_b?: number;
  feature_a?: string; feature_b?: string;  // "vertex 12", "edge 3-17", "face 45"
  index_a?: number; index_b?: number;
  corners_a?: Vec3[]; corners_b?: Vec3[];
}
export interface Interval { begin: [number, number]; end: [number, number] }
export interface Result {
  label?: string;
  sentence?: string;  // this answer for a person
  bodies: [number, number];
  motion_a?: Motion; motion_b?: Motion;
  status: "separated" | "contact" | "overlap_at_start" | "out_of_budget" | "failed";
  inside?: "first_in_second" | "second_in_first";
  failure?: string;
  time: number; lower: number; upper: number; distance?: number;
  contacts?: Contact[];
  closest_approach?: { time: number; lower_distance: number; distance: number; contact: Contact };
  intervals?: Interval[];
  clearance?: { times: number[]; distances: number[] };
  microseconds?: number;
  depth?: [number, number];  // proven bounds, of bodies that overlap
}

export interface Stage { name: string; left: number; milliseconds?: number }
export interface Step {
  from: number; to: number; first_time: number | null;
  proven_until?: number;  // the search ended by its budget: no contact before it is proven, there may be more
  counted?: boolean;  // false: the counts are of the first contact only
  vertex_face: number; edge_edge: number; vertex_edge?: number; vertex_vertex?: number;
  milliseconds?: Record<string, number>;
  stages?: Stage[];
  contacts?: { stored: number; points: ArrayJson; normals?: ArrayJson; times?: ArrayJson; kinds?: ArrayJson; edge_edge?: ArrayJson };
}

/** All contacts of a step. */
export function contactCount(step: Step): number {
  return step.vertex_face + step.edge_edge + (step.vertex_edge ?? 0) + (step.vertex_vertex ?? 0);
}

/** Of each stored contact: 0 vertex-face, 1 edge-edge, 2 vertex-edge, 3 vertex-vertex. Older reports tell 1 from the rest. */
export function contactKinds(contacts: NonNullable<Step["contacts"]>): Float64Array {
  const stored = contacts.kinds ?? contacts.edge_edge;
  return stored ? numbers(stored) : new Float64Array(contacts.stored);
}
export interface Sequence {
  frames: { label?: string; positions: ArrayJson; faces?: ArrayJson; triangles?: number }[];
  steps: Step[];
  objects?: number[];
  triangles?: number;
  displayed_triangles?: number;
}
export interface Box { center: Vec3; axes?: [Vec3, Vec3, Vec3]; half: Vec3 }
export interface Hierarchy { body: number; volume: string; levels: Box[][] }

/** What is shown beside bodies and contacts, in the world's coordinates; docs/report.md says what each kind has. */
export interface Layer {
  name?: string;
  kind: "slice" | "surface" | "balls" | "arrows" | "lines";
  colours?: "plain" | "signed" | "scale" | "cells";
  points: ArrayJson; vectors?: ArrayJson; radii?: number[]; faces?: ArrayJson; first?: number[]; size?: [number, number]; values?: ArrayJson;
}

export interface Report {
  format: "toccata-report"; version: 1; up?: "x" | "y" | "z";
  query: string; title?: string; answer?: string; command?: string; method?: string;
  options?: Record<string, string>;
  timings?: Record<string, number>;
  counts?: Record<string, number>;
  stages?: Stage[];
  results?: Result[]; bodies?: Body[]; shapes?: Shape[];
  sequence?: Sequence;
  hierarchies?: Hierarchy[];
  layers?: Layer[];
}

/** Results with motions of their own are trials of one question; without, they are events of one scene. */
export function isBatch(report: Report): boolean {
  return (report.results?.length ?? 0) > 1 && report.results!.some((result) => result.motion_a || result.motion_b);
}

const constructors = {
  float64: Float64Array, float32: Float32Array, uint32: Uint32Array, int32: Int32Array,
  uint16: Uint16Array, uint8: Uint8Array,
};

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) bytes[i] = text.charCodeAt(i);
  return bytes;
}

/** All values of an array in double precision, row after row. */
export function numbers(array: ArrayJson): Float64Array {
  if (Array.isArray(array)) return Float64Array.from((array as number[][]).flat());
  const bytes = bytesOf(array.base64);
  const typed = new constructors[array.type](bytes.buffer);
  const values = Float64Array.from(typed as ArrayLike<number>);
  if (array.scale && array.offset) {
    const n = array.components;
    for (let i = 0; i < values.length; ++i) values[i] = array.offset[i % n] + array.scale[i % n] * values[i];
  }
  return values;
}

/** Vertex indices of triangles, row after row. */
export function indices(array: ArrayJson): Uint32Array {
  if (!Array.isArray(array) && array.type === "uint32") return new Uint32Array(bytesOf(array.base64).buffer);
  return Uint32Array.from(numbers(array));
}

function checked(report: Report): Report {
  if (report?.format !== "toccata-report") throw new Error("This is not a Toccata report.");
  if (report.version !== 1) throw new Error(`Report version ${report.version} is newer than this page.`);
  return report;
}

/** A report; throws with a sentence for a person. */
export function readReport(text: string): Report {
  let report: Report;
  try {
    report = JSON.parse(text);
  } catch {
    throw new Error("This is not a Toccata report.");
  }
  return checked(report);
}

/** The report of this page, or the two that it compares; throws with a sentence for a person. */
export function readReports(text: string): Report[] {
  let content: Report | { format: "toccata-comparison"; reports: Report[] };
  try {
    content = JSON.parse(text);
  } catch {
    throw new Error("This page holds no report. Make one with: toccata view REPORT");
  }
  return content?.format === "toccata-comparison" ? content.reports.map(checked) : [checked(content)];
}

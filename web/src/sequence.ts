// A deforming mesh, frame by frame; between frames every vertex moves on a straight line, as in the query.
import {
  BufferAttribute, BufferGeometry, Color, DynamicDrawUsage, Group, Mesh, Vector3, type MeshBasicMaterial,
} from "three";
import type { Content, Moment, Toggles } from "./content";
import { Frame } from "./frame";
import { boundingSphere, smoothNormals } from "./geometry";
import { ContactCloud } from "./marks";
import { surface, wire } from "./materials";
import { light, type Palette } from "./palette";
import { contactKinds, indices, numbers, type Report, type Sequence, type Step } from "./report";

export class SequenceContent implements Content {
  readonly object = new Group();
  readonly duration: number;
  readonly triangles: number;
  private readonly sequence: Sequence;
  private readonly positions: Float32Array[];  // of each frame, as drawn
  private readonly faces: Uint32Array[];
  private readonly frame: Frame;
  private readonly mesh = new Mesh(new BufferGeometry(), surface());
  private readonly overlay = new Mesh(this.mesh.geometry, wire());
  private readonly outline: Vector3[];  // some vertices, over all frames
  private cloud: ContactCloud | null = null;
  private shownStep = -2;
  private shownFaces: Uint32Array | null = null;
  private palette: Palette = light;
  private toggles: Toggles | null = null;
  private now = 0;

  constructor(report: Report) {
    this.sequence = report.sequence!;
    const frames = this.sequence.frames.map((frame) => numbers(frame.positions));
    const spheres = frames.map(boundingSphere);
    this.frame = Frame.around(spheres);
    this.positions = frames.map((frame) => {
      const { origin, scale } = this.frame;
      return Float32Array.from(frame, (x, i) => (x - origin[i % 3]) * scale);
    });
    this.outline = this.positions.flatMap((frame) => {
      const stride = 3 * Math.max(1, Math.floor(frame.length / 3 / 400));
      const some: Vector3[] = [];
      for (let i = 0; i + 2 < frame.length; i += stride) some.push(new Vector3(frame[i], frame[i + 1], frame[i + 2]));
      return some;
    });
    this.faces = [];
    for (const [i, frame] of this.sequence.frames.entries()) {
      this.faces.push(frame.faces ? indices(frame.faces) : this.faces[i - 1] ?? new Uint32Array());
    }
    this.triangles = Math.max(0, ...this.faces.map((faces) => faces.length / 3));
    this.duration = Math.max(this.sequence.frames.length - 1, 0);
    this.overlay.visible = false;
    this.mesh.frustumCulled = false;
    this.mesh.castShadow = true;
    this.mesh.receiveShadow = true;
    this.overlay.frustumCulled = false;
    this.object.add(this.mesh, this.overlay);
  }

  /** The step the time lies in; at a frame, the step that ends there. */
  stepAt(time: number): { index: number; step: Step | undefined; local: number } {
    const index = Math.max(0, Math.min(Math.ceil(time) - 1, this.duration - 1));
    const step = this.sequence.steps.find((candidate) => candidate.from === index);
    return { index, step, local: time - index };
  }

  setTime(time: number): void {
    this.now = time;
    const { index, step, local } = this.stepAt(time);
    const a = this.positions[index];
    const b = this.positions[index + 1] ?? a;
    // A step that changes the topology shows the frame it comes from until it ends.
    const same = a.length === b.length && this.faces[index] === (this.faces[index + 1] ?? this.faces[index]);
    const faces = same || local < 1 ? this.faces[index] : this.faces[index + 1];
    this.useFaces(faces, same || local < 1 ? a.length : b.length);
    const position = this.mesh.geometry.getAttribute("position") as BufferAttribute;
    const out = position.array as Float32Array;
    if (same) for (let i = 0; i < out.length; ++i) out[i] = a[i] + local * (b[i] - a[i]);
    else out.set(local < 1 ? a : b);
    const normal = this.mesh.geometry.getAttribute("normal") as BufferAttribute;
    smoothNormals(out, faces, normal.array as Float32Array);
    position.needsUpdate = true;
    normal.needsUpdate = true;
    this.showContacts(index, step);
    if (this.cloud) this.cloud.now = local;
  }

  private useFaces(faces: Uint32Array, length: number): void {
    const current = this.mesh.geometry.getAttribute("position");
    if (this.shownFaces === faces && current?.array.length === length) return;
    this.shownFaces = faces;
    const geometry = new BufferGeometry();
    const dynamic = () => new BufferAttribute(new Float32Array(length), 3).setUsage(DynamicDrawUsage);
    geometry.setAttribute("position", dynamic());
    geometry.setAttribute("normal", dynamic());
    geometry.setAttribute("color", dynamic());
    geometry.setIndex(new BufferAttribute(faces, 1));
    this.mesh.geometry.dispose();
    this.mesh.geometry = geometry;
    this.overlay.geometry = geometry;
    this.colorObjects();
  }

  private colorObjects(): void {
    const color = this.mesh.geometry.getAttribute("color") as BufferAttribute | undefined;
    if (!color) return;
    const starts = this.sequence.objects?.length ? this.sequence.objects : [0];
    for (const [i, start] of starts.entries()) {
      const c = new Color(this.palette.bodies[(i + (starts.length === 1 ? 2 : 0)) % this.palette.bodies.length]);
      for (let v = start; v < Math.min(starts[i + 1] ?? color.count, color.count); ++v) color.setXYZ(v, c.r, c.g, c.b);
    }
    color.needsUpdate = true;
    const material = this.mesh.material as ReturnType<typeof surface>;
    if (!material.vertexColors) {
      material.vertexColors = true;
      material.needsUpdate = true;
    }
  }

  private showContacts(index: number, step: Step | undefined): void {
    if (index === this.shownStep) return;
    this.shownStep = index;
    if (this.cloud) {
      this.object.remove(this.cloud.points);
      this.cloud.dispose();
      this.cloud = null;
    }
    const stored = step?.contacts;
    if (!stored?.stored) return;
    const { origin, scale } = this.frame;
    const points = Float32Array.from(numbers(stored.points), (x, i) => (x - origin[i % 3]) * scale);
    const n = points.length / 3;
    const times = stored.times ? Float32Array.from(numbers(stored.times)) : new Float32Array(n);
    // Two colours: edge-edge, and what a vertex takes part in.
    const kinds = Float32Array.from(contactKinds(stored), (kind) => (kind === 1 ? 1 : 0));
    this.cloud = new ContactCloud(points, times, kinds);
    this.cloud.setColors(this.palette.contact, this.palette.edgeEdge);
    this.cloud.points.visible = this.toggles?.contacts ?? true;
    this.object.add(this.cloud.points);
  }

  setToggles(toggles: Toggles): void {
    this.toggles = { ...toggles };
    this.overlay.visible = toggles.wireframe;
    if (this.cloud) this.cloud.points.visible = toggles.contacts;
  }

  setPalette(palette: Palette): void {
    this.palette = palette;
    this.colorObjects();
    (this.overlay.material as MeshBasicMaterial).color.set(palette.wire);
    this.cloud?.setColors(palette.contact, palette.edgeEdge);
  }

  beforeRender(): void {}

  moments(): Moment[] {
    return this.sequence.steps
      .filter((step) => step.first_time !== null && step.first_time !== undefined)
      .slice(0, 1)
      .map((step) => ({ time: step.from + step.first_time!, name: "first contact", kind: "contact" as const }));
  }

  closeUp(): { center: Vector3; radius: number } | null {
    const stored = this.stepAt(this.now).step?.contacts ?? this.sequence.steps.find((step) => step.contacts)?.contacts;
    if (!stored?.stored) return null;
    const points = numbers(stored.points);
    const times = stored.times ? numbers(stored.times) : new Float64Array(stored.stored);
    let first = 0;
    for (let i = 0; i < times.length; ++i) if (times[i] < times[first]) first = i;
    const center = this.frame.point([points[3 * first], points[3 * first + 1], points[3 * first + 2]]);
    return { center, radius: 0.12 };
  }

  extent(): { center: Vector3; radius: number }[] {
    return this.outline.map((center) => ({ center, radius: 0.02 }));
  }

  viewDirection(): Vector3 {
    return new Vector3(0.55, -0.95, 0.5).normalize();
  }

  hierarchyLevels(): number {
    return 0;
  }
}

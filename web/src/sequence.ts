// A deforming mesh, frame by frame; between frames every vertex moves on a straight line, as in the query.
import {
  BufferAttribute, BufferGeometry, DynamicDrawUsage, Group, Mesh, Vector3, type Material, type MeshBasicMaterial, type Plane,
  type Raycaster, type ShaderMaterial,
} from "three";
import type { Content, Moment, Part, Pick, Show, Sight, Toggles } from "./content";
import * as format from "./format";
import { Frame } from "./frame";
import { boundingSphere, smoothNormals } from "./geometry";
import { ContactCloud, ContactMark } from "./marks";
import { ghost, surface, wire, type Surface } from "./materials";
import { light, type Palette } from "./palette";
import { partsOf, type Parts } from "./parts";
import { contactKinds, indices, numbers, type Report, type Sequence, type Step, type Vec3 } from "./report";

interface PartView { surface: Surface; faded: ShaderMaterial; show: Show }

export class SequenceContent implements Content {
  readonly object = new Group();
  readonly duration: number;
  readonly triangles: number;
  readonly frame: Frame;
  private readonly sequence: Sequence;
  private readonly positions: Float32Array[];  // of each frame, as drawn
  private readonly topology: Parts[];          // of each frame; shared while the faces stay
  private readonly partViews: PartView[] = [];
  private readonly mesh = new Mesh(new BufferGeometry(), [] as Material[]);
  private readonly overlay = new Mesh(this.mesh.geometry, wire());
  private readonly outline: Vector3[];  // some vertices, over all frames
  private readonly chosen = new ContactMark(new Vector3(), null, 1.2);
  private cloud: ContactCloud | null = null;
  private shownStep = -2;
  private shownTopology: Parts | null = null;
  private palette: Palette = light;
  private toggles: Toggles | null = null;
  private planes: Plane[] = [];
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
    this.topology = [];
    for (const [i, frame] of this.sequence.frames.entries()) {
      const faces = frame.faces ? indices(frame.faces) : undefined;
      this.topology.push(faces || i === 0
        ? partsOf(faces ?? new Uint32Array(), frames[i].length / 3, this.sequence.objects)
        : this.topology[i - 1]);
    }
    this.triangles = Math.max(0, ...this.topology.map((parts) => parts.faces.length / 3));
    const partCount = Math.max(1, ...this.topology.map((parts) => parts.ranges.length));
    for (let i = 0; i < partCount; ++i) this.partViews.push({ surface: surface(), faded: ghost(), show: "shown" });
    this.duration = Math.max(this.sequence.frames.length - 1, 0);
    this.overlay.visible = false;
    this.mesh.frustumCulled = false;
    this.mesh.castShadow = true;
    this.mesh.receiveShadow = true;
    this.overlay.frustumCulled = false;
    this.chosen.group.visible = false;
    this.object.add(this.mesh, this.overlay, this.chosen.group);
    this.useMaterials();
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
    const same = a.length === b.length && this.topology[index] === (this.topology[index + 1] ?? this.topology[index]);
    const topology = same || local < 1 ? this.topology[index] : this.topology[index + 1];
    this.useTopology(topology, same || local < 1 ? a.length : b.length);
    const position = this.mesh.geometry.getAttribute("position") as BufferAttribute;
    const out = position.array as Float32Array;
    if (same) for (let i = 0; i < out.length; ++i) out[i] = a[i] + local * (b[i] - a[i]);
    else out.set(local < 1 ? a : b);
    const normal = this.mesh.geometry.getAttribute("normal") as BufferAttribute;
    smoothNormals(out, topology.faces, normal.array as Float32Array);
    position.needsUpdate = true;
    normal.needsUpdate = true;
    this.mesh.geometry.boundingSphere = null;
    this.showContacts(index, step);
    if (this.cloud) this.cloud.now = local;
  }

  private useTopology(topology: Parts, length: number): void {
    const current = this.mesh.geometry.getAttribute("position");
    if (this.shownTopology === topology && current?.array.length === length) return;
    this.shownTopology = topology;
    const geometry = new BufferGeometry();
    const dynamic = () => new BufferAttribute(new Float32Array(length), 3).setUsage(DynamicDrawUsage);
    geometry.setAttribute("position", dynamic());
    geometry.setAttribute("normal", dynamic());
    geometry.setIndex(new BufferAttribute(topology.faces, 1));
    for (const range of topology.ranges) geometry.addGroup(range.start, range.count, range.part);
    this.mesh.geometry.dispose();
    this.mesh.geometry = geometry;
    this.overlay.geometry = geometry;
  }

  private useMaterials(): void {
    this.mesh.material = this.partViews.map((part) => (part.show === "faded" ? part.faded : part.surface));
    for (const part of this.partViews) part.surface.visible = part.show === "shown";
    this.mesh.castShadow = this.partViews.every((part) => part.show === "shown");
  }

  private showContacts(index: number, step: Step | undefined): void {
    if (index === this.shownStep) return;
    this.shownStep = index;
    this.chosen.group.visible = false;
    if (this.cloud) {
      this.object.remove(this.cloud.object);
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
    this.cloud.object.visible = this.toggles?.contacts ?? true;
    this.object.add(this.cloud.object);
  }

  /** Marks one contact of the step shown. */
  markContact(point: Vec3, normal: Vec3 | null): void {
    this.chosen.place(this.frame.point(point), normal ? new Vector3(...normal) : null);
    this.chosen.setColor(this.palette.path);
    this.chosen.group.visible = true;
  }

  setToggles(toggles: Toggles): void {
    this.toggles = { ...toggles };
    this.overlay.visible = toggles.wireframe;
    if (this.cloud) this.cloud.object.visible = toggles.contacts;
  }

  setPalette(palette: Palette): void {
    this.palette = palette;
    for (const [i, part] of this.partViews.entries()) {
      const color = palette.bodies[this.colorOf(i) % palette.bodies.length];
      part.surface.color.set(color);
      part.faded.uniforms.color.value.set(color);
    }
    (this.overlay.material as MeshBasicMaterial).color.set(palette.wire);
    this.chosen.setColor(palette.path);
    this.cloud?.setColors(palette.contact, palette.edgeEdge);
  }

  private colorOf(part: number): number {
    return part + (this.partViews.length === 1 ? 2 : 0);
  }

  setClipping(planes: Plane[]): void {
    this.planes = planes;
    for (const part of this.partViews) for (const material of [part.surface, part.faded]) material.clippingPlanes = planes;
    (this.overlay.material as MeshBasicMaterial).clippingPlanes = planes;
  }

  parts(): Part[] {
    const first = this.topology[0];
    const named = (this.sequence.objects?.length ?? 0) > 1;
    return this.partViews.map((_, i) => {
      const count = (first.ranges[i]?.count ?? 0) / 3;
      const rest = first.smaller > 0 && i === this.partViews.length - 1;
      const name = rest ? `${format.count(first.smaller)} smaller pieces` : this.partViews.length === 1 ? "mesh" : `${named ? "object" : "piece"} ${i}`;
      return { name, detail: count ? `${format.count(count)} triangles` : "appears later", color: this.colorOf(i) };
    });
  }

  show(part: number): Show {
    return this.partViews[part].show;
  }

  setShow(part: number, show: Show): void {
    this.partViews[part].show = show;
    this.useMaterials();
  }

  pick(ray: Raycaster): Pick | null {
    // The raycaster asks the material of each group whether it is seen; hidden parts are passed over here.
    this.mesh.geometry.computeBoundingSphere();
    const topology = this.shownTopology!;
    const partOf = (face: number) => topology.ranges.find((range) => 3 * face >= range.start && 3 * face < range.start + range.count)?.part ?? 0;
    const hit = ray.intersectObject(this.mesh, false).find((one) => one.faceIndex != null &&
      this.partViews[partOf(one.faceIndex)].show === "shown" && this.planes.every((plane) => plane.distanceToPoint(one.point) >= 0));
    if (!hit?.face || hit.faceIndex == null) return null;
    const { a, b, c } = hit.face;
    const corner = (v: number) => {
      const p = this.mesh.geometry.getAttribute("position") as BufferAttribute;
      return v < p.count ? new Vector3(p.getX(v), p.getY(v), p.getZ(v)) : new Vector3();
    };
    const weights = weightsOf(hit.point, corner(a), corner(b), corner(c));
    const now = () => {
      const drawn = [a, b, c].map(corner);
      const point = drawn.reduce((sum, p, i) => sum.addScaledVector(p, weights[i]), new Vector3());
      return { point: this.frame.back(point), corners: drawn.map((p) => this.frame.back(p)) };
    };
    return {
      part: this.parts()[partOf(hit.faceIndex)].name, triangle: topology.original[hit.faceIndex],
      thinned: this.sequence.displayed_triangles !== undefined, corners: now().corners, space: "at this time", now,
    };
  }

  beforeRender(pixel: (at: Vector3) => number): void {
    this.chosen.update(pixel);
  }

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

  sight(): Sight {
    const { step, local } = this.stepAt(this.now);
    const targets: Vector3[] = [];
    if (step?.contacts?.stored) {
      const points = numbers(step.contacts.points);
      const times = step.contacts.times ? numbers(step.contacts.times) : new Float64Array(step.contacts.stored);
      const stride = Math.max(1, Math.floor(times.length / 40));
      for (let i = 0; i < times.length; i += stride) {
        if (times[i] <= local) targets.push(this.frame.point([points[3 * i], points[3 * i + 1], points[3 * i + 2]]));
      }
    }
    this.object.updateMatrixWorld(true);
    return { targets, clearance: 0.05, meshes: [this.mesh], along: new Vector3() };
  }

  caption(): null {
    return null;
  }

  hierarchyLevels(): number {
    return 0;
  }
}

/** Barycentric coordinates of a point in a triangle. */
function weightsOf(p: Vector3, a: Vector3, b: Vector3, c: Vector3): [number, number, number] {
  const normal = b.clone().sub(a).cross(c.clone().sub(a));
  const area = normal.lengthSq() || 1;
  const part = (u: Vector3, v: Vector3) => u.clone().sub(p).cross(v.clone().sub(p)).dot(normal) / area;
  return [part(b, c), part(c, a), part(a, b)];
}

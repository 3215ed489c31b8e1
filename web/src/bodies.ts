// Rigid bodies on their motions, and the answer of one pair.
import {
  BufferAttribute, BufferGeometry, Group, Mesh, Vector3, type MeshBasicMaterial, type Plane, type Raycaster, type ShaderMaterial,
} from "three";
import type { Content, Moment, Part, Pick, Show, Sight, Toggles } from "./content";
import * as format from "./format";
import { Frame } from "./frame";
import { coarsened, type BoundingSphere } from "./geometry";
import { HierarchyView } from "./hierarchy";
import { layerCorners, LayerView } from "./layers";
import { ArrowTip, ContactMark } from "./marks";
import { endless, ghost, surface, touch, wire, type Surface } from "./materials";
import { apply, applyInverse, describe, isFixed, placementAt, type Placement } from "./motion";
import { grey, light, type Palette } from "./palette";
import { Path } from "./path";
import { isBatch, type Contact, type Motion, type Report, type Result, type Vec3 } from "./report";
import { drawableShape, type DrawableShape } from "./shape";
import { hasContact } from "./status";

const markLimit = 40;
const coarseLimit = 3000;  // triangles that the processor draws fast
const coarseCells = 56;    // across a body: a picture of half size shows no more
const hiddenTouchOrder = 3;

interface BodyView {
  group: Group;  // placed at the body's pose
  mesh: Mesh;
  surface: Surface;
  faded: ShaderMaterial;
  show: Show;
  wire: Mesh;
  ghosts: { mesh: Mesh; time: number }[];
  shape: DrawableShape;
  sphere: BoundingSphere;
  motion: Motion;
}

/** The body that holds the other one, or -1. */
function outerBody(result: Result | undefined): number {
  return result?.inside ? result.bodies[result.inside === "first_in_second" ? 1 : 0] : -1;
}

const middle = (points: Vec3[]): Vec3 => [0, 1, 2].map((k) => points.reduce((sum, p) => sum + p[k], 0) / points.length) as Vec3;

export class BodiesContent implements Content {
  readonly object = new Group();
  readonly duration: number;
  readonly triangles: number;
  readonly frame: Frame;
  private readonly bodies: BodyView[] = [];
  private readonly answer = new Group();
  private readonly pathGroup = new Group();
  private readonly hierarchies: HierarchyView[] = [];
  private readonly layers: LayerView[] = [];
  private marks: (ContactMark | ArrowTip)[] = [];
  private said: { at: Vector3; text: string } | null = null;
  private paths: Path[] = [];
  private touching: Mesh[] = [];
  private palette: Palette = light;
  private toggles: Toggles | null = null;
  private planes: Plane[] = [];
  private now = 0;
  private hasty = false;  // ghosts and what is hidden are left out, large meshes are drawn with fewer triangles
  private readonly coarse = new Map<BufferGeometry, BufferGeometry>();
  result: Result | undefined;

  constructor(private readonly report: Report) {
    const shapes = (report.shapes ?? []).map((shape) => drawableShape(shape));
    this.frame = Frame.around([...this.sweptSpheres(shapes), ...(report.layers ?? []).flatMap(layerCorners).map((center) => ({ center, radius: 0 }))]);
    for (const [i, shape] of shapes.entries()) if (!shape.bounded) shapes[i] = drawableShape(report.shapes![i], this.sceneFor(i));
    const geometries = shapes.map((shape) => shape.geometry(this.frame.scale));
    for (const body of report.bodies ?? []) this.addBody(geometries[body.shape], shapes[body.shape], body.motion);
    this.triangles = this.bodies.reduce((sum, body) => sum + body.shape.triangles, 0);
    for (const hierarchy of report.hierarchies ?? []) {
      const body = this.bodies[hierarchy.body];
      const view = new HierarchyView(hierarchy, body.sphere.center, this.frame.scale);
      this.hierarchies.push(view);
      body.group.add(view.object);
    }
    for (const layer of report.layers ?? []) {
      const view = new LayerView(layer, this.frame);
      this.layers.push(view);
      this.object.add(view.object);
    }
    // A slice lies within the bodies, and so do arrows of depth; those at strands stand on them.
    const has = (kind: string) => report.layers?.some((layer) => layer.kind === kind);
    if (has("slice") || (has("arrows") && !has("lines"))) this.bodies.forEach((_, i) => this.setShow(i, "faded"));
    this.duration = this.anyMotion() ? 1 : 0;
    this.object.add(this.answer, this.pathGroup);
    this.setResult(0);
  }

  private anyMotion(): boolean {
    const moving = (motion: Motion | undefined) => motion !== undefined && !isFixed(motion);
    return (this.report.bodies ?? []).some((body) => moving(body.motion) || this.report.shapes?.[body.shape].mesh?.positions_t1) ||
      (this.report.results ?? []).some((result) => moving(result.motion_a) || moving(result.motion_b));
  }

  /** Around everything, and some more, in the frame of the first body of a shape. */
  private sceneFor(shape: number): BoundingSphere {
    const body = this.report.bodies?.find((one) => one.shape === shape);
    const { origin, scale } = this.frame;
    return { center: body ? applyInverse(placementAt(body.motion, 0), origin) : origin, radius: 2.4 / scale };
  }

  /** Where the bodies get; of those without end only if there are no others. */
  private sweptSpheres(shapes: DrawableShape[]): BoundingSphere[] {
    const swept: BoundingSphere[] = [];
    const anyBounded = (this.report.bodies ?? []).some((body) => shapes[body.shape].bounded);
    for (const [i, body] of (this.report.bodies ?? []).entries()) {
      const { sphere, bounded } = shapes[body.shape];
      if (anyBounded && !bounded) continue;
      const motions = [body.motion];
      for (const result of (this.report.results ?? []).slice(0, 50)) {
        if (result.motion_a && result.bodies[0] === i) motions.push(result.motion_a);
        if (result.motion_b && result.bodies[1] === i) motions.push(result.motion_b);
      }
      for (const motion of motions) {
        const steps = isFixed(motion) ? 0 : 16;
        for (let k = 0; k <= steps; ++k) {
          const at = placementAt(motion, steps ? k / steps : 0);
          swept.push({ center: apply(at, sphere.center), radius: sphere.radius });
        }
      }
    }
    return swept;
  }

  private addBody(geometry: BufferGeometry, shape: DrawableShape, motion: Motion): void {
    const group = new Group();
    group.matrixAutoUpdate = false;
    const material = shape.bounded ? surface() : endless();
    const mesh = new Mesh(geometry, material);
    mesh.castShadow = shape.bounded;
    mesh.receiveShadow = true;
    const overlay = new Mesh(geometry, wire());
    overlay.visible = false;
    group.add(mesh, overlay);
    this.object.add(group);
    this.bodies.push({
      group, mesh, surface: material, faded: ghost(), show: "shown", wire: overlay, ghosts: [], shape, sphere: shape.sphere, motion,
    });
  }

  /** Shows result number `index` of the report, with the motions that belong to it. */
  setResult(index: number): void {
    const before = outerBody(this.result);
    this.result = this.report.results?.[index];
    for (const [i, body] of this.bodies.entries()) {
      const own = this.result?.bodies[0] === i ? this.result.motion_a : this.result?.bodies[1] === i ? this.result?.motion_b : undefined;
      body.motion = own ?? this.report.bodies![i].motion;
      this.placeGhosts(body);
    }
    // A body that holds the other one is seen through.
    const outer = outerBody(this.result);
    if (before >= 0 && before !== outer) this.setShow(before, "shown");
    if (outer >= 0) this.setShow(outer, "faded");
    this.clearAnswer();
    this.setHasty(false);
    if (this.result) this.showAnswer(this.result);
    this.setPalette(this.palette);
    if (this.toggles) this.setToggles(this.toggles);
    this.setTime(this.now);
  }

  private placeGhosts(body: BodyView): void {
    for (const { mesh } of body.ghosts) this.object.remove(mesh);
    body.ghosts = [];
    if (isFixed(body.motion)) return;
    const key = this.moments()[0]?.time;
    const times = [0, 1];
    if (key !== undefined && key > 0 && key < 1) times.splice(1, 0, key);
    for (const time of times) this.addGhost(body, placementAt(body.motion, time), time);
  }

  private addGhost(body: BodyView, at: Placement, time: number): void {
    const material = ghost();
    material.clippingPlanes = this.planes;
    const mesh = new Mesh(body.wire.geometry, material);
    mesh.matrixAutoUpdate = false;
    mesh.matrix = this.frame.matrix(at, body.sphere.center);
    mesh.renderOrder = 5;
    this.object.add(mesh);
    body.ghosts.push({ mesh, time });
  }

  private clearAnswer(): void {
    this.answer.clear();
    this.pathGroup.clear();
    for (const path of this.paths) path.dispose();
    for (const mesh of this.touching) {
      mesh.removeFromParent();
      mesh.geometry.dispose();
    }
    this.marks = [];
    this.paths = [];
    this.touching = [];
    this.said = null;
  }

  private showAnswer(result: Result): void {
    const touching = hasContact(result) && !result.inside;
    const contacts = touching ? result.contacts ?? [] : [];
    // Of surfaces that pass through each other the triangles say it all: a thousand balls would hide them.
    const crossing = this.duration === 0 && contacts.length > 1;
    if (result.depth && contacts.length) this.addDepth(result, contacts[0]);
    else if (!crossing) for (const contact of contacts.slice(0, markLimit)) this.addMark(contact);
    this.addTriangles(result.bodies[0], contacts.map((contact) => contact.corners_a), contacts.map((c) => c.point_a), crossing);
    this.addTriangles(result.bodies[1], contacts.map((contact) => contact.corners_b), contacts.map((c) => c.point_b), crossing);
    const shown = contacts[0] ?? this.separatedContact(result);
    if (!shown || result.inside) return;
    const time = hasContact(result) ? result.time : result.closest_approach?.time ?? result.time;
    if (!touching) this.addClosest(shown);
    if (this.duration > 0) {
      this.addTrajectory(result.bodies[0], shown.point_a, time);
      this.addTrajectory(result.bodies[1], shown.point_b, time);
    }
  }

  private separatedContact(result: Result): Contact | undefined {
    return result.closest_approach?.contact ?? result.contacts?.[0];
  }

  /** Radius, as drawn, of the smaller body of the pair. */
  private pairRadius(): number {
    const radii = (this.result?.bodies ?? this.bodies.map((_, i) => i)).map((i) => this.bodies[i]?.sphere.radius ?? 0).filter((r) => r > 0);
    return (radii.length ? Math.min(...radii) : 1) * this.frame.scale;
  }

  /** So much of a touching face is shown, around the contact. */
  private get touchRadius(): number {
    return 0.2 * this.pairRadius();
  }

  private addMark(contact: Contact): void {
    const n = contact.normal;
    const mark = new ContactMark(this.frame.point(contact.point_a), n ? new Vector3(...n) : null, this.marks.length ? 0.7 : 1);
    this.marks.push(mark);
    this.answer.add(mark.group);
    const coarse = Math.max(this.side(contact.corners_a), this.side(contact.corners_b)) > 1.5 * this.touchRadius;
    if (coarse && n && Math.hypot(...n) > 0.5 && this.marks.length <= 8) this.addRing(contact);
  }

  /** Of coarse meshes: where the contact is, when triangles as large as the body do not say it. */
  private addRing(contact: Contact): void {
    this.addCircle(this.frame.point(middle([contact.point_a, contact.point_b])), new Vector3(...contact.normal!).normalize(), this.touchRadius);
  }

  /** Between the deepest points an arrow, the shortest way out for the second body, with a disc at each end; a ghost of it outside. */
  private addDepth(result: Result, contact: Contact): void {
    const [lower, upper] = result.depth!;
    const way = new Vector3(...contact.normal!).normalize();
    const from = this.frame.point(contact.point_b);
    const to = from.clone().addScaledVector(way, upper * this.frame.scale);
    for (const through of [false, true]) this.addAnswerLine([from, to], { width: 3, through, opacity: through ? 0.9 : 1 });
    for (const end of [from, to]) this.addCircle(end, way, 0.35 * Math.min(upper * this.frame.scale, this.pairRadius()));
    const tip = new ArrowTip(to, way);
    this.marks.push(tip);
    this.answer.add(tip.group);
    for (const point of [contact.point_a, contact.point_b]) {
      const mark = new ContactMark(this.frame.point(point), null, 0.6);
      this.marks.push(mark);
      this.answer.add(mark.group);
    }
    const wide = upper - lower > 1e-3 * upper;
    this.said = { at: from.clone().lerp(to, 0.5), text: `depth ${wide ? `${format.number(lower, 4)} \u2013 ` : ""}${format.number(upper, wide ? 4 : 6)}` };
    const body = this.bodies[result.bodies[1]];
    const at = placementAt(body.motion, 0);
    const outside: Placement = { ...at, p: at.p.map((x, k) => x + upper * way.getComponent(k)) as Vec3 };
    if (body.shape.bounded) this.addGhost(body, outside, -1);
  }

  private addCircle(center: Vector3, normal: Vector3, radius: number): void {
    const e1 = normal.clone().cross(Math.abs(normal.z) < 0.9 ? new Vector3(0, 0, 1) : new Vector3(1, 0, 0)).normalize();
    const e2 = normal.clone().cross(e1);
    const points = Array.from({ length: 65 }, (_, i) => {
      const angle = (2 * Math.PI * i) / 64;
      return center.clone().addScaledVector(e1, radius * Math.cos(angle)).addScaledVector(e2, radius * Math.sin(angle));
    });
    for (const through of [false, true]) this.addAnswerLine(points, { width: 2, through, opacity: through ? 0.4 : 1 });
  }

  caption(): { at: Vector3; text: string } | null {
    return this.answer.visible ? this.said : null;
  }

  private addAnswerLine(points: Vector3[], style: ConstructorParameters<typeof Path>[1]): void {
    const path = new Path(points, style);
    this.paths.push(path);
    this.answer.add(path.object);
  }

  private addClosest(contact: Contact): void {
    const a = this.frame.point(contact.point_a);
    const b = this.frame.point(contact.point_b);
    for (const point of [a, b]) {
      const mark = new ContactMark(point, null, 0.8);
      this.marks.push(mark);
      this.answer.add(mark.group);
    }
    for (const through of [false, true]) this.addAnswerLine([a, b], { width: 2.5, through, opacity: through ? 0.35 : 1 });
  }

  /** The touching triangles of a body near their contacts, solid where they are seen and faint where they are hidden. */
  private addTriangles(bodyIndex: number, triangles: (Vec3[] | undefined)[], points: Vec3[], whole: boolean): void {
    const body = this.bodies[bodyIndex];
    if (!body || !triangles.some((triangle) => triangle)) return;
    const { center } = body.sphere;
    const at = placementAt(body.motion, this.result!.time);
    const local = (p: Vec3) => p.map((x, k) => (x - center[k]) * this.frame.scale);
    const values: number[] = [];
    const places: number[] = [];
    for (const [i, triangle] of triangles.entries()) {
      const place = triangle ? local(applyInverse(at, points[i])) : [];
      for (const corner of triangle ?? []) {
        values.push(...local(corner));
        places.push(...place);
      }
    }
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(values), 3));
    geometry.setAttribute("place", new BufferAttribute(new Float32Array(places), 3));
    for (const hidden of [false, true]) {
      const material = touch(hidden ? 0.3 : 0.95, whole ? 10 : this.touchRadius);
      material.depthTest = !hidden;
      const mesh = new Mesh(geometry, material);
      mesh.renderOrder = hidden ? hiddenTouchOrder : 4;
      this.touching.push(mesh);
      body.group.add(mesh);
    }
  }

  /** The path of the body point that is at `point` at `time`. */
  private addTrajectory(bodyIndex: number, point: Vec3, time: number): void {
    const body = this.bodies[bodyIndex];
    if (!body || isFixed(body.motion)) return;
    const local = applyInverse(placementAt(body.motion, time), point);
    const samples = (from: number, to: number) => Array.from({ length: 161 }, (_, i) =>
      this.frame.point(apply(placementAt(body.motion, from + ((to - from) * i) / 160), local)));
    const add = (from: number, to: number, dashed: boolean) => {
      if (to - from < 1e-9) return;
      const path = new Path(samples(from, to), { width: dashed ? 1.6 : 2.4, dashed, opacity: dashed ? 0.7 : 0.95 });
      this.paths.push(path);
      this.pathGroup.add(path.object);
    };
    add(0, time, false);
    add(time, 1, true);
  }

  setTime(time: number): void {
    this.now = time;
    for (const body of this.bodies) {
      body.group.matrix = this.frame.matrix(placementAt(body.motion, time), body.sphere.center);
      body.group.matrixWorldNeedsUpdate = true;
      body.shape.deform?.(body.wire.geometry, time, this.frame.scale);
      for (const { mesh, time: at } of body.ghosts) {
        mesh.visible = !this.hasty && body.show !== "hidden" && (this.toggles?.ghosts ?? true) && Math.abs(at - time) > 0.004;
      }
    }
  }

  setToggles(toggles: Toggles): void {
    this.toggles = { ...toggles };
    for (const body of this.bodies) body.wire.visible = toggles.wireframe && body.show !== "hidden";
    for (const mesh of this.touching) mesh.visible = toggles.contacts;
    this.answer.visible = toggles.contacts;
    this.pathGroup.visible = toggles.path;
    for (const view of this.hierarchies) {
      view.object.visible = toggles.boxes && this.bodies[view.hierarchy.body].show !== "hidden";
      if (toggles.boxes) view.show(toggles.level);
    }
    this.setTime(this.now);
  }

  /** Which colour of the palette: beside layers whose colours mean something, the first body is grey. */
  private colorOf(body: number): number {
    return body === 0 && this.report.layers?.some(({ colours }) => colours && colours !== "plain") ? grey : body;
  }

  setPalette(palette: Palette): void {
    this.palette = palette;
    for (const [i, body] of this.bodies.entries()) {
      const color = palette.bodies[this.colorOf(i) % palette.bodies.length];
      body.surface.color.set(color);
      body.faded.uniforms.color.value.set(color);
      (body.wire.material as MeshBasicMaterial).color.set(palette.wire);
      for (const { mesh } of body.ghosts) (mesh.material as ShaderMaterial).uniforms.color.value.set(color);
    }
    const accent = hasContact(this.result) ? palette.contact : palette.closest;
    for (const mark of this.marks) mark.setColor(accent);
    for (const mesh of this.touching) (mesh.material as ShaderMaterial).uniforms.color.value.set(palette.contact);
    for (const path of this.paths) path.setColor(path.object.parent === this.answer ? accent : palette.path);
    for (const view of this.hierarchies) view.setColor(palette.box);
  }

  setClipping(planes: Plane[]): void {
    this.planes = planes;
    for (const body of this.bodies) {
      const materials = [body.surface, body.faded, body.wire.material as MeshBasicMaterial, ...body.ghosts.map(({ mesh }) => mesh.material as ShaderMaterial)];
      for (const material of materials) material.clippingPlanes = planes;
    }
    for (const layer of this.layers) layer.setClipping(planes);
  }

  parts(): Part[] {
    const results = this.report.results ?? [];
    const bodies = (this.report.bodies ?? []).map((body, i) => {
      const shape = this.report.shapes?.[body.shape];
      const view = this.bodies[i];
      const trialMotion = isBatch(this.report) && results.some((result) => (result.bodies[0] === i && result.motion_a) || (result.bodies[1] === i && result.motion_b));
      const name = body.name || shape?.name || `body ${i}`;
      const detail = [shape?.name && shape.name !== name ? shape.name : "", view.shape.describe, body.solid ? "solid" : "", trialMotion ? "moves by trial" : view.shape.deform ? "" : describe(view.motion)];
      const note = !view.shape.drawn ? "its mesh is not in the report"
        : shape?.displayed_triangles !== undefined ? `shown with ${format.count(shape.displayed_triangles)} of ${format.count(shape.triangles ?? 0)} triangles` : undefined;
      return { name, detail: detail.filter(Boolean).join(" \u00b7 "), note, color: this.colorOf(i) };
    });
    return [...bodies, ...this.layers.map((layer) => layer.part())];
  }

  show(part: number): Show {
    return part < this.bodies.length ? this.bodies[part].show : this.layers[part - this.bodies.length].state;
  }

  setShow(part: number, show: Show): void {
    if (part >= this.bodies.length) return this.layers[part - this.bodies.length].setShow(show);
    const body = this.bodies[part];
    body.show = show;
    body.mesh.visible = show !== "hidden";
    body.mesh.material = show === "faded" ? body.faded : body.surface;
    body.mesh.castShadow = show === "shown";
    body.mesh.renderOrder = show === "faded" ? 2 : 0;
    if (this.toggles) this.setToggles(this.toggles);
  }

  pick(ray: Raycaster): Pick | null {
    this.setHasty(false);
    const meshes = this.bodies.filter((body) => body.show === "shown").map((body) => body.mesh);
    const hits = ray.intersectObjects(meshes.length ? meshes : this.bodies.filter((body) => body.show === "faded").map((body) => body.mesh), false);
    const hit = hits.find((one) => this.planes.every((plane) => plane.distanceToPoint(one.point) >= 0));
    const body = hit && this.bodies.find((candidate) => candidate.mesh === hit.object);
    if (!hit || !body || hit.faceIndex == null) return null;
    const index = this.bodies.indexOf(body);
    const triangle = hit.faceIndex;
    const corners = body.shape.corners(triangle, this.now);
    const local = applyInverse(placementAt(body.motion, this.now), this.frame.back(hit.point));
    const record = this.report.bodies![index];
    const world = (p: Vec3) => apply(placementAt(body.motion, this.now), p);
    return {
      part: this.parts()[index].name, kind: body.shape.isMesh ? undefined : body.shape.describe, triangle, thinned: this.report.shapes?.[record.shape].displayed_triangles !== undefined,
      corners, space: "in the body's frame", now: () => ({ point: world(local), corners: corners.map(world) }),
    };
  }

  beforeRender(pixel: (at: Vector3) => number, hasty: boolean): void {
    for (const mark of this.marks) mark.update(pixel);
    this.setHasty(hasty);
  }

  private setHasty(hasty: boolean): void {
    if (hasty === this.hasty) return;
    this.hasty = hasty;
    for (const mark of this.marks) if (mark instanceof ContactMark) mark.setHasty(hasty);
    for (const path of this.paths) path.setHasty(hasty);
    for (const mesh of this.touching) if (mesh.renderOrder === hiddenTouchOrder) (mesh.material as ShaderMaterial).visible = !hasty;
    for (const body of this.bodies) {
      const fine = body.wire.geometry;
      body.mesh.geometry = hasty && !body.shape.deform && !this.toggles?.wireframe && fine.getIndex()!.count > 3 * coarseLimit ? this.coarseOf(fine) : fine;
    }
    this.setTime(this.now);
  }

  private coarseOf(fine: BufferGeometry): BufferGeometry {
    const made = this.coarse.get(fine) ?? coarsened(fine, coarseCells);
    this.coarse.set(fine, made);
    return made;
  }

  private momentOf(result: Result | undefined, name?: string): Moment | undefined {
    if (!result || this.duration === 0) return undefined;
    const what = result.inside ? "inside at the start" : result.status === "overlap_at_start" ? "touching at the start" : "first contact";
    if (hasContact(result)) return { time: result.time, name: name ?? what, kind: "contact" };
    if (!result.closest_approach) return undefined;
    return { time: result.closest_approach.time, name: name ?? "closest approach", kind: "closest" };
  }

  /** Of the result shown; in a scene of many pairs also of the others, as events on one time line. */
  moments(): Moment[] {
    const results = this.report.results ?? [];
    const own = this.momentOf(this.result);
    if (results.length < 2 || isBatch(this.report)) return own ? [own] : [];
    const name = (i: number) => this.report.bodies?.[i]?.name || `body ${i}`;
    const others = results.flatMap((result, i) => {
      const moment = result !== this.result && hasContact(result) ? this.momentOf(result, `${name(result.bodies[0])}, ${name(result.bodies[1])}`) : undefined;
      return moment ? [{ ...moment, result: i }] : [];
    });
    return own ? [own, ...others] : others;
  }

  /** The longest side of a triangle, as drawn. */
  private side(corners?: Vec3[]): number {
    if (!corners) return 0;
    return Math.max(...corners.map((p, i) => Math.hypot(...p.map((x, k) => x - corners[(i + 1) % 3][k])))) * this.frame.scale;
  }

  closeUp(): { center: Vector3; radius: number } | null {
    const result = this.result;
    if (!result) return null;
    if (result.inside) {
      const inner = this.bodies[result.bodies[result.inside === "first_in_second" ? 0 : 1]];
      return { center: this.frame.point(apply(placementAt(inner.motion, this.now), inner.sphere.center)), radius: 1.6 * inner.sphere.radius * this.frame.scale };
    }
    const contact = result.contacts?.[0] ?? this.separatedContact(result);
    if (!contact) return null;
    return this.around(contact);
  }

  /** A few triangles around the point, or the gap; never more than about a body. */
  around(contact: Contact): { center: Vector3; radius: number } {
    const a = this.frame.point(contact.point_a);
    const b = this.frame.point(contact.point_b);
    const center = a.clone().add(b).multiplyScalar(0.5);
    const size = this.pairRadius();
    const triangles = Math.max(3 * this.side(contact.corners_a), 3 * this.side(contact.corners_b));
    return { center, radius: Math.max(Math.min(triangles, 1.1 * size), 0.8 * a.distanceTo(b), 0.04 * size) };
  }

  extent(): { center: Vector3; radius: number }[] {
    const bounded = this.bodies.filter((body) => body.shape.bounded);
    const layers = this.layers.flatMap(({ corners }) => corners.map((corner) => ({ center: this.frame.point(corner), radius: 0 })));
    const bodies = (bounded.length ? bounded : this.bodies).flatMap((body) => {
      const steps = isFixed(body.motion) ? 0 : 12;
      return Array.from({ length: steps + 1 }, (_, i) => ({
        center: this.frame.point(apply(placementAt(body.motion, steps ? i / steps : 0), body.sphere.center)),
        radius: body.sphere.radius * this.frame.scale,
      }));
    });
    return [...bodies, ...layers];
  }

  sight(): Sight {
    this.setHasty(false);
    const along = new Vector3();
    for (const body of this.bodies) {
      const place = (t: number) => this.frame.point(apply(placementAt(body.motion, t), body.sphere.center));
      along.add(place(1).sub(place(0)));
    }
    this.object.updateMatrixWorld(true);
    const meshes = this.bodies.filter((body) => body.show === "shown").map((body) => body.mesh);
    const pair = (this.result?.bodies ?? []).map((i) => this.bodies[i]);
    const others = {
      targets: pair.map((body) => this.frame.point(apply(placementAt(body.motion, this.now), body.sphere.center))),
      meshes: meshes.filter((mesh) => !pair.some((body) => body.mesh === mesh)),
    };
    return { targets: this.targets(), clearance: 0.06 * this.pairRadius(), meshes, along, others: others.meshes.length && pair.length ? others : undefined };
  }

  /** What should be in sight at first: the contact and its surroundings, or some of the places where surfaces cross. */
  private targets(): Vector3[] {
    const contacts = hasContact(this.result) && this.duration === 0 ? this.result?.contacts ?? [] : [];
    if (contacts.length > 1) {
      const step = Math.ceil(contacts.length / 12);
      return contacts.filter((_, i) => i % step === 0).map((contact) => this.frame.point(contact.point_a));
    }
    const close = this.closeUp();
    if (!close) return [];
    const r = 0.03 * this.pairRadius();
    const around = [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]];
    return [close.center, ...around.map((d) => close.center.clone().add(new Vector3(...d).multiplyScalar(r)))];
  }

  hierarchyLevels(): number {
    return Math.max(0, ...this.hierarchies.map((view) => view.hierarchy.levels.length));
  }

  /** World coordinates of a body's centre, for tests and labels. */
  bodyCenter(index: number): Vec3 {
    const body = this.bodies[index];
    return apply(placementAt(body.motion, this.now), body.sphere.center);
  }
}

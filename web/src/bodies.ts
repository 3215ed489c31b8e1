// Rigid bodies on their motions, and the answer of one pair.
import {
  BufferAttribute, BufferGeometry, Group, Mesh, Raycaster, Vector3, type MeshStandardMaterial, type ShaderMaterial,
} from "three";
import type { Content, Moment, Toggles } from "./content";
import { Frame } from "./frame";
import { boundingSphere, creasedGeometry, type BoundingSphere, type MeshData } from "./geometry";
import { HierarchyView } from "./hierarchy";
import { ContactMark } from "./marks";
import { ghost, mark, surface, wire } from "./materials";
import { apply, applyInverse, isFixed, placementAt } from "./motion";
import { light, type Palette } from "./palette";
import { Path } from "./path";
import { indices, numbers, type Contact, type Motion, type Report, type Result, type Vec3 } from "./report";

const markLimit = 40;

interface BodyView {
  group: Group;  // placed at the body's pose
  mesh: Mesh;
  wire: Mesh;
  ghosts: { mesh: Mesh; time: number }[];
  sphere: BoundingSphere;
  motion: Motion;
}

function hasContact(result: Result | undefined): boolean {
  return result !== undefined && (result.status === "contact" || result.status === "overlap_at_start");
}

export class BodiesContent implements Content {
  readonly object = new Group();
  readonly duration: number;
  readonly triangles: number = 0;
  private readonly bodies: BodyView[] = [];
  private readonly frame: Frame;
  private readonly answer = new Group();
  private readonly pathGroup = new Group();
  private readonly hierarchies: HierarchyView[] = [];
  private marks: ContactMark[] = [];
  private paths: Path[] = [];
  private touching: Mesh[] = [];
  private palette: Palette = light;
  private toggles: Toggles | null = null;
  private now = 0;
  result: Result | undefined;

  constructor(private readonly report: Report) {
    const shapes = (report.shapes ?? []).map((shape): MeshData => shape.mesh
      ? { positions: numbers(shape.mesh.positions), faces: indices(shape.mesh.faces) }
      : { positions: new Float64Array(), faces: new Uint32Array() });
    const spheres = shapes.map((shape) => boundingSphere(shape.positions));
    this.frame = Frame.around(this.sweptSpheres(spheres));
    const geometries = shapes.map((shape, i) => creasedGeometry(shape, spheres[i].center, this.frame.scale));
    for (const body of report.bodies ?? []) {
      const shape = shapes[body.shape];
      (this as { triangles: number }).triangles += shape.faces.length / 3;
      this.addBody(geometries[body.shape], spheres[body.shape], body.motion);
    }
    for (const hierarchy of report.hierarchies ?? []) {
      const body = this.bodies[hierarchy.body];
      const view = new HierarchyView(hierarchy, body.sphere.center, this.frame.scale);
      this.hierarchies.push(view);
      body.group.add(view.object);
    }
    this.duration = this.anyMotion() ? 1 : 0;
    this.object.add(this.answer, this.pathGroup);
    this.setResult(0);
  }

  private anyMotion(): boolean {
    const moving = (motion: Motion | undefined) => motion !== undefined && !isFixed(motion);
    return (this.report.bodies ?? []).some((body) => moving(body.motion)) ||
      (this.report.results ?? []).some((result) => moving(result.motion_a) || moving(result.motion_b));
  }

  private sweptSpheres(spheres: BoundingSphere[]): BoundingSphere[] {
    const swept: BoundingSphere[] = [];
    for (const [i, body] of (this.report.bodies ?? []).entries()) {
      const sphere = spheres[body.shape];
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

  private addBody(geometry: BufferGeometry, sphere: BoundingSphere, motion: Motion): void {
    const group = new Group();
    group.matrixAutoUpdate = false;
    const mesh = new Mesh(geometry, surface());
    mesh.castShadow = true;
    mesh.receiveShadow = true;
    const overlay = new Mesh(geometry, wire());
    overlay.visible = false;
    group.add(mesh, overlay);
    this.object.add(group);
    this.bodies.push({ group, mesh, wire: overlay, ghosts: [], sphere, motion });
  }

  /** Shows result number `index` of the report, with the motions that belong to it. */
  setResult(index: number): void {
    this.result = this.report.results?.[index];
    for (const [i, body] of this.bodies.entries()) {
      const own = this.result?.bodies[0] === i ? this.result.motion_a : this.result?.bodies[1] === i ? this.result?.motion_b : undefined;
      body.motion = own ?? this.report.bodies![i].motion;
      this.placeGhosts(body);
    }
    this.clearAnswer();
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
    for (const time of times) {
      const mesh = new Mesh(body.mesh.geometry, ghost());
      mesh.matrixAutoUpdate = false;
      mesh.matrix = this.frame.matrix(placementAt(body.motion, time), body.sphere.center);
      mesh.renderOrder = 5;
      this.object.add(mesh);
      body.ghosts.push({ mesh, time });
    }
  }

  private clearAnswer(): void {
    this.answer.clear();
    this.pathGroup.clear();
    for (const mesh of this.touching) mesh.removeFromParent();
    this.marks = [];
    this.paths = [];
    this.touching = [];
  }

  private showAnswer(result: Result): void {
    const touching = hasContact(result) && !result.inside;
    const contacts = touching ? result.contacts ?? [] : [];
    this.showThrough(result);
    // Of surfaces that pass through each other the triangles say it all: a thousand balls would hide them.
    const crossing = this.duration === 0 && contacts.length > 1;
    if (!crossing) for (const contact of contacts.slice(0, markLimit)) this.addMark(contact);
    this.addTriangles(result.bodies[0], contacts.map((contact) => contact.corners_a));
    this.addTriangles(result.bodies[1], contacts.map((contact) => contact.corners_b));
    const shown = contacts[0] ?? this.separatedContact(result);
    if (!shown) return;
    const time = hasContact(result) ? result.time : result.closest_approach?.time ?? result.time;
    if (!touching) this.addClosest(shown);
    if (this.duration > 0) {
      this.addTrajectory(result.bodies[0], shown.point_a, time);
      this.addTrajectory(result.bodies[1], shown.point_b, time);
    }
  }

  /** A body that holds the other one is seen through. */
  private showThrough(result: Result): void {
    const outer = result.inside && result.bodies[result.inside === "first_in_second" ? 1 : 0];
    for (const [i, body] of this.bodies.entries()) {
      const material = body.mesh.material as MeshStandardMaterial;
      material.transparent = i === outer;
      material.opacity = i === outer ? 0.3 : 1;
      material.depthWrite = i !== outer;
      material.needsUpdate = true;
    }
  }

  private separatedContact(result: Result): Contact | undefined {
    return result.closest_approach?.contact ?? result.contacts?.[0];
  }

  private addMark(contact: Contact): void {
    const n = contact.normal;
    const mark = new ContactMark(this.frame.point(contact.point_a), n ? new Vector3(...n) : null, this.marks.length ? 0.7 : 1);
    this.marks.push(mark);
    this.answer.add(mark.group);
  }

  private addClosest(contact: Contact): void {
    const a = this.frame.point(contact.point_a);
    const b = this.frame.point(contact.point_b);
    for (const point of [a, b]) {
      const mark = new ContactMark(point, null, 0.8);
      this.marks.push(mark);
      this.answer.add(mark.group);
    }
    for (const through of [false, true]) {
      const path = new Path([a, b], { width: 2.5, through, opacity: through ? 0.35 : 1 });
      this.paths.push(path);
      this.answer.add(path.line);
    }
  }

  /** The touching triangles of a body, solid where they are seen and faint where they are hidden. */
  private addTriangles(bodyIndex: number, triangles: (Vec3[] | undefined)[]): void {
    const body = this.bodies[bodyIndex];
    const corners = triangles.flatMap((triangle) => triangle ?? []);
    if (!body || !corners.length) return;
    const { center } = body.sphere;
    const values = corners.flatMap((p) => p.map((x, k) => (x - center[k]) * this.frame.scale));
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(values), 3));
    for (const hidden of [false, true]) {
      const material = mark(hidden ? 0.3 : 0.95);
      material.depthTest = !hidden;
      material.depthWrite = false;
      const mesh = new Mesh(geometry, material);
      mesh.renderOrder = hidden ? 3 : 4;
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
      this.pathGroup.add(path.line);
    };
    add(0, time, false);
    add(time, 1, true);
  }

  setTime(time: number): void {
    this.now = time;
    for (const body of this.bodies) {
      body.group.matrix = this.frame.matrix(placementAt(body.motion, time), body.sphere.center);
      body.group.matrixWorldNeedsUpdate = true;
      for (const { mesh, time: at } of body.ghosts) {
        mesh.visible = (this.toggles?.ghosts ?? true) && Math.abs(at - time) > 0.004;
      }
    }
  }

  setToggles(toggles: Toggles): void {
    this.toggles = { ...toggles };
    for (const body of this.bodies) body.wire.visible = toggles.wireframe;
    for (const mesh of this.touching) mesh.visible = toggles.contacts;
    this.answer.visible = toggles.contacts;
    this.pathGroup.visible = toggles.path;
    for (const view of this.hierarchies) {
      view.object.visible = toggles.boxes;
      if (toggles.boxes) view.show(toggles.level);
    }
    this.setTime(this.now);
  }

  setPalette(palette: Palette): void {
    this.palette = palette;
    for (const [i, body] of this.bodies.entries()) {
      const color = palette.bodies[i % palette.bodies.length];
      (body.mesh.material as MeshStandardMaterial).color.set(color);
      (body.wire.material as MeshStandardMaterial).color.set(palette.wire);
      for (const { mesh } of body.ghosts) (mesh.material as ShaderMaterial).uniforms.color.value.set(color);
    }
    const accent = hasContact(this.result) ? palette.contact : palette.closest;
    for (const mark of this.marks) mark.setColor(accent);
    for (const mesh of this.touching) (mesh.material as MeshStandardMaterial).color.set(palette.contact);
    for (const path of this.paths) path.setColor(path.line.parent === this.answer ? accent : palette.path);
    for (const view of this.hierarchies) view.setColor(palette.box);
  }

  beforeRender(pixel: (at: Vector3) => number): void {
    for (const mark of this.marks) mark.update(pixel);
  }

  moments(): Moment[] {
    const result = this.result;
    if (!result || this.duration === 0) return [];
    const name = result.inside ? "inside at the start" : result.status === "overlap_at_start" ? "touching at the start" : "first contact";
    if (hasContact(result)) return [{ time: result.time, name, kind: "contact" }];
    if (!result.closest_approach) return [];
    return [{ time: result.closest_approach.time, name: "closest approach", kind: "closest" }];
  }

  closeUp(): { center: Vector3; radius: number } | null {
    const result = this.result;
    if (!result) return null;
    const contact = result.contacts?.[0] ?? this.separatedContact(result);
    if (!contact) return null;
    const a = this.frame.point(contact.point_a);
    const b = this.frame.point(contact.point_b);
    const center = a.clone().add(b).multiplyScalar(0.5);
    // A few triangles around the point, or the gap.
    const side = (corners?: Vec3[]) => (corners
      ? Math.max(...corners.map((p, i) => Math.hypot(...p.map((x, k) => x - corners[(i + 1) % 3][k])))) * this.frame.scale
      : 0);
    const radius = Math.max(3 * side(contact.corners_a), 3 * side(contact.corners_b), 2 * a.distanceTo(b), 2e-3);
    return { center, radius: Math.min(radius, 0.6) };
  }

  extent(): { center: Vector3; radius: number }[] {
    return this.bodies.flatMap((body) => {
      const steps = isFixed(body.motion) ? 0 : 12;
      return Array.from({ length: steps + 1 }, (_, i) => ({
        center: this.frame.point(apply(placementAt(body.motion, steps ? i / steps : 0), body.sphere.center)),
        radius: body.sphere.radius * this.frame.scale,
      }));
    });
  }

  /**
   * Across the motion (in an upright window half along it, so that it is not a thin strip), a little from above,
   * and with the contact in sight where that can be had.
   */
  viewDirection(aspect: number): Vector3 {
    const along = new Vector3();
    for (const body of this.bodies) {
      const place = (t: number) => this.frame.point(apply(placementAt(body.motion, t), body.sphere.center));
      along.add(place(1).sub(place(0)));
    }
    const targets = this.targets();
    const meshes = this.triangles <= 300_000 ? this.bodies.map((body) => body.mesh) : [];
    this.setTime(this.moments()[0]?.time ?? this.now);
    this.object.updateMatrixWorld(true);
    let best = new Vector3(0.55, -0.75, 0.45);
    let bestScore = -Infinity;
    for (let i = 0; i < 24; ++i) {
      const angle = -Math.PI / 3 + (i * Math.PI) / 12;
      const direction = new Vector3(Math.cos(angle), Math.sin(angle), 0.5).normalize();
      const across = along.length() > 1e-3 ? direction.clone().cross(along.clone().normalize()).length() : 0;
      let score = aspect < 0.8 ? 1 - Math.abs(across - 0.6) : across;
      score -= 0.02 * i;
      // Moving to the right reads as forward in time.
      const right = new Vector3(0, 0, 1).cross(direction);
      if (right.dot(along) < 0) score -= 0.6;
      for (const target of meshes.length ? targets : []) {
        const ray = new Raycaster(target.clone().addScaledVector(direction, 3), direction.clone().negate());
        const hit = ray.intersectObjects(meshes, false)[0];
        if (hit && hit.distance < 3 - 0.03) score -= 0.8 / targets.length;
      }
      if (score > bestScore) {
        bestScore = score;
        best = direction;
      }
    }
    return best;
  }

  /** What should be in sight at first: the contact, or some of the places where surfaces cross. */
  private targets(): Vector3[] {
    const contacts = hasContact(this.result) && this.duration === 0 ? this.result?.contacts ?? [] : [];
    const close = this.closeUp()?.center;
    if (contacts.length < 2) return close ? [close] : [];
    const step = Math.ceil(contacts.length / 6);
    return contacts.filter((_, i) => i % step === 0).map((contact) => this.frame.point(contact.point_a));
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

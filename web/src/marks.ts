// Marks that keep their size on the screen: contact points with normals, and discs for many points.
import {
  BufferAttribute, BufferGeometry, ConeGeometry, CylinderGeometry, Group, Mesh, Points,
  ShaderMaterial, SphereGeometry, Vector3, Color, type Material,
} from "three";
import { mark } from "./materials";

const ball = new SphereGeometry(1, 24, 16);
const shaft = new CylinderGeometry(1, 1, 1, 12).translate(0, 0.5, 0);
const tip = new ConeGeometry(1, 1, 20).translate(0, 0.5, 0);

/** Draws `geometry` solid where visible and faint where hidden. */
function seenAndHidden(geometry: BufferGeometry, seen: Material, hidden: Material): Group {
  const group = new Group();
  const front = new Mesh(geometry, seen);
  const back = new Mesh(geometry, hidden);
  front.renderOrder = 11;
  back.renderOrder = 10;
  group.add(back, front);
  return group;
}

/** A ball at a point and an arrow along a direction. Sizes in pixels. */
export class ContactMark {
  readonly group = new Group();
  private readonly seen = mark();
  private readonly hidden = mark(0.35);
  private readonly arrow = new Group();

  constructor(point: Vector3, normal: Vector3 | null, size = 1) {
    this.hidden.depthTest = false;
    this.hidden.depthWrite = false;
    const dot = seenAndHidden(ball, this.seen, this.hidden);
    dot.scale.setScalar(5.5 * size);
    const stem = seenAndHidden(shaft, this.seen, this.hidden);
    stem.scale.set(1.5 * size, 46 * size, 1.5 * size);
    const head = seenAndHidden(tip, this.seen, this.hidden);
    head.scale.set(5 * size, 15 * size, 5 * size);
    head.position.y = 46 * size;
    this.arrow.add(stem, head);
    this.group.add(dot, this.arrow);
    this.place(point, normal);
  }

  place(point: Vector3, normal: Vector3 | null): void {
    this.group.position.copy(point);
    this.arrow.visible = normal !== null && normal.lengthSq() > 0.25;
    if (normal && this.arrow.visible) this.arrow.quaternion.setFromUnitVectors(new Vector3(0, 1, 0), normal.clone().normalize());
  }

  setColor(color: string): void {
    this.seen.color.set(color);
    this.hidden.color.set(color);
  }

  /** While things move and the processor draws: nothing of what is hidden. */
  setHasty(hasty: boolean): void {
    this.hidden.visible = !hasty;
  }

  update(pixel: (at: Vector3) => number): void {
    this.group.scale.setScalar(pixel(this.group.position));
  }
}

/** The tip of an arrow that ends at a point. Its size in pixels. */
export class ArrowTip {
  readonly group = new Group();
  private readonly material = mark();

  constructor(point: Vector3, direction: Vector3) {
    this.material.depthTest = false;
    const head = new Mesh(tip, this.material);
    head.scale.set(5, 15, 5);
    head.position.y = -15;
    head.renderOrder = 12;
    this.group.add(head);
    this.group.position.copy(point);
    this.group.quaternion.setFromUnitVectors(new Vector3(0, 1, 0), direction);
  }

  setColor(color: string): void {
    this.material.color.set(color);
  }

  update(pixel: (at: Vector3) => number): void {
    this.group.scale.setScalar(pixel(this.group.position));
  }
}

/**
 * How many contacts are about each one, from 0 (alone) to 1 (a hundred and more): counted in cells of `cell` width.
 */
export function densities(positions: Float32Array, cell: number): Float32Array {
  const count = positions.length / 3;
  const cells = new Map<string, number>();
  const keys = Array.from({ length: count }, (_, i) =>
    `${Math.floor(positions[3 * i] / cell)},${Math.floor(positions[3 * i + 1] / cell)},${Math.floor(positions[3 * i + 2] / cell)}`);
  for (const key of keys) cells.set(key, (cells.get(key) ?? 0) + 1);
  return Float32Array.from(keys, (key) => Math.min(Math.log10(cells.get(key)!) / 2, 1));
}

/** Many contacts as discs, light where few are and strong where many; those later than `now` are not there yet. */
export class ContactCloud {
  readonly object = new Group();
  private readonly materials: ShaderMaterial[];
  private readonly geometry = new BufferGeometry();

  constructor(positions: Float32Array, times: Float32Array, kinds: Float32Array) {
    this.geometry.setAttribute("position", new BufferAttribute(positions, 3));
    this.geometry.setAttribute("when", new BufferAttribute(times, 1));
    this.geometry.setAttribute("kind", new BufferAttribute(kinds, 1));
    this.geometry.setAttribute("density", new BufferAttribute(densities(positions, 0.03), 1));
    const many = positions.length / 3 > 4000;
    const size = many ? 5 : 9;
    // Faint where a surface is in front, whole where it is seen.
    this.materials = [this.material(size, false, many ? 0.06 : 0.16), this.material(size, true, 1)];
    for (const [i, material] of this.materials.entries()) {
      const points = new Points(this.geometry, material);
      points.renderOrder = 8 + i;
      points.frustumCulled = false;
      points.onBeforeRender = (renderer) => { material.uniforms.size.value = size * renderer.getPixelRatio(); };
      this.object.add(points);
    }
  }

  private material(size: number, depthTest: boolean, opacity: number): ShaderMaterial {
    return new ShaderMaterial({
      transparent: true, depthWrite: false, depthTest,
      uniforms: {
        now: { value: 1 }, size: { value: size }, opacity: { value: opacity }, colorA: { value: new Color() }, colorB: { value: new Color() },
      },
      // A contact lies on two surfaces: it is drawn a little nearer, by a length of the scene, not more.
      vertexShader: /* glsl */ `
        attribute float when; attribute float kind; attribute float density;
        uniform float now; uniform float size;
        varying float vKind; varying float vAlpha; varying float vDensity;
        void main() {
          vKind = kind;
          vDensity = density;
          bool reached = when <= now;
          vAlpha = reached ? 1.0 : 0.0;
          float fresh = reached ? exp(-12.0 * (now - when)) : 0.0;
          vec4 at = modelViewMatrix * vec4(position, 1.0);
          at.xyz *= 1.0 - min(0.006 / max(length(at.xyz), 1e-6), 0.5);
          gl_Position = projectionMatrix * at;
          gl_PointSize = size * (1.0 + 0.6 * fresh) * mix(0.8, 1.15, density);
        }`,
      fragmentShader: /* glsl */ `
        uniform vec3 colorA; uniform vec3 colorB; uniform float opacity;
        varying float vKind; varying float vAlpha; varying float vDensity;
        void main() {
          float r = length(gl_PointCoord - 0.5);
          float a = vAlpha * opacity * (1.0 - smoothstep(0.36, 0.5, r)) * mix(0.6, 1.0, vDensity);
          if (a < 0.01) discard;
          gl_FragColor = vec4(mix(mix(colorA, colorB, vKind), vec3(1.0), 0.4 * (1.0 - vDensity)), a);
          #include <colorspace_fragment>
        }`,
    });
  }

  set now(time: number) {
    for (const material of this.materials) material.uniforms.now.value = time;
  }

  setColors(vertexFace: string, edgeEdge: string): void {
    for (const material of this.materials) {
      material.uniforms.colorA.value.set(vertexFace);
      material.uniforms.colorB.value.set(edgeEdge);
    }
  }

  dispose(): void {
    this.geometry.dispose();
    for (const material of this.materials) material.dispose();
  }
}

// Marks that keep their size on the screen: contact points with normals, and discs for many points.
import {
  BufferAttribute, BufferGeometry, ConeGeometry, CylinderGeometry, Group, Mesh, Points, Quaternion,
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
    this.group.add(dot);
    if (normal && normal.lengthSq() > 0.25) {
      const stem = seenAndHidden(shaft, this.seen, this.hidden);
      stem.scale.set(1.5 * size, 46 * size, 1.5 * size);
      const head = seenAndHidden(tip, this.seen, this.hidden);
      head.scale.set(5 * size, 15 * size, 5 * size);
      head.position.y = 46 * size;
      this.arrow.add(stem, head);
      this.arrow.quaternion.copy(new Quaternion().setFromUnitVectors(new Vector3(0, 1, 0), normal.clone().normalize()));
      this.group.add(this.arrow);
    }
    this.group.position.copy(point);
  }

  setColor(color: string): void {
    this.seen.color.set(color);
    this.hidden.color.set(color);
  }

  update(pixel: (at: Vector3) => number): void {
    this.group.scale.setScalar(pixel(this.group.position));
  }
}

/** Many contacts as discs; those later than `now` are faint. */
export class ContactCloud {
  readonly points: Points;
  private readonly material: ShaderMaterial;

  constructor(positions: Float32Array, times: Float32Array, kinds: Float32Array) {
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(positions, 3));
    geometry.setAttribute("when", new BufferAttribute(times, 1));
    geometry.setAttribute("kind", new BufferAttribute(kinds, 1));
    const many = positions.length / 3 > 4000;
    this.material = new ShaderMaterial({
      transparent: true, depthWrite: false,
      uniforms: {
        now: { value: 1 }, size: { value: (many ? 4 : 8) * Math.min(window.devicePixelRatio, 2) },
        colorA: { value: new Color() }, colorB: { value: new Color() },
      },
      vertexShader: /* glsl */ `
        attribute float when; attribute float kind;
        uniform float now; uniform float size;
        varying float vKind; varying float vAlpha;
        void main() {
          vKind = kind;
          bool reached = when <= now;
          vAlpha = reached ? 1.0 : 0.0;
          float fresh = reached ? exp(-12.0 * (now - when)) : 0.0;
          gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
          gl_Position.z -= 0.004 * gl_Position.w;
          gl_PointSize = size * (1.0 + 0.6 * fresh);
        }`,
      fragmentShader: /* glsl */ `
        uniform vec3 colorA; uniform vec3 colorB;
        varying float vKind; varying float vAlpha;
        void main() {
          float r = length(gl_PointCoord - 0.5);
          float a = vAlpha * (1.0 - smoothstep(0.36, 0.5, r));
          if (a < 0.01) discard;
          gl_FragColor = vec4(mix(colorA, colorB, vKind), a);
          #include <colorspace_fragment>
        }`,
    });
    this.points = new Points(geometry, this.material);
    this.points.renderOrder = 9;
    this.points.frustumCulled = false;
  }

  set now(time: number) {
    this.material.uniforms.now.value = time;
  }

  setColors(vertexFace: string, edgeEdge: string): void {
    this.material.uniforms.colorA.value.set(vertexFace);
    this.material.uniforms.colorB.value.set(edgeEdge);
  }

  dispose(): void {
    this.points.geometry.dispose();
    this.material.dispose();
  }
}

// Triangles with colours, put together to one geometry: balls, cones, slabs, arrows.
import { BufferAttribute, BufferGeometry, Color, SRGBColorSpace, Vector3 } from "three";
import type { Rgb } from "./colours";

const around = 20;  // corners of a circle

/** Two directions across the way. */
function across(way: Vector3): [Vector3, Vector3] {
  const e1 = way.clone().cross(Math.abs(way.z) < 0.9 * way.length() ? new Vector3(0, 0, 1) : new Vector3(1, 0, 0)).normalize();
  return [e1, way.clone().normalize().cross(e1)];
}

export class Triangles {
  private readonly positions: number[] = [];
  private readonly normals: number[] = [];
  private readonly colors: number[] = [];
  private readonly color = new Color();

  private corner(p: Vector3, n: Vector3, [r, g, b]: Rgb): void {
    this.positions.push(p.x, p.y, p.z);
    this.normals.push(n.x, n.y, n.z);
    this.color.setRGB(r, g, b, SRGBColorSpace);
    this.colors.push(this.color.r, this.color.g, this.color.b);
  }

  flat(a: Vector3, b: Vector3, c: Vector3, color: Rgb): void {
    const n = b.clone().sub(a).cross(c.clone().sub(a)).normalize();
    for (const p of [a, b, c]) this.corner(p, n, color);
  }

  private quad(p: Vector3[], n: Vector3[], color: Rgb): void {
    for (const k of [0, 1, 2, 0, 2, 3]) this.corner(p[k], n[k], color);
  }

  ball(center: Vector3, radius: number, color: Rgb): void {
    const rings = around / 2;
    const normal = (i: number, k: number) => {
      const up = (Math.PI * i) / rings, turn = (2 * Math.PI * k) / around;
      return new Vector3(Math.sin(up) * Math.cos(turn), Math.sin(up) * Math.sin(turn), Math.cos(up));
    };
    for (let i = 0; i < rings; ++i) {
      for (let k = 0; k < around; ++k) {
        const n = [normal(i, k), normal(i + 1, k), normal(i + 1, k + 1), normal(i, k + 1)];
        this.quad(n.map((d) => center.clone().addScaledVector(d, radius)), n, color);
      }
    }
  }

  /** What touches both balls along circles; nothing where one holds the other. */
  cone(a: Vector3, radiusA: number, b: Vector3, radiusB: number, color: Rgb): void {
    const way = b.clone().sub(a);
    const length = way.length();
    const sine = (radiusA - radiusB) / length;
    if (!(length > 0) || Math.abs(sine) >= 1) return;
    const cosine = Math.sqrt(1 - sine * sine);
    const [e1, e2] = across(way);
    way.normalize();
    const normal = (k: number) => {
      const turn = (2 * Math.PI * k) / around;
      return way.clone().multiplyScalar(sine).addScaledVector(e1, cosine * Math.cos(turn)).addScaledVector(e2, cosine * Math.sin(turn));
    };
    for (let k = 0; k < around; ++k) {
      const n = [normal(k), normal(k + 1), normal(k + 1), normal(k)];
      this.quad([a.clone().addScaledVector(n[0], radiusA), a.clone().addScaledVector(n[1], radiusA),
        b.clone().addScaledVector(n[2], radiusB), b.clone().addScaledVector(n[3], radiusB)], n, color);
    }
  }

  /** The two planes that touch three balls: n with n . (p_i - p_0) = r_0 - r_i; none where one ball sticks out of the others' cone. */
  slab(p: Vector3[], radii: number[], color: Rgb): void {
    const u = p[1].clone().sub(p[0]), v = p[2].clone().sub(p[0]);
    const up = u.clone().cross(v);
    const uu = u.dot(u), uv = u.dot(v), vv = v.dot(v), det = uu * vv - uv * uv;
    if (!(det > 0)) return;
    const [ru, rv] = [radii[0] - radii[1], radii[0] - radii[2]];
    const flat = u.clone().multiplyScalar((ru * vv - rv * uv) / det).addScaledVector(v, (rv * uu - ru * uv) / det);
    const rest = 1 - flat.lengthSq();
    if (rest <= 0) return;
    up.normalize().multiplyScalar(Math.sqrt(rest));
    for (const side of [1, -1]) {
      const n = flat.clone().addScaledVector(up, side);
      for (const k of [0, 1, 2]) this.corner(p[k].clone().addScaledVector(n, radii[k]), n, color);
    }
  }

  /** Its shaft is thin beside its length, and beside the scene, which is as large as one. */
  arrow(from: Vector3, way: Vector3, color: Rgb, many: boolean): void {
    const length = way.length();
    if (!(length > 0)) {
      this.ball(from, many ? 0.003 : 0.008, color);
      return;
    }
    const thick = Math.min(many ? 0.0035 : 0.009, 0.08 * length);
    const tip = Math.min(0.45 * length, 5 * thick);
    const [e1, e2] = across(way);
    const along = way.clone().normalize();
    const neck = from.clone().addScaledVector(along, length - tip), end = from.clone().add(way);
    const sides = many ? 5 : 12;
    const normal = (k: number) => e1.clone().multiplyScalar(Math.cos((2 * Math.PI * k) / sides)).addScaledVector(e2, Math.sin((2 * Math.PI * k) / sides));
    for (let k = 0; k < sides; ++k) {
      const [n, m] = [normal(k), normal(k + 1)];
      this.quad([from.clone().addScaledVector(n, thick), from.clone().addScaledVector(m, thick),
        neck.clone().addScaledVector(m, thick), neck.clone().addScaledVector(n, thick)], [n, m, m, n], color);
      const [a, b] = [neck.clone().addScaledVector(n, 2.4 * thick), neck.clone().addScaledVector(m, 2.4 * thick)];
      this.flat(a, b, end, color);
      this.flat(b, a, neck, color);
    }
  }

  geometry(): BufferGeometry {
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(Float32Array.from(this.positions), 3));
    geometry.setAttribute("normal", new BufferAttribute(Float32Array.from(this.normals), 3));
    geometry.setAttribute("color", new BufferAttribute(Float32Array.from(this.colors), 3));
    return geometry;
  }
}

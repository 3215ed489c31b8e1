// Round solids as smooth surfaces: the normals are those of the solid, not of its triangles.
import { BufferAttribute, BufferGeometry } from "three";
import type { BoundingSphere } from "./geometry";
import type { Shape, Vec3 } from "./report";

const quarter = 16;  // corners of a quarter of a turn

/** Rows of vertices with unit normals; neighbours in both directions are joined. */
class Surface {
  readonly positions: number[] = [];
  readonly normals: number[] = [];
  readonly index: number[] = [];

  add(position: Vec3, normal: Vec3): number {
    const length = Math.hypot(...normal) || 1;
    this.positions.push(...position);
    this.normals.push(normal[0] / length, normal[1] / length, normal[2] / length);
    return this.positions.length / 3 - 1;
  }

  /** Two rows of as many vertices, the second to the left of the first's direction seen from outside. */
  join(lower: number[], upper: number[], closed: boolean): void {
    for (let j = 0; j + (closed ? 0 : 1) < lower.length; ++j) {
      const k = (j + 1) % lower.length;
      this.index.push(lower[j], lower[k], upper[j], lower[k], upper[k], upper[j]);
    }
  }
}

const cosine = (i: number) => Math.cos((Math.PI / 2) * (i / quarter));
const sine = (i: number) => Math.sin((Math.PI / 2) * (i / quarter));
const corners = [[1, 1], [-1, 1], [-1, -1], [1, -1]];

/**
 * Every point within `radius` of a box, in each direction: a ball is of a box without size, a capsule of one without breadth.
 * The eight corners are eighths of a ball; what lies between them is flat or a part of a cylinder by itself.
 */
function rounded(half: Vec3, radius: number, stretch: Vec3 = [1, 1, 1]): Surface {
  const surface = new Surface();
  const rows: number[][] = [];
  for (const side of [-1, 1]) {
    for (let i = 0; i <= quarter; ++i) {
      const z = side < 0 ? -cosine(i) : sine(i), ring = side < 0 ? sine(i) : cosine(i);
      rows.push(corners.flatMap(([x, y], turn) => Array.from({ length: quarter + 1 }, (_, j) => {
        const [c, s] = [cosine(j), sine(j)];
        const around = [[c, s], [-s, c], [-c, -s], [s, -c]][turn];
        const n: Vec3 = [ring * around[0], ring * around[1], z];
        return surface.add(
          [stretch[0] * (x * half[0] + radius * n[0]), stretch[1] * (y * half[1] + radius * n[1]), stretch[2] * (side * half[2] + radius * n[2])],
          [n[0] / stretch[0], n[1] / stretch[1], n[2] / stretch[2]]);
      })));
    }
  }
  for (let i = 0; i + 1 < rows.length; ++i) surface.join(rows[i], rows[i + 1], true);
  for (const [row, turned] of [[rows[0], true], [rows[rows.length - 1], false]] as const) {
    const [a, b, c, d] = [0, 1, 2, 3].map((turn) => row[turn * (quarter + 1)]);
    surface.index.push(...(turned ? [a, c, b, a, d, c] : [a, b, c, a, c, d]));
  }
  return surface;
}

/** A disc of `radius` below, a round side up to `top`, and a disc there unless it is a tip. */
function turned(radius: number, top: number, height: number): Surface {
  const surface = new Surface();
  const ring = (r: number, z: number, out: number, up: number) => Array.from({ length: 4 * quarter }, (_, j) => {
    const angle = (Math.PI / 2) * (j / quarter);
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    return surface.add([r * c, r * s, z], [out * c, out * s, up]);
  });
  const half = height / 2;
  const slope = radius - top;
  surface.join(ring(0, -half, 0, -1), ring(radius, -half, 0, -1), true);
  surface.join(ring(radius, -half, height, slope), ring(top, half, height, slope), true);
  if (top > 0) surface.join(ring(top, half, 0, 1), ring(0, half, 0, 1), true);
  return surface;
}

/** The part of a half space's boundary that is drawn: a disc about the place nearest to the scene, which fades out. */
function disc(normal: Vec3, offset: number, scene: BoundingSphere): { surface: Surface; fade: number[]; sphere: BoundingSphere } {
  const length = Math.hypot(...normal);
  const n = normal.map((x) => x / length) as Vec3;
  const height = n.reduce((sum, x, k) => sum + x * scene.center[k], 0) - offset / length;
  const center = scene.center.map((x, k) => x - height * n[k]) as Vec3;
  const e1 = (Math.abs(n[2]) < 0.9 ? [-n[1], n[0], 0] : [0, -n[2], n[1]]) as Vec3;
  const size = Math.hypot(...e1);
  const u = e1.map((x) => x / size) as Vec3;
  const v: Vec3 = [n[1] * u[2] - n[2] * u[1], n[2] * u[0] - n[0] * u[2], n[0] * u[1] - n[1] * u[0]];
  const surface = new Surface();
  const fade: number[] = [];
  const rows = [0, 0.35, 0.5, 0.65, 0.8, 0.9, 1].map((part) => Array.from({ length: 4 * quarter }, (_, j) => {
    const angle = (Math.PI / 2) * (j / quarter), r = part * scene.radius;
    const [a, b] = [r * Math.cos(angle), r * Math.sin(angle)];
    fade.push(0.5 * Math.min(1, Math.max(0, (1 - part) / 0.65)) ** 1.5);
    return surface.add([0, 1, 2].map((k) => center[k] + a * u[k] + b * v[k]) as Vec3, n);
  }));
  for (let i = 0; i + 1 < rows.length; ++i) surface.join(rows[i + 1], rows[i], true);
  return { surface, fade, sphere: { center, radius: scene.radius } };
}

export interface Solid {
  sphere: BoundingSphere;
  triangles: number;
  geometry(scale: number): BufferGeometry;
}

function solidOf(surface: Surface, sphere: BoundingSphere, fade?: number[]): Solid {
  return {
    sphere, triangles: surface.index.length / 3,
    geometry: (scale) => {
      const geometry = new BufferGeometry();
      const drawn = Float32Array.from(surface.positions, (x, i) => (x - sphere.center[i % 3]) * scale);
      geometry.setAttribute("position", new BufferAttribute(drawn, 3));
      geometry.setAttribute("normal", new BufferAttribute(new Float32Array(surface.normals), 3));
      if (fade) geometry.setAttribute("color", new BufferAttribute(Float32Array.from(fade.flatMap((a) => [1, 1, 1, a])), 4));
      geometry.setIndex(surface.index);
      geometry.computeBoundingSphere();
      return geometry;
    },
  };
}

/** What a shape of the report is by its kind and sizes; null where its triangles say it all. `scene` is in the body's frame. */
export function solid({ kind, sizes }: Shape, scene: BoundingSphere): Solid | null {
  const about = (radius: number): BoundingSphere => ({ center: [0, 0, 0], radius });
  const [a, b, c, d] = sizes ?? [];
  const wanted = { ball: 1, capsule: 2, box: 4, cylinder: 2, cone: 2, ellipsoid: 3, "half space": 4 }[kind ?? ""];
  if (wanted === undefined || sizes?.length !== wanted) return null;
  switch (kind) {
    case "ball": return solidOf(rounded([0, 0, 0], a), about(a));
    case "capsule": return solidOf(rounded([0, 0, b / 2], a), about(a + b / 2));
    case "box": return d > 0 ? solidOf(rounded([a / 2, b / 2, c / 2], d), about(Math.hypot(a, b, c) / 2 + d)) : null;
    case "cylinder": return solidOf(turned(a, a, b), about(Math.hypot(a, b / 2)));
    case "cone": return solidOf(turned(a, 0, b), about(Math.hypot(a, b / 2)));
    // Of half axes that are zero the normals are those of a disc.
    case "ellipsoid": return solidOf(rounded([0, 0, 0], 1, [a, b, c].map((x) => Math.max(x, 1e-9 * Math.max(a, b, c))) as Vec3), about(Math.max(a, b, c)));
    default: {
      const { surface, fade, sphere } = disc([a, b, c], d, scene);
      return solidOf(surface, sphere, fade);
    }
  }
}

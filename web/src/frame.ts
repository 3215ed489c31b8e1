// From the report's coordinates to those drawn. The graphics card works in single precision: everything is
// shifted and scaled in double first, so that a scene a million units away, or a micron wide, looks the same.
import { Matrix4, Vector3 } from "three";
import { apply, type Placement } from "./motion";
import type { Vec3 } from "./report";

export class Frame {
  constructor(readonly origin: Vec3, readonly scale: number) {}

  /** Around spheres given in the report's coordinates. */
  static around(spheres: { center: Vec3; radius: number }[]): Frame {
    const lower: Vec3 = [Infinity, Infinity, Infinity];
    const upper: Vec3 = [-Infinity, -Infinity, -Infinity];
    for (const { center, radius } of spheres) {
      for (let k = 0; k < 3; ++k) {
        lower[k] = Math.min(lower[k], center[k] - radius);
        upper[k] = Math.max(upper[k], center[k] + radius);
      }
    }
    if (!spheres.length) return new Frame([0, 0, 0], 1);
    const origin = [0, 1, 2].map((k) => (lower[k] + upper[k]) / 2) as Vec3;
    const radius = Math.hypot(...[0, 1, 2].map((k) => (upper[k] - lower[k]) / 2));
    return new Frame(origin, radius > 0 ? 1 / radius : 1);
  }

  point(p: Vec3): Vector3 {
    const { origin, scale } = this;
    return new Vector3((p[0] - origin[0]) * scale, (p[1] - origin[1]) * scale, (p[2] - origin[2]) * scale);
  }

  /** From what is drawn to the report's coordinates. */
  back(p: Vector3): Vec3 {
    const { origin, scale } = this;
    return [p.x / scale + origin[0], p.y / scale + origin[1], p.z / scale + origin[2]];
  }

  /** For geometry stored as (x - center) * scale of a body placed at `at`. */
  matrix(at: Placement, center: Vec3): Matrix4 {
    const p = this.point(apply(at, center));
    const r = at.r;
    return new Matrix4().set(r[0], r[1], r[2], p.x, r[3], r[4], r[5], p.y, r[6], r[7], r[8], p.z, 0, 0, 0, 1);
  }
}

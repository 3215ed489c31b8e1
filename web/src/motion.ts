// The pose at time t, by the formulas of docs/report.md, in double precision.
import type { Motion, Pose, Vec3 } from "./report";

/** x_world = r x + p; r is row-major. */
export interface Placement { r: number[]; p: Vec3 }

function placement(pose: Pose): Placement {
  return { r: pose.rotation.flat(), p: [...pose.translation] };
}

function rotate(r: number[], v: Vec3): Vec3 {
  return [
    r[0] * v[0] + r[1] * v[1] + r[2] * v[2],
    r[3] * v[0] + r[4] * v[1] + r[5] * v[2],
    r[6] * v[0] + r[7] * v[1] + r[8] * v[2],
  ];
}

export function apply(at: Placement, v: Vec3): Vec3 {
  const w = rotate(at.r, v);
  return [w[0] + at.p[0], w[1] + at.p[1], w[2] + at.p[2]];
}

/** The body point that is at `v` in the world. */
export function applyInverse(at: Placement, v: Vec3): Vec3 {
  const d: Vec3 = [v[0] - at.p[0], v[1] - at.p[1], v[2] - at.p[2]];
  const r = at.r;
  return rotate([r[0], r[3], r[6], r[1], r[4], r[7], r[2], r[5], r[8]], d);
}

function multiply(a: number[], b: number[]): number[] {
  const c: number[] = [];
  for (let i = 0; i < 3; ++i) {
    for (let j = 0; j < 3; ++j) c.push(a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j]);
  }
  return c;
}

/** Rodrigues: the rotation by `angle` about the unit vector `axis`. */
function rotation(axis: Vec3, angle: number): number[] {
  const [x, y, z] = axis;
  const s = Math.sin(angle);
  const h = Math.sin(angle / 2);
  const v = 2 * h * h;
  return [
    1 - v * (y * y + z * z), v * x * y - s * z, v * x * z + s * y,
    v * x * y + s * z, 1 - v * (x * x + z * z), v * y * z - s * x,
    v * x * z - s * y, v * y * z + s * x, 1 - v * (x * x + y * y),
  ];
}

/** Axis and angle of a rotation matrix, for sampled motions. */
function axisAngle(r: number[]): { axis: Vec3; angle: number } {
  const w: Vec3 = [r[7] - r[5], r[2] - r[6], r[3] - r[1]];
  const s = Math.hypot(...w);
  const angle = Math.atan2(s, r[0] + r[4] + r[8] - 1);
  if (s > 1e-9) return { axis: [w[0] / s, w[1] / s, w[2] / s], angle };
  if (angle < 1) return { axis: [0, 0, 1], angle: 0 };
  // Half a turn: the axis is the largest column of R + I.
  const columns: Vec3[] = [0, 1, 2].map((j) => [0, 1, 2].map((i) => r[3 * i + j] + (i === j ? 1 : 0)) as Vec3);
  const best = columns.reduce((a, b) => (Math.hypot(...b) > Math.hypot(...a) ? b : a));
  const n = Math.hypot(...best);
  return { axis: [best[0] / n, best[1] / n, best[2] / n], angle };
}

function between(a: Pose, b: Pose, t: number): Placement {
  const ra = a.rotation.flat();
  const rb = b.rotation.flat();
  const back = [ra[0], ra[3], ra[6], ra[1], ra[4], ra[7], ra[2], ra[5], ra[8]];
  const { axis, angle } = axisAngle(multiply(rb, back));
  const mix = (i: number) => a.translation[i] + t * (b.translation[i] - a.translation[i]);
  return { r: multiply(rotation(axis, t * angle), ra), p: [mix(0), mix(1), mix(2)] };
}

/** The last i with times[i] <= t, at most times.length - 2. */
function segmentAt(times: number[], t: number): number {
  let i = 0;
  while (i < times.length - 2 && times[i + 1] <= t) ++i;
  return i;
}

export function placementAt(motion: Motion, t: number): Placement {
  switch (motion.type) {
    case "fixed":
      return placement(motion.pose);
    case "linear": {
      const from = placement(motion.from);
      const start = apply(from, motion.reference);
      const r = multiply(rotation(motion.axis, t * motion.angle), from.r);
      const arm = rotate(r, motion.reference);
      const d = motion.displacement;
      return { r, p: [0, 1, 2].map((i) => start[i] + t * d[i] - arm[i]) as Vec3 };
    }
    case "screw": {
      const from = placement(motion.from);
      const turn = rotation(motion.axis, t * motion.angle);
      const c = motion.point;
      const arm = rotate(turn, [from.p[0] - c[0], from.p[1] - c[1], from.p[2] - c[2]]);
      const p = [0, 1, 2].map((i) => c[i] + arm[i] + t * motion.advance * motion.axis[i]) as Vec3;
      return { r: multiply(turn, from.r), p };
    }
    case "sampled": {
      if (motion.poses.length === 1) return placement(motion.poses[0]);
      const i = segmentAt(motion.times, t);
      const span = motion.times[i + 1] - motion.times[i];
      return between(motion.poses[i], motion.poses[i + 1], span > 0 ? (t - motion.times[i]) / span : 0);
    }
    case "piecewise": {
      const i = segmentAt(motion.times, t);
      const span = motion.times[i + 1] - motion.times[i];
      return placementAt(motion.segments[i], span > 0 ? (t - motion.times[i]) / span : 0);
    }
  }
}

export function isFixed(motion: Motion): boolean {
  switch (motion.type) {
    case "fixed": return true;
    case "linear": return motion.angle === 0 && Math.hypot(...motion.displacement) === 0;
    case "screw": return motion.angle === 0 && motion.advance === 0;
    default: return false;
  }
}

/** A word or two for a person. */
export function describe(motion: Motion): string {
  const degrees = (a: number) => `${Number(((a * 180) / Math.PI).toPrecision(4))}\u00b0`;
  if (isFixed(motion)) return "fixed";
  switch (motion.type) {
    case "linear": return motion.angle === 0 ? "straight" : `straight, turning ${degrees(motion.angle)}`;
    case "screw": return `screw, ${degrees(motion.angle)}`;
    case "sampled": return `${motion.poses.length} sampled poses`;
    case "piecewise": return `${motion.segments.length} pieces`;
    default: return "fixed";
  }
}

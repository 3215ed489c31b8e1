// From where to look: of some dozens of directions the one from which the event is seen, across the motion and a
// little from above where that can be had.
import { Matrix4, Vector3, type BufferAttribute, type Mesh } from "three";
import type { Sight } from "./content";

/** Right-handed: two axes on the ground, and the one up. */
export function groundAxes(up: Vector3): [Vector3, Vector3, Vector3] {
  if (up.y > 0.5) return [new Vector3(1, 0, 0), new Vector3(0, 0, -1), up.clone()];
  if (up.x > 0.5) return [new Vector3(0, 1, 0), new Vector3(0, 0, 1), up.clone()];
  return [new Vector3(1, 0, 0), new Vector3(0, 1, 0), up.clone()];
}

/** Angles in degrees; azimuth -90 looks from the front, elevation 90 from the top. */
export function directionOf(up: Vector3, azimuth: number, elevation: number): Vector3 {
  const [e1, e2, e3] = groundAxes(up);
  const [a, e] = [(azimuth * Math.PI) / 180, (elevation * Math.PI) / 180];
  return e1.multiplyScalar(Math.cos(a) * Math.cos(e)).addScaledVector(e2, Math.sin(a) * Math.cos(e)).addScaledVector(e3, Math.sin(e));
}

/** Whether a ray from `origin` meets a triangle of the mesh further away than `near`. */
function meets(mesh: Mesh, origin: Vector3, direction: Vector3, near: number): boolean {
  const back = new Matrix4().copy(mesh.matrixWorld).invert();
  const o = origin.clone().applyMatrix4(back);
  const d = direction.clone().transformDirection(back);
  const sphere = mesh.geometry.boundingSphere;
  if (sphere) {
    const to = sphere.center.clone().sub(o);
    const along = to.dot(d);
    if (to.lengthSq() - along * along > sphere.radius ** 2 || along < -sphere.radius) return false;
  }
  const position = mesh.geometry.getAttribute("position") as BufferAttribute | undefined;
  if (!position) return false;
  const p = position.array;
  const index = mesh.geometry.index?.array;
  const count = index ? index.length : position.count;
  for (let i = 0; i < count; i += 3) {
    const a = 3 * (index ? index[i] : i), b = 3 * (index ? index[i + 1] : i + 1), c = 3 * (index ? index[i + 2] : i + 2);
    const ux = p[b] - p[a], uy = p[b + 1] - p[a + 1], uz = p[b + 2] - p[a + 2];
    const vx = p[c] - p[a], vy = p[c + 1] - p[a + 1], vz = p[c + 2] - p[a + 2];
    const hx = d.y * vz - d.z * vy, hy = d.z * vx - d.x * vz, hz = d.x * vy - d.y * vx;
    const det = ux * hx + uy * hy + uz * hz;
    if (det === 0) continue;
    const sx = o.x - p[a], sy = o.y - p[a + 1], sz = o.z - p[a + 2];
    const s = (sx * hx + sy * hy + sz * hz) / det;
    if (s < 0 || s > 1) continue;
    const qx = sy * uz - sz * uy, qy = sz * ux - sx * uz, qz = sx * uy - sy * ux;
    const t = (d.x * qx + d.y * qy + d.z * qz) / det;
    if (t < 0 || s + t > 1) continue;
    if ((vx * qx + vy * qy + vz * qz) / det > near) return true;
  }
  return false;
}

/** The share of the targets that nothing hides from an eye far away in this direction. */
export function seenFrom(sight: Sight, direction: Vector3): number {
  if (!sight.targets.length) return 1;
  const seen = sight.targets.filter((target) => !sight.meshes.some((mesh) => meets(mesh, target, direction, sight.clearance)));
  return seen.length / sight.targets.length;
}

// Ray against triangle, some ten nanoseconds each: the choice may take a few tenths of a second.
const testLimit = 2e7;

function thinnedTargets(sight: Sight, directions: number): Sight {
  const triangles = sight.meshes.reduce((sum, mesh) => {
    const geometry = mesh.geometry;
    return sum + (geometry.index?.count ?? geometry.getAttribute("position")?.count ?? 0) / 3;
  }, 0);
  const most = Math.max(1, Math.floor(testLimit / (directions * Math.max(triangles, 1))));
  if (sight.targets.length <= most) return sight;
  const stride = Math.ceil(sight.targets.length / most);
  return { ...sight, targets: sight.targets.filter((_, i) => i % stride === 0) };
}

const elevations = [27, 52, 8, -24];

/** For the first picture, in a window of this width to height. */
export function openingDirection(whole: Sight, up: Vector3, aspect: number): Vector3 {
  const along = whole.along.clone();
  const moves = along.length() > 1e-3;
  if (moves) along.normalize();
  let best = directionOf(up, -60, 27);
  let bestScore = -Infinity;
  const sight = thinnedTargets(whole, 24 * elevations.length);
  for (const [row, elevation] of elevations.entries()) {
    for (let i = 0; i < 24; ++i) {
      const direction = directionOf(up, -60 + 15 * i, elevation);
      const across = moves ? direction.clone().cross(along).length() : 0;
      // In an upright window half along the motion, so that it is not a thin strip.
      // Quite across would show boxes flat.
      let score = aspect < 0.8 ? 1 - Math.abs(across - 0.6) : Math.min(across, 0.88);
      score -= 0.01 * Math.min(i, 24 - i) + 0.25 * row;
      // Moving to the right reads as forward in time.
      if (moves && up.clone().cross(direction).dot(along) < 0) score -= 0.15;
      if (score + 3 <= bestScore) continue;
      score += 2 * seenFrom(sight, direction);
      if (sight.others) score += seenFrom({ ...sight, ...sight.others, clearance: 0 }, direction);
      if (score > bestScore) {
        bestScore = score;
        best = direction;
      }
    }
  }
  return best;
}

/** For looking up close: the direction as it is if the event is seen from there, otherwise the nearest that will do. */
export function nearestDirection(whole: Sight, up: Vector3, now: Vector3): Vector3 {
  const sight = thinnedTargets(whole, 12 * elevations.length);
  const here = seenFrom(sight, now);
  if (here > 0.6) return now.clone();
  let best = now.clone();
  let bestScore = 2 * here + 0.3;
  for (const elevation of elevations) {
    for (let i = 0; i < 12; ++i) {
      const direction = directionOf(up, 30 * i, elevation);
      const score = 2 * seenFrom(sight, direction) + 0.3 * direction.dot(now);
      if (score > bestScore) {
        bestScore = score;
        best = direction;
      }
    }
  }
  return best;
}

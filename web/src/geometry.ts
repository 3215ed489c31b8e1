// Triangles for the graphics card.
import { BufferAttribute, BufferGeometry } from "three";
import type { Vec3 } from "./report";

export interface MeshData { positions: Float64Array; faces: Uint32Array }
export interface BoundingSphere { center: Vec3; radius: number }

export function boundingSphere(positions: Float64Array): BoundingSphere {
  const lower = [Infinity, Infinity, Infinity];
  const upper = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < positions.length; ++i) {
    lower[i % 3] = Math.min(lower[i % 3], positions[i]);
    upper[i % 3] = Math.max(upper[i % 3], positions[i]);
  }
  if (!positions.length) return { center: [0, 0, 0], radius: 0 };
  const center = [0, 1, 2].map((k) => (lower[k] + upper[k]) / 2) as Vec3;
  let squared = 0;
  for (let i = 0; i < positions.length; i += 3) {
    const d = [0, 1, 2].map((k) => positions[i + k] - center[k]);
    squared = Math.max(squared, d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
  }
  return { center, radius: Math.sqrt(squared) };
}

/** Unit normals of the faces; zero where a face has no area. */
function faceNormals(positions: Float64Array, faces: Uint32Array): Float64Array {
  const normals = new Float64Array(faces.length);
  for (let f = 0; f < faces.length; f += 3) {
    const a = 3 * faces[f], b = 3 * faces[f + 1], c = 3 * faces[f + 2];
    const ux = positions[b] - positions[a], uy = positions[b + 1] - positions[a + 1], uz = positions[b + 2] - positions[a + 2];
    const vx = positions[c] - positions[a], vy = positions[c + 1] - positions[a + 1], vz = positions[c + 2] - positions[a + 2];
    const nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx;
    const length = Math.hypot(nx, ny, nz) || 1;
    normals[f] = nx / length;
    normals[f + 1] = ny / length;
    normals[f + 2] = nz / length;
  }
  return normals;
}

/** The faces at each vertex: those of vertex v are list[start[v]] .. list[start[v + 1] - 1]. */
function facesOfVertices(vertexCount: number, faces: Uint32Array): { start: Uint32Array; list: Uint32Array } {
  const start = new Uint32Array(vertexCount + 1);
  for (const v of faces) ++start[v + 1];
  for (let v = 0; v < vertexCount; ++v) start[v + 1] += start[v];
  const list = new Uint32Array(faces.length);
  const next = start.slice();
  for (let i = 0; i < faces.length; ++i) list[next[faces[i]]++] = (i / 3) | 0;
  return { start, list };
}

/** A rigid shape, smooth but for creases of more than 35 degrees; stored as (x - center) * scale. */
export function creasedGeometry(mesh: MeshData, center: Vec3, scale: number): BufferGeometry {
  const { positions, faces } = mesh;
  const flat = faceNormals(positions, faces);
  const { start, list } = facesOfVertices(positions.length / 3, faces);
  const crease = Math.cos((35 * Math.PI) / 180);
  // Corners of one vertex with one normal are stored once: the graphics card has a sixth of the work.
  const out: number[] = [];
  const normals: number[] = [];
  const index = new Uint32Array(faces.length);
  const stored: number[][] = Array.from({ length: positions.length / 3 }, () => []);
  for (let i = 0; i < faces.length; ++i) {
    const v = faces[i];
    const own = i - (i % 3);
    let nx = 0, ny = 0, nz = 0;
    for (let j = start[v]; j < start[v + 1]; ++j) {
      const f = 3 * list[j];
      if (flat[f] * flat[own] + flat[f + 1] * flat[own + 1] + flat[f + 2] * flat[own + 2] < crease) continue;
      nx += flat[f];
      ny += flat[f + 1];
      nz += flat[f + 2];
    }
    const length = Math.hypot(nx, ny, nz) || 1;
    const n = [nx / length, ny / length, nz / length];
    let k = stored[v].find((at) => Math.abs(normals[3 * at] - n[0]) + Math.abs(normals[3 * at + 1] - n[1]) + Math.abs(normals[3 * at + 2] - n[2]) < 1e-3);
    if (k === undefined) {
      k = out.length / 3;
      stored[v].push(k);
      for (let c = 0; c < 3; ++c) out.push((positions[3 * v + c] - center[c]) * scale);
      normals.push(...n);
    }
    index[i] = k;
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(out), 3));
  geometry.setAttribute("normal", new BufferAttribute(new Float32Array(normals), 3));
  geometry.setIndex(new BufferAttribute(index, 1));
  geometry.computeBoundingSphere();
  return geometry;
}

/** The same with fewer triangles, for pictures that pass by: vertices of a cell that face one way become one. */
export function coarsened(fine: BufferGeometry, cells: number): BufferGeometry {
  const at = fine.getAttribute("position").array, n = fine.getAttribute("normal").array, index = fine.getIndex()!.array;
  const cell = (2 * fine.boundingSphere!.radius) / cells || 1;
  const groups = new Map<string, number>();
  const group = new Uint32Array(at.length / 3);
  const positions: number[] = [], normals: number[] = [], counts: number[] = [];
  for (let v = 0; v < group.length; ++v) {
    const [x, y, z] = [3 * v, 3 * v + 1, 3 * v + 2];
    const size = [Math.abs(n[x]), Math.abs(n[y]), Math.abs(n[z])];
    const axis = size[0] >= size[1] && size[0] >= size[2] ? 0 : size[1] >= size[2] ? 1 : 2;
    const key = `${Math.round(at[x] / cell)} ${Math.round(at[y] / cell)} ${Math.round(at[z] / cell)} ${n[x + axis] > 0 ? 3 + axis : axis}`;
    const g = groups.get(key) ?? counts.length;
    if (g === counts.length) {
      groups.set(key, g);
      counts.push(0);
      positions.push(0, 0, 0);
      normals.push(0, 0, 0);
    }
    group[v] = g;
    ++counts[g];
    for (let k = 0; k < 3; ++k) {
      positions[3 * g + k] += at[x + k];
      normals[3 * g + k] += n[x + k];
    }
  }
  for (let i = 0; i < positions.length; ++i) positions[i] /= counts[(i / 3) | 0];
  const faces: number[] = [];
  for (let f = 0; f < index.length; f += 3) {
    const [a, b, c] = [group[index[f]], group[index[f + 1]], group[index[f + 2]]];
    if (a !== b && b !== c && c !== a) faces.push(a, b, c);
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(positions), 3));
  geometry.setAttribute("normal", new BufferAttribute(new Float32Array(normals), 3));
  geometry.setIndex(faces);
  geometry.boundingSphere = fine.boundingSphere;
  return geometry;
}

/** Smooth normals of an indexed mesh, written in place; for meshes that deform every frame. */
export function smoothNormals(positions: Float32Array, faces: Uint32Array, normals: Float32Array): void {
  normals.fill(0);
  for (let f = 0; f < faces.length; f += 3) {
    const a = 3 * faces[f], b = 3 * faces[f + 1], c = 3 * faces[f + 2];
    const ux = positions[b] - positions[a], uy = positions[b + 1] - positions[a + 1], uz = positions[b + 2] - positions[a + 2];
    const vx = positions[c] - positions[a], vy = positions[c + 1] - positions[a + 1], vz = positions[c + 2] - positions[a + 2];
    const nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx;
    normals[a] += nx; normals[a + 1] += ny; normals[a + 2] += nz;
    normals[b] += nx; normals[b + 1] += ny; normals[b + 2] += nz;
    normals[c] += nx; normals[c + 1] += ny; normals[c + 2] += nz;
  }
  for (let i = 0; i < normals.length; i += 3) {
    const length = Math.hypot(normals[i], normals[i + 1], normals[i + 2]) || 1;
    normals[i] /= length;
    normals[i + 1] /= length;
    normals[i + 2] /= length;
  }
}

// From a shape of the report to what is drawn of it. A new kind of shape is a new case here, and nowhere else on the page.
import type { BufferGeometry } from "three";
import * as format from "./format";
import { boundingSphere, creasedGeometry, type BoundingSphere, type MeshData } from "./geometry";
import { indices, numbers, type Shape, type Vec3 } from "./report";

export interface DrawableShape {
  sphere: BoundingSphere;  // in the body's frame
  bounded: boolean;        // false: the sphere is only of the part that is drawn, as of a half space
  drawn: boolean;          // there is something to draw
  triangles: number;       // drawn ones
  describe: string;        // "12 triangles"
  geometry(scale: number): BufferGeometry;  // about the sphere's centre
  corners(triangle: number): Vec3[];
}

function meshShape(mesh: MeshData, triangles: number): DrawableShape {
  const sphere = boundingSphere(mesh.positions);
  const corner = (v: number): Vec3 => [mesh.positions[3 * v], mesh.positions[3 * v + 1], mesh.positions[3 * v + 2]];
  return {
    sphere, bounded: true, drawn: mesh.faces.length > 0, triangles: mesh.faces.length / 3,
    describe: `${format.count(triangles)} triangle${triangles === 1 ? "" : "s"}`,
    geometry: (scale) => creasedGeometry(mesh, sphere.center, scale),
    corners: (triangle) => [0, 1, 2].map((k) => corner(mesh.faces[3 * triangle + k])),
  };
}

export function drawableShape(shape: Shape): DrawableShape {
  const mesh = shape.mesh
    ? { positions: numbers(shape.mesh.positions), faces: indices(shape.mesh.faces) }
    : { positions: new Float64Array(), faces: new Uint32Array() };
  return meshShape(mesh, shape.triangles ?? mesh.faces.length / 3);
}

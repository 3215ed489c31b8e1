// From a shape of the report to what is drawn of it. A new kind of shape is a new case here, and nowhere else on the page.
import { BufferAttribute, BufferGeometry } from "three";
import * as format from "./format";
import { boundingSphere, creasedGeometry, type BoundingSphere, type MeshData } from "./geometry";
import { indices, numbers, type Shape, type Vec3 } from "./report";
import { solid } from "./solids";

export interface DrawableShape {
  sphere: BoundingSphere;  // in the body's frame
  bounded: boolean;        // false: the sphere is only of the part that is drawn, as of a half space
  drawn: boolean;          // there is something to draw
  triangles: number;       // drawn ones
  describe: string;        // "12 triangles", "ball, radius 0.5"
  isMesh: boolean;         // triangles are what it is made of
  geometry(scale: number): BufferGeometry;  // about the sphere's centre
  corners(triangle: number, time: number): Vec3[];
  deform?: (geometry: BufferGeometry, time: number, scale: number) => void;  // of a mesh that deforms: moves what is drawn
}

/** A mesh whose corners go straight from one place to another: as it is at t. */
function deformingShape(mesh: MeshData, end: Float64Array, describe: string): DrawableShape {
  const { positions: start, faces } = mesh;
  const sphere = boundingSphere(Float64Array.from([...start, ...end]));
  const at = (i: number, t: number) => start[i] + t * (end[i] - start[i]);
  const deform = (geometry: BufferGeometry, t: number, scale: number) => {
    const drawn = geometry.getAttribute("position") as BufferAttribute;
    for (let i = 0; i < start.length; ++i) drawn.array[i] = (at(i, t) - sphere.center[i % 3]) * scale;
    drawn.needsUpdate = true;
    geometry.computeVertexNormals();
    geometry.computeBoundingSphere();
  };
  return {
    sphere, bounded: true, drawn: faces.length > 0, triangles: faces.length / 3, describe, isMesh: true, deform,
    geometry: (scale) => {
      const geometry = new BufferGeometry();
      geometry.setIndex(new BufferAttribute(Uint32Array.from(faces), 1));
      geometry.setAttribute("position", new BufferAttribute(new Float32Array(start.length), 3));
      deform(geometry, 0, scale);
      return geometry;
    },
    corners: (triangle, t) => [0, 1, 2].map((k) => [0, 1, 2].map((c) => at(3 * faces[3 * triangle + k] + c, t)) as Vec3),
  };
}

function meshShape(mesh: MeshData, describe: string, isMesh: boolean): DrawableShape {
  const sphere = boundingSphere(mesh.positions);
  const corner = (v: number): Vec3 => [mesh.positions[3 * v], mesh.positions[3 * v + 1], mesh.positions[3 * v + 2]];
  return {
    sphere, bounded: true, drawn: mesh.faces.length > 0, triangles: mesh.faces.length / 3, describe, isMesh,
    geometry: (scale) => creasedGeometry(mesh, sphere.center, scale),
    corners: (triangle) => [0, 1, 2].map((k) => corner(mesh.faces[3 * triangle + k])),
  };
}

/** "capsule, radius 0.2, height 1" */
function describeKind({ kind, sizes }: Shape): string {
  const n = (sizes ?? []).map((x) => format.number(x));
  const words: Record<string, string[]> = {
    ball: [`radius ${n[0]}`], capsule: [`radius ${n[0]}`, `height ${n[1]}`], cylinder: [`radius ${n[0]}`, `height ${n[1]}`],
    cone: [`radius ${n[0]}`, `height ${n[1]}`], ellipsoid: [`half axes ${n.join(", ")}`], "half space": [`normal ${n.slice(0, 3).join(", ")}`, `offset ${n[3]}`],
    box: [`${n.slice(0, 3).join(" \u00d7 ")}`, ...(sizes?.[3] ? [`rounded by ${n[3]}`] : [])],
  };
  return [kind, ...(n.length ? words[kind ?? ""] ?? [] : [])].join(", ");
}

/** `scene`, in the body's frame, says where to draw of what has no end. */
export function drawableShape(shape: Shape, scene: BoundingSphere = { center: [0, 0, 0], radius: 1 }): DrawableShape {
  const smooth = solid(shape, scene);
  if (smooth) return { ...smooth, bounded: shape.kind !== "half space", drawn: true, describe: describeKind(shape), isMesh: false, corners: () => [] };
  const mesh = shape.mesh
    ? { positions: numbers(shape.mesh.positions), faces: indices(shape.mesh.faces) }
    : { positions: new Float64Array(), faces: new Uint32Array() };
  const triangles = shape.triangles ?? mesh.faces.length / 3;
  if (shape.mesh?.positions_t1) return deformingShape(mesh, numbers(shape.mesh.positions_t1), `${format.count(triangles)} triangle${triangles === 1 ? "" : "s"} that deform`);
  return meshShape(mesh, shape.kind ? describeKind(shape) : `${format.count(triangles)} triangle${triangles === 1 ? "" : "s"}`, !shape.kind);
}

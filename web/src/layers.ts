// What a report shows beside bodies and contacts: slices of a field, cells, surfaces, balls, arrows, lines.
import {
  BufferAttribute, BufferGeometry, DataTexture, DoubleSide, Group, LinearFilter, LineBasicMaterial, LineSegments, Mesh, MeshBasicMaterial,
  NearestFilter, Object3D, SRGBColorSpace, Vector3, type Material, type Plane,
} from "three";
import { cellColor, scaleColor, signedColor, type Rgb } from "./colours";
import type { Part, Show } from "./content";
import * as format from "./format";
import type { Frame } from "./frame";
import { surface } from "./materials";
import { indices, numbers, type Layer, type Vec3 } from "./report";
import { Triangles } from "./triangles";

const arrowLimit = 20_000;  // more cannot be told apart
const plain: Rgb = [0.72, 0.10, 0.30];

/** The least and the largest finite value; from 0 where they are nearly equal, whose differences are not worth all colours. */
function rangeOf(values: Float64Array): [number, number] {
  let low = Infinity, high = -Infinity;
  for (const value of values) {
    if (!Number.isFinite(value)) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  if (low > high) return [0, 0];
  return [low > high / 2 ? 0 : low, high];
}

/** The corners of the box around all that is drawn, in the report's coordinates. */
export function layerCorners(layer: Layer): Vec3[] {
  const points = numbers(layer.points);
  const vectors = layer.vectors ? numbers(layer.vectors) : null;
  const lower: Vec3 = [Infinity, Infinity, Infinity], upper: Vec3 = [-Infinity, -Infinity, -Infinity];
  const take = (i: number, x: number, margin: number) => {
    lower[i % 3] = Math.min(lower[i % 3], x - margin);
    upper[i % 3] = Math.max(upper[i % 3], x + margin);
  };
  points.forEach((x, i) => {
    take(i, x, layer.radii?.[Math.floor(i / 3)] ?? 0);
    if (vectors) take(i, x + vectors[i], 0);
  });
  if (layer.kind === "slice") for (let k = 0; k < 3; ++k) take(k, points[3 + k] + points[6 + k] - points[k], 0);
  return Array.from({ length: 8 }, (_, i) => [0, 1, 2].map((k) => (i & (1 << k) ? upper : lower)[k]) as Vec3);
}

export class LayerView {
  readonly object = new Group();
  readonly corners: Vec3[];
  state: Show = "shown";
  private readonly values: Float64Array;
  private readonly range: [number, number];
  private readonly materials: Material[] = [];
  private readonly points: Vector3[] = [];
  private left = 0;  // arrows that are not drawn

  constructor(private readonly layer: Layer, private readonly frame: Frame) {
    this.corners = layerCorners(layer);
    this.values = layer.values ? numbers(layer.values) : new Float64Array();
    this.range = rangeOf(this.values);
    const points = numbers(layer.points);
    for (let i = 0; i < points.length; i += 3) this.points.push(frame.point([points[i], points[i + 1], points[i + 2]]));
    const add = { slice: () => this.addSlice(), surface: () => this.addSurface(), balls: () => this.addBalls(), arrows: () => this.addArrows(), lines: () => this.addLines() };
    add[layer.kind]();
    this.setShow("shown");
  }

  private colorOf(value: number | undefined): Rgb {
    const [low, high] = this.range;
    if (value === undefined || !Number.isFinite(value)) return this.layer.colours === "plain" || value === undefined ? plain : [0.5, 0.5, 0.5];
    switch (this.layer.colours) {
      case "signed": return signedColor(value / (Math.max(Math.abs(low), Math.abs(high)) || 1));
      case "scale": return scaleColor(high > low ? (value - low) / (high - low) : 0);
      case "cells": return cellColor(value);
      default: return plain;
    }
  }

  private take(object: Object3D, material: Material): void {
    this.materials.push(material);
    this.object.add(object);
  }

  private addSlice(): void {
    const [columns, rows] = this.layer.size ?? [0, 0];
    if (!columns || !rows) return;
    const pixels = new Uint8Array(4 * columns * rows);
    const [low, high] = this.range;
    const step = this.layer.colours === "cells" ? 0 : (high - low) / 24;
    for (let i = 0; i < columns * rows; ++i) {
      const value = this.values[i];
      // Lines of equal distance, so that the slope is seen.
      const band = step > 0 && Math.floor(value / step) % 2 ? 0.93 : 1;
      const color = this.colorOf(value);
      for (let k = 0; k < 3; ++k) pixels[4 * i + k] = Math.round(255 * band * color[k]);
      pixels[4 * i + 3] = this.layer.colours === "cells" && value < 0 ? 0 : 255;
    }
    const texture = new DataTexture(pixels, columns, rows);
    texture.colorSpace = SRGBColorSpace;
    texture.magFilter = texture.minFilter = this.layer.colours === "cells" ? NearestFilter : LinearFilter;
    texture.needsUpdate = true;
    const [start, row, column] = this.points;
    const far = row.clone().add(column).sub(start);
    const geometry = new BufferGeometry().setFromPoints([start, row, far, column]);
    geometry.setAttribute("uv", new BufferAttribute(Float32Array.from([0, 0, 1, 0, 1, 1, 0, 1]), 2));
    geometry.setIndex([0, 1, 2, 0, 2, 3]);
    const material = new MeshBasicMaterial({ map: texture, side: DoubleSide, toneMapped: false, alphaTest: 0.01 });
    this.take(new Mesh(geometry, material), material);
    if (this.layer.colours === "signed") this.addZeroLine(columns, rows);
  }

  /** Where the surface is: the lines on which the values change their sign, between the middles of cells. */
  private addZeroLine(columns: number, rows: number): void {
    const [start, row, column] = this.points;
    const place = (x: number, y: number) => start.clone()
      .addScaledVector(row.clone().sub(start), (x + 0.5) / columns).addScaledVector(column.clone().sub(start), (y + 0.5) / rows);
    const at = (x: number, y: number) => this.values[y * columns + x];
    const line: Vector3[] = [];
    for (let y = 0; y + 1 < rows; ++y) {
      for (let x = 0; x + 1 < columns; ++x) {
        const corners = [[x, y], [x + 1, y], [x + 1, y + 1], [x, y + 1]];
        const crossings: Vector3[] = [];
        corners.forEach(([ax, ay], k) => {
          const [bx, by] = corners[(k + 1) % 4];
          const a = at(ax, ay), b = at(bx, by);
          if ((a < 0) === (b < 0)) return;
          const t = a / (a - b);
          crossings.push(place(ax + t * (bx - ax), ay + t * (by - ay)));
        });
        if (crossings.length >= 2) line.push(crossings[0], crossings[1]);
        if (crossings.length === 4) line.push(crossings[2], crossings[3]);
      }
    }
    if (!line.length) return;
    const material = new LineBasicMaterial({ color: 0x111111 });
    this.take(new LineSegments(new BufferGeometry().setFromPoints(line), material), material);
  }

  /** `through`: faint where something is in front. */
  private addTriangles(triangles: Triangles, opacity: number, through = false): void {
    const material = surface();
    material.depthTest = !through;
    material.vertexColors = true;
    material.opacity = opacity;
    material.userData.opacity = opacity;
    const mesh = new Mesh(triangles.geometry(), material);
    mesh.renderOrder = through ? 3 : opacity < 1 ? 1 : 0;
    this.take(mesh, material);
  }

  private addSurface(): void {
    const faces = indices(this.layer.faces ?? []);
    const triangles = new Triangles();
    for (let i = 0; i < faces.length; i += 3) {
      triangles.flat(this.points[faces[i]], this.points[faces[i + 1]], this.points[faces[i + 2]], this.colorOf(this.values[i / 3]));
    }
    this.addTriangles(triangles, 0.72);
  }

  /** Every ball once, a cone for every pair, two triangles for every slab; a ball has the colour of its worst primitive. */
  private addBalls(): void {
    const faces = indices(this.layer.faces ?? []);
    const radii = (this.layer.radii ?? []).map((radius) => radius * this.frame.scale);
    const worst = new Map<number, number>();
    const cones = new Map<string, [number, number, number]>();
    const triangles = new Triangles();
    for (let i = 0; i < faces.length; i += 3) {
      const [a, b, c] = [faces[i], faces[i + 1], faces[i + 2]];
      const value = this.values[i / 3] ?? 0;
      for (const ball of [a, b, c]) worst.set(ball, Math.max(worst.get(ball) ?? -Infinity, value));
      for (const [p, q] of [[a, b], [b, c], [c, a]]) {
        if (p === q) continue;
        const key = `${Math.min(p, q)} ${Math.max(p, q)}`;
        cones.set(key, [p, q, Math.max(cones.get(key)?.[2] ?? -Infinity, value)]);
      }
      if (a !== b && b !== c && c !== a) triangles.slab([a, b, c].map((k) => this.points[k]), [a, b, c].map((k) => radii[k]), this.colorOf(this.valued(value)));
    }
    if (!faces.length) this.points.forEach((_, i) => worst.set(i, 0));
    for (const [ball, value] of worst) triangles.ball(this.points[ball], radii[ball], this.colorOf(this.valued(value)));
    for (const [a, b, value] of cones.values()) triangles.cone(this.points[a], radii[a], this.points[b], radii[b], this.colorOf(this.valued(value)));
    this.addTriangles(triangles, this.layer.colours === "plain" ? 0.9 : 0.62);
  }

  private valued(value: number): number | undefined {
    return this.values.length ? value : undefined;
  }

  private addArrows(): void {
    const vectors = numbers(this.layer.vectors ?? []);
    const count = Math.min(this.points.length, arrowLimit);
    this.left = this.points.length - count;
    const step = this.points.length / Math.max(count, 1);
    const triangles = new Triangles();
    for (let n = 0; n < count; ++n) {
      const i = Math.floor(n * step);
      const way = new Vector3(vectors[3 * i], vectors[3 * i + 1], vectors[3 * i + 2]).multiplyScalar(this.frame.scale);
      triangles.arrow(this.points[i], way, this.colorOf(this.values.length ? this.values[i] : undefined), count > 200);
    }
    this.addTriangles(triangles, 1);
    this.addTriangles(triangles, 0.3, true);
  }

  private addLines(): void {
    const first = [...(this.layer.first ?? [0]), this.points.length];
    const places: Vector3[] = [], colors: number[] = [];
    for (let n = 0; n + 1 < first.length; ++n) {
      const color = this.layer.colours === "plain" ? [0.35, 0.27, 0.22] : this.colorOf(this.values[n]);
      for (let i = first[n]; i + 1 < first[n + 1]; ++i) {
        places.push(this.points[i], this.points[i + 1]);
        colors.push(...color, ...color);
      }
    }
    const geometry = new BufferGeometry().setFromPoints(places);
    geometry.setAttribute("color", new BufferAttribute(Float32Array.from(colors), 3));
    const material = new LineBasicMaterial({ vertexColors: true });
    this.take(new LineSegments(geometry, material), material);
  }

  setShow(show: Show): void {
    this.state = show;
    this.object.visible = show !== "hidden";
    for (const material of this.materials) {
      const own = (material.userData.opacity as number | undefined) ?? 1;
      material.opacity = show === "faded" ? 0.3 * own : own;
      material.transparent = material.opacity < 1;
      material.depthWrite = show !== "faded" && material.depthTest;
      material.needsUpdate = true;
    }
  }

  setClipping(planes: Plane[]): void {
    for (const material of this.materials) material.clippingPlanes = planes;
  }

  /** What it is, and what its colours mean. */
  part(): Part {
    const { kind, colours } = this.layer;
    const [low, high] = this.range;
    const what = { slice: "slice", surface: "triangles", balls: "balls, cones, slabs", arrows: "arrows", lines: "lines" }[kind];
    const number = { slice: 0, surface: 0, balls: indices(this.layer.faces ?? []).length / 3 || this.points.length, arrows: this.points.length, lines: this.layer.first?.length ?? 1 }[kind];
    const one = { slice: "", surface: "", balls: "ball, cone or slab", arrows: "arrow", lines: "line" }[kind];
    const count = number && `${format.count(number)} ${number === 1 ? one : what}`;
    const most = Math.max(Math.abs(low), Math.abs(high));
    const scale = colours === "signed" ? `${format.number(-most, 3)} to ${format.number(most, 3)}` : colours === "scale" ? `${format.number(low, 3)} to ${format.number(high, 3)}` : "";
    const stops = (from: number, color: (t: number) => Rgb) => Array.from({ length: 7 }, (_, i) =>
      `rgb(${color(from + ((1 - from) * i) / 6).map((x) => Math.round(255 * x)).join(" ")})`).join(", ");
    const gradient = colours === "signed" ? stops(-1, signedColor) : colours === "scale" ? stops(0, scaleColor) : "";
    return {
      name: this.layer.name || what, detail: [count, scale].filter(Boolean).join(" \u00b7 "), color: -1,
      gradient: gradient ? `linear-gradient(90deg, ${gradient})` : undefined,
      note: this.left ? `shown with ${format.count(arrowLimit)} of ${format.count(this.points.length)} arrows` : undefined,
    };
  }
}

// Lines of a width in pixels.
import { Color, type Vector3 } from "three";
import { Line2 } from "three/examples/jsm/lines/Line2.js";
import { LineGeometry } from "three/examples/jsm/lines/LineGeometry.js";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";

export interface PathStyle { width: number; dashed?: boolean; opacity?: number; through?: boolean }

export class Path {
  readonly line: Line2;
  private readonly material: LineMaterial;

  constructor(points: Vector3[], style: PathStyle) {
    const geometry = new LineGeometry();
    geometry.setPositions(points.flatMap((p) => [p.x, p.y, p.z]));
    this.material = new LineMaterial({
      linewidth: style.width, transparent: true, opacity: style.opacity ?? 1, dashed: style.dashed ?? false,
      dashSize: 0.018, gapSize: 0.018, depthTest: !style.through, depthWrite: false, toneMapped: false,
    });
    this.line = new Line2(geometry, this.material);
    if (style.dashed) this.line.computeLineDistances();
    this.line.renderOrder = style.through ? 7 : 8;
    this.line.frustumCulled = false;
  }

  dispose(): void {
    this.line.geometry.dispose();
    this.material.dispose();
  }

  setColor(color: string): void {
    this.material.color = new Color(color);
  }
}

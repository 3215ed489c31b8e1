// Lines of a width in pixels.
import { BufferGeometry, Group, Line, LineBasicMaterial, type Vector3 } from "three";
import { Line2 } from "three/examples/jsm/lines/Line2.js";
import { LineGeometry } from "three/examples/jsm/lines/LineGeometry.js";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";

export interface PathStyle { width: number; dashed?: boolean; opacity?: number; through?: boolean }

export class Path {
  readonly object = new Group();
  private readonly line: Line2;
  private readonly material: LineMaterial;
  private quick: Line | null = null;  // of one pixel, as the processor draws it fast

  constructor(private readonly points: Vector3[], private readonly style: PathStyle) {
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
    this.object.add(this.line);
  }

  /** While things move and the processor draws: a thin line, and nothing of what is hidden. */
  setHasty(hasty: boolean): void {
    this.line.visible = !hasty;
    if (hasty && !this.quick && !this.style.through) {
      const material = new LineBasicMaterial({ transparent: true, opacity: this.style.dashed ? 0.5 : 1, depthWrite: false, toneMapped: false });
      material.color = this.material.color;
      this.quick = new Line(new BufferGeometry().setFromPoints(this.points), material);
      this.quick.renderOrder = 8;
      this.object.add(this.quick);
    }
    if (this.quick) this.quick.visible = hasty;
  }

  dispose(): void {
    this.line.geometry.dispose();
    this.material.dispose();
    this.quick?.geometry.dispose();
    (this.quick?.material as LineBasicMaterial | undefined)?.dispose();
  }

  setColor(color: string): void {
    this.material.color.set(color);
  }
}

// One level of a bounding-volume tree as wire boxes, in the frame of its body.
import { BufferAttribute, BufferGeometry, LineSegments } from "three";
import { lines } from "./materials";
import type { Box, Hierarchy, Vec3 } from "./report";

const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((i) => [i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1]);
const edges = corners.flatMap((_, i) => [1, 2, 4].filter((bit) => !(i & bit)).map((bit) => [i, i | bit]));
const identity: [Vec3, Vec3, Vec3] = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];

function corner(box: Box, signs: number[]): number[] {
  const axes = box.axes ?? identity;
  return [0, 1, 2].map((k) => box.center[k] + [0, 1, 2].reduce((sum, j) => sum + signs[j] * box.half[j] * axes[j][k], 0));
}

export class HierarchyView {
  readonly object = new LineSegments(new BufferGeometry(), lines(0.75));
  private shown = -1;

  constructor(readonly hierarchy: Hierarchy, private readonly center: Vec3, private readonly scale: number) {
    this.object.frustumCulled = false;
    this.object.renderOrder = 6;
  }

  show(level: number): void {
    const index = Math.min(level, this.hierarchy.levels.length - 1);
    if (index === this.shown) return;
    this.shown = index;
    const values: number[] = [];
    for (const box of this.hierarchy.levels[index] ?? []) {
      for (const edge of edges) {
        for (const i of edge) values.push(...corner(box, corners[i]).map((x, k) => (x - this.center[k]) * this.scale));
      }
    }
    this.object.geometry.dispose();
    this.object.geometry = new BufferGeometry();
    this.object.geometry.setAttribute("position", new BufferAttribute(new Float32Array(values), 3));
  }

  setColor(color: string): void {
    (this.object.material as ReturnType<typeof lines>).color.set(color);
  }
}

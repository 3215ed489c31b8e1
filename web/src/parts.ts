// The parts of a deforming mesh: its objects where the report names them, otherwise what hangs together.

export interface PartRange { part: number; start: number; count: number }  // in indices

export interface Parts {
  faces: Uint32Array;      // sorted by part
  original: Uint32Array;   // triangle number, before sorting
  ranges: PartRange[];
  smaller: number;         // so many small pieces share the last part
}

const partLimit = 24;

/** Of each vertex the object it belongs to. */
function objectsOfVertices(vertexCount: number, starts: number[]): Uint32Array {
  const object = new Uint32Array(vertexCount);
  for (const [i, start] of starts.entries()) object.fill(i, start, starts[i + 1] ?? vertexCount);
  return object;
}

/** Of each vertex the piece it hangs together with, numbered by the first vertex. */
function piecesOfVertices(vertexCount: number, faces: Uint32Array): Uint32Array {
  const parent = Uint32Array.from({ length: vertexCount }, (_, i) => i);
  const root = (v: number) => {
    while (parent[v] !== v) v = parent[v] = parent[parent[v]];
    return v;
  };
  for (let i = 0; i < faces.length; i += 3) {
    const a = root(faces[i]);
    for (const k of [1, 2]) {
      const b = root(faces[i + k]);
      if (b !== a) parent[Math.max(a, b)] = Math.min(a, b);
    }
  }
  const piece = new Uint32Array(vertexCount);
  const number = new Map<number, number>();
  for (let v = 0; v < vertexCount; ++v) {
    const r = root(v);
    if (!number.has(r)) number.set(r, number.size);
    piece[v] = number.get(r)!;
  }
  return piece;
}

export function partsOf(faces: Uint32Array, vertexCount: number, objects: number[] | undefined): Parts {
  const named = (objects?.length ?? 0) > 1;
  const label = named ? objectsOfVertices(vertexCount, objects!) : piecesOfVertices(vertexCount, faces);
  const counts = new Map<number, number>();
  for (let i = 0; i < faces.length; i += 3) counts.set(label[faces[i]], (counts.get(label[faces[i]]) ?? 0) + 1);
  // Objects keep their numbers; of pieces the large ones come first, and the many small ones are one part.
  const labels = [...counts.keys()].sort((a, b) => (named ? 0 : counts.get(b)! - counts.get(a)!) || a - b);
  const partOf = new Map(labels.map((name, i) => [name, Math.min(i, partLimit - 1)]));
  const partCount = Math.min(labels.length, partLimit);
  const sizes = new Array<number>(partCount).fill(0);
  for (const name of labels) sizes[partOf.get(name)!] += 3 * counts.get(name)!;
  const ranges = sizes.map((count, part) => ({ part, count, start: sizes.slice(0, part).reduce((a, b) => a + b, 0) }));
  const next = ranges.map((range) => range.start);
  const sorted = new Uint32Array(faces.length);
  const original = new Uint32Array(faces.length / 3);
  for (let i = 0; i < faces.length; i += 3) {
    const part = partOf.get(label[faces[i]])!;
    const at = next[part];
    next[part] += 3;
    sorted.set(faces.subarray(i, i + 3), at);
    original[at / 3] = i / 3;
  }
  return { faces: sorted, original, ranges, smaller: labels.length > partLimit ? labels.length - partLimit + 1 : 0 };
}

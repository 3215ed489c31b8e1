// The parts of the page that need no browser.
import assert from "node:assert/strict";
import { test } from "node:test";
import { source } from "./sources.mjs";

test("playing slows down near an event and passes it", async () => {
  const { rateAt, advance } = await source("playback");
  const settings = { speed: 1, loop: true, slow: true };
  assert.equal(rateAt(0.1, 1, [0.5], settings), 0.2);
  assert.ok(rateAt(0.5, 1, [0.5], settings) < 0.2 * 0.2);
  assert.equal(rateAt(0.5, 1, [0.5], { ...settings, slow: false }), 0.2);
  assert.equal(rateAt(0.1, 1, [0.5], { ...settings, speed: 4 }), 0.8);
  // From 0.4 to 0.6: one second at the usual speed, several when slow, in pictures of a tenth of a second too.
  for (const tick of [0.01, 0.1]) {
    let seconds = 0;
    for (let t = 0.4; t < 0.6; seconds += tick) t = advance(t, tick, 1, [0.5], settings);
    assert.ok(seconds > 1.8 && seconds < 4, `${seconds} s`);
  }
  assert.equal(advance(0.9, 100, 1, [], settings), 1);
});

test("a link reads back as it was written, and nonsense is left out", async () => {
  const { toHash, fromHash } = await source("link");
  const look = {
    time: 0.336882138, result: 17, camera: { target: [1e6 + 0.25, -2, 3], offset: [0.5, -0.25, 1e-3] }, up: "y",
    shows: [{ part: 2, show: "faded" }, { part: 0, show: "hidden" }], section: { axis: "z", at: -0.125, flipped: true }, dark: true,
  };
  assert.deepEqual(fromHash(toHash(look)), look);
  assert.deepEqual(fromHash("#t=x&camera=1,2,3&up=w&section=q,1&hidden=a"), { time: undefined, result: undefined });
  assert.deepEqual(fromHash("#quality=high"), { time: undefined, result: undefined });
});

test("parts: what hangs together, or the objects as named", async () => {
  const { partsOf } = await source("parts");
  // A strip of two triangles, a lone triangle, a strip of three.
  const faces = Uint32Array.from([0, 1, 2, 10, 11, 12, 20, 21, 22, 1, 2, 3, 21, 22, 23, 22, 23, 24]);
  const pieces = partsOf(faces, 25, undefined);
  assert.deepEqual(pieces.ranges.map((range) => range.count / 3), [3, 2, 1]);
  assert.deepEqual([...pieces.original], [2, 4, 5, 0, 3, 1]);
  for (let i = 0; i < 6; ++i) assert.deepEqual([...pieces.faces.subarray(3 * i, 3 * i + 3)], [...faces.subarray(3 * pieces.original[i], 3 * pieces.original[i] + 3)]);
  const objects = partsOf(faces, 25, [0, 10]);
  assert.deepEqual(objects.ranges.map((range) => range.count / 3), [2, 4]);
  // Very many pieces: the small ones share one part.
  const many = partsOf(Uint32Array.from({ length: 300 }, (_, i) => i), 300, undefined);
  assert.equal(many.ranges.length, 24);
  assert.equal(many.smaller, 77);
  assert.equal(many.ranges.reduce((sum, range) => sum + range.count, 0), 300);
});

test("the direction of the first picture sees the target", async () => {
  const { openingDirection, seenFrom, nearestDirection, directionOf } = await source("view_direction");
  const { Vector3, BoxGeometry, Mesh } = await import("three");
  const up = new Vector3(0, 0, 1);
  // Walls on all sides but one; a roof, too.
  const wall = (size, at) => {
    const mesh = new Mesh(new BoxGeometry(...size));
    mesh.position.set(...at);
    mesh.updateMatrixWorld(true);
    mesh.geometry.computeBoundingSphere();
    return mesh;
  };
  const walls = {
    front: wall([2, 0.1, 2], [0, -1, 0]), back: wall([2, 0.1, 2], [0, 1, 0]), left: wall([0.1, 2, 2], [-1, 0, 0]), right: wall([0.1, 2, 2], [1, 0, 0]),
    roof: wall([2, 2, 0.1], [0, 0, 1]), floor: wall([2, 2, 0.1], [0, 0, -1]),
  };
  for (const open of Object.keys(walls)) {
    if (open === "roof") continue;  // from straight above nobody looks at first
    const meshes = Object.entries(walls).filter(([name]) => name !== open).map(([, mesh]) => mesh);
    const sight = { targets: [new Vector3()], clearance: 0.01, meshes, along: new Vector3() };
    const direction = openingDirection(sight, up, 1.5);
    if (open !== "floor") assert.equal(seenFrom(sight, direction), 1, open);
    assert.equal(seenFrom(sight, directionOf(up, 45, 10)), 0, open);
    if (open === "right") assert.equal(seenFrom(sight, nearestDirection(sight, up, directionOf(up, 180, 0))), 1);
  }
  const free = { targets: [new Vector3()], clearance: 0.01, meshes: [], along: new Vector3(1, 0, 0) };
  assert.ok(Math.abs(openingDirection(free, up, 1.5).x) < 0.6, "across the motion");
});

test("round solids: every vertex is on the surface, every normal is its own, triangles look out", async () => {
  const { solid } = await source("solids");
  const near = (x, low, high) => Math.min(Math.max(x, low), high);
  // The nearest point of the core, from which a normal points away; of an ellipsoid the gradient.
  const cores = {
    ball: { sizes: [0.5], core: () => [0, 0, 0], radius: 0.5 },
    capsule: { sizes: [0.2, 1], core: (p) => [0, 0, near(p[2], -0.5, 0.5)], radius: 0.2 },
    box: { sizes: [1, 2, 3, 0.25], core: (p) => [near(p[0], -0.5, 0.5), near(p[1], -1, 1), near(p[2], -1.5, 1.5)], radius: 0.25 },
  };
  const volumes = {
    ball: (4 / 3) * Math.PI * 0.125, capsule: Math.PI * 0.04 * 1 + (4 / 3) * Math.PI * 0.008, cylinder: Math.PI * 0.25 * 2, cone: (Math.PI * 0.25 * 2) / 3,
    ellipsoid: (4 / 3) * Math.PI * 1 * 2 * 0.5, box: 6 + 2 * 11 * 0.25 + Math.PI * 0.0625 * 6 + (4 / 3) * Math.PI * 0.25 ** 3,
  };
  const all = { ...cores, cylinder: { sizes: [0.5, 2] }, cone: { sizes: [0.5, 2] }, ellipsoid: { sizes: [1, 2, 0.5] } };
  for (const [kind, { sizes, core, radius }] of Object.entries(all)) {
    const { geometry, sphere } = solid({ name: kind, kind, sizes }, { center: [0, 0, 0], radius: 1 });
    const made = geometry(1);
    const [at, n, index] = [made.getAttribute("position").array, made.getAttribute("normal").array, made.getIndex().array];
    const triple = (array, i) => [array[3 * i], array[3 * i + 1], array[3 * i + 2]];
    for (let v = 0; v < at.length / 3; ++v) {
      const p = triple(at, v), normal = triple(n, v);
      assert.ok(Math.hypot(...p) <= sphere.radius * (1 + 1e-6), kind);
      if (core) core(p).forEach((c, k) => assert.ok(Math.abs(c + radius * normal[k] - p[k]) < 1e-6, `${kind}: ${p}`));
      if (kind === "ellipsoid") assert.ok(Math.abs((p[0] / 1) ** 2 + (p[1] / 2) ** 2 + (p[2] / 0.5) ** 2 - 1) < 1e-6);
    }
    let volume = 0;
    for (let f = 0; f < index.length; f += 3) {
      const [a, b, c] = [0, 1, 2].map((k) => triple(at, index[f + k]));
      volume += (a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) + a[2] * (b[0] * c[1] - b[1] * c[0])) / 6;
    }
    assert.ok(Math.abs(volume / volumes[kind] - 1) < 0.01, `${kind}: volume ${volume} of ${volumes[kind]}`);
  }
  // A plane goes through its own points, wherever the scene is.
  const plane = solid({ name: "h", kind: "half space", sizes: [0, 3, 4, 10] }, { center: [1e3, 7, -20], radius: 5 });
  const { center } = plane.sphere;
  assert.ok(Math.abs(3 * center[1] + 4 * center[2] - 10) < 1e-9 && center[0] === 1e3);
  assert.equal(solid({ name: "m" }, plane.sphere), null);
  assert.equal(solid({ name: "m", kind: "capsule", sizes: [1] }, plane.sphere), null);
});

test("lengths for the scale bar are round", async () => {
  const { roundLength } = await source("gauge");
  for (const [most, length] of [[1, 1], [1.9, 1], [2, 2], [4.99, 2], [7, 5], [99, 50], [0.034, 0.02]]) {
    assert.ok(Math.abs(roundLength(most) - length) < 1e-12 * length, `${most}: ${roundLength(most)}`);
  }
});

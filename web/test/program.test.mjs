// Reports and pages as the program writes them: they obey the schema, and the page shows their numbers.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Validator } from "@cfworker/json-schema";
import { box } from "./fixtures/reports.mjs";
import { processorTime, root, settled, temporaryFolder } from "./browser.mjs";
import { skip as without, visitor } from "./visit.mjs";

const program = process.env.TOCCATA_PROGRAM;
const skip = !program ? "skipped: TOCCATA_PROGRAM does not name the program" : without;
const folder = temporaryFolder();
const schema = new Validator(JSON.parse(readFileSync(join(root, "docs", "report.schema.json"), "utf8")), "2020-12");
const { visitFile } = visitor(skip);

/** Nine decimals, never above. */
function down(t) {
  const nearest = t.toFixed(9);
  return Number(nearest) > t ? (t - 0.5e-9).toFixed(9) : nearest;
}

/** Runs a query with a report and a page; checks the report against the schema; shows the page to `look`. */
async function run(name, args, look, size) {
  const report = join(folder, `${name}.json`);
  const page = join(folder, `${name}.html`);
  const printed = execFileSync(program, [...args, "--report", report, "--page", page], { encoding: "utf8" });
  assert.ok(printed.includes(`page: ${page}`), printed);
  const content = JSON.parse(readFileSync(report, "utf8"));
  const { valid, errors } = schema.validate(content);
  assert.ok(valid, JSON.stringify(errors.slice(-2)));
  await visitFile(page, async (shown) => {
    await settled(shown);
    // Of several answers the page says the one it shows.
    const said = content.results?.length > 1 ? content.results[0].sentence : content.answer;
    assert.equal(await shown.locator("#answer").innerText(), said);
    await look(shown, content);
  }, size);
}

test("demo sheet_and_ball", { skip }, async () => {
  await run("sheet", ["demo", "sheet_and_ball"], async (page, report) => {
    const step = report.sequence.steps[0];
    assert.ok(step.vertex_face > 0 && step.edge_edge > 0);
    assert.equal(await page.locator("#step-vertex-face").innerText(), step.vertex_face.toLocaleString("en-US"));
    assert.equal(await page.locator("#step-first").innerText(), `t = ${down(step.first_time)}`);
  });
});

test("demo torus_knots", { skip }, async (t) => {
  await run("knots", ["demo", "torus_knots"], async (page, report) => {
    const [result] = report.results;
    assert.equal(result.status, "contact");
    assert.equal(await page.locator("#contact-time").innerText(), `t = ${down(result.time)}`);
    // The contact is where the page puts the bodies: at the reported time, on the path of the moving knot.
    const state = await page.evaluate(() => window.toccata.state());
    assert.equal(state.time, result.time);
    // Both are proven bounds of one moment, found by different searches.
    assert.ok(result.intervals.length >= 1 && result.intervals[0].begin[0] <= result.upper && result.intervals[0].begin[1] >= result.lower);
    assert.equal(await page.locator(".plot .curve").count(), 1);
    assert.ok(report.hierarchies[0].levels.length > 5);
    // Without a graphics card two cores draw 15 pictures a second while it moves: no more than 133 ms of their time each. In
    // the least of a few seconds, since other programs make each step dearer.
    await page.evaluate(() => document.activeElement.blur());
    await page.keyboard.press("Space");
    await page.waitForFunction(() => window.toccata.state().moving);
    await page.waitForTimeout(1000);
    let least = Infinity;
    for (let i = 0; i < 8 && least > 133; ++i) {
      const frames = () => page.evaluate(() => window.toccata.state().frames);
      const [start, used] = [await frames(), processorTime()];
      await page.waitForTimeout(1000);
      least = Math.min(least, (processorTime() - used) / ((await frames()) - start));
    }
    t.diagnostic(`${least.toFixed(0)} ms of processor time a picture`);
    assert.ok(least <= 133, `${least} ms`);
    await page.keyboard.press("Space");
  }, { width: 1280, height: 800 });
});

test("world: events of a scene on the time line", { skip }, async () => {
  const scene = join(folder, "scene.json");
  writeFileSync(scene, JSON.stringify({ shapes: { crate: "box:0.1,0.1,0.1" }, bodies: [
    { name: "rod", shape: "box:2,0.02,0.02", turn: "0 0 1 38.2" },
    { name: "post", shape: "box:0.04,0.04,2", from: [0.7, 0.3, 0], static: true },
    { name: "left", shape: "crate", from: [3, 0, 0], velocity: [3.333, 0, 0] },
    { name: "right", shape: "crate", from: [6, 0.05, 0], velocity: [-3.333, 0, 0] }] }));
  await run("world", ["world", scene, "--events"], async (page, report) => {
    const state = () => page.evaluate(() => window.toccata.state());
    assert.equal(report.results.length, 2);
    assert.equal((await state()).time, report.results[0].time);
    assert.equal(await page.locator(".band.moment").count(), 2);
    await page.locator(".band.moment.other").click();
    assert.deepEqual([(await state()).result, (await state()).time], [1, report.results[1].time]);
    assert.equal(await page.locator("#contact-time").innerText(), `t = ${down(report.results[1].time)}`);
    assert.match(await page.locator("#which").innerText(), /2 of 2$/);
  });
});

test("penetration: depth and kinds", { skip }, async () => {
  await run("depth", ["penetration", "box:1,1,1", "cone:0.5,1", "--pose-b", "0.8 0 0.5"], async (page, report) => {
    assert.deepEqual(report.shapes.map((shape) => shape.kind), ["box", "cone"]);
    const [lower, upper] = report.results[0].depth;
    assert.ok(lower <= upper && Math.abs(upper - Number(await page.locator("#depth").innerText())) < 1e-4 * upper);
    assert.match(await page.locator("#caption").innerText(), /^depth 0\.\d+/);
  });
});

test("layers: what the program says of a box is on the page", { skip }, async () => {
  const file = boxFile();
  const layers = (page) => page.locator(".bodies strong").allInnerTexts();
  await run("field", ["field", "build", file, "-o", join(folder, "box.field"), "--error", "0.05"], async (page, report) => {
    assert.deepEqual((await layers(page)).slice(1), ["x", "y", "z"].map((axis) => `distance, across ${axis}`));
    assert.equal(await page.locator("#answer").innerText(), report.answer);
  });
  await run("medial", ["medial", file, "--error", "0.1"], async (page) => {
    assert.deepEqual(await layers(page), ["box0.5.obj", "certified error"]);
    assert.match(await page.locator(".bodies").innerText(), /\d+ balls, cones, slabs/);
  });
});

/** A box as an OBJ file. */
function boxFile(half = 0.5) {
  const { vertices, triangles } = box(half);
  const file = join(folder, `box${half}.obj`);
  writeFileSync(file, [...vertices.map((v) => `v ${v.join(" ")}`), ...triangles.map((f) => `f ${f.map((i) => i + 1).join(" ")}`), ""].join("\n"));
  return file;
}

test("impact: contact, and a pass with clearance 1", { skip }, async () => {
  const file = boxFile();
  await run("impact", ["impact", file, file, "--from", "-5 0.1 0.1", "--to", "3 0.1 0.1"], async (page, report) => {
    assert.ok(Math.abs(report.results[0].time - 0.5) < 1e-6);
    assert.equal(report.shapes.length, 1);  // one file, named twice
    const { feature_a, feature_b } = report.results[0].contacts[0];
    const panel = await page.locator(".panel").innerText();
    assert.ok(panel.includes(feature_a) && panel.includes(feature_b), panel);
    assert.equal(await page.locator("#status").innerText(), "contact");
    const { distances } = report.results[0].clearance;
    assert.ok(distances[0] >= 4 - 1e-9 && distances[0] <= 4 * 1.001, String(distances[0]));  // a thousandth is allowed
  });
  await run("pass", ["impact", file, file, "--from", "-5 2 0.1", "--to", "3 2 0.1"], async (page, report) => {
    assert.ok(Math.abs(report.results[0].closest_approach.distance - 1) < 1e-5);
    assert.equal(await page.locator("#status").innerText(), "no contact");
  });
  await run("solid", ["impact", file, boxFile(2), "--to", "0.1 0 0", "--solid"], async (page, report) => {
    assert.equal(report.results[0].inside, "first_in_second");
    assert.equal(await page.locator("#status").innerText(), "inside at the start");
  });
});

// The page in a real browser: it loads from disk without a network and without complaints, shows the right
// numbers, moves the bodies with the slider, and has the bodies in the picture.
import assert from "node:assert/strict";
import { test } from "node:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root, settled } from "./browser.mjs";
import * as reports from "./fixtures/reports.mjs";
import { hue } from "./picture.mjs";
import { blue, orange, red, skip, state, text, visitor } from "./visit.mjs";

const { visit, visitFile } = visitor();

test("first contact: answer, numbers, picture, slider, keys", { skip }, async () => {
  await visit(reports.boxes(), async (page) => {
    assert.match(await text(page, "#answer"), /first touches the block at t = 0\.500000/);
    assert.equal(await text(page, "#status"), "contact");
    assert.equal(await text(page, "#contact-time"), "t = 0.500000000");
    assert.match(await text(page, "#bracket"), /0\.50000000.*0\.50000000/s);
    // It opens at the first contact: the box's centre is one width from the block's.
    let now = await state(page);
    assert.equal(now.time, 0.5);
    assert.deepEqual(now.centers, [[-1, 0, 0], [0, 0, 0]]);
    const atContact = { orange: await orange(page), blue: await blue(page) };
    assert.ok(atContact.orange.count > 800, `orange pixels: ${atContact.orange.count}`);
    assert.ok(atContact.blue.count > 800, `blue pixels: ${atContact.blue.count}`);
    // The slider moves the body, on the screen too; the block stays.
    await page.locator("#slider").fill("0");
    await settled(page);
    now = await state(page);
    assert.deepEqual(now.centers, [[-5, 0, 0], [0, 0, 0]]);
    const atStart = { orange: await orange(page), blue: await blue(page) };
    assert.ok(Math.hypot(atStart.orange.x - atContact.orange.x, atStart.orange.y - atContact.orange.y) > 60);
    assert.ok(Math.abs(atStart.blue.x - atContact.blue.x) < 40);
    // Keys.
    await page.evaluate(() => document.activeElement.blur());
    await page.keyboard.press("End");
    assert.equal((await state(page)).time, 1);
    await page.keyboard.press("c");
    assert.equal((await state(page)).time, 0.5);
    await page.keyboard.press("ArrowRight");
    assert.ok(Math.abs((await state(page)).time - 0.52) < 1e-12);
    await page.keyboard.press("d");
    assert.equal((await state(page)).dark, true);
    await page.keyboard.press("h");
    await page.keyboard.press("+");
    assert.equal((await state(page)).toggles.level, 1);
    assert.match(await text(page, ".level"), /level 1 . 2 boxes/);
    // Playing advances the time.
    await page.keyboard.press("Home");
    await page.keyboard.press("Space");
    await page.waitForFunction(() => window.toccata.state().time > 0.02);
    await page.keyboard.press("Space");
    assert.equal((await state(page)).playing, false);
    // Intervals on the time line, and the plot.
    assert.equal(await page.locator(".band.touching").count(), 1);
    assert.equal(await page.locator(".plot .curve").count(), 1);
  });
});

test("layers: names, scales, colours, eyes", { skip }, async () => {
  await visit(reports.layers(), async (page) => {
    assert.deepEqual(await page.locator(".bodies strong").allInnerTexts(), ["block", "distance", "parts", "certified error", "depth", "strands"]);
    const details = await page.locator(".bodies li div").allInnerTexts();
    assert.match(details[1], /\u22122 to 2/);
    assert.match(details[3], /3 balls, cones, slabs . 0\.1 to 0\.3/);
    assert.match(details[4], /2 arrows . 0 to 2/);  // nearly equal: the scale begins at 0
    // A slice fades the bodies; its inside is blue, and goes with a click on the eye: faded, hidden.
    assert.deepEqual((await page.locator(".eye").evaluateAll((eyes) => eyes.map((eye) => eye.dataset.show))).slice(0, 2), ["faded", "shown"]);
    const inside = await hue(page, 200, 225);
    assert.ok(inside.count > 800, `blue pixels: ${inside.count}`);
    for (let i = 0; i < 2; ++i) await page.locator('.eye[data-part="1"]').click();
    await settled(page);
    assert.ok((await hue(page, 200, 225)).count < inside.count / 4);
  });
});

test("closest approach, a million units from the origin", { skip }, async () => {
  await visit(reports.passing(), async (page) => {
    assert.equal(await text(page, "#closest"), "0.5");
    const now = await state(page);
    assert.equal(now.time, 0.5);
    // A quarter of a screw about an axis through its centre leaves the height alone.
    assert.ok(Math.abs(now.centers[0][2] - 2.5) < 1e-9);
    assert.ok((await orange(page)).count > 800);
    assert.ok((await blue(page)).count > 800);
  });
});

test("sequence: steps, counts and contacts", { skip }, async () => {
  const report = reports.cloth(30, 6);
  await visit(report, async (page) => {
    const total = report.sequence.steps.reduce((sum, step) => sum + step.vertex_face, 0);
    assert.equal(await text(page, "#total-vertex-face"), total.toLocaleString("en-US"));
    await page.locator("#slider").fill("3");
    await settled(page);
    assert.equal(await text(page, "#step-vertex-face"), report.sequence.steps[2].vertex_face.toLocaleString("en-US"));
    assert.ok((await orange(page)).count > 5000);
    assert.ok((await page.locator(".plot .bar").count()) >= 4);
  });
});

test("sequence: a step that is not decided says so", { skip }, async () => {
  const report = reports.cloth(12, 3);
  Object.assign(report.sequence.steps[1], { first_time: null, proven_until: 0.25, vertex_face: 0, edge_edge: 0, contacts: undefined });
  await visit(report, async (page) => {
    await page.locator("#slider").fill("0");
    await settled(page);
    assert.equal(await page.locator("#step-undecided").count(), 0);
    await page.locator("#slider").fill("1.5");
    await settled(page);
    assert.equal(await text(page, "#step-first"), "none found");
    assert.match(await text(page, "#step-undecided"), /^no contact up to t = 0\.250000000 is proven; there may be more$/);
  });
});

test("trials: each has its own motion", { skip }, async () => {
  await visit(reports.trials(), async (page) => {
    await page.click("#tab-results");
    assert.equal(await page.locator(".row").count(), 3);
    await page.click('.row[data-row="2"]');
    await settled(page);
    let now = await state(page);
    assert.equal(now.result, 2);
    assert.deepEqual(now.centers[0], [0, 0, 1]);
    await page.keyboard.press("[");
    now = await state(page);
    assert.equal(now.result, 1);
    assert.equal(await text(page, "#answer"), "They do not touch.");
    assert.match(await text(page, "#which"), /^trial 1 . 2 of 3$/);
    await page.click("#next");
    assert.equal((await state(page)).result, 2);
    assert.match(await page.locator(".row").first().innerText(), /^trial 0/);
  });
});

test("pairs of one scene: events on one time line", { skip }, async () => {
  await visit(reports.pairs(), async (page) => {
    assert.equal((await state(page)).time, 0.125);
    assert.equal(await page.locator(".band.moment").count(), 2);
    assert.match(await text(page, "#tab-results"), /^Pairs 2$/);
    await page.keyboard.press("]");
    assert.equal((await state(page)).time, 0.5);
    assert.equal(await text(page, "#answer"), "box first touches block at t = 0.5.");
    // A click on another event jumps to it, to its very time, and shows its pair; and back.
    const other = page.locator(".band.moment.other");
    assert.equal(await other.getAttribute("title"), "box, post: t = 0.125");
    await other.click();
    assert.deepEqual([(await state(page)).result, (await state(page)).time], [0, 0.125]);
    assert.equal(await text(page, "#answer"), "box first touches post at t = 0.125.");
    assert.equal(await other.getAttribute("title"), "box, block: t = 0.5");
    await other.click();
    assert.deepEqual([(await state(page)).result, (await state(page)).time], [1, 0.5]);
    // Beside the events the slider is the one that is clicked.
    await page.locator("#slider").click({ position: { x: 2, y: 13 } });
    assert.ok((await state(page)).time < 0.1);
  });
});

test("inside, and not answered", { skip }, async () => {
  await visit(reports.inside(), async (page) => {
    assert.equal(await text(page, "#answer"), "box is inside block at the start.");
    assert.equal(await text(page, "#status"), "inside at the start");
    assert.match(await text(page, "#inside"), / in /);
    assert.match(await text(page, ".bodies"), /solid/);
    // The outer body is faded, so that the inner one is seen; shown whole it hides it.
    assert.equal(await page.locator('.eye[data-part="1"]').getAttribute("data-show"), "faded");
    const seen = (await orange(page)).count;
    assert.ok(seen > 500, `orange pixels: ${seen}`);
    await page.click('.eye[data-part="1"]');
    await page.click('.eye[data-part="1"]');
    await settled(page);
    assert.ok((await orange(page)).count < seen / 10);
  });
  await visit(reports.failed(), async (page) => {
    assert.equal(await text(page, "#status"), "not answered");
    assert.equal(await text(page, "#failure"), "the first body cannot be solid");
  });
});

test("at rest, and without a scene", { skip }, async () => {
  await visit(reports.distance(), async (page) => {
    assert.equal(await text(page, "#distance"), "1");
    assert.equal(await text(page, "#status"), "apart");
    assert.equal(await page.locator(".dock").isVisible(), false);
    assert.ok((await orange(page)).count > 5000);
  });
  await visit(reports.counts(), async (page) => {
    assert.equal(await page.locator(".stages li").count(), 4);
    assert.match(await text(page, ".stages"), /60,000/);
    assert.match(await text(page, ".scale-note"), /logarithmic/);
  });
});

test("depth: an arrow with its length, and shapes by their kind", { skip }, async () => {
  await visit(reports.overlap(), async (page) => {
    assert.equal(await text(page, "#status"), "overlapping");
    assert.equal(await text(page, "#depth"), "0.1");
    assert.equal(await text(page, "#caption"), "depth 0.1");
    assert.match(await text(page, ".bodies"), /capsule, radius 0\.2, height 1/);
    assert.match(await text(page, ".bodies"), /half space, normal 0, 0, 2, offset \u22121\.4/);
    assert.ok((await red(page)).count > 60, "the arrow");
    const { x, y } = await blue(page);
    const box = await page.locator("#view").boundingBox();
    await page.mouse.click(box.x + x, box.y + y);
    await settled(page);
    assert.match(await text(page, "#inspector"), /body\s+capsule\s+shape\s+capsule, radius 0\.2, height 1\s+clicked at/);
    // The ground has no end, and is not what the picture is fitted to.
    await page.keyboard.press("n");
    await settled(page);
    assert.equal(await page.locator("#caption").isVisible(), false);
  });
});

test("labels and numbers of the plot keep apart, wherever the contact is", { skip }, async () => {
  for (const time of [0, 0.003, 0.05, 0.5, 0.97, 1]) {
    const report = reports.boxes();
    Object.assign(report.results[0], { time, lower: time, upper: time });
    await visit(report, async (page) => {
      const boxes = await page.evaluate(() => [...document.querySelectorAll(".plot text")].map((text) => {
        const { left, right, top, bottom } = text.getBoundingClientRect();
        return { name: text.textContent, left, right, top, bottom };
      }));
      const plot = await page.locator(".plot").boundingBox();
      for (const [i, a] of boxes.entries()) {
        assert.ok(a.left >= plot.x && a.right <= plot.x + plot.width, `${a.name} is cut off at t = ${time}`);
        for (const b of boxes.slice(i + 1)) {
          const apart = a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;
          assert.ok(apart, `${a.name} lies on ${b.name} at t = ${time}`);
        }
      }
    }, { drawn: false });
  }
});

test("long names do not push the numbers out", { skip }, async () => {
  const report = reports.cloth(10, 3);
  const long = "simulation_of_a_very_long_named_cloth_with_many_parameters_frame_";
  report.title = `${long}0001.ply to ${long}0003.ply`;
  report.sequence.frames.forEach((frame, i) => { frame.label = `${long}000${i + 1}.ply`; });
  for (const options of [{ width: 900, height: 600 }, { width: 390, height: 844 }]) {
    await visit(report, async (page) => {
      const fits = await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth &&
        [...document.querySelectorAll(".panel, header")].every((part) => part.scrollWidth <= part.clientWidth));
      assert.ok(fits);
      assert.match(await page.locator(".panel dd").first().innerText(), /^simulation.*\u2026.*000[12]\.ply$/);
    }, options);
  }
});

test("surfaces that cross: every pair is marked, and seen", { skip }, async () => {
  const report = reports.distance();
  const corners = [[0.5, -0.5, -0.5], [0.5, 0.5, -0.5], [0.5, 0, 0.5]];
  report.query = "intersect";
  report.answer = "The surfaces meet in 200 pairs of triangles.";
  Object.assign(report.results[0], {
    status: "overlap_at_start", distance: 0,
    contacts: Array.from({ length: 200 }, (_, i) => ({ point_a: [0.5, 0, 0.5 - i / 200], point_b: [0.5, 0, 0.5 - i / 200],
      triangle_a: i, triangle_b: i, corners_a: corners, corners_b: corners })),
  });
  await visit(report, async (page) => {
    assert.equal(await text(page, "#status"), "touching");
    assert.match(await text(page, ".panel"), /200 pairs that meet/);
    assert.ok((await hue(page, 335, 350)).count > 300);
  });
});

test("phone: without a scene the numbers follow the answer", { skip }, async () => {
  await visit(reports.counts(), async (page) => {
    const [answer, stages] = await Promise.all(["#answer", ".stages"].map((place) => page.locator(place).boundingBox()));
    assert.ok(stages.y - (answer.y + answer.height) < 100, `the numbers begin at ${stages.y}`);
  }, { width: 390, height: 844 });
});

test("phone: nothing is cut off, and nothing covers a button", { skip }, async () => {
  for (const [report, size] of [[reports.boxes(), [390, 844]], [reports.cloth(10, 3), [360, 640]], [reports.trials(), [390, 700]]]) {
    await visit(report, async (page) => {
      const [width, height] = size;
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= width, `page is ${wide} wide`);
      for (const id of ["#play", "#slider", "#answer", "#fit"]) {
        const box = await page.locator(id).boundingBox();
        assert.ok(box && box.x >= 0 && box.x + box.width <= width + 0.5 && box.y + box.height <= height + 0.5, id);
      }
      assert.ok((await orange(page)).count > 200);
      const covered = () => page.evaluate(() => [...document.querySelectorAll("main button, main input")].filter((button) => {
        const { left, top, width, height } = button.getBoundingClientRect();
        if (!width || !height) return false;
        const there = document.elementFromPoint(left + width / 2, top + height / 2);
        return !button.contains(there);
      }).map((button) => button.id || button.textContent));
      assert.deepEqual(await covered(), []);
      const onText = await page.evaluate(() => {
        const text = document.querySelector("#readout").getBoundingClientRect();
        return [...document.querySelectorAll(".transport button")].some((button) => button.getBoundingClientRect().right > text.left);
      });
      assert.equal(onText, false, "the time is under a button");
      // With everything open that can be open.
      await page.click("#section");
      await page.click("#measure");
      await page.keyboard.press("h");
      await settled(page);
      assert.deepEqual(await covered(), []);
    }, { width: size[0], height: size[1] });
  }
});

test("200,000 triangles: a new time costs little of the page's own work", { skip }, async () => {
  await visit(reports.large(1000, 50), async (page) => {
    assert.equal((await state(page)).triangles, 200_000);
    // The drawing itself is the graphics card's (here the processor's, so it is not timed).
    const milliseconds = await page.evaluate(() => {
      const start = performance.now();
      for (let i = 0; i < 50; ++i) window.toccata.setTime(i / 50);
      return (performance.now() - start) / 50;
    });
    assert.ok(milliseconds < 16, `${milliseconds} ms`);
  });
});

test("a page without a report says so", { skip }, async () => {
  await visitFile(join(root, "web", "dist", "viewer.html"), async (page) => assert.match(await text(page, "#failure"), /no report/));
});

test("the fixtures obey the schema", async () => {
  const { Validator } = await import("@cfworker/json-schema");
  const schema = JSON.parse(readFileSync(join(root, "docs", "report.schema.json"), "utf8"));
  const validator = new Validator(schema, "2020-12");
  const { boxes, passing, trials, behindWall, pairs, inside, failed, distance, overlap, counts, layers } = reports;
  const small = { manyTrials: () => reports.manyTrials(100), cloth: () => reports.cloth(10, 3), large: () => reports.large(20, 5) };
  for (const [name, make] of Object.entries({ boxes, passing, trials, behindWall, pairs, inside, failed, distance, overlap, counts, layers, ...small })) {
    const { valid, errors } = validator.validate(make());
    assert.ok(valid, `${name}: ${JSON.stringify(errors.slice(-1))}`);
  }
  assert.equal(validator.validate({ ...reports.boxes(), version: 2 }).valid, false);
});

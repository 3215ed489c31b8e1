// Reports and pages as the program writes them: they obey the schema, and the page shows their numbers.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { Validator } from "@cfworker/json-schema";
import { chromiumPath, launch, open, root, settled } from "./browser.mjs";

const program = process.env.TOCCATA_PROGRAM;
const skip = !program ? "skipped: TOCCATA_PROGRAM does not name the program" : chromiumPath ? false : "skipped: chromium is not installed";
const folder = mkdtempSync(join(tmpdir(), "toccata-program-"));
const schema = new Validator(JSON.parse(readFileSync(join(root, "docs", "report.schema.json"), "utf8")), "2020-12");
let browser;
before(async () => {
  if (!skip) browser = await launch();
});
after(async () => browser?.close());

/** Runs a query with a report and a page; checks the report against the schema; shows the page to `look`. */
async function run(name, args, look) {
  const report = join(folder, `${name}.json`);
  const page = join(folder, `${name}.html`);
  const said = execFileSync(program, [...args, "--report", report, "--page", page], { encoding: "utf8" });
  assert.ok(said.includes(`page: ${page}`), said);
  const content = JSON.parse(readFileSync(report, "utf8"));
  const { valid, errors } = schema.validate(content);
  assert.ok(valid, JSON.stringify(errors.slice(-2)));
  const shown = await open(browser, page, { width: 900, height: 600 });
  await settled(shown);
  assert.equal(await shown.locator("#answer").innerText(), content.answer);
  await look(shown, content);
  assert.deepEqual(shown.complaints, []);
  await shown.context().close();
}

test("demo sheet_and_ball", { skip }, async () => {
  await run("sheet", ["demo", "sheet_and_ball"], async (page, report) => {
    const step = report.sequence.steps[0];
    assert.ok(step.vertex_face > 0 && step.edge_edge > 0);
    assert.equal(await page.locator("#step-vertex-face").innerText(), step.vertex_face.toLocaleString("en-US"));
    assert.equal(await page.locator("#step-first").innerText(), `t = ${step.first_time.toFixed(9)}`);
  });
});

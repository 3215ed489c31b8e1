// Pictures of ten kinds of page, for looking at. usage: [KINDS=laptop-light,...] [QUALITY=high] node test/shots.mjs FOLDER [report.json...]
import { mkdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { launch, open, pageFile, settled } from "./browser.mjs";
import * as reports from "./fixtures/reports.mjs";

const [folder = "shots", ...files] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const two = () => ({ format: "toccata-comparison", version: 1, reports: [reports.boxes(), { ...reports.passing(), title: "Another" }] });
const made = {
  boxes: [reports.boxes()], passing: [reports.passing()], cloth: [reports.cloth()], trials: [reports.manyTrials(500), "#tab-results"],
  pairs: [reports.pairs()], inside: [reports.inside()], distance: [reports.distance(), "#section"], overlap: [reports.overlap()], wall: [reports.behindWall()],
  failed: [reports.failed()], counts: [reports.counts()], two: [two()],
};
const chosen = files.length
  ? files.map((file) => [basename(file).replace(/\.json$/, ""), [JSON.parse(readFileSync(file, "utf8"))]])
  : Object.entries(made);
const kinds = {
  "laptop-light": {}, "laptop-dark": { dark: true }, "phone-light": { width: 390, height: 844, scale: 2 }, "phone-dark": { width: 390, height: 844, dark: true },
};
const browser = await launch();
for (const [name, [report, click]] of chosen) {
  for (const [kind, options] of Object.entries(kinds)) {
    if (process.env.KINDS && !process.env.KINDS.split(",").includes(kind)) continue;
    const page = await open(browser, pageFile(report), { ...options, hash: process.env.QUALITY ? `#quality=${process.env.QUALITY}` : "" });
    if (report.reports) await page.waitForFunction(() => window.toccata?.state().sides.every(Boolean));
    await settled(page);
    if (click) await page.click(click);
    await settled(page);
    await page.screenshot({ path: join(folder, `${name}-${kind}.png`) });
    if (page.complaints.length) console.log(name, kind, page.complaints);
    await page.context().close();
  }
}
await browser.close();

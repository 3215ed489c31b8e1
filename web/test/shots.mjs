// Pictures of pages, for looking at. usage: [KINDS=laptop-light,...] node test/shots.mjs FOLDER [report.json...]
import { mkdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { launch, open, pageFile, settled } from "./browser.mjs";
import * as reports from "./fixtures/reports.mjs";

const [folder = "shots", ...files] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const chosen = files.length
  ? files.map((file) => [basename(file).replace(/\.json$/, ""), JSON.parse(readFileSync(file, "utf8"))])
  : ["boxes", "passing", "cloth", "trials", "distance", "counts"].map((name) => [name, reports[name]()]);
const browser = await launch();
for (const [name, report] of chosen) {
  for (const [kind, options] of [["laptop-light", {}], ["laptop-dark", { dark: true }], ["phone", { width: 390, height: 844, scale: 2 }]]) {
    if (process.env.KINDS && !process.env.KINDS.split(",").includes(kind)) continue;
    const page = await open(browser, pageFile(report, name), { ...options, hash: "#quality=high" });
    await settled(page);
    await page.screenshot({ path: join(folder, `${name}-${kind}.png`) });
    if (page.complaints.length) console.log(name, kind, page.complaints);
    await page.context().close();
  }
}
await browser.close();

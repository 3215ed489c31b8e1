// The pictures of docs/images, from reports of the program. usage: node test/docs_images.mjs KNOTS.json SHEET.json [NAME...]
//   toccata demo torus_knots --report KNOTS.json; toccata demo sheet_and_ball --report SHEET.json
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { launch, open, pageFile, root, settled } from "./browser.mjs";

const [knots, sheet, ...chosen] = process.argv.slice(2);
const read = (file) => JSON.parse(readFileSync(file, "utf8"));
const pictures = {
  "viewer-knots-light": { report: knots },
  "viewer-hierarchy-dark": { report: knots, dark: true, keys: ["h", "+", "+", "+", "+", "+"] },
  "viewer-contact-dark": { report: knots, dark: true, keys: ["w", "z"] },
  "viewer-sheet-light": { report: sheet },
  "viewer-phone": { report: knots, width: 390, height: 844, scale: 1.5 },
};
const browser = await launch();
for (const [name, { report, keys = [], ...options }] of Object.entries(pictures)) {
  if (chosen.length && !chosen.includes(name)) continue;
  const page = await open(browser, pageFile(read(report)), { ...options, hash: "#quality=high" });
  await settled(page);
  for (const key of keys) await page.keyboard.press(key);
  await settled(page);
  await page.screenshot({ path: join(root, "docs", "images", `${name}.png`), timeout: 120_000 });
  await page.context().close();
}
await browser.close();

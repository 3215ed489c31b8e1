// The pictures of docs/images, from answers of the program. usage: node test/docs_images.mjs PROGRAM [NAME...]
// Shrunk where pngquant is installed; the moving one is put together by img2webp (Debian's package webp).
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { launch, open, pageFile, root, settled, temporaryFolder } from "./browser.mjs";
import { box, knot } from "./fixtures/reports.mjs";

const [program, ...chosen] = process.argv.slice(2);
const folder = temporaryFolder();
const save = (name, { vertices, triangles }) => writeFileSync(join(folder, name),
  [...vertices.map((v) => `v ${v.join(" ")}`), ...triangles.map((f) => `f ${f.map((i) => i + 1).join(" ")}`), ""].join("\n"));
save("knot.obj", knot(320, 24, 2, 3, 0.2));
save("box.obj", box(0.5));
save("room.obj", box(2.2));
writeFileSync(join(folder, "parts.json"), JSON.stringify({ parts: [{ shape: "cylinder:0.05,1" }, { shape: "box:0.4,0.15,0.15,0.03", pose: [0, 0, 0.5] }] }));
// A thousand ways past or into the knot, by a simple rule.
writeFileSync(join(folder, "ways.txt"), Array.from({ length: 1000 }, (_, i) => {
  const [u, v] = [(0.618034 * i) % 1, (0.754878 * i) % 1];
  const pose = (x) => `1 0 0 0 1 0 0 0 1 ${x} ${(5 * u - 2.5).toFixed(4)} ${(5 * v - 2.5).toFixed(4)}`;  // rotation, translation
  return `${pose(-4)} ${pose(4)}`;
}).join("\n"));

const questions = {
  knots: ["demo", "torus_knots"],
  sheet: ["demo", "sheet_and_ball"],
  intersect: ["intersect", "knot.obj", "knot.obj", "--pose-a", "0.7 0.25 0.2 40 20 10"],
  closest: ["impact", "knot.obj", "knot.obj", "--from", "-3.5 3.3 0", "--to", "3.5 3 0.5 0 120 90"],
  inside: ["impact", "knot.obj", "room.obj", "--to", "0.3 0 0.2", "--solid"],
  boxes: ["impact", "box.obj", "box.obj", "--from", "-4 0.3 0.2 0 0 30", "--to", "3 0.2 0.1 40 0 120"],
  faster: ["impact", "knot.obj", "knot.obj", "--from", "-3.5 0.8 0", "--to", "3.5 0.6 0.5 0 120 90"],
  slower: ["impact", "knot.obj", "knot.obj", "--from", "-3.5 0.8 0", "--to", "2 0.6 0.5 0 60 45"],
  trials: ["impact", "knot.obj", "box.obj", "--trials", "ways.txt", "--closest"],
  hammer: ["impact", "compound:parts.json", "halfspace:0,0,1,0", "--from", "-1.2 0 1.6 0 -30 20", "--to", "0.6 0.2 0.2 0 110 20"],
  field: ["field", "build", "knot.obj", "-o", "knot.field", "--error", "0.02"],
  medial: ["medial", "knot.obj", "--count", "120"],
  depth: ["penetration", "box:1.2,0.8,0.6,0.15", "capsule:0.2,1.2", "--pose-b", "0.35 0.1 0.5 20 35 0"],
};
const pictures = {
  "viewer-knots-light": { reports: ["knots"] },
  "viewer-hierarchy-dark": { reports: ["knots"], dark: true, act: ["h", "+", "+", "+", "+", "+"] },
  "viewer-contact-dark": { reports: ["knots"], dark: true, act: ["w", "z"] },
  "viewer-sheet-light": { reports: ["sheet"] },
  "viewer-intersect-dark": { reports: ["intersect"], dark: true },
  "viewer-closest-light": { reports: ["closest"], act: ["x"] },
  "viewer-inside-light": { reports: ["inside"] },
  "viewer-boxes-light": { reports: ["boxes"], act: ["z"] },
  "viewer-trials-light": { reports: ["trials"], act: ["#tab-results"] },
  "viewer-compare-light": { reports: ["faster", "slower"] },
  "viewer-hammer-light": { reports: ["hammer"] },
  "viewer-field-light": { reports: ["field"] },
  "viewer-medial-light": { reports: ["medial"] },
  "viewer-depth-dark": { reports: ["depth"], dark: true },
  "viewer-phone-dark": { reports: ["knots"], width: 390, height: 844, scale: 1.5, dark: true },
};
// The motion up to the first contact, a pause there, and the contact up close; without the numbers at the side.
const films = {
  "viewer-knots-moving": { report: "knots", frames: 40, milliseconds: 60, width: 1040, height: 620 },
};

const answers = {};
function reportOf(name) {
  if (!answers[name]) {
    execFileSync(program, [...questions[name], "--report", `${name}.json`], { cwd: folder });
    answers[name] = JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8"));
  }
  return answers[name];
}

const browser = await launch();
for (const [name, { reports, act = [], ...options }] of Object.entries(pictures)) {
  if (chosen.length && !chosen.includes(name)) continue;
  const content = reports.length === 1 ? reportOf(reports[0])
    : { format: "toccata-comparison", version: 1, reports: reports.map(reportOf) };
  const page = await open(browser, pageFile(content), { ...options, hash: "#quality=high" });
  if (reports.length === 2) await page.waitForFunction(() => window.toccata?.state().sides.every(Boolean));
  await settled(page);
  for (const step of act) await (step.startsWith("#") ? page.click(step) : page.keyboard.press(step));
  await settled(page);
  const path = join(root, "docs", "images", `${name}.png`);
  await page.screenshot({ path, timeout: 300_000 });
  spawnSync("pngquant", ["--force", "--skip-if-larger", "--quality", "80-98", "--output", path, path]);
  await page.context().close();
  console.log(name);
}
for (const [name, { report, frames, milliseconds, ...options }] of Object.entries(films)) {
  if (chosen.length && !chosen.includes(name)) continue;
  const answer = reportOf(report);
  const page = await open(browser, pageFile(answer), { ...options, hash: "#quality=high" });
  await settled(page);
  const shots = [];
  const clip = await page.locator("main").boundingBox();
  const shoot = async (shown) => {
    await settled(page);
    const path = join(folder, `${name}-${String(shots.length).padStart(3, "0")}.png`);
    await page.screenshot({ path, clip, timeout: 300_000 });
    shots.push("-d", String(shown), path);
  };
  for (let i = 0; i <= frames; ++i) {
    const time = answer.results[0].time * (1 - (1 - i / frames) ** 2);  // slower and slower
    await page.locator("#slider").evaluate((slider, value) => {
      slider.value = String(value);
      slider.dispatchEvent(new Event("input"));
    }, time);
    await shoot(i === frames ? 1500 : milliseconds);
  }
  for (const key of ["c", "z"]) await page.keyboard.press(key);
  await page.waitForTimeout(1000);
  await shoot(2500);
  const path = join(root, "docs", "images", `${name}.webp`);
  execFileSync("img2webp", ["-loop", "0", "-lossy", "-q", "70", "-m", "6", ...shots, "-o", path]);
  console.log(`${path}: ${statSync(path).size} bytes`);
  await page.context().close();
}
await browser.close();

// Opens pages in Debian's Chromium, with the flags that give WebGL2 without a graphics card.
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
export const root = join(here, "..", "..");

export const chromiumPath = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]
  .find((path) => path && existsSync(path));

export async function launch() {
  const { chromium } = await import("playwright-core");
  return chromium.launch({
    executablePath: chromiumPath,
    args: ["--headless", "--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--force-color-profile=srgb"],
  });
}

/** A new folder that goes with the tests. */
export function temporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), "toccata-viewer-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

let pageFolder, pageCount = 0;

/** The built page with a report in it, as the program writes it; returns its file. */
export function pageFile(report) {
  pageFolder ??= temporaryFolder();
  const file = join(pageFolder, `page-${++pageCount}.html`);
  const text = JSON.stringify(report).replaceAll("<", "\\u003c");
  const template = readFileSync(process.env.TOCCATA_VIEWER ?? join(here, "..", "dist", "viewer.html"), "utf8");
  writeFileSync(file, template.replace("__TOCCATA_REPORT__", () => text));
  return file;
}

/** An empty page, offline; it collects everything the console complains about. `first`: a script before all others. */
export async function newPage(browser, { width = 960, height = 640, dark = false, scale = 1, first } = {}) {
  const context = await browser.newContext({
    viewport: { width, height }, colorScheme: dark ? "dark" : "light", deviceScaleFactor: scale, offline: true, reducedMotion: "reduce",
    acceptDownloads: true,
  });
  const page = await context.newPage();
  if (first) await page.addInitScript(first);
  page.complaints = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type()) && !message.text().includes("GPU stall")) page.complaints.push(message.text());
  });
  page.on("pageerror", (error) => page.complaints.push(String(error)));
  page.on("request", (request) => {
    if (!/^(file|data|blob):/.test(request.url())) page.complaints.push(`network: ${request.url()}`);
  });
  page.setDefaultTimeout(120_000);
  return page;
}

export const address = (file, hash = "") => `file://${file}${hash}`;

/** A file in a page of its own. */
export async function open(browser, file, { hash, ...options } = {}) {
  const page = await newPage(browser, options);
  await page.goto(address(file, hash));
  return page;
}

/** Waits until a picture drawn after now is on the screen, at full size. */
export async function settled(page) {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 30)))));
  await page.waitForFunction(() => !window.toccata?.state?.().moving);
}

/** Milliseconds of processor time that the browsers of this process have used so far, all their processes together. Linux only. */
export function processorTime() {
  const parents = {}, used = {};
  for (const id of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const fields = readFileSync(`/proc/${id}/stat`, "utf8").replace(/^.*\) /s, "").split(" ");
      parents[id] = fields[1];
      used[id] = 10 * (Number(fields[11]) + Number(fields[12]));  // ticks of a hundredth of a second
    } catch {
      // It has ended meanwhile.
    }
  }
  const isOurs = (id) => id in parents && (parents[id] === String(process.pid) || isOurs(parents[id]));
  return Object.keys(used).filter(isOurs).reduce((sum, id) => sum + used[id], 0);
}

// One browser and one page for all tests of a file: a new page a test would read the script and make its process again.
import assert from "node:assert/strict";
import { after, before } from "node:test";
import { address, chromiumPath, launch, newPage, pageFile, settled } from "./browser.mjs";
import { hue } from "./picture.mjs";

export const skip = chromiumPath ? false : "skipped: chromium is not installed";

/** A browser as one without WebGL. */
function withoutDrawing() {
  const get = HTMLCanvasElement.prototype.getContext;
  HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
    return /webgl/.test(kind) ? null : get.call(this, kind, ...rest);
  };
}

/** The browser of a file of tests; `without` says why there is none. */
export function visitor(without = skip) {
  let browser;
  const pages = {};
  before(async () => {
    if (!without) browser = await launch();
  });
  after(async () => browser?.close());

  /** Shows a file to `look`, and insists that nothing complained. Not `drawn`: what needs no picture is there sooner. */
  async function visitFile(file, look, { width = 900, height = 600, hash = "", drawn = true } = {}) {
    const page = pages[drawn] ??= await newPage(browser, { first: drawn ? undefined : withoutDrawing });
    page.complaints.length = 0;
    await page.setViewportSize({ width, height });
    await page.goto(address(file, hash));
    await look(page);
    assert.deepEqual(page.complaints, []);
  }

  /** Shows the page of a report, once it is drawn, to `look`. */
  const visit = (report, look, options) => visitFile(pageFile(report), async (page) => {
    await settled(page);
    await look(page);
  }, options);

  return { visit, visitFile };
}

export const state = (page) => page.evaluate(() => window.toccata.state());
export const text = (page, selector) => page.locator(selector).innerText();

export const orange = (page) => hue(page, 15, 35);
export const blue = (page) => hue(page, 195, 225);
export const red = (page) => hue(page, 335, 352);

// What is on the screen, by colour.
import { pixels } from "./png.mjs";

/** Where in the picture, and how much of it, is of a hue and so strong: counts and median position. */
export async function hue(page, from, to, strength = 90) {
  const box = await page.locator("#view").boundingBox();
  const image = pixels(await page.screenshot({ clip: box }));
  const xs = [], ys = [];
  // The heading over the picture has colours of its own.
  const header = await page.locator("header").boundingBox();
  for (let y = Math.max(0, Math.ceil(header.y + header.height - box.y)); y < image.height; ++y) {
    for (let x = 0; x < image.width; ++x) {
      const [r, g, b] = image.at(x, y);
      const top = Math.max(r, g, b), range = top - Math.min(r, g, b);
      if (range < strength) continue;  // grey, or a faint ghost
      const h = (60 * (top === r ? (g - b) / range : top === g ? 2 + (b - r) / range : 4 + (r - g) / range) + 360) % 360;
      if (h < from || h > to) continue;
      xs.push(x);
      ys.push(y);
    }
  }
  const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];
  return { count: xs.length, x: median(xs), y: median(ys) };
}

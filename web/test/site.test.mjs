// The documentation site from a folder, without a server: it searches, and fits a phone. Skipped without mkdocs.
import { strict as assert } from "node:assert";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { root, temporaryFolder } from "./browser.mjs";
import { skip as without, visitor } from "./visit.mjs";

const folder = temporaryFolder();
const built = spawnSync(join(root, "tools", "build_docs"), [folder], { encoding: "utf8" });
const skip = built.status === 77 ? built.stdout : without;
const page_of = (name) => join(folder, "site", name);
const { visitFile } = visitor(skip);

test("the site is built", { skip }, () => assert.equal(built.status, 0, built.stdout + built.stderr));

test("it finds what is looked for", { skip }, async () => {
  await visitFile(page_of("notes/tried.html"), async (page) => {
    await page.click(".md-search__input");
    await page.keyboard.type("closest approach");
    const first = page.locator(".md-search-result__link").first();
    await first.waitFor();
    const titles = await page.locator(".md-search-result__article--document h1").allTextContents();
    assert.ok(titles.some((title) => title.trim() === "Closest approach"), titles.join(", "));
    await page.locator(".md-search-result__link", { hasText: "Closest approach" }).first().click();
    await page.waitForURL(/closest_approach/);
  }, { width: 1280, height: 800 });
});

test("nothing hangs over the edge of a phone", { skip }, async () => {
  for (const name of ["index.html", "first_contact.html", "performance.html", "reference/index.html", "tutorials/cloth_solver.html"]) {
    await visitFile(page_of(name), async (page) => {
      const [shown, wide] = await page.evaluate(() => [innerWidth, document.documentElement.scrollWidth]);
      assert.ok(wide <= shown, `${name}: ${wide} > ${shown}`);
    }, { width: 390, height: 844 });
  }
});

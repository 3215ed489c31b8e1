// The built page in the repository is what the sources give, byte for byte, and small.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { test } from "node:test";
import { temporaryFolder } from "./browser.mjs";

const web = join(dirname(fileURLToPath(import.meta.url)), "..");

test("dist/viewer.html is built from the sources", () => {
  const output = join(temporaryFolder(), "viewer.html");
  execFileSync(process.execPath, [join(web, "build.mjs"), output]);
  const fresh = readFileSync(output);
  const kept = readFileSync(join(web, "dist", "viewer.html"));
  assert.ok(fresh.equals(kept), "web/dist/viewer.html is out of date: run `npm run build` in web/");
  assert.ok(kept.length < 1_500_000, `${kept.length} bytes`);
});

test("the sources type-check", () => {
  execFileSync(process.execPath, [join(web, "node_modules", "typescript", "bin", "tsc"), "--noEmit", "-p", web]);
});

// Builds web/dist/viewer.html: the page, its style and its script in one file, with a place for the report.
// The same sources and lockfile give the same bytes. usage: node build.mjs [OUTPUT]
import { build } from "esbuild";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const output = process.argv[2] ?? join(here, "dist", "viewer.html");

async function bundle(entry, extra = {}) {
  const result = await build({
    entryPoints: [join(here, "src", entry)],
    absWorkingDir: here,
    bundle: true,
    minify: true,
    write: false,
    target: "es2021",
    charset: "ascii",
    legalComments: "none",
    ...extra,
  });
  return result.outputFiles[0].text.trim();
}

const style = await bundle("style.css", { charset: "utf8" });
const script = await bundle("main.ts", { format: "iife" });
const page = readFileSync(join(here, "src", "index.html"), "utf8")
  .replace("/* style */", () => style)
  .replace("/* script */", () => script.replaceAll("</script", "<\\/script"));
const notice =
  "<!-- Toccata viewer (Apache-2.0). Contains three.js, copyright three.js authors, MIT licence: https://threejs.org -->\n";
mkdirSync(dirname(output), { recursive: true });
writeFileSync(output, page.replace("<html", () => notice + "<html"));
console.log(`${output}: ${(Buffer.byteLength(page) / 1024).toFixed(0)} kB`);

// A module of the page's sources, for tests of what needs no browser.
import { build } from "esbuild";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));

export async function source(name) {
  const result = await build({
    entryPoints: [join(here, "..", "src", `${name}.ts`)], bundle: true, write: false, format: "esm", platform: "node", target: "es2021",
  });
  return import(`data:text/javascript;base64,${Buffer.from(result.outputFiles[0].contents).toString("base64")}`);
}

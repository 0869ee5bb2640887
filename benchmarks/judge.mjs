// Bundles the part of the page that asks the judge: `node judge.mjs FOLDER` writes FOLDER/exercises.js.
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const WEB = fileURLToPath(new URL("../book/web/", import.meta.url));
const contents = `import { judgeInBrowser } from "./code.ts";
globalThis.judgeInBrowser = judgeInBrowser;`;
await createRequire(join(WEB, "package.json"))("esbuild").build({
  bundle: true,
  define: { JUDGE_VERSION: '""' },
  format: "iife",
  minify: true,
  outfile: join(process.argv[2], "exercises.js"),
  stdin: { contents, resolveDir: join(WEB, "exercises") },
});

// Judges sources as the browser does: `node judge.mjs FOLDER`.
//
// Standard input is a JSON list of [path, questions]: the script with the data of an exercise, and
// its sources as [source, name, lang]. Standard output is the JSON list of all verdicts, each with its
// time in ms. FOLDER is for the bundle.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath, pathToFileURL } from "node:url";

const WEB = fileURLToPath(new URL("../../book/web/", import.meta.url));
const { build } = createRequire(join(WEB, "package.json"))("esbuild");
const { FILES } = await import(pathToFileURL(join(WEB, "files.mjs")));
const outfile = join(process.argv[2], "judge.mjs");
await build({
  bundle: true,
  entryPoints: [join(WEB, "judge/judge.ts")],
  format: "esm",
  outfile,
  plugins: [FILES],
  preserveSymlinks: true,
});
const { makeJudge } = await import(pathToFileURL(outfile));
const MICROPYTHON = "node_modules/@micropython/micropython-webassembly-pyscript/micropython.mjs";
const { loadMicroPython } = await import(pathToFileURL(join(WEB, MICROPYTHON)));

const mp = await loadMicroPython({ heapsize: 4 * 1024 * 1024, stdout: () => {} });
const verdicts = [];
try {
  const judge = makeJudge(mp);
  for (const [path, questions] of JSON.parse(await text(process.stdin))) {
    (0, eval)(await readFile(path, "utf8"));
    const [exercise] = Object.values(globalThis.attentionExercises);
    delete globalThis.attentionExercises;
    for (const [source, name, lang] of questions) {
      const began = performance.now();
      const verdict = judge({ exercise, source, name, lang });
      verdicts.push({ ...verdict, time: performance.now() - began });
    }
  }
  process.stdout.write(JSON.stringify(verdicts));
} catch (error) {
  process.stderr.write(`${error.type} ${error.message}`.slice(0, 2000)); // Node would show 100,000 letters
  process.exitCode = 1;
}

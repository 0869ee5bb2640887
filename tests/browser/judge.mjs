// Judges answers as the browser does: `node judge.mjs FOLDER`.
//
// Standard input is a JSON list of {data, questions}: the path of an exercise's script, and answers to
// it. An answer is {source, name, lang}, or {runs, lang}: its runs on all trials, in order, for answers
// that have no source, or {numbers}: pairs of a number and of how many decimals it is written with.
// Standard output is the JSON list of all verdicts. FOLDER is for the bundle.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath, pathToFileURL } from "node:url";

const WEB = fileURLToPath(new URL("../../book/web/", import.meta.url));
const { build } = createRequire(join(WEB, "package.json"))("esbuild");
const { FILES } = await import(pathToFileURL(join(WEB, "files.mjs")));
const outfile = join(process.argv[2], "judge.mjs");
const contents = `export { makeJudge, written } from "./judge.ts";
export { judge } from "./judging.ts";
export { emptyRun, view } from "./running.ts";
export { rounded } from "./words.ts";
export { build, isFloating, read, View } from "../torch/views.ts";`;
await build({
  bundle: true,
  format: "esm",
  outfile,
  plugins: [FILES],
  preserveSymlinks: true,
  stdin: { contents, resolveDir: join(WEB, "judge") },
});
const own = await import(pathToFileURL(outfile));
const MICROPYTHON = "node_modules/@micropython/micropython-webassembly-pyscript/micropython.mjs";
const { loadMicroPython } = await import(pathToFileURL(join(WEB, MICROPYTHON)));

const ONES = 20; // answers before the memory of MicroPython is full; a page uses a worker once
let [judge, asked] = [null, 0];

async function run(exercise, question) {
  if (asked++ % ONES === 0)
    judge = own.makeJudge(await loadMicroPython({ heapsize: 2 ** 22, stdout: () => {} }));
  return judge({ exercise, ...question });
}

/** Judge runs: a runner looks them up by the arguments. */
function replay(exercise, { runs, lang }) {
  const trials = [
    ...exercise.stages.flatMap((stage) => stage.trials),
    exercise.double,
    ...exercise.remarks,
  ];
  const key = (made) =>
    made.map((x) => (x instanceof own.View ? `${x.dtype} ${x.shape} ${own.read(x)}` : x)).join(";");
  const made = (trial) =>
    trial.arguments.map((x) => (typeof x === "number" ? own.view(exercise.tensors[x]) : x));
  const known = new Map(trials.map((trial, i) => [key(made(trial)), runs[i]]));
  const runner = {
    define: () => own.emptyRun(),
    kindOf: () => "",
    call: (own) => run(known.get(key(own))),
  };
  const run = ({ error, kind, tensors }) => {
    const [output = null, ...parts] = (tensors ?? []).map(seen);
    const elements = parts.length ? [output, ...parts] : null;
    return { ...own.emptyRun(), error, kind, elements, output: elements ? null : output };
  };
  const seen = ([dtype, shape, entries]) => {
    const numbers = Float64Array.from(entries, Number);
    return { dtype, shape, numbers, entries: own.isFloating(dtype) ? numbers : null };
  };
  return own.written(own.judge(exercise, runner, "", "", lang, () => {}));
}

try {
  const verdicts = [];
  for (const { data, questions } of JSON.parse(await text(process.stdin))) {
    (0, eval)(await readFile(data, "utf8"));
    const [exercise] = Object.values(globalThis.attentionExercises);
    delete globalThis.attentionExercises;
    for (const question of questions)
      if (question.numbers) verdicts.push(question.numbers.map((pair) => own.rounded(...pair)));
      else verdicts.push(await (question.runs ? replay : run)(exercise, question));
  }
  process.stdout.write(JSON.stringify(verdicts));
} catch (error) {
  process.stderr.write(`${error.type} ${error.message}`.slice(0, 2000)); // Node would show 100,000 letters
  process.exitCode = 1;
}

// Runs programs in MicroPython with the module `torch` of book/web/torch: `node micropython.mjs FOLDER`.
//
// Standard input is a JSON list of groups [setup, programs]. Each program sets `result`, and sees the
// names of the setup. Standard output is the JSON list of the outcomes of all programs: what `result`
// is, or the error. FOLDER is for the bundle.
import { readdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join, relative } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath, pathToFileURL } from "node:url";

const WEB = fileURLToPath(new URL("../../book/web/", import.meta.url));
const PYTHON = join(WEB, "torch/python");
const { build } = createRequire(join(WEB, "package.json"))("esbuild");
const outfile = join(process.argv[2], "load.mjs");
await build({ bundle: true, entryPoints: [join(WEB, "torch/load.ts")], format: "esm", outfile, preserveSymlinks: true });
const { install, compatible } = await import(pathToFileURL(outfile));
const MICROPYTHON = "node_modules/@micropython/micropython-webassembly-pyscript/micropython.mjs";
const { loadMicroPython } = await import(pathToFileURL(join(WEB, MICROPYTHON)));

const paths = (await readdir(PYTHON, { recursive: true })).filter((path) => path.endsWith(".py"));
const files = await Promise.all(
  paths.map(async (path) => [
    relative(PYTHON, join(PYTHON, path)),
    await readFile(join(PYTHON, path), "utf8"),
  ]),
);

const OBSERVE = `
import json
import torch
import torch.nn.functional as F
from _observer import seen, source, done
from torch._tensor import Tensor

def told(x):
    if isinstance(x, Tensor):
        return seen(x._view)
    if isinstance(x, (tuple, list)):
        return "[%s]" % ",".join([told(one) for one in x])
    if type(x) in (int, float):
        return json.dumps({type(x).__name__: str(x)})
    if x is None or isinstance(x, (bool, str)):
        return json.dumps(x)
    return json.dumps({"type": type(x).__name__})

known = {}

def prepare(source):
    known.clear()
    known.update({"torch": torch, "F": F, "__name__": "reader"})
    known.update(torch.BUILTINS)
    exec(source, known)

def outcome(source):
    names = dict(known)
    try:
        exec(source, names)
        return told(names["result"])
    except BaseException as error:
        return json.dumps({"error": type(error).__name__, "message": str(error)})
`;

/** JSON has no infinities, no NaN and no −0. */
const written = (x) => (Number.isFinite(x) && !Object.is(x, -0) ? x : Object.is(x, -0) ? "-0" : String(x));

/** Describe a view. */
function seen({ data, dtype, shape, strides, offset }) {
  const values = [];
  const visit = (d, at) => {
    if (d === shape.length) values.push(written(data[at]));
    else for (let i = 0; i < shape[d]; i++) visit(d + 1, at + i * strides[d]);
  };
  visit(0, offset);
  return JSON.stringify({ dtype, shape, values });
}

const output = [];
const mp = await loadMicroPython({
  heapsize: 4 * 1024 * 1024, // a larger one is slower, as each collection walks through all of it
  stdout: (line) => output.push(line),
});
const groups = JSON.parse(await text(process.stdin));
const outcomes = [];
let source = "";
install(mp, Object.fromEntries(files));
mp.registerJsModule("_observer", {
  seen,
  source: () => compatible(source),
  done: (told) => void outcomes.push(JSON.parse(told)),
});
try {
  mp.runPython(OBSERVE);
  for (const [setup, programs] of groups) {
    source = setup;
    mp.runPython("prepare(source())");
    for (source of programs) mp.runPython("done(outcome(source()))");
  }
  process.stdout.write(JSON.stringify(outcomes));
} catch (error) {
  process.stderr.write(String(error)); // Node would show a line of the interpreter, of 100,000 letters
  process.exitCode = 1;
}

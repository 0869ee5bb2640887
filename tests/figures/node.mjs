// Runs modules of the front end in Node for the tests.
//
//   node node.mjs FOLDER         answers calls, one line of JSON each: { module, name, calls }
//   node node.mjs FOLDER FILE    runs a file of unit tests
//
// FOLDER is for the bundles that esbuild makes.
import { readdir, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath, pathToFileURL } from "node:url";

const WEB = fileURLToPath(new URL("../../attention_figures/web/", import.meta.url));
const { build } = createRequire(join(WEB, "package.json"))("esbuild");
const [folder, test] = process.argv.slice(2);
const modules = new Map();

/** "kinds:all": every kind of figure, and the words of every language, by their names. */
const everything = {
  name: "everything",
  setup(build) {
    build.onResolve({ filter: /^kinds:all$/ }, ({ path }) => ({ path, namespace: "all" }));
    build.onLoad({ filter: /.*/, namespace: "all" }, async () => ({
      contents: (await Promise.all(["kinds", "strings"].map(exported))).join("\n"),
      resolveDir: WEB,
    }));
  },
};

async function exported(folder) {
  const files = (await readdir(join(WEB, folder))).filter((file) => /\.tsx?$/.test(file)).sort();
  const from = files.map((file, i) => `import ${folder}${i} from "./${folder}/${file}";`);
  const named = files.map((file, i) => `"${file.replace(/\.tsx?$/, "")}": ${folder}${i}`);
  return `${from.join("\n")}\nexport const ${folder} = { ${named.join(", ")} };`;
}

/** Bundle and import a file. */
async function bundled(file) {
  const outfile = join(folder, `${basename(file)}.mjs`);
  const { outputFiles } = await build({
    bundle: true,
    entryPoints: [file],
    format: "esm",
    loader: { ".css": "empty" },
    nodePaths: [join(WEB, "node_modules")], // for tests, which lie elsewhere
    outfile,
    platform: "node",
    plugins: [everything],
    sourcemap: "inline",
    alias: { web: WEB.slice(0, -1) },
    write: false,
  });
  await writeFile(outfile, outputFiles[0].contents);
  return import(pathToFileURL(outfile));
}

/** JSON has no infinities and no NaN: they travel as text. */
const plain = (key, x) => (typeof x !== "number" || Number.isFinite(x) ? x : String(x));
const revived = (key, x) => (["Infinity", "-Infinity", "NaN"].includes(x) ? Number(x) : x);

async function answer({ module, name, calls }) {
  if (!modules.has(module)) modules.set(module, bundled(resolve(WEB, module)));
  const called = name.split(".").reduce((part, key) => part?.[key], await modules.get(module));
  if (typeof called !== "function") throw new TypeError(`${module} should export ${name}`);
  return Promise.all(calls.map((args) => called(...args)));
}

if (test) await bundled(test);
else
  for await (const line of createInterface({ input: process.stdin })) {
    const said = await answer(JSON.parse(line, revived)).then(
      (results) => ({ results }),
      (error) => ({ error: String(error?.stack ?? error) }),
    );
    process.stdout.write(`${JSON.stringify(said, plain)}\n`);
  }

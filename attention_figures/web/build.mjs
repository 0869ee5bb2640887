// Builds the front end: `node build.mjs FOLDER` writes into that folder
//
//   core.js, words/LANG.js, kinds/KIND.LANG.js   classic scripts for pages, as file:// refuses modules
//   jupyter.js      one ES module with every kind and every language
//   words/LANG.json the words of a language, for the tables that Python writes
//   figures.css     the rules of all
//   packages.json   the npm packages inside: name, version, licence, text
//
// A module that the core or many kinds need is in core.js, any other in the script of each kind that
// needs it, so that a page does not load what the kinds of other pages share. esbuild's code
// splitting finds out which, and which names of it. As it splits ES modules only, its chunks are
// bundled once more: into core.js, which keeps what they export in a global, where the other scripts
// find it. A word that no module but one kind's names goes with that kind.
import { mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import { dirname, join, parse } from "node:path";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";

const WEB = dirname(fileURLToPath(import.meta.url));
const GLOBAL = "globalThis.attentionFigures";
const FEW = 5; // kinds that have their own copy of a module that they share
const COMMON = {
  absWorkingDir: WEB,
  bundle: true,
  charset: "utf8",
  define: { "process.env.NODE_ENV": '"production"' },
  legalComments: "none", // packages.json has the licences in full
  logLevel: "silent", // a build that fails throws, and says all that is wrong
  metafile: true,
  outdir: ".",
  preserveSymlinks: true,
  target: "es2022",
  write: false,
};

/** What a folder's files are called, in order. */
async function stems(folder, end) {
  const files = await readdir(join(WEB, folder));
  const found = files.filter((file) => file.endsWith(end)).map((file) => parse(file).name);
  return found.sort();
}

/** Build one minified file from sources by their names: "entry", and what it imports from others. */
async function bundle(sources, options) {
  const plugin = {
    name: "sources",
    setup(build) {
      build.onResolve({ filter: /.*/ }, ({ path }) =>
        path in sources ? { path, namespace: "sources" } : undefined,
      );
      build.onLoad({ filter: /.*/, namespace: "sources" }, ({ path }) => ({
        contents: sources[path],
        resolveDir: WEB,
      }));
    },
  };
  const entryPoints = ["entry"];
  const settings = { ...COMMON, minify: true, entryPoints, plugins: [plugin], ...options };
  const { metafile, outputFiles } = await esbuild.build(settings);
  return { metafile, text: outputFiles[0].text };
}

/** What code splitting makes of the entries: for each file its name, source, exports, and so on. */
async function split(entries) {
  const { metafile, outputFiles } = await esbuild.build({
    ...COMMON,
    entryPoints: entries,
    format: "esm",
    splitting: true,
    chunkNames: "chunk-[hash]",
  });
  const texts = Object.fromEntries(outputFiles.map(({ path, text }) => [path, text]));
  const needs = (path, found = new Set()) => {
    if (found.has(path) || !(path in metafile.outputs)) return found;
    metafile.outputs[path].imports.forEach((other) => needs(other.path, found.add(path)));
    return found.add(path);
  };
  const all = Object.entries(metafile.outputs).filter(([, { entryPoint }]) => entryPoint);
  const reached = all.map(([path]) => [path, needs(path)]);
  const parts = Object.entries(metafile.outputs).map(([path, { entryPoint, exports, inputs }]) => {
    // Its imports of the others as if they lay side by side, whatever folder it is for.
    const source = texts[join(WEB, path)].replace(/(from |import )"(?:\.\.?\/)+/g, '$1"./');
    // Named after a module in it, so that a change elsewhere leaves its name as it is.
    const key = Object.keys(inputs).sort()[0];
    const users = reached.filter(([, found]) => found.has(path)).map(([user]) => user);
    const own = !users.includes("core.js") && users.length <= FEW;
    // Packages stay in the core, where the page of licences says that they are.
    const copied = own && !Object.keys(inputs).some((input) => input.includes("node_modules/"));
    return { name: `./${path}`, source, exports, entryPoint, key, copied };
  });
  return { metafile, parts };
}

/** Classic scripts by the names of their files. */
async function scripts(kinds, langs) {
  const { metafile, parts } = await split({
    core: "core/page.ts",
    ...Object.fromEntries(kinds.map((kind) => [`kinds/${kind}`, `kinds/${kind}.tsx`])),
  });
  const sources = Object.fromEntries(parts.map(({ name, source }) => [name, source]));
  const shared = parts.filter(
    ({ name, entryPoint, copied }) => name === "./core.js" || (!entryPoint && !copied),
  );
  // An exported name that another script leaves alone is taken out of that script again.
  const found = Object.fromEntries(
    shared.map(({ name, key, exports }) => [
      name,
      `const get = (name) => ${GLOBAL}.shared[${JSON.stringify(key)}][name];\n` +
        exports.map((it) => `export const ${it} = /* @__PURE__ */ get("${it}");`).join("\n"),
    ]),
  );
  const make = async (entry, others) =>
    (await bundle({ ...others, entry }, { format: "iife" })).text;
  const others = shared.filter(({ name }) => name !== "./core.js").sort(by(({ key }) => key));
  const core =
    `import * as page from "./core.js";\n` +
    others.map(({ name }, i) => `import * as shared${i} from "${name}";\n`).join("") +
    `${GLOBAL} = { ...page, shared: {\n` +
    others.map(({ key }, i) => `${JSON.stringify(key)}: shared${i},\n`).join("") +
    "} };";
  const made = { "core.js": await make(core, sources) };
  for (const lang of langs) {
    const left = await wordsOf(lang);
    made[`words/${lang}.json`] = JSON.stringify(left);
    const speak = (words) => `${GLOBAL}.speak("${lang}", ${JSON.stringify(words)});`;
    for (const kind of kinds) {
      const name = `./kinds/${kind}.js`;
      const elsewhere = parts.filter((part) => part.name !== name).map(({ source }) => source);
      const own = Object.keys(left).filter(
        (word) => names(sources[name], word) && !elsewhere.some((source) => names(source, word)),
      );
      const register = `import it from "${name}";\n${GLOBAL}.register(it);`;
      const said = Object.fromEntries(own.map((word) => [word, left[word]]));
      const script = await make(register, { ...sources, ...found });
      made[`kinds/${kind}.${lang}.js`] = speak(said) + script; // a kind that is there is alive
      for (const word of own) delete left[word];
    }
    made[`words/${lang}.js`] = speak(left);
  }
  return { metafile, made };
}

/** Whether a source calls a word by its whole name. */
const names = (source, word) => source.includes(`"${word}"`);

/** The words of a language. */
async function wordsOf(lang) {
  const source = `export { default } from "./words/${lang}.ts";`;
  const { text } = await bundle({ entry: source }, { format: "esm" });
  const module = await import(`data:text/javascript,${encodeURIComponent(text)}`);
  return { ...module.default };
}

const by = (key) => (a, b) => (key(a) < key(b) ? -1 : 1);

/** One ES module for Jupyter. */
async function jupyter(kinds, langs) {
  const entry = [
    'import { register, render, speak } from "./core/jupyter.ts";',
    ...kinds.map((kind, i) => `import kind${i} from "./kinds/${kind}.tsx"; register(kind${i});`),
    ...langs.map(
      (lang, i) => `import words${i} from "./words/${lang}.ts"; speak("${lang}", words${i});`,
    ),
    "export default { render };",
  ].join("\n");
  return bundle({ entry }, { format: "esm" });
}

/** The npm packages of which something got into a file, with their licences. */
async function packages(metafiles) {
  const found = new Set();
  for (const { outputs } of metafiles)
    for (const { inputs } of Object.values(outputs))
      for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
        const name = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path);
        if (name && bytesInOutput) found.add(name[0]);
      }
  return Promise.all([...found].sort().map(licensed));
}

async function licensed(folder) {
  const about = JSON.parse(await readFile(join(WEB, folder, "package.json"), "utf8"));
  const files = await readdir(join(WEB, folder));
  const file = files.sort().find((name) => /^licen[cs]e(\.|$)/i.test(name));
  if (!file) throw new Error(`${about.name} should bring its licence`);
  const text = await readFile(join(WEB, folder, file), "utf8");
  return { name: about.name, version: about.version, licence: about.license, text };
}

async function main(folder) {
  const kinds = await stems("kinds", ".tsx");
  const langs = await stems("words", ".ts");
  const page = await scripts(kinds, langs);
  const module = await jupyter(kinds, langs);
  const style = await bundle({}, { entryPoints: ["styles/index.css"] });
  const inside = await packages([page.metafile, module.metafile, style.metafile]);
  const made = {
    ...page.made,
    "jupyter.js": module.text,
    "figures.css": style.text,
    "packages.json": `${JSON.stringify(inside, null, 2)}\n`,
  };
  for (const [name, text] of Object.entries(made)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
}

await main(process.argv[2]);

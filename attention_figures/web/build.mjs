// Builds the front end: `node build.mjs FOLDER` writes into that folder
//
//   core.js, strings/LANG.js, kinds/KIND.LANG.js   classic scripts for pages, as file:// forbids modules
//   jupyter.js      one ES module with every kind and every language
//   strings/LANG.json the interface strings of a language, for the tables that Python writes
//   styles/NAME.css minified style sheets; styles.json lists them in cascade order, with the kinds that need each
//   packages.json   the bundled npm packages: name, version, licence, text
//
// core.js holds the modules that the core or many kinds import; a module that few kinds import is copied
// into their scripts, so that other pages do not load it. esbuild's code splitting finds the shared
// chunks and their exports. It only splits ES modules, so the chunks are bundled a second time: into
// core.js, which stores their exports in a global, from which the kinds' scripts read them. An interface
// string that only one kind uses is in that kind's script.
import { mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import { dirname, join, parse } from "node:path";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";

const WEB = dirname(fileURLToPath(import.meta.url));
const GLOBAL = "globalThis.attentionFigures";
const FEW = 5; // a module that at most so many kinds import is copied into their scripts
// The style sheets in cascade order. A sheet that modules import is for the kinds that use these modules,
// any other for all kinds.
const STYLES =
  `figure palette asking parts words flow masking mask_doctor tanh decoding rows plots look_up alignment dropout pairs
  pipeline regression scaling replay comparison reading self_attention heads decoder exchanges word_rows trace phone system_colours`.split(
    /\s+/,
  );
const COMMON = {
  absWorkingDir: WEB,
  bundle: true,
  charset: "utf8",
  define: { "process.env.NODE_ENV": '"production"' },
  legalComments: "none", // packages.json has the licences in full
  loader: { ".css": "empty" }, // styles() builds them
  logLevel: "silent", // a failed build throws an error with all messages
  metafile: true,
  outdir: ".",
  preserveSymlinks: true,
  target: "es2022",
  write: false,
};

/** Lists the names of a folder's files without their extension, sorted. */
async function stems(folder, end) {
  const files = await readdir(join(WEB, folder));
  const found = files.filter((file) => file.endsWith(end)).map((file) => parse(file).name);
  return found.sort();
}

/** Bundles one minified file from in-memory sources by name: "entry", and the modules it imports. */
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

/** Splits the entries into chunks; returns each chunk's name, source, exports, and so on. */
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
    // Rewrites imports of other chunks as if all were in one folder.
    const source = texts[join(WEB, path)].replace(/(from |import )"(?:\.\.?\/)+/g, '$1"./');
    // The key is the name of a module in the chunk, so that a change elsewhere does not alter it.
    const key = Object.keys(inputs).sort()[0];
    const users = reached.filter(([, found]) => found.has(path)).map(([user]) => user);
    const own = !users.includes("core.js") && users.length <= FEW;
    // Packages stay in the core, as the page of licences states.
    const copied = own && !Object.keys(inputs).some((input) => input.includes("node_modules/"));
    return { name: `./${path}`, source, exports, entryPoint, key, copied };
  });
  return { metafile, parts };
}

/** Returns the classic scripts by file name. */
async function scripts(kinds, langs) {
  const { metafile, parts } = await split({
    core: "core/page.ts",
    ...Object.fromEntries(kinds.map((kind) => [`kinds/${kind}`, `kinds/${kind}.tsx`])),
  });
  const sources = Object.fromEntries(parts.map(({ name, source }) => [name, source]));
  const shared = parts.filter(
    ({ name, entryPoint, copied }) => name === "./core.js" || (!entryPoint && !copied),
  );
  // /* @__PURE__ */ lets esbuild drop an export that the script does not use.
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
    const left = await stringsOf(lang);
    made[`strings/${lang}.json`] = JSON.stringify(left);
    const addStrings = (strings) => `${GLOBAL}.addStrings("${lang}", ${JSON.stringify(strings)});`;
    for (const kind of kinds) {
      const name = `./kinds/${kind}.js`;
      const elsewhere = parts.filter((part) => part.name !== name).map(({ source }) => source);
      const own = Object.keys(left).filter(
        (key) => uses(sources[name], key) && !elsewhere.some((source) => uses(source, key)),
      );
      const register = `import it from "${name}";\n${GLOBAL}.register(it);`;
      const strings = Object.fromEntries(own.map((key) => [key, left[key]]));
      const script = await make(register, { ...sources, ...found });
      made[`kinds/${kind}.${lang}.js`] = addStrings(strings) + script; // register() hydrates at once
      for (const key of own) delete left[key];
    }
    made[`strings/${lang}.js`] = addStrings(left);
  }
  return { metafile, made };
}

/** Whether a source contains a string's key as a literal. */
const uses = (source, key) => source.includes(`"${key}"`);

/** Loads the interface strings of a language. */
async function stringsOf(lang) {
  const source = `export { default } from "./strings/${lang}.ts";`;
  const { text } = await bundle({ entry: source }, { format: "esm" });
  const module = await import(`data:text/javascript,${encodeURIComponent(text)}`);
  return { ...module.default };
}

const by = (key) => (a, b) => (key(a) < key(b) ? -1 : 1);

/** Bundles one ES module for Jupyter. */
async function jupyter(kinds, langs) {
  const entry = [
    'import { addStrings, register, render } from "./core/jupyter.ts";',
    ...kinds.map((kind, i) => `import kind${i} from "./kinds/${kind}.tsx"; register(kind${i});`),
    ...langs.map(
      (lang, i) =>
        `import strings${i} from "./strings/${lang}.ts"; addStrings("${lang}", strings${i});`,
    ),
    "export default { render };",
  ].join("\n");
  return bundle({ entry }, { format: "esm" });
}

/** Returns the style sheets and styles.json by file name; `inputs` are the modules of the scripts. */
async function styles(kinds, inputs) {
  const unnamed = (await stems("styles", ".css")).filter((name) => !STYLES.includes(name));
  if (unnamed.length) throw new Error(`STYLES of build.mjs should name ${unnamed}`);
  const entryPoints = STYLES.map((name) => `styles/${name}.css`);
  const settings = { ...COMMON, minify: true, entryPoints, loader: {} };
  const { outputFiles } = await esbuild.build(settings);
  const reach = (path, found = new Set()) => {
    if (found.has(path)) return found;
    found.add(path);
    for (const other of inputs[path].imports) reach(other.path, found);
    return found;
  };
  const reached = kinds.map((kind) => [kind, reach(`kinds/${kind}.tsx`)]);
  const users = entryPoints.map((path, i) => {
    const own = reached.filter(([, found]) => found.has(path)).map(([kind]) => kind);
    return [STYLES[i], own.length ? own : kinds];
  });
  return {
    ...Object.fromEntries(
      outputFiles.map(({ path, text }) => [`styles/${parse(path).base}`, text]),
    ),
    "styles.json": `${JSON.stringify(Object.fromEntries(users))}\n`,
  };
}

/** Lists the npm packages that contribute to a file, with their licences. */
async function packages(metafiles) {
  const found = new Set();
  for (const { outputs } of metafiles)
    for (const { inputs } of Object.values(outputs))
      for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
        const name = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path);
        if (name && bytesInOutput) found.add(name[0]);
      }
  return Promise.all([...found].sort().map(withLicence));
}

async function withLicence(folder) {
  const about = JSON.parse(await readFile(join(WEB, folder, "package.json"), "utf8"));
  const files = await readdir(join(WEB, folder));
  const file = files.sort().find((name) => /^licen[cs]e(\.|$)/i.test(name));
  if (!file) throw new Error(`${about.name} should include its licence`);
  const text = await readFile(join(WEB, folder, file), "utf8");
  return { name: about.name, version: about.version, licence: about.license, text };
}

async function main(folder) {
  const kinds = await stems("kinds", ".tsx");
  const langs = await stems("strings", ".ts");
  const page = await scripts(kinds, langs);
  const module = await jupyter(kinds, langs);
  const inside = await packages([page.metafile, module.metafile]);
  const made = {
    ...page.made,
    "jupyter.js": module.text,
    ...(await styles(kinds, page.metafile.inputs)),
    "packages.json": `${JSON.stringify(inside, null, 2)}\n`,
  };
  for (const [name, text] of Object.entries(made)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
}

await main(process.argv[2]);

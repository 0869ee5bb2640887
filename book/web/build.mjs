// Builds the pages' own scripts: `node build.mjs FOLDER` writes into that folder
//
//   NAME.js          of scripts/NAME.ts: classic scripts, which pages load at once, also from file://
//   modules/NAME.js  of modules/NAME.ts: ES modules, which the scripts import lazily
//   judge.js         the source of the worker judge/worker.ts, as a text that pages make a worker of
//   NAME.css         of styles/NAME.css, and modules/NAME.css of modules/NAME.css
//   packages.json    the npm packages packagesIn: name, version, licence, text, and the files they are in
import { createHash } from "node:crypto";
import { mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import { dirname, join, parse, relative } from "node:path";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";
import { FILES } from "./files.mjs";

const WEB = dirname(fileURLToPath(import.meta.url));
// The kernel modules of @jupyterlab/services import the package's index, and Node's `path` and `ws`.
const KERNEL_ONLY = {
  name: "kernel only",
  setup(build) {
    build.onResolve({ filter: /^\.\.$/ }, ({ importer }) =>
      /@jupyterlab.services.lib.kernel/.test(importer)
        ? { path: join(WEB, "running/services_stub.ts") }
        : undefined,
    );
  },
};
const COMMON = {
  // One copy of Preact, also for what the figures' front end shares.
  alias: { path: "path-browserify", preact: "./node_modules/preact" },
  external: ["ws"],
  plugins: [KERNEL_ONLY],
  absWorkingDir: WEB,
  bundle: true,
  charset: "utf8",
  define: { "process.env.NODE_ENV": '"production"' },
  loader: { ".txt": "text" },
  legalComments: "none", // packages.json has the licences in full
  logLevel: "silent", // a failing build throws an error with all messages
  metafile: true,
  minify: true,
  outdir: ".",
  preserveSymlinks: true,
  target: "es2022",
  write: false,
};

/** Entry points: the files of a folder, and the names of their outputs. */
async function entries(folder, into = "") {
  const files = await readdir(join(WEB, folder));
  const sources = files.filter((file) => /\.(ts|css)$/.test(file)).sort();
  return sources.map((file) => ({ in: `${folder}/${file}`, out: into + parse(file).name }));
}

/** The npm packages in the bundles, each with the files that contain it. */
function packagesIn(builds) {
  const found = new Map();
  for (const { metafile } of builds)
    for (const [file, { inputs }] of Object.entries(metafile.outputs))
      for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
        const name = /^(?!\(disabled).*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path);
        if (!name || !bytesInOutput) continue;
        found.set(name[0], (found.get(name[0]) ?? new Set()).add(file));
      }
  return [...found].sort(([one], [other]) => (one < other ? -1 : 1));
}

async function withLicence([folder, files]) {
  const about = JSON.parse(await readFile(join(WEB, folder, "package.json"), "utf8"));
  const names = await readdir(join(WEB, folder));
  const file = names.sort().find((name) => /^licen[cs]e(\.|$)/i.test(name));
  const text = file ? await readFile(join(WEB, folder, file), "utf8") : "";
  const { name, version, license: licence } = about;
  return { name, version, licence, text, files: [...files].sort() };
}

/** Build the worker as a script that holds its source; WebAssembly and Python are in it. */
async function judge() {
  const built = await esbuild.build({
    ...COMMON,
    alias: {},
    define: { ...COMMON.define, "import.meta.url": '""' },
    entryPoints: [{ in: "judge/worker.ts", out: "judge" }],
    external: ["fs", "module", "path", "url", "ws"], // which MicroPython uses in Node only
    format: "iife",
    plugins: [FILES],
  });
  const [{ path, text }] = built.outputFiles;
  return {
    ...built,
    outputFiles: [{ path, text: `globalThis.attentionJudge = ${JSON.stringify(text)};\n` }],
  };
}

async function main(folder) {
  const judging = await judge();
  const digest = createHash("sha256").update(judging.outputFiles[0].text).digest("hex");
  const builds = await Promise.all([
    judging,
    esbuild.build({
      ...COMMON,
      define: { ...COMMON.define, JUDGE_VERSION: JSON.stringify(digest.slice(0, 8)) },
      entryPoints: await entries("scripts"),
      format: "iife",
    }),
    esbuild.build({
      ...COMMON,
      entryPoints: await entries("modules", "modules/"),
      format: "esm",
      splitting: true,
      chunkNames: "modules/shared-[hash]",
    }),
    esbuild.build({ ...COMMON, entryPoints: await entries("styles") }),
  ]);
  const packages = await Promise.all(packagesIn(builds).map(withLicence));
  const texts = builds.flatMap(({ outputFiles }) =>
    outputFiles.map(({ path, text }) => [relative(WEB, path), text]),
  );
  texts.push(["packages.json", `${JSON.stringify(packages, null, 2)}\n`]);
  for (const [name, text] of texts) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
}

await main(process.argv[2]);

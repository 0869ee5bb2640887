// Lets esbuild import Python as text, the folder torch/python as "python:torch", and MicroPython.
import { readFile, readdir } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const PYTHON = join(dirname(fileURLToPath(import.meta.url)), "torch/python");

/** Drop docstrings, comments and blank lines, which only cost time to load. */
const shortened = (source) =>
  source
    .replace(/^( *)"""[\s\S]*?"""\n/gm, "$1pass\n") // it may be all that a class holds
    .replace(/^ *#.*\n/gm, "")
    .replace(/\n\n+/g, "\n");

export const FILES = {
  name: "files",
  setup(build) {
    build.onLoad({ filter: /\.py$/ }, async ({ path }) => ({
      contents: await readFile(path, "utf8"),
      loader: "text",
    }));
    // Its command line awaits modules of Node at the top level, which a classic script cannot.
    build.onLoad({ filter: /micropython\.mjs$/ }, async ({ path }) => ({
      contents: (await readFile(path, "utf8")).replace(/await import\("(path|url)"\)/g, "null"),
    }));
    // Compressed before it becomes text, WebAssembly takes a fifth less when the site compresses that.
    build.onLoad({ filter: /\.wasm$/ }, async ({ path }) => ({
      contents: gzipSync(await readFile(path), { level: 9 }),
      loader: "dataurl",
    }));
    build.onResolve({ filter: /^python:torch$/ }, ({ path }) => ({ path, namespace: "python" }));
    build.onLoad({ filter: /.*/, namespace: "python" }, async () => {
      const names = await readdir(PYTHON, { recursive: true });
      const paths = names.filter((name) => name.endsWith(".py")).map((name) => join(PYTHON, name));
      const files = await Promise.all(
        paths
          .sort()
          .map(async (path) => [
            relative(PYTHON, path).split(sep).join("/"),
            shortened(await readFile(path, "utf8")),
          ]),
      );
      return { contents: JSON.stringify(Object.fromEntries(files)), loader: "json" };
    });
  },
};

// Lets esbuild import Python as text, and the folder torch/python as "python:torch".
import { readFile, readdir } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

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
    build.onResolve({ filter: /^python:torch$/ }, ({ path }) => ({ path, namespace: "python" }));
    build.onLoad({ filter: /.*/, namespace: "python" }, async () => {
      const names = await readdir(PYTHON, { recursive: true });
      const paths = names.filter((name) => name.endsWith(".py")).map((name) => join(PYTHON, name));
      const files = await Promise.all(
        paths.sort().map(async (path) => [
          relative(PYTHON, path).split(sep).join("/"),
          shortened(await readFile(path, "utf8")),
        ]),
      );
      return { contents: JSON.stringify(Object.fromEntries(files)), loader: "json" };
    });
  },
};

// Installs the module `torch` in MicroPython.
import { call } from "./core.ts";

/** What this file needs of an interpreter. */
export interface Interpreter {
  FS: {
    analyzePath(path: string): { exists: boolean };
    mkdir(path: string): void;
    writeFile(path: string, text: string): void;
  };
  registerJsModule(name: string, module: object): void;
}

/** Install the package of the folder `python`: its files by their paths, such as torch/nn/__init__.py. */
export function install(
  { FS, registerJsModule }: Interpreter,
  files: Record<string, string>,
): void {
  registerJsModule("_attention_core", { call });
  for (const [path, text] of Object.entries(files)) {
    const parts = `lib/${path}`.split("/");
    for (let i = 1; i < parts.length; i++) {
      const folder = `/${parts.slice(0, i).join("/")}`;
      if (!FS.analyzePath(folder).exists) FS.mkdir(folder);
    }
    FS.writeFile(`/lib/${path}`, text);
  }
}

export { compatible } from "./compatible.ts";

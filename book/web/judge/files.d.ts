// Declares what build.mjs makes of files that are not TypeScript.
declare module "*.py" {
  const text: string;
  export default text;
}
declare module "*.wasm" {
  /** A data URL of the compressed file. */
  const url: string;
  export default url;
}
declare module "python:torch" {
  /** The files of the folder torch/python by their paths. */
  const files: Record<string, string>;
  export default files;
}
declare module "@micropython/micropython-webassembly-pyscript/micropython.mjs" {
  export function loadMicroPython(options: {
    heapsize: number;
    stdout: (line: string) => void;
    url: string;
  }): Promise<import("./running.ts").MicroPython>;
}

// Declares what build.mjs makes of files that are not TypeScript.
declare module "*.py" {
  const text: string;
  export default text;
}
declare module "*.wasm" {
  const url: string;
  export default url;
}
declare module "python:torch" {
  /** The files of the folder torch/python by their paths. */
  const files: Record<string, string>;
  export default files;
}

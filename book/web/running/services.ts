// What the kernel's modules of @jupyterlab/services ask the whole package for, which would bring files,
// terminals and settings with it: build.mjs puts this in its place.
export { CommsOverSubshells } from "@jupyterlab/services/lib/kernel/comm";
export { ServerConnection } from "@jupyterlab/services/lib/serverconnection";

// Replaces the index of @jupyterlab/services in the bundle (build.mjs): the kernel modules import two
// names from it, and the whole index would add contents, terminals and settings.
export { CommsOverSubshells } from "@jupyterlab/services/lib/kernel/comm";
export { ServerConnection } from "@jupyterlab/services/lib/serverconnection";

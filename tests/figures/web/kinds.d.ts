declare module "kinds:all" {
  import type { Kind } from "web/core/kind.ts";
  import type { Said } from "web/core/registry.ts";
  export const kinds: Record<string, Kind>;
  export const words: Record<string, Said>;
}

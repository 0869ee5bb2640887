declare module "kinds:all" {
  import type { Kind } from "web/core/kind.ts";
  import type { Strings } from "web/core/registry.ts";
  export const kinds: Record<string, Kind>;
  export const strings: Record<string, Strings>;
}

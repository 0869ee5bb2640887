// anywidget's own package is a script that calls a global `define`, as RequireJS has it, with a function
// that makes its classes out of those of @jupyter-widgets/base.
import * as base from "@jupyter-widgets/base";

type Classes = Record<string, unknown>;

const global = globalThis as { define?: unknown };
let made: Promise<Classes> | undefined;

export const anywidget = () =>
  (made ??= (async () => {
    let make: ((from: typeof base) => Classes) | undefined;
    global.define = (_: string[], how: typeof make) => {
      make = how;
    };
    try {
      // @ts-expect-error: it exports nothing
      await import("anywidget");
    } finally {
      delete global.define;
    }
    return make?.(base) ?? {};
  })());

// The figures of a page without a kernel.
import { kinds, register as enter, words, type Kind } from "./registry.ts";

export { speak } from "./registry.ts";

declare global {
  interface Window {
    /** Called below each figure of a page, so that it is alive before it is painted. */
    hydrateFigures?: (page: ParentNode) => void;
  }
}

/** Brings the figures within `page` alive whose kinds are here. One that fails keeps its tables. */
export function hydrate(page: ParentNode) {
  for (const root of page.querySelectorAll<HTMLElement>("[data-figure]:not([data-live])")) {
    try {
      const state = JSON.parse(root.querySelector("script")?.textContent ?? "{}");
      kinds.get(state.kind)?.mount(root, state, words.get(state.lang) ?? {});
    } catch (error) {
      reportError(error); // as if nobody had caught it, but the other figures go on
    }
  }
}

/** Called by a kind's script, which comes after those of the words. */
export function register(kind: Kind) {
  enter(kind);
  hydrate(document);
}

const others = window.hydrateFigures; // a page may have two scripts, each with its kinds
window.hydrateFigures = (page) => {
  others?.(page);
  hydrate(page);
};

// @ts-check
// The figures of a page without a kernel.
import { mount } from "./figure.js";
import { KINDS } from "./kinds.js";
import { linked } from "./links.js";
import { localModel } from "./model.js";

/** Brings the figures of a page alive that has no kernel. One that fails keeps its tables. */
/** @param {ParentNode} page */
export function hydrate(page) {
  for (const root of page.querySelectorAll("[data-figure]:not([data-live])")) {
    try {
      const state = JSON.parse(root.querySelector("script")?.textContent ?? "{}");
      if (!(state.kind in KINDS)) continue; // a page may have two scripts, each with its kinds
      mount(/** @type {HTMLElement} */ (root), localModel(state), (all) => linked(all, state));
    } catch (error) {
      reportError(error); // as if nobody had caught it, but the other figures go on
    }
  }
}

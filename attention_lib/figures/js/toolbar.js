// @ts-check
// What stands below every figure: back to the start, hiding, and a menu of what can be taken along.
import { element } from "./dom.js";

/** @typedef {import("./controls.js").Words} Words */

/**
 * @param {{ words: Words, state: import("./state.js").State,
 *   hiding: import("./hiding.js").Hiding, entries: Node[] }} options entries: of the menu
 */
export function toolbar({ words, state, hiding, entries }) {
  const reset = element(
    "button",
    { type: "button", "data-control": "reset", click: state.reset },
    words("reset"),
  );
  const share = entries.length ? shareMenu(words("share"), entries) : "";
  return element("div", { class: "toolbar" }, reset, hiding.element, share);
}

/** Opens above the bar, within the figure; closes with Escape, and when the focus leaves it. */
/** @param {string} name @param {Node[]} entries */
function shareMenu(name, entries) {
  const summary = element("summary", {}, name);
  const menu = element(
    "details",
    {
      class: "share",
      keydown: (/** @type {KeyboardEvent} */ event) => {
        if (event.key !== "Escape" || !menu.open) return;
        event.stopPropagation(); // it closes the menu, and nothing around it
        menu.open = false;
        summary.focus();
      },
      focusout: (/** @type {FocusEvent} */ { relatedTarget: next }) => {
        const inside = menu.contains(/** @type {Node | null} */ (next));
        if (document.hasFocus() && !inside) menu.open = false;
      },
    },
    summary,
    element("div", { class: "entries" }, ...entries),
  );
  return menu;
}

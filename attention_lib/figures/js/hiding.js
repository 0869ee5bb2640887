// @ts-check
// Predict, then show: a button that hides the weights and all that tells of them. What that is,
// stands in the stylesheet, so that it stays hidden whatever is drawn anew.
import { element } from "./dom.js";

/** @typedef {ReturnType<typeof hideButton>} Hiding */

/** @param {{ root: HTMLElement, words: import("./controls.js").Words }} options */
export function hideButton({ root, words }) {
  const isHidden = () => root.hasAttribute("data-hidden");
  const set = (/** @type {boolean} */ hidden) => {
    root.toggleAttribute("data-hidden", hidden);
    button.setAttribute("aria-pressed", String(hidden));
  };
  const button = element(
    "button",
    { type: "button", "data-control": "hide", click: () => set(!isHidden()) },
    words("hideWeights"),
  );
  root.style.setProperty("--hidden-word", JSON.stringify(words("hidden")));
  set(false);
  return { element: button, isHidden, set };
}

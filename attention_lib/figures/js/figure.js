// @ts-check
// Where a figure's state meets its drawing. Jupyter calls render; a page without a kernel, page.js.
import { announcer } from "./announcing.js";
import { recolour } from "./colours.js";
import { element } from "./dom.js";
import { hideButton } from "./hiding.js";
import { KINDS } from "./kinds.js";
import { sharing } from "./sharing.js";
import { stateOf } from "./state.js";
import { toolbar } from "./toolbar.js";
import { wordsOf } from "./words.js";

/** @typedef {import("./model.js").Model} Model */
/** @typedef {import("./controls.js").Words} Words */
/** @typedef {import("./state.js").State} State */
/** @typedef {import("./hiding.js").Hiding} Hiding */
/**
 * @typedef {object} Shared what is made for every figure
 * @property {HTMLElement} root
 * @property {Model} model
 * @property {Words} words
 * @property {State} state
 * @property {Hiding} hiding
 */
/** @typedef {{ notices: Node[], entries: Node[] }} Additions above the figure, and in its menu */
/**
 * @typedef {object} View
 * @property {Element[]} parts
 * @property {number} keys columns of one heatmap
 * @property {number} columns of numbers that should fit side by side
 * @property {string[]} listensTo the traits that change what is drawn
 * @property {string[]} [changes] the traits that a reader can change, if they are not the same
 * @property {Record<string, import("./state.js").Choice>} [choices] a reader's that are no traits
 * @property {() => void} paint brings the parts up to date with the model
 * @property {() => Record<string, any>} stages every number that is shown, as it is now
 * @property {() => string} program in Python, which computes them
 */

/**
 * Draws a figure into root and keeps it up to date. Returns the clean-up.
 * @param {HTMLElement} root @param {Model} model
 * @param {(shared: Shared) => Additions} added by a page without a kernel
 */
export function mount(root, model, added = () => ({ notices: [], entries: [] })) {
  const words = wordsOf(model.get("lang"));
  const make = () => {
    const made = KINDS[model.get("kind")](model, words);
    made.paint();
    return made;
  };
  const view = make();
  const state = stateOf(model, view, () => {
    const before = view.parts;
    Object.assign(view, make());
    before[0].before(...view.parts);
    before.forEach((part) => part.remove());
    recolour(root);
  });
  const hiding = hideButton({ root, words });
  const shared = { root, model, words, state, hiding };
  const { notices, entries } = added(shared);
  const menu = [...entries, ...sharing(shared, view)];
  const bar = toolbar({ words, state, hiding, entries: menu });
  root.replaceChildren(...notices, ...view.parts, bar);
  const announced = announcer({ root, words, hiding });
  root.append(announced.element);
  root.style.setProperty("--keys", String(view.keys));
  root.style.setProperty("--columns", String(view.columns));
  root.toggleAttribute("data-live", true);
  const paint = () => {
    if (!state.isHalfway()) view.paint();
  };
  const events = view.listensTo.map((name) => `change:${name}`);
  events.forEach((event) => model.on(event, paint));
  const forget = onColours(root);
  return () => {
    events.forEach((event) => model.off(event, paint));
    forget();
    announced.stop();
    root.remove();
  };
}

/** Tells the heatmaps when there are colours to read: once on the page, and with each theme. */
/** @param {HTMLElement} root */
function onColours(root) {
  const tell = () => recolour(root);
  const placed = new ResizeObserver(tell);
  placed.observe(root);
  const theme = new MutationObserver(tell);
  theme.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  theme.observe(document.body, { attributeFilter: ["data-jp-theme-light"] });
  return () => {
    placed.disconnect();
    theme.disconnect();
  };
}

/** What anywidget calls for each view. @param {{ model: Model, el: HTMLElement }} context */
export function render({ model, el }) {
  const root = element("div", {
    class: "attention-figure",
    "data-figure": model.get("name"),
    lang: model.get("lang"),
  });
  el.append(root);
  return mount(root, model);
}

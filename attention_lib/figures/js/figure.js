// @ts-check
// Where a figure's state meets its drawing: in Jupyter through render, on a page through hydrate.
import { alignmentFigure } from "./alignment.js";
import { attentionFigure } from "./attention.js";
import { recolour } from "./colours.js";
import { comparisonFigure } from "./comparison.js";
import { element } from "./dom.js";
import { dropoutFigure } from "./dropout.js";
import { kernelFigure } from "./kernel.js";
import { maskedSoftmaxFigure } from "./masked_softmax.js";
import { localModel } from "./model.js";
import { poolingFigure } from "./pooling.js";
import { scalingFigure } from "./scaling.js";
import { scoreFigure } from "./score.js";
import { wordsOf } from "./words.js";

/** @typedef {import("./model.js").Model} Model */
/**
 * @typedef {object} View
 * @property {Node[]} parts
 * @property {number} keys columns of one heatmap
 * @property {number} columns of numbers that should fit side by side
 * @property {string[]} listensTo the traits that change what is drawn
 * @property {() => void} paint brings the parts up to date with the model
 */

/** @type {Record<string, (model: Model, words: import("./controls.js").Words) => View>} */
const KINDS = {
  alignment: alignmentFigure,
  attention: attentionFigure,
  comparison: comparisonFigure,
  dropout: dropoutFigure,
  kernel: kernelFigure,
  masked_softmax: maskedSoftmaxFigure,
  pooling: poolingFigure,
  scaling: scalingFigure,
  score: scoreFigure,
};

/** Draws a figure into root and keeps it up to date. Returns the clean-up. */
/** @param {HTMLElement} root @param {Model} model */
function mount(root, model) {
  const view = KINDS[model.get("kind")](model, wordsOf(model.get("lang")));
  view.paint();
  root.replaceChildren(...view.parts);
  root.style.setProperty("--keys", String(view.keys));
  root.style.setProperty("--columns", String(view.columns));
  root.toggleAttribute("data-live", true);
  const events = view.listensTo.map((name) => `change:${name}`);
  events.forEach((event) => model.on(event, view.paint));
  const forget = onColours(root);
  return () => {
    events.forEach((event) => model.off(event, view.paint));
    forget();
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

/** Brings the figures of a page alive that has no kernel. One that fails keeps its tables. */
/** @param {ParentNode} page */
export function hydrate(page) {
  for (const root of page.querySelectorAll("[data-figure]:not([data-live])")) {
    try {
      const state = root.querySelector("script")?.textContent ?? "{}";
      mount(/** @type {HTMLElement} */ (root), localModel(JSON.parse(state)));
    } catch (error) {
      reportError(error); // as if nobody had caught it, but the other figures go on
    }
  }
}

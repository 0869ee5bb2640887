// @ts-check
// How queries, keys, weights and outputs are marked in a drawing, and the legend that says so.
import { element } from "./dom.js";
import { drawn, redraw } from "./plot.js";

/** @typedef {import("./controls.js").Words} Words */

const DISC = 20; // radius of all the weight

/** A query; the one that the drawing is about is filled. @param {string} name */
export function queryMark(name) {
  const label = markLabel(name);
  const mark = drawn(
    "g",
    { class: "query" },
    drawn("path", { d: "M0-9L9 0L0 9L-9 0Z" }),
    label.element,
  );
  const update = (/** @type {boolean} */ chosen) => mark.toggleAttribute("data-chosen", chosen);
  return { element: mark, update, turn: label.turn };
}

/** A key, perhaps with its value, in a disc whose area is its weight. @param {string} name */
export function keyMark(name) {
  const disc = drawn("circle", { class: "weight", r: 0 });
  const attached = drawn("tspan", { class: "value", dx: 5 });
  const label = markLabel(name, attached);
  const dot = drawn("circle", { r: 4.5 });
  const mark = drawn("g", { class: "key" }, disc, dot, label.element);
  const update = (/** @type {number} */ weight, value = "") => {
    redraw(disc, { r: DISC * Math.sqrt(Math.abs(weight)) });
    disc.toggleAttribute("data-negative", weight < 0);
    attached.textContent = value;
  };
  return { element: mark, update, turn: label.turn };
}

/** An output; its tip is the place that counts. @param {Record<string, any>} label where it stands */
export function outputMark(label) {
  const text = drawn("text", label);
  const tip = drawn("path", { d: "M0-6l9-15h-18Z" });
  const update = (/** @type {string} */ word) => {
    text.textContent = word;
  };
  return { element: drawn("g", { class: "output" }, tip, text), update, label: text };
}

/** A label to the right of a mark, or turned to its left. @param {...(string | Node)} text */
function markLabel(...text) {
  const label = drawn("text", { y: -8 }, ...text);
  const turn = (/** @type {boolean} */ left) =>
    redraw(label, { x: left ? -9 : 9, "text-anchor": left ? "end" : "start" });
  turn(false);
  return { element: label, turn };
}

/** What the marks mean: a query, a key, and a key with some weight. */
/** @param {Words} words @param {string} keyWord @param {string} weightWord */
export function legend(words, keyWord, weightWord) {
  const size = { class: "plot", viewBox: "-11 -11 22 22", "aria-hidden": "true" };
  const entry = (/** @type {SVGElement} */ mark, /** @type {string} */ word) =>
    element("span", {}, drawn("svg", size, mark), words(word));
  const [query, key, weight] = [queryMark(""), keyMark(""), keyMark("")];
  query.update(true);
  weight.update(0.2);
  return element(
    "div",
    { class: "legend" },
    entry(query.element, "query"),
    entry(key.element, keyWord),
    entry(weight.element, weightWord),
  );
}

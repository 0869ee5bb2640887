// @ts-check
// The named matrices that figures are made of.
import { transpose } from "./arithmetic.js";
import { colourRange } from "./colours.js";
import { element, range, watcher } from "./dom.js";
import { edges } from "./edges.js";
import { heatmap } from "./heatmap.js";
import { isPerQuery, withLength } from "./lengths.js";
import { write } from "./model.js";
import { numberGrid } from "./number_grid.js";

/** @typedef {import("./arithmetic.js").Matrix} Matrix */
/** @typedef {import("./arithmetic.js").Tensor} Tensor */
/** @typedef {import("./controls.js").Words} Words */
/** @typedef {import("./heatmap.js").Plan} Plan */
/** @typedef {import("./heatmap.js").Look} Look */
/** @typedef {import("./model.js").Model} Model */

/** A matrix under its name. @param {string} name @param {...Node} parts */
export function panel(name, ...parts) {
  return element("div", { class: "panel" }, element("code", {}, name), ...parts);
}

/** Several parts of a figure side by side. @param {string} name @param {...{ element: Node }} parts */
export const group = (name, ...parts) =>
  element("div", { class: name }, ...parts.map((part) => part.element));

/** A heatmap in a panel. @param {Plan} plan */
export function heatmapPanel(plan) {
  const map = heatmap(plan);
  return { ...map, element: panel(plan.label, map.element) };
}

/** A heatmap in a panel whose mask edge can be dragged; bare, its padding is not hatched. */
/**
 * @param {Plan & { bare?: boolean }} plan
 * @param {{ model: Model, words: Words, b: number }} context
 */
export function maskedPanel(plan, { model, words, b }) {
  const { map, element: whole, update: paint } = heatmap(plan);
  const handles = edges({
    numKeys: plan.cols,
    title: words("dragEdge"),
    change: (q, length) =>
      write(model, "valid_lens", withLength(model.get("valid_lens"), b, q, length)),
  });
  map.append(handles.element);
  const update = (
    /** @type {Matrix} */ matrix,
    /** @type {number[]} */ lengths,
    /** @type {Look} */ look,
  ) => {
    paint(matrix, plan.bare ? look : { ...look, lengths });
    handles.update(isPerQuery(model.get("valid_lens")) ? lengths : lengths.slice(0, 1));
  };
  return { element: panel(plan.label, whole), update };
}

/**
 * A tensor's matrix of one example, to be edited; transposed, its rows become columns.
 * @param {{ trait: string, b: number, model: Model, words: Words, transposed?: boolean,
 *   hue?: Plan["hue"], heads?: string[], sides?: string[] }} options
 */
export function editablePanel({ trait, b, model, words, transposed = false, ...look }) {
  const turn = transposed ? transpose : (/** @type {Matrix} */ matrix) => matrix;
  const name = `${trait.replace(/_$/, "")}[${b}]`; // keys_ is the trait of what everyone calls keys
  const first = turn(model.get(trait)[b]);
  const place = (/** @type {number} */ row, /** @type {number} */ col) =>
    transposed ? [col, row] : [row, col];
  const map = numberGrid({
    label: transposed ? `${name}.T` : name,
    rows: first.length,
    cols: first[0].length,
    hue: "scores",
    ...look,
    words,
    name: (row, col) => `${name}[${place(row, col).join("][")}]`,
    change: (row, col, x) => {
      const [i, j] = place(row, col);
      write(model, trait, withNumber(model.get(trait), b, i, j, x));
    },
  });
  const changed = watcher();
  const update = () => {
    const tensor = model.get(trait);
    if (changed(tensor)) map.update(turn(tensor[b]), { domain: colourRange(tensor) });
  };
  return { element: panel(transposed ? `${name}.T` : name, map.element), update };
}

/** A nested copy with one number changed. */
/** @param {Tensor} tensor @param {number} b @param {number} i @param {number} j @param {number} x */
export function withNumber(tensor, b, i, j, x) {
  const copy = tensor.map((matrix) => matrix.map((row) => [...row]));
  copy[b][i][j] = x;
  return copy;
}

/** A nested copy with one row changed. */
/** @param {Tensor} tensor @param {number} b @param {number} i @param {number[]} row */
export function withRow(tensor, b, i, row) {
  return tensor.map((matrix, j) =>
    j === b ? matrix.map((own, k) => (k === i ? row : own)) : matrix,
  );
}

/** Marks one of the rows. @param {{ map: HTMLElement }} heatmap @param {number} chosen or none */
export function markRow({ map }, chosen) {
  const lines = map.querySelectorAll("tbody tr");
  lines.forEach((line, i) => line.toggleAttribute("data-chosen", i === chosen));
}

/** k0, k1, … @param {string} letter @param {number} n */
export const numbered = (letter, n) => range(n).map((i) => letter + i);

/** True and False, as torch prints a mask. @param {number} kept */
export const truth = (kept) => (kept ? "True" : "False");

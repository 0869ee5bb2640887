// @ts-check
// valid_lens in its two forms, one length per example (B,) or one per query (B, Q); its controls.
import { rowLengths } from "./arithmetic.js";
import { checkbox, held, slider } from "./controls.js";
import { element } from "./dom.js";
import { write } from "./model.js";

/** @typedef {import("./arithmetic.js").Lengths} Lengths */

/** @param {Lengths} validLens @returns {validLens is number[][]} */
export function isPerQuery(validLens) {
  return Array.isArray(validLens[0]);
}

/** A copy with one length changed; q counts only where each query has its own. */
/** @param {Lengths} validLens @param {number} b @param {number} q @param {number} length */
export function withLength(validLens, b, q, length) {
  return validLens.map((own, i) => {
    if (i !== b) return own;
    return Array.isArray(own) ? own.map((n, j) => (j === q ? length : n)) : length;
  });
}

/** The same lengths in the other form; an example takes the longest of its queries' lengths. */
/** @param {Lengths} validLens @param {boolean} perQuery @param {number} numQueries */
export function inForm(validLens, perQuery, numQueries) {
  if (perQuery) return rowLengths(validLens, numQueries);
  return validLens.map((own) => (Array.isArray(own) ? Math.max(...own) : own));
}

/**
 * Whether a value is lengths for so many examples, queries and keys, in either form.
 * @param {any} value @param {[number, number, number]} shape
 */
export function areLengths(value, [batch, numQueries, numKeys]) {
  const isLength = (/** @type {any} */ n) => Number.isInteger(n) && n >= 0 && n <= numKeys;
  const isRow = (/** @type {any} */ row, /** @type {number} */ size, good = isLength) =>
    Array.isArray(row) && row.length === size && row.every((x) => good(x));
  return isRow(value, batch) || isRow(value, batch, (row) => isRow(row, numQueries));
}

/** Every place that holds a length. @param {Lengths} validLens */
export function places(validLens) {
  return validLens.flatMap((own, b) =>
    Array.isArray(own)
      ? own.map((length, q) => ({ b, q, length, name: `valid_lens[${b}][${q}]` }))
      : [{ b, q: 0, length: own, name: `valid_lens[${b}]` }],
  );
}

/**
 * Sliders for every length, and the switch between the two forms.
 * @param {{ numQueries: number, numKeys: number, model: import("./model.js").Model,
 *   words: import("./controls.js").Words }} options
 */
export function lengthControls({ numQueries, numKeys, model, words }) {
  const read = () => model.get("valid_lens");
  const change = (/** @type {Lengths} */ validLens) => write(model, "valid_lens", validLens);
  const holder = element("div", { class: "sliders" });
  const form = checkbox({
    name: "per_query",
    label: words("perQuery"),
    change: (perQuery) => change(inForm(read(), perQuery, numQueries)),
  });
  /** @type {[number, number, number]} */
  const shape = [read().length, numQueries, numKeys];
  const allows = (/** @type {any} */ got) => areLengths(got, shape);
  const lens = held("valid_lens", model, allows, (got, kept) =>
    words("refusedLengths", { numKeys, kept: JSON.stringify(kept) }),
  );
  /** @type {ReturnType<typeof slider>[]} */
  let sliders = [];
  let names = "";
  const update = () => {
    if (!lens.isGood()) return false;
    const all = places(read());
    form.update(isPerQuery(read()));
    if (names !== (names = all.map(({ name }) => name).join())) {
      sliders = all.map(({ b, q, name }) =>
        slider({ name, max: numKeys, change: (n) => change(withLength(read(), b, q, n)) }),
      );
      holder.replaceChildren(...sliders.map((control) => control.element));
    }
    all.forEach(({ length }, i) => sliders[i].update(length));
    return true;
  };
  const parts = [holder, form.element, lens.element];
  return { element: element("div", { class: "lengths" }, ...parts), update };
}

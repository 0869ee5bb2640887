// @ts-check
// Two sentences, to be chosen as a pair or to be typed.
import { oneLine } from "./controls.js";
import { element, watcher } from "./dom.js";
import { write } from "./model.js";

/** @typedef {import("./model.js").Model} Model */
/** @typedef {import("./controls.js").Words} Words */
/** @typedef {[premise: string, hypothesis: string, label: string]} Pair */

const LONGEST = 400; // characters of a sentence

/**
 * A field for a sentence. What is typed counts at once; what an input method composes, when it is
 * done, and until then nobody else writes there.
 * @param {{ name: string, model: Model, words: Words }} options
 */
export function sentenceField({ name, model, words }) {
  const held = oneLine({ name, limit: LONGEST, model, words });
  let shown = "";
  const take = (/** @type {Event} */ event) => {
    const composing = /** @type {InputEvent} */ (event).isComposing;
    if (!composing) write(model, name, (shown = input.value));
  };
  const input = element("input", {
    maxlength: LONGEST,
    autocomplete: "off",
    spellcheck: "false",
    "data-control": name,
    input: take,
    compositionend: take,
  });
  const update = () => {
    if (!held.isGood()) return false;
    const text = model.get(name);
    if (text !== shown) input.value = shown = text; // only then, or the caret would jump
    return true;
  };
  const label = element("label", {}, element("code", {}, name), input);
  return { element: element("div", {}, label, held.element), update };
}

/**
 * Chooses one of the pairs, grouped by label, or brings back the reader's own sentences. It has no
 * state of its own: which pair is chosen follows from the sentences. Its update gives their label.
 * @param {{ model: Model, words: Words, labels: string[], sides: string[], settled: () => void }}
 *   options
 */
export function pairControl({ model, words, labels, sides, settled }) {
  let halfway = false;
  let found = -1;
  let own = sides.map(() => ""); // room to type in
  const shown = () => sides.map((side) => model.get(side));
  const input = element("select", {
    "data-control": "pair",
    change: () => {
      const chosen = model.get("pairs")[input.value] ?? own;
      if (found < 0) own = shown(); // now, as another view may bring sentences one by one
      halfway = true; // between the two, sentences of different pairs stand together
      sides.forEach((side, i) => model.set(side, chosen[i]));
      halfway = false;
      model.save_changes();
      settled();
    },
  });
  const changed = watcher();
  const update = () => {
    /** @type {Pair[]} */
    const pairs = model.get("pairs");
    if (changed(pairs)) input.replaceChildren(...options(pairs, labels, words));
    const now = shown();
    found = pairs.findIndex((pair) => sides.every((_, i) => pair[i] === now[i]));
    input.value = String(found);
    return pairs[found]?.[2];
  };
  const label = element("label", {}, element("code", {}, "pair"), input);
  return { element: label, isHalfway: () => halfway, update };
}

/** The pairs grouped by label, and last, as pair -1, the reader's own. */
/** @param {Pair[]} pairs @param {string[]} labels @param {Words} words */
function options(pairs, labels, words) {
  const option = (/** @type {number} */ value, /** @type {string} */ text) =>
    element("option", { value }, text);
  const all = pairs.map(([premise, hypothesis], i) => option(i, `${premise} → ${hypothesis}`));
  const groups = labels.map((name) => {
    const label = [name, words(`label_${name}`)].join(" ");
    return element("optgroup", { label }, ...all.filter((_, i) => pairs[i][2] === name));
  });
  return [...groups, option(-1, words("preset_own"))];
}

// @ts-check
// Native, labelled form elements. Each is named by what it changes, in data-control.
import { element } from "./dom.js";
import { write } from "./model.js";

/** @typedef {ReturnType<typeof import("./words.js").wordsOf>} Words */

/**
 * A slider with its number beside it, as the text that `say` makes of it.
 * @param {{ name: string, label?: string, min?: number, max: number, say?: (value: number) => string,
 *   change: (value: number) => void }} options
 */
export function slider({ name, label = name, min = 0, max, say = String, change }) {
  const input = element("input", {
    type: "range",
    min,
    max,
    "data-control": name,
    input: () => change(Number(input.value)),
  });
  const output = element("output");
  const update = (/** @type {number} */ value) => {
    input.value = String(value);
    output.value = say(value);
    input.setAttribute("aria-valuetext", output.value); // what is read aloud
  };
  return { element: element("label", {}, element("code", {}, label), input, output), update };
}

/** @param {{ name: string, label: string, change: (checked: boolean) => void }} options */
export function checkbox({ name, label, change }) {
  const input = element("input", {
    type: "checkbox",
    "data-control": name,
    change: () => change(input.checked),
  });
  const update = (/** @type {boolean} */ checked) => {
    input.checked = checked;
  };
  return { element: element("label", {}, input, label), update };
}

/**
 * Chooses among numbers or names; the reader sees what `say` makes of them.
 * @template {number | string} T
 * @param {{ name: string, label?: string, choices: T[], say?: (choice: T) => string,
 *   change: (choice: T) => void }} options
 */
export function select({ name, label = name, choices, say = String, change }) {
  const input = element(
    "select",
    { "data-control": name, change: () => change(choices[input.selectedIndex]) },
    ...choices.map((choice) => element("option", { value: choice }, say(choice))),
  );
  const update = (/** @type {T} */ choice) => {
    input.value = String(choice);
  };
  return { element: element("label", {}, element("code", {}, label), input), update };
}

/** A word about an entry that was refused; empty when all is well. */
export function refusal() {
  const node = element("span", { role: "alert", "data-error": true });
  const say = (/** @type {string} */ text) => {
    node.textContent = text;
  };
  return { element: node, say };
}

/** Holds a trait to its choices: another one, as a linked widget may bring it, is refused. */
/**
 * @param {{ name: string, choices: (number | string)[], model: import("./model.js").Model,
 *   words: Words }} options
 */
export function choice({ name, choices, model, words }) {
  const allows = (/** @type {any} */ got) => choices.includes(got);
  return held(name, model, allows, (got, kept) => words("refusedChoice", { got, kept }));
}

/**
 * Holds a trait to the numbers from low to high.
 * @param {{ name: string, low: number, high: number, model: import("./model.js").Model,
 *   words: Words }} options
 */
export function interval({ name, low, high, model, words }) {
  const allows = (/** @type {any} */ got) => got >= low && got <= high;
  return held(name, model, allows, (_, kept) => words("refusedNumber", { low, high, kept }));
}

/**
 * Holds a trait to a line of so many characters at most.
 * @param {{ name: string, limit: number, model: import("./model.js").Model, words: Words }} options
 */
export function oneLine({ name, limit, model, words }) {
  const allows = (/** @type {any} */ got) =>
    typeof got === "string" && [...got].length <= limit && !/[\r\n]/.test(got);
  return held(name, model, allows, () => words("refusedLine", { limit }));
}

/**
 * Holds a trait to what is allowed, and says a word where it is not.
 * @param {string} name @param {import("./model.js").Model} model
 * @param {(got: any) => boolean} allows @param {(got: any, kept: any) => string} word
 */
export function held(name, model, allows, word) {
  const refused = refusal();
  let kept = model.get(name);
  const isGood = () => {
    const got = model.get(name);
    const good = allows(got);
    if (good) kept = got;
    else write(model, name, kept); // which paints, and clears the word; so the word comes after
    refused.say(good ? "" : word(got, kept));
    return good;
  };
  return { element: refused.element, isGood };
}

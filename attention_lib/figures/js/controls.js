// @ts-check
// Native, labelled form elements. Each is named by what it changes, in data-control.
import { element, formatNumber, range } from "./dom.js";
import { grid, gridCell, painter, shade } from "./heatmap.js";
import { rounded, write } from "./model.js";

/** @typedef {import("./arithmetic.js").Matrix} Matrix */
/** @typedef {ReturnType<typeof import("./words.js").wordsOf>} Words */

const LIMIT = 1000; // of numbers that are typed
const PIXELS_PER_STEP = 6; // of a number that is dragged
const STEP = 0.1;

/**
 * A slider with its number beside it, as the text that `say` makes of it.
 * @param {{ name: string, label?: string, max: number, say?: (value: number) => string,
 *   change: (value: number) => void }} options
 */
export function slider({ name, label = name, max, say = String, change }) {
  const input = element("input", {
    type: "range",
    min: 0,
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
 * @param {string} name @param {import("./model.js").Model} model
 * @param {(got: any) => boolean} allows @param {(got: any, kept: any) => string} word
 */
function held(name, model, allows, word) {
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

/**
 * The number in a field, or null where it is none or lies outside the limits.
 * @param {{ value: string, valueAsNumber: number }} field
 */
export function entry({ value, valueAsNumber }) {
  const good = value.trim() !== "" && Math.abs(valueAsNumber) <= LIMIT;
  return good ? rounded(valueAsNumber) : null;
}

/** The number a drag of so many pixels leads to. @param {number} start @param {number} pixels */
export function dragged(start, pixels) {
  const moved = rounded(start + Math.round(pixels / PIXELS_PER_STEP) * STEP);
  return Math.min(LIMIT, Math.max(-LIMIT, moved));
}

/**
 * A heatmap whose numbers can be typed, stepped with the arrow keys, and dragged sideways.
 * @param {import("./heatmap.js").Plan & { words: Words, name: (row: number, col: number) => string,
 *   change: (row: number, col: number, value: number) => void }} plan
 */
export function numberGrid(plan) {
  const { rows, cols, words, name, change } = plan;
  const refused = refusal();
  const fields = range(rows).map((row) =>
    range(cols).map((col) =>
      numberField(name(row, col), words, refused, (value) => change(row, col, value)),
    ),
  );
  const cells = fields.map((line) => line.map(({ input }) => gridCell(input)));
  const table = grid(plan, cells);
  const update = painter(table, (matrix, { domain }, colours) =>
    matrix.forEach((line, row) =>
      line.forEach((x, col) => {
        fields[row][col].update(x);
        cells[row][col].tint(shade(x, domain), colours);
      }),
    ),
  );
  const map = element("div", { class: "map" }, table);
  return { element: element("div", {}, map, refused.element), update };
}

/**
 * @param {string} name @param {Words} words @param {ReturnType<typeof refusal>} refused
 * @param {(value: number) => void} change
 */
function numberField(name, words, refused, change) {
  let kept = 0; // the value of the moment
  let before = 0; // the value that a wrong entry leads back to
  let written = NaN; // the value that this field gave last
  const input = element("input", {
    type: "number",
    step: STEP,
    min: -LIMIT,
    max: LIMIT,
    "data-control": name,
    "aria-label": name,
    title: words("dragNumber"),
    focus: () => {
      show(kept);
      input.select();
    },
    blur: () => {
      input.removeAttribute("aria-invalid");
      show(kept);
    },
    input: () => {
      const value = entry(input);
      judge(value);
      change((written = value ?? before));
    },
    change: () => {
      before = kept;
    },
  });
  const judge = (/** @type {number | null} */ value) => {
    const limits = { low: `−${LIMIT}`, high: LIMIT, kept: formatNumber(before) };
    input.setAttribute("aria-invalid", String(value === null));
    refused.say(value === null ? words("refusedNumber", limits) : "");
  };
  // Two decimals fit a cell; all of them stand there for the one who edits.
  const show = (/** @type {number} */ value) => {
    input.value = String(input.matches(":focus") ? value : Number(value.toFixed(2)));
  };
  const update = (/** @type {number} */ value) => {
    kept = value;
    if (value !== written) {
      written = before = value; // dragged, or changed from elsewhere
      judge(value);
    } else if (input.matches(":focus")) return; // "0." on the way to "0.5" stays as it was typed
    show(value);
  };
  dragSideways(input, () => kept, change);
  return { input, update };
}

/** @param {HTMLInputElement} input @param {() => number} read @param {(value: number) => void} change */
function dragSideways(input, read, change) {
  let start = { x: 0, value: 0, far: false };
  input.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    start = { x: event.clientX, value: read(), far: false };
    input.setPointerCapture(event.pointerId);
  });
  input.addEventListener("pointermove", (event) => {
    if (!input.hasPointerCapture(event.pointerId)) return;
    const pixels = event.clientX - start.x;
    start.far ||= Math.abs(pixels) >= PIXELS_PER_STEP; // a click may tremble
    if (start.far) change(dragged(start.value, pixels));
  });
  // The selected text would be dragged away instead.
  input.addEventListener("dragstart", (event) => event.preventDefault());
}

// @ts-check
// A heatmap whose numbers are form elements.
import { painter, shade } from "./colours.js";
import { refusal } from "./controls.js";
import { element, formatNumber, range } from "./dom.js";
import { grid, gridCell, sizeFor } from "./grid.js";
import { LIMIT, rounded } from "./model.js";

/** @typedef {import("./controls.js").Words} Words */

const PIXELS_PER_STEP = 6; // of a number that is dragged
const STEP = 0.1;

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
    const editing = input.matches(":focus");
    input.value = String(editing ? value : Number(value.toFixed(2)));
    input.style.fontSize = editing ? "" : sizeFor(input.value);
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

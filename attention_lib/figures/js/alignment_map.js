// @ts-check
// A heatmap whose rows and columns are the words of two sentences.
import { recolour } from "./colours.js";
import { element, formatNumber, range, shortNumber, watcher } from "./dom.js";
import { heatmap } from "./heatmap.js";
import { panel } from "./panels.js";

/** @typedef {import("./arithmetic.js").Matrix} Matrix */

const LONG = /\w{6}|[^\x00-\xff]{4}/; // words that find no room over a column
const MANY = 8; // columns that have room for all decimals on a phone

/**
 * Made anew for another number of words; else only what differs is written.
 * @param {{ label: string, direction: string, place: string, knows: (word: string) => boolean }}
 *   options
 */
export function alignmentMap({ label, direction, place, knows }) {
  const holder = element("div");
  const whole = panel(label, element("div", { class: "hint" }, direction), holder);
  whole.classList.add("alignment");
  const changed = watcher();
  /** @type {HTMLElement[]} */
  let names = [];
  /** @type {import("./heatmap.js").Heatmap} */
  let map;
  const make = (/** @type {number} */ rows, /** @type {number} */ cols) => {
    names = range(rows + cols).map(() => element("span"));
    const [sides, heads] = [names.slice(0, rows), names.slice(rows)];
    map = heatmap({ label, place, hue: "weights", example: 0, rows, cols, sides, heads });
    holder.replaceChildren(map.element);
    whole.style.setProperty("--keys", String(cols));
    whole.toggleAttribute("data-many", cols > MANY);
  };
  /** @type {(matrix: Matrix, rows: string[], cols: string[]) => void} */
  const update = (matrix, rows, cols) => {
    whole.hidden = !rows.length || !cols.length;
    if (whole.hidden) return;
    const anew = changed(rows.length, cols.length);
    if (anew) make(rows.length, cols.length);
    [...rows, ...cols].forEach((word, i) => {
      if (names[i].title === word) return;
      names[i].title = names[i].textContent = word;
      names[i].toggleAttribute("data-unknown", !knows(word));
    });
    const many = cols.length > MANY;
    whole.toggleAttribute("data-turned", many || cols.some((word) => LONG.test(word)));
    map.update(matrix, { domain: [0, 1], format: many ? shortNumber : formatNumber });
    if (anew) recolour(holder);
  };
  return { element: whole, update };
}

// @ts-check
// A matrix as a grid of coloured numbers: a table up to 16 × 16, a canvas beyond.
import { painter, shade } from "./colours.js";
import { element, formatNumber, range, watcher } from "./dom.js";
import { grid, gridCell } from "./grid.js";

/** @typedef {import("./arithmetic.js").Matrix} Matrix */
/** @typedef {import("./colours.js").Colours} Colours */
/**
 * @typedef {object} Plan
 * @property {string} label what the matrix is, for those who do not see it
 * @property {number} rows
 * @property {number} cols
 * @property {"scores" | "weights" | "queries" | "values" | "plain"} hue
 * @property {number} [example] of which these are the weights: cells get their data-at
 * @property {string} [place] what that is called, if these are not the figure's attention_weights
 * @property {boolean} [tells] of the weights, if not only weights do: it is hidden with them
 * @property {(string | Node)[]} [heads] of the columns, instead of their numbers
 * @property {(string | Node)[]} [sides] of the rows, instead of theirs
 * @property {number} [first] number of the first row
 */
/**
 * @typedef {object} Look
 * @property {[number, number]} domain the numbers that get the palest and the strongest colour
 * @property {number[]} [lengths] of each row: cells from there on are hatched
 * @property {Matrix} [kept] 0 where a cell is hatched, if not by lengths
 * @property {(x: number) => string} [format]
 */
/**
 * @typedef {object} Heatmap
 * @property {HTMLElement} element
 * @property {HTMLElement} map the part that is coloured, to lay something over it
 * @property {(matrix: Matrix, look: Look) => void} update
 */

const TEXT_LIMIT = 16;

/** Whether a matrix is shown as text, so that its numbers can be read and edited. */
/** @param {number} rows @param {number} cols */
export const isSmall = (rows, cols) => Math.max(rows, cols) <= TEXT_LIMIT;

/** @param {Plan} plan @returns {Heatmap} */
export function heatmap(plan) {
  return isSmall(plan.rows, plan.cols) ? textHeatmap(plan) : canvasHeatmap(plan);
}

/** What lies over the numbers goes in here, too. @param {Plan} plan @param {Node} numbers */
const mapOf = ({ hue, tells = hue === "weights" }, numbers) =>
  element("div", { class: "map", "data-tells": tells }, numbers);

/** Whether a cell is hatched. @param {Look} look @param {number} row @param {number} col */
const isMasked = ({ lengths, kept }, row, col) =>
  lengths ? col >= lengths[row] : kept?.[row][col] === 0;

/** All of a look that can differ, to be compared. @param {Look} look */
const marksOf = ({ domain, lengths, kept }) => [domain, lengths, kept].map(String);

/** @param {Plan} plan @returns {Heatmap} */
function textHeatmap(plan) {
  const { example: b, place = "data-at", first = 0 } = plan;
  const at = (/** @type {number} */ row, /** @type {number} */ col) =>
    b === undefined ? {} : { [place]: `${b},${first + row},${col}` };
  const cells = range(plan.rows).map((row) =>
    range(plan.cols).map((col) => gridCell(new Text(), at(row, col))),
  );
  const table = grid(plan, cells);
  const changed = watcher();
  const update = painter(table, (matrix, look, colours) => {
    const { domain, format = formatNumber } = look;
    if (!changed(matrix, ...marksOf(look), colours)) return;
    cells.forEach((line, row) =>
      line.forEach((cell, col) => {
        const masked = isMasked(look, row, col);
        cell.text(format(matrix[row][col]));
        cell.mask(masked);
        if (plan.hue !== "plain") cell.tint(masked ? 0 : shade(matrix[row][col], domain), colours);
      }),
    );
  });
  const map = mapOf(plan, table);
  return { element: map, map, update };
}

/** A canvas, and below it the row in focus as text; a mask needs no text. */
/** @param {Plan} plan @returns {Heatmap} */
function canvasHeatmap(plan) {
  const row = plan.hue === "plain" ? null : focusedRow(plan);
  const canvas = element("canvas", {
    width: plan.cols,
    height: plan.rows,
    style: `width: ${side(plan.cols)}rem; height: ${side(plan.rows)}rem`,
    role: "img",
    "aria-label": plan.label,
    pointerdown: (/** @type {PointerEvent} */ event) => {
      const box = canvas.getBoundingClientRect();
      row?.focus(Math.floor(((event.clientY - box.top) / box.height) * plan.rows));
    },
  });
  const changed = watcher();
  const draw = painter(canvas, (matrix, look, colours) => {
    if (!colours || !changed(matrix, ...marksOf(look), colours)) return;
    paintCanvas(canvas, colours, matrix, look);
  });
  /** @type {Heatmap["update"]} */
  const update = (matrix, look) => {
    draw(matrix, look);
    row?.update(matrix, look);
  };
  const map = mapOf(plan, canvas);
  return {
    element: element("div", { "data-hue": plan.hue }, map, row?.element ?? ""),
    map,
    update,
  };
}

/** One row of a matrix as text, and a slider that chooses it. @param {Plan} plan */
function focusedRow(plan) {
  const slider = element("input", {
    type: "range",
    max: plan.rows - 1,
    value: 0,
    "aria-label": `${plan.label}[…]`,
    input: () => focus(Number(slider.value)),
  });
  const holder = element("div", { class: "line", tabindex: 0, role: "group" });
  /** @type {[Matrix, Look] | undefined} */
  let shown;
  let row = 0;
  let line = textHeatmap({ ...plan, rows: 1 });
  holder.append(line.element);

  /** @type {Heatmap["update"]} */
  const update = (matrix, look) => {
    shown = [matrix, look];
    const { lengths, kept } = look;
    const own = { lengths: lengths && [lengths[row]], kept: kept && [kept[row]] };
    line.update([matrix[row]], { ...look, ...own });
  };
  const focus = (/** @type {number} */ chosen) => {
    slider.value = String(chosen);
    row = Number(slider.value); // which lies within its limits
    line = textHeatmap({ ...plan, rows: 1, first: row });
    holder.replaceChildren(line.element);
    if (shown) update(...shown);
    holder.firstElementChild?.firstElementChild?.dispatchEvent(new Event("colours"));
  };
  return { element: element("div", {}, slider, holder), focus, update };
}

/** Length of a canvas with so many cells, in rem. @param {number} cells */
const side = (cells) => Math.min(16, Math.max(3, cells / 4));

/** An opaque colour as canvases keep it, on the little-endian machines that browsers run on. */
/** @param {number[]} channels */
const pixel = ([red, green, blue]) => ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;

/** One pixel a cell; padding chequered. */
/**
 * @param {HTMLCanvasElement} canvas @param {Colours} colours
 * @param {Matrix} matrix @param {Look} look
 */
function paintCanvas(canvas, colours, matrix, look) {
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const image = context.createImageData(canvas.width, canvas.height);
  const pixels = new Uint32Array(image.data.buffer);
  const shades = colours.shades.map(pixel);
  const hatch = pixel(colours.hatch);
  let i = 0;
  matrix.forEach((line, row) =>
    line.forEach((x, col) => {
      const chequered = (row + col) % 2 ? hatch : shades[0];
      pixels[i++] = isMasked(look, row, col) ? chequered : shades[shade(x, look.domain)];
    }),
  );
  context.putImageData(image, 0, 0);
}

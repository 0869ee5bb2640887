// @ts-check
// A matrix as a grid of coloured numbers: a table up to 16 × 16, a canvas beyond.
import { element, formatNumber, range, watcher } from "./dom.js";

/** @typedef {import("./arithmetic.js").Matrix} Matrix */
/**
 * @typedef {object} Plan
 * @property {string} label what the matrix is, for those who do not see it
 * @property {number} rows
 * @property {number} cols
 * @property {"scores" | "weights" | "plain"} hue
 * @property {(row: number, col: number) => string} [at] gives cells their data-at
 * @property {string[]} [heads] of the columns, instead of their numbers
 * @property {number} [first] number of the first row
 */
/**
 * @typedef {object} Look
 * @property {[number, number]} domain the numbers that get the palest and the strongest colour
 * @property {number[]} [lengths] of each row: cells from there on are hatched
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

/** Where x lies in the domain, from 0 to 1. @param {number} x @param {[number, number]} domain */
export function shade(x, [low, high]) {
  return high > low ? Math.min(1, Math.max(0, (x - low) / (high - low))) : 0;
}

/** A table with numbered rows and columns. @param {Plan} plan @param {{ node: Node }[][]} cells */
export function grid({ label, cols, hue, heads, first = 0 }, cells) {
  const columnHead = (/** @type {number} */ col) =>
    element("th", { scope: "col" }, heads?.[col] ?? String(col));
  const rows = cells.map((line, row) =>
    element(
      "tr",
      {},
      element("th", { scope: "row" }, String(first + row)),
      ...line.map(({ node }) => node),
    ),
  );
  return element(
    "table",
    { "aria-label": label, "data-hue": hue },
    element("thead", {}, element("tr", {}, element("td"), ...range(cols).map(columnHead))),
    element("tbody", {}, ...rows),
  );
}

/** A cell of a grid; touching the page only for what differs keeps a repaint cheap. */
/** @param {Node[]} content @param {string | null} [at] */
export function gridCell(content, at = null) {
  const node = element("td", { "data-at": at }, ...content);
  const [textChanged, shadeChanged, maskChanged] = [watcher(), watcher(), watcher()];
  return {
    node,
    text: (/** @type {string} */ text) => {
      if (textChanged(text)) node.textContent = text;
    },
    tint: (/** @type {number} */ t) => {
      if (shadeChanged(t)) node.style.setProperty("--t", t.toFixed(3));
    },
    mask: (/** @type {boolean} */ masked) => {
      if (maskChanged(masked)) node.toggleAttribute("data-masked", masked);
    },
  };
}

/** @param {Plan} plan @returns {Heatmap} */
function textHeatmap(plan) {
  const first = plan.first ?? 0;
  const changed = watcher();
  const cells = range(plan.rows).map((row) =>
    range(plan.cols).map((col) => gridCell([], plan.at?.(first + row, col))),
  );
  /** @type {Heatmap["update"]} */
  const update = (matrix, { domain, lengths, format = formatNumber }) => {
    if (!changed(matrix, String(domain), String(lengths))) return;
    cells.forEach((line, row) =>
      line.forEach((cell, col) => {
        cell.text(format(matrix[row][col]));
        cell.tint(shade(matrix[row][col], domain));
        cell.mask(lengths !== undefined && col >= lengths[row]);
      }),
    );
  };
  const map = element("div", { class: "map" }, grid(plan, cells));
  return { element: map, map, update };
}

/** A canvas, and below it the row in focus as text. @param {Plan} plan @returns {Heatmap} */
function canvasHeatmap(plan) {
  const canvas = element("canvas", {
    width: plan.cols,
    height: plan.rows,
    style: `width: ${side(plan.cols)}rem; height: ${side(plan.rows)}rem`,
    role: "img",
    "aria-label": plan.label,
    pointerdown: (/** @type {PointerEvent} */ event) => {
      const box = canvas.getBoundingClientRect();
      focus(Math.floor(((event.clientY - box.top) / box.height) * plan.rows));
    },
  });
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
  const changed = watcher();
  /** @type {number[][] | undefined} */
  let palette;
  let row = 0;
  let line = textHeatmap({ ...plan, rows: 1 });

  const draw = () => {
    if (shown && palette) paintCanvas(canvas, palette, ...shown);
  };
  const paintLine = () => {
    if (!shown) return;
    const [matrix, look] = shown;
    line.update([matrix[row]], { ...look, lengths: look.lengths && [look.lengths[row]] });
  };
  const focus = (/** @type {number} */ chosen) => {
    row = chosen;
    slider.value = String(row);
    line = textHeatmap({ ...plan, rows: 1, first: row });
    holder.replaceChildren(line.element);
    paintLine();
  };
  /** @type {Heatmap["update"]} */
  const update = (matrix, look) => {
    shown = [matrix, look];
    if (changed(matrix, String(look.domain), String(look.lengths))) draw();
    paintLine();
  };
  // Colours are known once the canvas stands on a page, and change with the theme.
  const recolour = () => {
    palette = colours(canvas);
    draw();
  };
  canvas.addEventListener("theme", recolour);
  new ResizeObserver(recolour).observe(canvas);
  focus(0);
  const map = element("div", { class: "map" }, canvas);
  return { element: element("div", { "data-hue": plan.hue }, map, slider, holder), map, update };
}

/** Length of a canvas with so many cells, in rem. @param {number} cells */
const side = (cells) => Math.min(16, Math.max(3, cells / 4));

/** One pixel a cell; padding chequered. */
/**
 * @param {HTMLCanvasElement} canvas @param {number[][]} palette
 * @param {Matrix} matrix @param {Look} look
 */
function paintCanvas(canvas, [pale, strong, hatch], matrix, { domain, lengths }) {
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const image = context.createImageData(canvas.width, canvas.height);
  let i = 0;
  matrix.forEach((line, row) =>
    line.forEach((x, col) => {
      const t = shade(x, domain);
      const masked = lengths !== undefined && col >= lengths[row] && (row + col) % 2;
      for (let c = 0; c < 3; c++) {
        image.data[i++] = masked ? hatch[c] : pale[c] + t * (strong[c] - pale[c]);
      }
      image.data[i++] = 255;
    }),
  );
  context.putImageData(image, 0, 0);
}

/** The stylesheet's colours of a heatmap, as channels. @param {Element} node */
function colours(node) {
  const style = getComputedStyle(node);
  return ["--pale", "--strong", "--hatch"].map((name) =>
    style.getPropertyValue(name).trim().split(/\s+/).map(Number),
  );
}

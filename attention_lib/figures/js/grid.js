// @ts-check
// A table whose cells are coloured, whatever stands in them.
import { SHADES } from "./colours.js";
import { element, range, watcher } from "./dom.js";

/** @typedef {import("./colours.js").Colours} Colours */
/** @typedef {import("./heatmap.js").Plan} Plan */

/** A table with numbered rows and columns. @param {Plan} plan @param {{ node: Node }[][]} cells */
export function grid({ label, cols, hue, heads, sides, first = 0 }, cells) {
  const columnHead = (/** @type {number} */ col) =>
    heads?.[col] === ""
      ? element("td")
      : element("th", { scope: "col" }, heads?.[col] ?? String(col));
  const rows = cells.map((line, row) =>
    element(
      "tr",
      {},
      element("th", { scope: "row" }, sides?.[first + row] ?? String(first + row)),
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

/** The size at which a text fits its cell, whatever was typed; a short one keeps the usual size. */
/** @param {string} text */
export const sizeFor = ({ length }) =>
  length > 4 ? `min(1em, calc(var(--cell) * 1.55 / ${length}))` : "";

/** A cell of a grid; touching the page only for what differs keeps a repaint cheap. */
/** @param {Text | HTMLElement} content @param {Record<string, string>} [place] */
export function gridCell(content, place = {}) {
  const node = element("td", place, content);
  const [textChanged, shadeChanged, maskChanged] = [watcher(), watcher(), watcher()];
  return {
    node,
    text: (/** @type {string} */ text) => {
      if (!textChanged(text)) return;
      /** @type {Text} */ (content).data = text;
      node.style.fontSize = sizeFor(text);
    },
    // Inline colours cost a tenth of a custom property that rules compute with.
    tint: (/** @type {number} */ level, /** @type {Colours | undefined} */ colours) => {
      if (!colours || !shadeChanged(level, colours)) return;
      node.style.backgroundColor = `rgb(${colours.shades[level]})`;
      node.style.color = `rgb(${level / SHADES > colours.flip ? colours.contrast : colours.ink})`;
    },
    mask: (/** @type {boolean} */ masked) => {
      if (maskChanged(masked)) node.toggleAttribute("data-masked", masked);
    },
  };
}

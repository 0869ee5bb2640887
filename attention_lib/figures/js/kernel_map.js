// @ts-check
// The weights of many queries at once: a row for each query, a column for each key.
import { element, formatNumber, range } from "./dom.js";
import { drawn, plotArea, redraw } from "./plot.js";
import { clamped, linearScale } from "./scales.js";

/** @typedef {import("./kernels.js").Stages} Stages */

/** @param {{ words: import("./controls.js").Words, rows: number, cols: number }} options */
export function weightMap({ words, rows, cols }) {
  const area = plotArea({
    label: words("weightMap"),
    height: 372,
    xlabel: "keys",
    ylabel: "queries",
  });
  const cells = range(rows).map(() => range(cols).map(() => drawn("rect")));
  const strongest = element("div", { class: "hint" });
  const marker = drawn("path", { class: "stem" });
  area.inside.append(drawn("g", { class: "weights" }, ...cells.flat()), marker);
  const x = linearScale([-0.5, cols - 0.5], area.ranges.x);
  placeCells(cells, area.ranges);
  const columns = x.ticks.filter((tick) => Number.isInteger(tick) && tick >= 0 && tick < cols);
  const update = (/** @type {Stages} */ { queries, evenQueries, evenWeights }) => {
    const [first, last] = [evenQueries[0][0][0], evenQueries[0][rows - 1][0]];
    const half = (last - first) / (rows - 1) / 2 || 0.5;
    const y = linearScale([first - half, last + half], area.ranges.y);
    area.axes({ ...x, ticks: columns }, y);
    const largest = Math.max(...evenWeights[0].flat().map(Math.abs)) || 1;
    cells.forEach((line, row) =>
      line.forEach((cell, col) => {
        const weight = evenWeights[0][row][col];
        redraw(cell, { "fill-opacity": Math.abs(weight / largest).toFixed(3) });
        cell.toggleAttribute("data-negative", weight < 0);
      }),
    );
    strongest.textContent = words("strongest", { weight: formatNumber(largest) });
    const place = y.place(clamped(y.domain, queries[0][0][0]));
    redraw(marker, { d: `M${area.ranges.x[0]} ${place}H${area.ranges.x[1]}` });
  };
  return { element: element("div", { "data-tells": true }, area.element, strongest), update };
}

/** The first row at the bottom, as on an axis. */
/** @param {SVGRectElement[][]} cells @param {import("./plot.js").Area["ranges"]} ranges */
function placeCells(cells, { x: [left, right], y: [bottom, top] }) {
  const [width, height] = [(right - left) / cells[0].length, (bottom - top) / cells.length];
  cells.forEach((line, row) =>
    line.forEach((cell, col) =>
      redraw(cell, { x: left + col * width, y: bottom - (row + 1) * height, width, height }),
    ),
  );
}

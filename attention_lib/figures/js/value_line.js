// @ts-check
// The values on a line, as large as their weights, with their weighted and their plain average.
import { formatNumber, range } from "./dom.js";
import { outputMark } from "./marks.js";
import { write } from "./model.js";
import { withRow } from "./panels.js";
import { draggables, drawn, plotArea, redraw } from "./plot.js";
import { anchorAt, clamped, labelRows, linearScale, steadyDomain } from "./scales.js";

/** @typedef {import("./pooling.js").Stages} Stages */
/** @typedef {import("./scales.js").Point} Point */

const MIDDLE = 48; // where the line is
const SIDE = 22; // of a square with all the weight
const LABEL = { below: 22, width: 22, height: 13, rows: 2, average: 96 };

/**
 * @param {{ model: import("./model.js").Model, words: import("./controls.js").Words,
 *   settled: () => void }} options settled: called at the end of a drag
 */
export function valueLine({ model, words, settled }) {
  const area = plotArea({
    label: words("valueLine"),
    height: 140,
    margin: { left: 16, right: 16, top: 36 },
    xlabel: "values",
  });
  const marks = range(model.get("values")[0].length).map(valueMark);
  const domain = steadyDomain();
  let scale = linearScale([0, 1], area.ranges.x);
  const handles = draggables(area, {
    names: marks.map((_, k) => `values[0][${k}]`),
    mark: (k) => marks[k].element,
    title: words("dragPoint"),
    start: () => domain.hold(true),
    move: (k, [place]) =>
      write(model, "values", withRow(model.get("values"), 0, k, [scale.value(place)])),
    end: () => {
      domain.hold(false);
      settled();
    },
  });
  const [output, mean] = [outputMark({ y: -26 }), meanMark()];
  area.over.append(mean.element, output.element);
  const update = (/** @type {Stages} */ stages, /** @type {number} */ q) => {
    const values = stages.values[0].flat();
    scale = linearScale(domain.of(values), area.ranges.x);
    area.axes(scale);
    const across = (/** @type {number} */ x) => scale.place(clamped(scale.domain, x));
    const places = values.map(across);
    const rows = labelRows(places, LABEL.width);
    handles.update(places.map((x) => /** @type {Point} */ ([x, MIDDLE])));
    marks.forEach((mark, k) => mark.update(stages.weights[0][q][k], rows[k]));
    const averages = /** @type {const} */ ([
      [output, "output", stages.output[0][q][0]],
      [mean, words("mean"), stages.mean[0][0][0]],
    ]);
    for (const [mark, name, x] of averages) {
      mark.update(`${name} ${formatNumber(x)}`);
      redraw(mark.element, { transform: `translate(${across(x)} ${MIDDLE})` });
      redraw(mark.label, { "text-anchor": anchorAt(across(x), LABEL.average, area.ranges.x) });
    }
  };
  return { element: area.element, update };
}

/** A value as a square whose area is its weight. @param {number} k */
function valueMark(k) {
  const square = drawn("rect", { class: "weight" });
  const label = drawn("text", { "text-anchor": "middle" }, `v${k}`);
  const element = drawn(
    "g",
    { class: "value" },
    square,
    drawn("rect", { x: -4, y: -4, width: 8, height: 8 }),
    label,
  );
  const update = (/** @type {number} */ weight, /** @type {number} */ row) => {
    const side = SIDE * Math.sqrt(weight);
    redraw(square, { x: -side / 2, y: -side / 2, width: side, height: side });
    redraw(label, { y: LABEL.below + Math.min(row, LABEL.rows - 1) * LABEL.height });
  };
  return { element, update };
}

function meanMark() {
  const label = drawn("text", { y: 50 });
  const update = (/** @type {string} */ word) => {
    label.textContent = word;
  };
  const line = drawn("path", { d: "M0-8V40" });
  return { element: drawn("g", { class: "mean" }, line, label), update, label };
}

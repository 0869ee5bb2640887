// @ts-check
// Training data, the curve through it, and the query; below it the weights that the query gives.
import { element, formatNumber, range } from "./dom.js";
import { keyMark, outputMark, queryMark } from "./marks.js";
import { write } from "./model.js";
import { withRow } from "./panels.js";
import { isEmpty } from "./kernels.js";
import { bars, curve, draggables, drawn, plotArea, redraw } from "./plot.js";
import { clamped, linearScale, niceStep, steadyDomain } from "./scales.js";

/** @typedef {import("./model.js").Model} Model */
/** @typedef {import("./controls.js").Words} Words */
/** @typedef {import("./kernels.js").Stages} Stages */
/** @typedef {import("./scales.js").Point} Point */
/** @typedef {import("./scales.js").Interval} Interval */

const SAMPLES = 160; // of the curve, besides the keys
const OUTPUT_ROOM = 90; // for a label
const KEY_ROOM = 24;
const BAR = 6; // width of a weight

/**
 * @param {{ model: Model, words: Words, settled: () => void,
 *   curveAt: (model: Model, xs: number[]) => (number | null)[] }} options
 *   settled: called at the end of a drag
 */
export function dataPlot({ model, words, settled, curveAt }) {
  const area = plotArea({ label: words("dataPlot"), height: 264, margin: { top: 32, bottom: 22 } });
  const [across, upward] = [steadyDomain(), steadyDomain()];
  const path = curve(area, "outputs");
  const look = queryLook(area);
  const strip = weightStrip(words);
  const keys = range(model.get("keys_")[0].length).map((k) => keyMark(`k${k}`));
  const hold = (/** @type {boolean} */ held) => [across, upward].forEach((d) => d.hold(held));
  let [x, y] = [linearScale([0, 1], area.ranges.x), linearScale([0, 1], area.ranges.y)];
  const handles = draggables(area, {
    names: ["queries[0][0]", ...keys.map((_, k) => `keys[0][${k}] values[0][${k}]`)],
    mark: (i) => [look.query, ...keys][i].element,
    title: words("dragPoint"),
    start: () => hold(true),
    move: (i, place) => moved(model, i, x.value(place[0]), y.value(place[1])),
    end: () => {
      hold(false);
      settled();
    },
  });
  area.over.append(look.output.element);
  const update = (/** @type {Stages} */ stages) => {
    const [[q], inputs, targets] = ["queries", "keys", "values"].map((name) =>
      stages[/** @type {"keys"} */ (name)][0].flat(),
    );
    const weights = stages.weights[0][0];
    x = linearScale(across.of([q, ...inputs]), area.ranges.x);
    y = linearScale(upward.of(targets), area.ranges.y);
    const at = (/** @type {number} */ input, /** @type {number} */ target) =>
      /** @type {Point} */ ([
        x.place(clamped(x.domain, input)),
        y.place(clamped(y.domain, target)),
      ]);
    area.axes(x, y);
    const places = inputs.map((input, k) => at(input, targets[k]));
    handles.update([at(q, y.domain[0]), ...places]);
    keys.forEach((mark, k) => {
      mark.update(weights[k]);
      mark.turn(places[k][0] > area.ranges.x[1] - KEY_ROOM);
    });
    look.update(at(q, stages.output[0][0][0]), isEmpty(weights) ? null : stages.output[0][0][0]);
    const xs = samples(x.domain, inputs);
    path.update(curveAt(model, xs).map((f, i) => [x.place(xs[i]), f === null ? null : y.place(f)]));
    strip.update(x, inputs, weights);
  };
  return { element: element("div", { class: "training" }, area.element, strip.element), update };
}

/** The query on the axis, and the output above it on the curve. @param {import("./plot.js").Area} area */
function queryLook(area) {
  const stem = drawn("path", { class: "stem", "data-tells": "" }); // it ends at the output
  const query = queryMark("q0");
  const output = outputMark({ x: 12, y: -12 });
  area.inside.append(stem);
  /** Where the output is, and how large; null where there is none. */
  const update = (/** @type {Point} */ [across, up], /** @type {number | null} */ f) => {
    query.update(true);
    redraw(stem, { d: `M${across} ${area.ranges.y[0]}V${f === null ? area.ranges.y[1] : up}` });
    output.element.toggleAttribute("hidden", f === null);
    output.update(f === null ? "" : `output ${formatNumber(f)}`);
    const left = across > area.ranges.x[1] - OUTPUT_ROOM;
    redraw(output.label, { x: left ? -12 : 12, "text-anchor": left ? "end" : "start" });
    redraw(output.element, { transform: `translate(${across} ${up})` });
  };
  return { query, output, update };
}

/** Each weight as a bar where its key is. @param {Words} words */
function weightStrip(words) {
  const area = plotArea({
    label: words("queryWeights"),
    height: 98,
    margin: { top: 26, bottom: 10 },
    ylabel: "attention_weights",
  });
  const weights = bars(area, "weight");
  const update = (
    /** @type {import("./scales.js").Scale} */ x,
    /** @type {number[]} */ keys,
    /** @type {number[]} */ all,
  ) => {
    const y = linearScale(weightDomain(all), area.ranges.y);
    area.axes({ ...x, ticks: [] }, { ...y, ticks: [...new Set([0, ...y.domain])] });
    weights.update(
      keys.map((key, k) => {
        const middle = x.place(clamped(x.domain, key));
        return { from: middle - BAR / 2, to: middle + BAR / 2, top: y.place(all[k]) };
      }),
      y.place(0),
    );
  };
  return { element: element("div", { "data-tells": true }, area.element), update };
}

/** From 0, or from as far below, to the smallest of 0.1, 0.2, 0.5, 1, 2, 5 … that holds them all. */
/** @param {number[]} weights @returns {Interval} */
export function weightDomain(weights) {
  const top = niceStep(Math.max(0.1, ...weights.map(Math.abs)), 1);
  return [Math.min(...weights) < 0 ? -top : 0, top];
}

/** Writes what a drag of the query, or of one of the training points after it, leads to. */
/** @param {Model} model @param {number} i @param {number} x @param {number} y */
function moved(model, i, x, y) {
  if (i === 0) return write(model, "queries", [[[x]]]);
  model.set("keys_", withRow(model.get("keys_"), 0, i - 1, [x]));
  write(model, "values", withRow(model.get("values"), 0, i - 1, [y]));
}

/** Where the curve is computed: evenly, and at each key, however narrow the kernel. */
/** @param {Interval} domain @param {number[]} keys */
function samples([low, high], keys) {
  const even = range(SAMPLES + 1).map((i) => low + ((high - low) * i) / SAMPLES);
  return [...even, ...keys].sort((a, b) => a - b);
}

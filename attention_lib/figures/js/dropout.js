// @ts-check
// The dropout figure: weights before and after dropout, and their mean over many draws.
import { total } from "./arithmetic.js";
import { colourRange } from "./colours.js";
import { checkbox, choice, interval, slider } from "./controls.js";
import { element, formatNumber, range } from "./dom.js";
import { dropoutProgram } from "./dropout_program.js";
import { dropoutStages } from "./dropout_stages.js";
import { weightDomain } from "./kernel_data.js";
import { write } from "./model.js";
import { editablePanel, group, heatmapPanel, numbered } from "./panels.js";
import { curve, drawn, plotArea, redraw } from "./plot.js";
import { linearScale } from "./scales.js";
import { listSlider } from "./sliders.js";

/** @typedef {import("./model.js").Model} Model */
/** @typedef {import("./controls.js").Words} Words */
/** @typedef {import("./arithmetic.js").Tensor} Tensor */
/** @typedef {import("./dropout_stages.js").Stages} Stages */

const MOST = 0.9;
const TWENTIETHS = 18; // from 0 to the most

/** As many random numbers, each cut off after two decimals. @param {Tensor} draws */
const drawnAnew = (draws) =>
  draws.map((rows) => rows.map((row) => row.map(() => Math.floor(100 * Math.random()) / 100)));

/** @param {Model} model @param {Words} words @returns {import("./figure.js").View} */
export function dropoutFigure(model, words) {
  const [rows, cols] = [model.get("scores")[0].length, model.get("scores")[0][0].length];
  const size = model.get("values")[0][0].length;
  const controls = dropoutControls(model, words);
  const said = report(model, words);
  const panels = dropoutPanels({ rows, cols, size, model, words });
  const far = distancePlot(words, model.get("draws").length);
  const paint = () => {
    if (!controls.update()) return;
    const stages = dropoutStages(model);
    said.update(stages);
    panels.update(stages, model.get("draw"));
    far.update(stages.distances, model.get("draw"));
  };
  const pair = element("div", { class: "pair" }, element("div", {}, panels.mean), far.element);
  return {
    parts: [controls.element, ...said.parts, ...panels.rows, pair],
    keys: cols,
    columns: 3 * cols + 1,
    listensTo: ["scores", "values", "draws", "p", "training", "draw"],
    paint,
    stages: () => dropoutStages(model),
    program: () => dropoutProgram(model, words),
  };
}

/** @param {Model} model @param {Words} words */
function dropoutControls(model, words) {
  const number = model.get("draws").length;
  const set = (/** @type {string} */ name) => (/** @type {any} */ value) =>
    write(model, name, value);
  const held = [
    interval({ name: "p", low: 0, high: MOST, model, words }),
    choice({ name: "draw", choices: range(number).map((n) => n + 1), model, words }),
  ];
  const numbers = range(TWENTIETHS + 1).map((i) => i / 20);
  const p = listSlider({ name: "p", numbers, change: set("p") });
  const label = words("trainingMode");
  const training = checkbox({ name: "training", label, change: set("training") });
  const draw = slider({ name: "draw", min: 1, max: number, change: set("draw") });
  const resample = element(
    "button",
    {
      type: "button",
      "data-control": "resample",
      click: () => write(model, "draws", drawnAnew(model.get("draws"))),
    },
    words("resample"),
  );
  const update = () => {
    if (!held.every(({ isGood }) => isGood())) return false;
    p.update(model.get("p"));
    training.update(model.get("training"));
    draw.update(model.get("draw"));
    return true;
  };
  const parts = [p, training, draw, { element: resample }, ...held];
  return { element: group("controls walk-bar", ...parts), update };
}

/** What dropout did to the weights, in words. @param {Model} model @param {Words} words */
function report(model, words) {
  const parts = ["sentence", "notice"].map((name) =>
    element("p", { class: name, role: "status", "data-tells": name === "notice" }),
  );
  const update = (/** @type {Stages} */ { kept, rowSums }) => {
    const [all, left] = [kept.flat(), formatNumber(1 - model.get("p"))];
    const counts = { dropped: all.length - total(all), all: all.length, left };
    const lost = rowSums[0].flatMap(([sum], q) => (sum === 0 ? `q${q}` : []));
    parts[0].textContent = words(model.get("training") ? "droppedNow" : "evaluation", counts);
    parts[1].textContent = lost.length ? words("lostRows", { rows: lost.join(", ") }) : "";
  };
  return { parts, update };
}

/**
 * From the weights before dropout to the output, and the mean over many draws.
 * @param {{ rows: number, cols: number, size: number, model: Model, words: Words }} context
 */
function dropoutPanels({ rows, cols, size, model, words }) {
  const sides = numbered("q", rows);
  /** @type {(label: string, look: object) => ReturnType<typeof heatmapPanel>} */
  const map = (label, look) =>
    heatmapPanel({ label, rows, cols, sides, hue: "weights", heads: numbered("k", cols), ...look });
  const weights = map("attention_weights[0]", { example: 0 });
  const draws = map("draws[draw − 1]", { hue: "plain" });
  const dropped = map("dropped[0]", { example: 0, place: "data-used-at" });
  const sums = map(words("rowSums"), { hue: "plain", tells: true, cols: 1, heads: [""] });
  const outputs = ["output[0]", words("withoutDropout")].map((label) =>
    map(label, { hue: "values", tells: true, cols: size, heads: undefined }),
  );
  const mean = map(words("meanOfDraws", { n: "n" }), {});
  const look = { hue: /** @type {const} */ ("values"), heads: numbered("v", cols) };
  const values = editablePanel({ trait: "values", b: 0, transposed: true, model, words, ...look });
  /** @param {Stages} stages @param {number} n */
  const update = (stages, n) => {
    const [kept, domain] = [stages.kept, /** @type {[number, number]} */ ([0, 1])];
    const reach = colourRange(stages.values);
    values.update();
    weights.update(stages.weights[0], { domain });
    draws.update(stages.draws[0], { domain, kept, format: (x) => x.toFixed(2) });
    dropped.update(stages.dropped[0], { domain, kept });
    sums.update(stages.rowSums[0], { domain });
    outputs[0].update(stages.output[0], { domain: reach });
    outputs[1].update(stages.evalOutput[0], { domain: reach });
    mean.update(stages.mean[0], { domain });
    if (mean.element.firstChild) mean.element.firstChild.textContent = words("meanOfDraws", { n });
  };
  const flow = element(
    "div",
    { class: "flow" },
    group("stage", weights),
    group("stage", draws),
    group("stage tensors", dropped, sums),
  );
  const pooled = { element: group("tensors", ...outputs) }; // to be compared: always side by side
  return { rows: [flow, group("tensors", values, pooled)], mean: mean.element, update };
}

/** How far the mean is from the weights before dropout, after each number of draws. */
/** @param {Words} words @param {number} number of draws */
function distancePlot(words, number) {
  const area = plotArea({
    label: words("deviation"),
    height: 190,
    xlabel: "draw",
    ylabel: "max |mean − attention_weights|",
  });
  const x = linearScale([1, Math.max(2, number)], area.ranges.x);
  const path = curve(area, "distance");
  const dot = drawn("circle", { class: "now", r: 5 });
  const text = drawn("text", { class: "now" });
  area.over.append(dot, text);
  const update = (/** @type {number[]} */ distances, /** @type {number} */ n) => {
    const y = linearScale(weightDomain(distances), area.ranges.y);
    const [across, up] = [x.place(n), y.place(distances[n - 1])];
    area.axes(x, y);
    path.update(distances.map((far, i) => [x.place(i + 1), y.place(far)]));
    redraw(dot, { cx: across, cy: up });
    text.textContent = distances[n - 1].toFixed(2);
    const left = across > area.ranges.x[1] - 40;
    const y0 = Math.max(up - 8, area.ranges.y[1] + 12); // below the name of the axis
    redraw(text, { x: across + (left ? -9 : 9), y: y0, "text-anchor": left ? "end" : "start" });
  };
  return { element: element("div", { "data-tells": true }, area.element), update };
}

// @ts-check
// The look-up figure: queries and keys in the plane, weights by nearness, the average of the values.
import { distanceScore, mean, pool, total } from "./arithmetic.js";
import { colourRange } from "./colours.js";
import { interval, select } from "./controls.js";
import { element, range } from "./dom.js";
import { legend } from "./marks.js";
import { write } from "./model.js";
import { editablePanel, group, heatmapPanel, markRow, numbered } from "./panels.js";
import { planePlot } from "./plane.js";
import { markFocus } from "./plot.js";
import { poolingProgram } from "./pooling_program.js";
import { decades, listSlider } from "./sliders.js";
import { valueLine } from "./value_line.js";

/** @typedef {import("./model.js").Model} Model */
/** @typedef {import("./controls.js").Words} Words */
/** @typedef {import("./arithmetic.js").Vector} Vector */
/** @typedef {import("./arithmetic.js").Tensor} Tensor */
/** @typedef {ReturnType<typeof poolingStages>} Stages */

const TIE = 2.5e-9; // coordinates of 4 decimals give scores that are equal or 5e-9 apart
const HOTTEST = 1000;

/** Softmax of scores / temperature; at 0 the largest scores share all the weight. */
/** @param {Vector} scores @param {number} temperature */
export function temperedWeights(scores, temperature) {
  // The largest is taken off first: divided by a small temperature, all scores could overflow.
  const largest = Math.max(...scores);
  const below = scores.map((score) => score - largest);
  const terms = below.map((score) =>
    temperature > 0 ? Math.exp(score / temperature) : Number(score >= -TIE),
  );
  const sum = total(terms);
  return terms.map((term) => term / sum);
}

/** All that the figure shows, from its state. @param {Pick<Model, "get">} model */
export function poolingStages(model) {
  /** @type {Tensor[]} */
  const [queries, keys, values] = ["queries", "keys_", "values"].map((name) => model.get(name));
  const scores = queries.map((rows, b) => rows.map((q) => keys[b].map((k) => distanceScore(q, k))));
  const weights = scores.map((rows) =>
    rows.map((row) => temperedWeights(row, model.get("temperature"))),
  );
  return {
    queries,
    keys,
    values,
    scores,
    weights,
    output: pool(weights, values),
    mean: values.map((rows) => [[mean(rows.flat())]]),
  };
}

/** @param {Model} model @param {Words} words @returns {import("./figure.js").View} */
export function poolingFigure(model, words) {
  const numKeys = model.get("keys_")[0].length;
  const heat = temperatureControl(model, words);
  const query = queryControl(model, words, () => paint());
  const plane = planePlot({ model, words, choose: query.choose, settled: () => paint() });
  const line = valueLine({ model, words, settled: () => paint() });
  const panels = poolingPanels({ model, words });
  const paint = () => {
    if (!heat.update()) return;
    const stages = poolingStages(model);
    query.update();
    plane.update(stages, query.read());
    line.update(stages, query.read());
    panels.update(stages, query.read());
  };
  const controls = element("div", { class: "controls" }, heat.element, query.element);
  const { queries, keys, values, weights, output } = panels;
  const pair = element(
    "div",
    { class: "pair" },
    element(
      "div",
      {},
      plane.element,
      legend(words, "legendKey", "legendWeight"),
      group("tensors", queries),
    ),
    element(
      "div",
      {},
      line.element,
      group("tensors", keys),
      group("tensors", values),
      group("tensors", weights, output),
    ),
  );
  markFocus(pair);
  return {
    parts: [controls, pair],
    keys: numKeys,
    columns: 2 * numKeys + 2,
    listensTo: ["queries", "keys_", "values", "temperature"],
    choices: { query },
    paint,
    stages: () => poolingStages(model),
    program: () => poolingProgram(model, words),
  };
}

/** @param {Model} model @param {Words} words */
function temperatureControl(model, words) {
  const name = "temperature";
  const held = interval({ name, low: 0, high: HOTTEST, model, words });
  const control = listSlider({
    name,
    numbers: [0, ...decades(0.01, HOTTEST)],
    change: (value) => write(model, name, value),
  });
  const hint = element("span", { class: "hint" }, words("temperatureEnds"));
  const update = () => {
    const good = held.isGood();
    if (good) control.update(model.get(name));
    return good;
  };
  return { element: element("div", {}, control.element, " ", hint, held.element), update };
}

/** Which query the drawings are about; no part of the state. */
/** @param {Model} model @param {Words} words @param {() => void} changed */
function queryControl(model, words, changed) {
  let chosen = 0;
  const choices = range(model.get("queries")[0].length);
  const choose = (/** @type {number} */ q) => {
    chosen = q;
    changed();
  };
  const control = select({ name: "query", label: words("query"), choices, change: choose });
  return {
    element: choices.length > 1 ? control.element : "",
    number: choices.length,
    read: () => chosen,
    choose,
    update: () => control.update(chosen),
  };
}

/** The same state, and what follows from it, as numbers. @param {{ model: Model, words: Words }} context */
function poolingPanels(context) {
  const { model } = context;
  const [rows, cols] = ["queries", "keys_"].map((name) => model.get(name)[0].length);
  const [q, k, v] = [numbered("q", rows), numbered("k", cols), numbered("v", cols)];
  /** @type {(trait: string, look: object) => ReturnType<typeof editablePanel>} */
  const input = (trait, look) => editablePanel({ trait, b: 0, ...context, ...look });
  const inputs = {
    queries: input("queries", { hue: "queries", sides: q }),
    keys: input("keys_", { transposed: true, heads: k }),
    values: input("values", { transposed: true, hue: "values", heads: v }),
  };
  /** @type {(label: string, look: object) => ReturnType<typeof heatmapPanel>} */
  const result = (label, look) =>
    heatmapPanel({ label, rows, cols, sides: q, hue: "weights", ...look });
  const weights = result("attention_weights[0]", { heads: k, example: 0 });
  const output = result("output[0]", { cols: 1, hue: "values", tells: true });
  const update = (/** @type {Stages} */ stages, /** @type {number} */ chosen) => {
    Object.values(inputs).forEach((panel) => panel.update());
    weights.update(stages.weights[0], { domain: [0, 1] });
    output.update(stages.output[0], { domain: colourRange(stages.values) });
    for (const panel of [weights, output]) markRow(panel, rows > 1 ? chosen : -1);
  };
  return { ...inputs, weights, output, update };
}

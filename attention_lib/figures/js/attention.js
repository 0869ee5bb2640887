// @ts-check
// The pipeline figure: scores → mask → weights → output, for each example of a batch.
import {
  attentionScores,
  extent,
  lengthMask,
  maskedSoftmax,
  pool,
  rowLengths,
} from "./arithmetic.js";
import { attentionProgram } from "./attention_program.js";
import { colourRange } from "./colours.js";
import { choice, select } from "./controls.js";
import { element, range, remembered } from "./dom.js";
import { isSmall } from "./heatmap.js";
import { lengthControls } from "./lengths.js";
import { write } from "./model.js";
import { editablePanel, group, heatmapPanel, maskedPanel, truth } from "./panels.js";
import { presetControl } from "./presets.js";

/** @typedef {import("./model.js").Model} Model */
/** @typedef {import("./controls.js").Words} Words */
/** @typedef {import("./arithmetic.js").Tensor} Tensor */

const TRAITS = ["valid_lens", "queries", "keys_", "values", "num_hiddens", "key_preset"];

/** All that the figure shows, from its state. @param {Pick<Model, "get">} model */
export function attentionStages(model, scoresOf = attentionScores) {
  const [queries, keys, values] = ["queries", "keys_", "values"].map((name) => model.get(name));
  const scores = scoresOf(chosenModule(model), queries, keys);
  const lengths = rowLengths(model.get("valid_lens"), queries[0].length); // (B, Q)
  const weights = maskedSoftmax(scores, lengths);
  const mask = lengths.map((own) => lengthMask(own, keys[0].length));
  return { values, scores, lengths, mask, weights, output: pool(weights, values) };
}

/** @param {Pick<Model, "get">} model */
function chosenModule(model) {
  const modules = model.get("modules");
  const own = (/** @type {any} */ module) => module.num_hiddens === model.get("num_hiddens");
  return modules.length > 1 ? modules.find(own) : modules[0];
}

/** @param {Model} model @param {Words} words @returns {import("./figure.js").View} */
export function attentionFigure(model, words) {
  const [numQueries, numKeys] = [model.get("queries")[0].length, model.get("keys_")[0].length];
  const lengths = lengthControls({ numQueries, numKeys, model, words });
  const hiddens = hiddensControl(model, words);
  const presets = presetControl(model, words);
  const examples = range(model.get("queries").length).map((b) => example({ model, words, b }));
  const scoresOf = remembered(attentionScores); // they stay while lengths and values move
  const paint = () => {
    if (![hiddens, presets, lengths].every((control) => control.update())) return;
    const stages = attentionStages(model, scoresOf);
    examples.forEach(({ update }) => update(stages));
  };
  const choices = [presets, hiddens].map((control) => control.element);
  const controls = element("div", { class: "controls" }, lengths.element, ...choices);
  return {
    parts: [controls, ...examples.map((part) => part.element)],
    keys: numKeys,
    columns: sideBySide(numKeys, model.get("values")[0][0].length),
    listensTo: TRAITS,
    changes: [...TRAITS, "key_presets"], // where the reader's own keys are kept
    paint,
    stages: () => ({ ...chosenModule(model), ...attentionStages(model) }),
    program: () => attentionProgram(model, chosenModule(model), words),
  };
}

/** Columns that stand side by side: of all stages, or of the last two where that is too many. */
/** @param {number} numKeys @param {number} valueSize */
export function sideBySide(numKeys, valueSize) {
  const all = 3 * numKeys + valueSize;
  return all <= 16 ? all : numKeys + valueSize;
}

/** Chooses among the modules. @param {Model} model @param {Words} words */
function hiddensControl(model, words) {
  const choices = model.get("modules").map((/** @type {any} */ module) => module.num_hiddens);
  if (choices.length < 2) return { element: "", update: () => true };
  const name = "num_hiddens";
  const held = choice({ name, choices, model, words });
  const control = select({ name, choices, change: (number) => write(model, name, number) });
  const update = () => {
    const good = held.isGood();
    if (good) control.update(model.get(name));
    return good;
  };
  return { element: element("div", {}, control.element, held.element), update };
}

/** The panels of one example; the columns of each stage are the same keys. */
/** @param {{ model: Model, words: Words, b: number }} context */
function example(context) {
  const { model, words, b } = context;
  const [queries, keys, values] = ["queries", "keys_", "values"].map((name) => model.get(name)[b]);
  const [rows, cols] = [queries.length, keys.length];
  const inputs = ["keys_", "values"].map((trait) =>
    isSmall(model.get(trait)[b].length, model.get(trait)[b][0].length)
      ? [editablePanel({ trait, transposed: true, ...context })]
      : [],
  );
  const masked = (/** @type {string} */ name, /** @type {any} */ plan) =>
    maskedPanel({ label: `${name}[${b}]`, rows, cols, ...plan }, context);
  const scores = masked("scores", { hue: "scores", bare: true });
  const mask = masked("mask", { hue: "plain" });
  const weights = masked("attention_weights", { hue: "weights", example: b });
  const output = heatmapPanel({
    label: `output[${b}]`,
    rows,
    cols: values[0].length,
    hue: "scores",
    tells: true,
  });

  const update = (/** @type {ReturnType<typeof attentionStages>} */ stages) => {
    const lengths = stages.lengths[b];
    inputs.flat().forEach((input) => input.update());
    scores.update(stages.scores[b], lengths, { domain: colourRange(stages.scores) });
    mask.update(stages.mask[b], lengths, { domain: [0, 1], format: truth });
    weights.update(stages.weights[b], lengths, { domain: [0, extent(stages.weights)[1]] });
    output.update(stages.output[b], { domain: colourRange(stages.values) });
  };
  const flow = element(
    "div",
    { class: "flow" },
    group("stage", ...inputs[0], scores),
    group("stage", mask),
    group("stage", ...inputs[1], weights),
    group("stage", output),
  );
  const title = element("div", { class: "title" }, `${words("example")} ${b}`);
  return { element: element("div", { class: "example" }, title, flow), update };
}

// @ts-check
// The score figure: one query, some keys, and the choice of a scoring function.
import { attentionScores, maskedSoftmax, pool, transpose } from "./arithmetic.js";
import { colourRange } from "./colours.js";
import { choice, select } from "./controls.js";
import { element, watcher } from "./dom.js";
import { formula } from "./formula.js";
import { write } from "./model.js";
import { numberGrid } from "./number_grid.js";
import { editablePanel, group, heatmapPanel, numbered, panel, withNumber } from "./panels.js";
import { scoreProgram } from "./score_program.js";

/** @typedef {import("./model.js").Model} Model */
/** @typedef {import("./controls.js").Words} Words */
/** @typedef {import("./arithmetic.js").Matrix} Matrix */
/** @typedef {import("./arithmetic.js").Tensor} Tensor */
/** @typedef {ReturnType<typeof scoreStages>} Stages */

/** @type {Record<string, string>} each as a function of q and k */
export const FORMULAS = {
  dot: "q^T k",
  scaled_dot: "q^T k / √d",
  additive: "w_v^T tanh(W_q q + W_k k)",
  gaussian: "−½ ‖q − k‖²",
  cosine: "q^T k / (‖q‖ ‖k‖)",
  bilinear: "q^T W k",
  sum: "w_v^T (W_q q + W_k k)",
};
/** @type {Record<string, string[]>} the parameters of those that have some */
const PARAMETERS = {
  additive: ["W_q", "W_k", "w_v"],
  sum: ["W_q", "W_k", "w_v"],
  bilinear: ["W"],
};

export const MATHS = { class: "formula", lang: "en" }; // no Chinese font, whose ‖ is as wide as a word

/** All that the figure shows, from its state. @param {Pick<Model, "get">} model */
export function scoreStages(model) {
  /** @type {Tensor[]} */
  const [queries, keys, values] = ["queries", "keys_", "values"].map((name) => model.get(name));
  const [W_q, W_k, w_v, W] = ["W_q", "W_k", "w_v", "W"].map((name) => model.get(name));
  const scores = attentionScores({ score: model.get("score"), W_q, W_k, w_v, W }, queries, keys);
  const weights = maskedSoftmax(scores, [[keys[0].length]]);
  return { values, scores, weights, output: pool(weights, values) };
}

/** @param {Model} model @param {Words} words @returns {import("./figure.js").View} */
export function scoreFigure(model, words) {
  const numKeys = model.get("keys_")[0].length;
  const chosen = scoreControl(model, words);
  const columns = keyColumns({ model, words });
  const parameters = parameterPanels({ model, words });
  const paint = () => {
    if (!chosen.update()) return;
    columns.update(scoreStages(model));
    parameters.update(model.get("score"));
  };
  return {
    parts: [
      chosen.element,
      element("div", { class: "scoring" }, columns.element, parameters.element),
    ],
    keys: numKeys,
    columns: numKeys + 2,
    listensTo: ["queries", "keys_", "values", "W_q", "W_k", "w_v", "W", "score"],
    paint,
    stages: () => scoreStages(model),
    program: () => scoreProgram(model, PARAMETERS[model.get("score")] ?? [], words),
  };
}

/** Chooses the score, and says what it is. @param {Model} model @param {Words} words */
function scoreControl(model, words) {
  const [name, choices] = ["score", Object.keys(FORMULAS).filter((score) => score !== "sum")];
  const held = choice({ name, choices, model, words });
  const control = select({
    name,
    choices,
    say: (score) => words(`score_${score}`),
    change: (score) => write(model, name, score),
  });
  const meaning = element("span", MATHS);
  const size = model.get("queries")[0][0].length;
  const update = () => {
    if (!held.isGood()) return false;
    const score = model.get(name);
    control.update(score);
    const d = score === "scaled_dot" ? `, d = ${size}` : "";
    meaning.replaceChildren(...formula(`a(q, k) = ${FORMULAS[score]}${d}`));
    return true;
  };
  return {
    element: element("div", { class: "controls" }, control.element, meaning, held.element),
    update,
  };
}

/** From the keys down to the values, each key one column; query and output at the sides. */
/** @param {{ model: Model, words: Words }} context */
function keyColumns(context) {
  const { model, words } = context;
  const [cols, size] = [model.get("keys_")[0].length, model.get("values")[0][0].length];
  /** @type {(trait: string, look: object) => ReturnType<typeof editablePanel>} */
  const input = (trait, look) =>
    editablePanel({ trait, b: 0, transposed: true, ...context, ...look });
  const queries = input("queries", { hue: "queries", heads: ["q"] });
  const keys = input("keys_", { heads: numbered("k", cols) });
  const values = input("values", { hue: "values", heads: numbered("v", cols) });
  const row = { rows: 1, cols, sides: ["q"], heads: numbered("k", cols) };
  const scores = heatmapPanel({ label: "scores[0]", hue: "scores", ...row });
  const weights = heatmapPanel({
    label: "attention_weights[0]",
    hue: "weights",
    example: 0,
    ...row,
  });
  const output = heatmapPanel({
    label: "output[0].T",
    hue: "values",
    tells: true,
    rows: size,
    cols: 1,
    heads: ["q"],
  });
  const update = (/** @type {Stages} */ stages) => {
    [queries, keys, values].forEach((panel) => panel.update());
    scores.update(stages.scores[0], { domain: colourRange(stages.scores) });
    weights.update(stages.weights[0], { domain: [0, 1] });
    output.update(transpose(stages.output[0]), { domain: colourRange(stages.values) });
  };
  const sign = (/** @type {(Node | string)[]} */ ...text) =>
    element("div", { class: "sign" }, ...text);
  const parts = [
    [queries.element, keys.element],
    [sign(element("span", MATHS, ...formula("a(q, k)"))), scores.element],
    [sign("softmax"), weights.element],
    [sign(words("weightedSum")), values.element, output.element],
  ];
  return { element: element("div", { class: "key-columns" }, ...parts.flat()), update };
}

/** The parameters of a score. @param {{ model: Model, words: Words }} context */
export function parameterPanels({ model, words }) {
  const panels = ["W_q", "W_k", "w_v", "W"].map((trait) => matrixPanel({ trait, model, words }));
  const update = (/** @type {string} */ score) => {
    const used = PARAMETERS[score] ?? [];
    for (const own of panels) {
      own.element.hidden = !used.includes(own.trait);
      own.update();
    }
  };
  return {
    element: group("tensors", ...panels),
    update,
  };
}

/** A matrix that belongs to no example, to be edited. */
/** @param {{ trait: string, model: Model, words: Words }} options */
function matrixPanel({ trait, model, words }) {
  /** @type {Matrix} */
  const first = model.get(trait);
  const map = numberGrid({
    label: trait,
    rows: first.length,
    cols: first[0].length,
    hue: "plain",
    words,
    name: (row, col) => `${trait}[${row}][${col}]`,
    change: (row, col, x) => write(model, trait, withNumber([model.get(trait)], 0, row, col, x)[0]),
  });
  const changed = watcher();
  const update = () => {
    const matrix = model.get(trait);
    if (changed(matrix)) map.update(matrix, { domain: [0, 0] }); // no colour: these are no vectors
  };
  return { trait, element: panel(trait, map.element), update };
}

// @ts-check
// The comparison figure: one query, its keys, and what each scoring function makes of them.
import { attentionScores, maskedSoftmax } from "./arithmetic.js";
import { comparisonProgram } from "./comparison_program.js";
import { select } from "./controls.js";
import { element } from "./dom.js";
import { formula } from "./formula.js";
import { legend } from "./marks.js";
import { editablePanel, group, heatmapPanel, markRow, numbered } from "./panels.js";
import { planePlot } from "./plane.js";
import { markFocus } from "./plot.js";
import { FORMULAS, MATHS, parameterPanels } from "./score.js";

/** @typedef {import("./model.js").Model} Model */
/** @typedef {import("./controls.js").Words} Words */
/** @typedef {ReturnType<typeof comparisonStages>} Stages */

const COMPARED = ["dot", "scaled_dot", "bilinear", "additive", "gaussian", "sum"];

/** All that the figure shows, from its state. @param {Pick<Model, "get">} model */
export function comparisonStages(model) {
  const [queries, keys, W_q, W_k, w_v, W] = ["queries", "keys_", "W_q", "W_k", "w_v", "W"].map(
    (name) => model.get(name),
  );
  const scores = [
    COMPARED.flatMap((score) => attentionScores({ score, W_q, W_k, w_v, W }, queries, keys)[0]),
  ];
  const lengths = [COMPARED.map(() => keys[0].length)];
  return { queries, keys, scores, weights: maskedSoftmax(scores, lengths) };
}

/** @param {Model} model @param {Words} words @returns {import("./figure.js").View} */
export function comparisonFigure(model, words) {
  const cols = model.get("keys_")[0].length;
  const score = drawnScore(() => paint());
  const plane = planePlot({ model, words, origin: true, settled: () => paint() });
  const panels = comparisonPanels({ cols, model, words });
  const paint = () => {
    const stages = comparisonStages(model);
    const chosen = score.read();
    score.update();
    plane.update({ ...stages, weights: [[stages.weights[0][chosen]]] }, 0);
    panels.update(stages, chosen);
  };
  const marks = legend(words, "legendPlainKey", "legendWeight");
  const pair = element(
    "div",
    { class: "pair comparison" },
    element("div", {}, plane.element, marks, panels.vectors),
    panels.results,
  );
  markFocus(pair);
  return {
    parts: [score.element, pair],
    keys: cols,
    columns: 2 * cols,
    listensTo: ["queries", "keys_", "W_q", "W_k", "w_v", "W"],
    choices: { score },
    paint,
    stages: () => comparisonStages(model),
    program: () => comparisonProgram(model, words),
  };
}

/** Which score's weights are drawn; no part of the state. @param {() => void} changed */
function drawnScore(changed) {
  let chosen = 0;
  const choose = (/** @type {number} */ score) => {
    chosen = score;
    changed();
  };
  const control = select({
    name: "score",
    choices: COMPARED,
    change: (score) => choose(COMPARED.indexOf(score)),
  });
  const meaning = element("span", MATHS);
  const update = () => {
    control.update(COMPARED[chosen]);
    meaning.replaceChildren(...formula(`a(q, k) = ${FORMULAS[COMPARED[chosen]]}`));
  };
  const whole = element("div", { class: "controls" }, control.element, meaning);
  return { element: whole, number: COMPARED.length, read: () => chosen, choose, update };
}

/** The vectors, and a row of weights and of scores for each scoring function. */
/** @param {{ cols: number, model: Model, words: Words }} context */
function comparisonPanels({ cols, model, words }) {
  const k = numbered("k", cols);
  const vectors = [
    { trait: "queries", hue: /** @type {const} */ ("queries"), heads: ["q0"] },
    { trait: "keys_", heads: k },
  ].map((look) => editablePanel({ b: 0, transposed: true, model, words, ...look }));
  const plan = { rows: COMPARED.length, cols, sides: COMPARED, heads: k };
  const weights = heatmapPanel({
    label: "attention_weights[0]",
    hue: "weights",
    example: 0,
    ...plan,
  });
  const scores = heatmapPanel({ label: "scores[0]", hue: "plain", ...plan });
  const parameters = parameterPanels({ model, words });
  const update = (/** @type {Stages} */ stages, /** @type {number} */ chosen) => {
    vectors.forEach((panel) => panel.update());
    weights.update(stages.weights[0], { domain: [0, 1] });
    scores.update(stages.scores[0], { domain: [0, 0] }); // no colour: each row has its own scale
    parameters.update(COMPARED[chosen]);
    for (const panel of [weights, scores]) markRow(panel, chosen);
  };
  const results = element(
    "div",
    {},
    group("tensors", weights),
    group("tensors", scores),
    parameters.element,
  );
  return { vectors: group("tensors", ...vectors), results, update };
}

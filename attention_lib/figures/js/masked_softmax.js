// @ts-check
// The step figure: masked softmax taken apart, one stage after the other.
import { exponentials, extent, lengthMask, maskedSoftmax, rowLengths } from "./arithmetic.js";
import { slider } from "./controls.js";
import { element, range } from "./dom.js";
import { lengthControls } from "./lengths.js";
import { write } from "./model.js";
import { editablePanel, heatmapPanel, maskedPanel, truth } from "./panels.js";

/** @typedef {import("./model.js").Model} Model */
/** @typedef {import("./controls.js").Words} Words */
/** @typedef {import("./arithmetic.js").Tensor} Tensor */

const LAST = 5;

/** Every stage of the operation, from the figure's state. @param {Pick<Model, "get">} model */
export function softmaxStages(model) {
  /** @type {Tensor} */
  const scores = model.get("scores");
  const lengths = rowLengths(model.get("valid_lens"), scores[0].length); // (B, Q)
  const mask = lengths.map((own) => lengthMask(own, scores[0][0].length));
  const byRow = (/** @type {(row: number[], length: number) => number[]} */ f) =>
    scores.map((rows, b) => rows.map((row, q) => f(row, lengths[b][q])));
  return {
    scores,
    lengths,
    mask,
    masked: byRow((row, length) => row.map((x, k) => (k < length ? x : -Infinity))),
    exponentials: byRow((row, length) => exponentials(row, length).terms),
    sums: byRow((row, length) => [exponentials(row, length).sum]),
    weights: maskedSoftmax(scores, lengths),
  };
}

/** @param {Model} model @param {Words} words @returns {import("./figure.js").View} */
export function maskedSoftmaxFigure(model, words) {
  const [batch, numQueries, numKeys] = shape(model.get("scores"));
  const lengths = lengthControls({ numQueries, numKeys, model, words });
  const walk = stepControls(model, words);
  const examples = range(batch).map((b) => stagePanels({ model, words, b }));
  const stages = range(LAST + 1).map((i) =>
    element("div", { class: "stage" }, ...examples.map((panels) => panels[i].element)),
  );
  const paint = () => {
    lengths.update();
    walk.update();
    const values = softmaxStages(model);
    examples.flat().forEach(({ update }) => update(values));
    stages.forEach((node, i) => {
      node.toggleAttribute("data-ahead", i > model.get("step"));
      node.toggleAttribute("data-now", i === model.get("step"));
    });
  };
  return {
    parts: [
      element("div", { class: "controls" }, lengths.element),
      walk.element,
      element("div", { class: "flow steps" }, ...stages),
    ],
    keys: numKeys,
    columns: 3 * numKeys + 1,
    listensTo: ["scores", "valid_lens", "step"],
    paint,
  };
}

/** The six stages of one example. */
/** @param {{ model: Model, words: Words, b: number }} context */
function stagePanels(context) {
  const { model, words, b } = context;
  const [, rows, cols] = shape(model.get("scores"));
  const own = (/** @type {string} */ name) => `${name}[${b}]`;
  const masked = (/** @type {any} */ plan) => maskedPanel({ rows, cols, ...plan }, context);
  const scores = editablePanel({ trait: "scores", ...context });
  const lengths = heatmapPanel({ label: own(words("lengths")), rows, cols: 1, hue: "plain", heads: [""] });
  const mask = masked({ label: own("mask"), hue: "plain" });
  const filled = masked({ label: own(words("maskedScores")), hue: "scores" });
  const powers = heatmapPanel({
    label: own(words("exponentials")),
    rows,
    cols: cols + 1,
    hue: "weights",
    heads: [...range(cols).map(String), words("sum")],
  });
  const at = (/** @type {number} */ q, /** @type {number} */ k) => `${b},${q},${k}`;
  const weights = masked({ label: own("attention_weights"), hue: "weights", at });

  /** @typedef {ReturnType<typeof softmaxStages>} Stages */
  const panels = [scores, lengths, mask, filled, powers, weights];
  /** @type {((values: Stages) => void)[]} */
  const updates = [
    () => scores.update(),
    (values) => lengths.update(values.lengths[b].map((n) => [n]), { domain: [0, 0], format: String }),
    (values) => mask.update(values.mask[b], values.lengths[b], { domain: [0, 1], format: truth }),
    (values) =>
      filled.update(values.masked[b], values.lengths[b], { domain: extent(values.scores) }),
    (values) => {
      const terms = values.exponentials[b].map((row, q) => [...row, ...values.sums[b][q]]);
      powers.update(terms, { domain: [0, cols] });
    },
    (values) => weights.update(values.weights[b], values.lengths[b], { domain: [0, 1] }),
  ];
  return panels.map(({ element: node }, i) => ({ element: node, update: updates[i] }));
}

/** Back, next, and a slider over the steps, with a sentence on the present one. */
/** @param {Model} model @param {Words} words */
function stepControls(model, words) {
  const go = (/** @type {number} */ step) => write(model, "step", step);
  const button = (/** @type {"back" | "next"} */ name, /** @type {number} */ by) =>
    element(
      "button",
      { type: "button", "data-control": name, click: () => go(model.get("step") + by) },
      words(name),
    );
  const [back, next] = [button("back", -1), button("next", 1)];
  const position = slider({ name: "step", label: words("step"), max: LAST, change: go });
  const sentence = element("p", { class: "sentence", "aria-live": "polite" });
  const update = () => {
    const step = model.get("step");
    position.update(step);
    [back.disabled, next.disabled] = [step === 0, step === LAST];
    sentence.textContent = words(`stage${step}`);
  };
  const walk = element("div", { class: "walk" }, back, position.element, next);
  return { element: element("div", {}, walk, sentence), update };
}

/** @param {Tensor} tensor */
const shape = (tensor) => [tensor.length, tensor[0].length, tensor[0][0].length];

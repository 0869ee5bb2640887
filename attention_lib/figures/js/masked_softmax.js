// @ts-check
// The step figure: masked softmax taken apart, one stage after the other.
import { exponentials, lengthMask, maskedSoftmax, rowLengths } from "./arithmetic.js";
import { colourRange } from "./colours.js";
import { choice, slider } from "./controls.js";
import { element, range, watcher } from "./dom.js";
import { lengthControls } from "./lengths.js";
import { softmaxProgram } from "./masked_softmax_program.js";
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
    maskedScores: byRow((row, length) => row.map((x, k) => (k < length ? x : -Infinity))),
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
    if (!walk.update() || !lengths.update()) return;
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
    stages: () => softmaxStages(model),
    program: () => softmaxProgram(model, words),
  };
}

/** @typedef {ReturnType<typeof softmaxStages>} Stages */

/** The six stages of one example, each a panel and what brings it up to date. */
/**
 * @param {{ model: Model, words: Words, b: number }} context
 * @returns {{ element: HTMLElement, update: (stages: Stages) => void }[]}
 */
function stagePanels(context) {
  const { model, words, b } = context;
  const [, rows, cols] = shape(model.get("scores"));
  /** @type {(label: string, hue: any, more?: object) => import("./heatmap.js").Plan} */
  const plan = (label, hue, more) => ({ label: `${label}[${b}]`, hue, rows, cols, ...more });
  const heads = [...range(cols).map(String), words("sum")];

  const scores = editablePanel({ trait: "scores", ...context });
  const lengths = heatmapPanel(plan(words("lengths"), "plain", { cols: 1, heads: [""] }));
  const mask = maskedPanel(plan("mask", "plain"), context);
  const masked = maskedPanel(plan(words("maskedScores"), "scores"), context);
  const terms = heatmapPanel(plan(words("exponentials"), "weights", { cols: cols + 1, heads }));
  const weights = maskedPanel(plan("attention_weights", "weights", { example: b }), context);

  const withUpdate = (
    /** @type {{ element: HTMLElement }} */ { element: node },
    /** @type {(stages: Stages) => void} */ update,
  ) => ({ element: node, update });
  return [
    scores,
    withUpdate(lengths, (stages) =>
      lengths.update(
        stages.lengths[b].map((n) => [n]),
        { domain: [0, 0], format: String },
      ),
    ),
    withUpdate(mask, (stages) =>
      mask.update(stages.mask[b], stages.lengths[b], { domain: [0, 1], format: truth }),
    ),
    withUpdate(masked, (stages) =>
      masked.update(stages.maskedScores[b], stages.lengths[b], {
        domain: colourRange(stages.maskedScores),
      }),
    ),
    withUpdate(terms, (stages) =>
      terms.update(
        stages.exponentials[b].map((row, q) => [...row, ...stages.sums[b][q]]),
        { domain: [0, cols] },
      ),
    ),
    withUpdate(weights, (stages) =>
      weights.update(stages.weights[b], stages.lengths[b], { domain: [0, 1] }),
    ),
  ];
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
  const held = choice({ name: "step", choices: range(LAST + 1), model, words });
  const changed = watcher();
  const update = () => {
    const step = model.get("step");
    if (!held.isGood()) return false;
    position.update(step);
    const spent = step === 0 ? back : step === LAST ? next : null;
    if (spent?.matches(":focus")) position.element.querySelector("input")?.focus();
    [back.disabled, next.disabled] = [spent === back, spent === next];
    if (changed(step)) sentence.textContent = words(`stage${step}`); // it is read aloud each time
    return true;
  };
  const walk = element("div", { class: "walk" }, back, position.element, next);
  return { element: element("div", { class: "walk-bar" }, walk, held.element, sentence), update };
}

/** @param {Tensor} tensor */
const shape = (tensor) => [tensor.length, tensor[0].length, tensor[0][0].length];

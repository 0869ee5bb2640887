// @ts-check
// The scaling figure: what dividing by √d does to scores, weights and gradients.
import { dot, maskedSoftmax, mean, total } from "./arithmetic.js";
import { checkbox, choice } from "./controls.js";
import { element, formatNumber, range, remembered, shortNumber } from "./dom.js";
import { write } from "./model.js";
import { group, heatmapPanel } from "./panels.js";
import { scalingProgram } from "./scaling_program.js";
import { histogramPlot, sizesPlot } from "./scaling_plots.js";
import { listSlider } from "./sliders.js";

/** @typedef {import("./model.js").Model} Model */
/** @typedef {import("./controls.js").Words} Words */
/** @typedef {import("./arithmetic.js").Vector} Vector */
/** @typedef {import("./arithmetic.js").Matrix} Matrix */
/** @typedef {import("./arithmetic.js").Tensor} Tensor */
/** @typedef {ReturnType<typeof scalingStages>} Stages */

const OUTERMOST = 16; // bars to either side of the middle one
const EDGE = 1e-9; // a score on the edge of two bars belongs to the right one

/** 1, 2, 4, … and the largest. @param {number} largest */
export function sizesUpTo(largest) {
  const powers = range(Math.floor(Math.log2(largest)) + 1).map((i) => 2 ** i);
  return powers.includes(largest) ? powers : [...powers, largest];
}

/** Mean entropy of rows of weights, in nats. @param {Matrix} weights */
export function meanEntropy(weights) {
  return mean(weights.map((row) => -total(row.map((x) => (x > 0 ? x * Math.log(x) : 0)))));
}

/** Mean over the rows of the Frobenius norm of diag(α) − ααᵀ, softmax's derivative. */
/** @param {Matrix} weights */
export function gradientSize(weights) {
  return mean(
    weights.map((row) => {
      let squares = 0;
      row.forEach((x, i) =>
        row.forEach((y, j) => (squares += (i === j ? x * (1 - x) : x * y) ** 2)),
      );
      return Math.sqrt(squares);
    }),
  );
}

/** Counts of scores in bars half a deviation wide; the outermost ones take what lies beyond. */
/** @param {Vector} scores @param {number} deviation */
export function histogram(scores, deviation) {
  const counts = Array(2 * OUTERMOST + 1).fill(0);
  for (const score of scores) {
    const bar = Math.floor(score / (deviation / 2) + 0.5 + EDGE);
    counts[Math.min(OUTERMOST, Math.max(-OUTERMOST, bar)) + OUTERMOST]++;
  }
  return counts;
}

/** Scores and what follows from them, for every size: without √d, and with it. */
/** @param {Tensor} queries @param {Tensor} keys */
export function measureSizes([queries], [keys]) {
  const lengths = [queries.map(() => keys.length)];
  return sizesUpTo(queries[0].length).map((d) => {
    const products = queries.map((q) => keys.map((k) => dot(q.slice(0, d), k)));
    const both = [1, Math.sqrt(d)].map((divisor) => {
      const scores = products.map((row) => row.map((x) => x / divisor));
      const [weights] = maskedSoftmax([scores], lengths);
      return { scores, weights, entropy: meanEntropy(weights), gradient: gradientSize(weights) };
    });
    return { d, both, counts: histogram(products.flat(), Math.sqrt(d)) };
  });
}

/** All that the figure shows, from its state. @param {Pick<Model, "get">} model */
export function scalingStages(model, measure = measureSizes) {
  const sizes = measure(model.get("queries"), model.get("keys_"));
  const place = sizes.findIndex(({ d }) => d === model.get("d"));
  const { both, counts } = sizes[place];
  const { scores, weights } = both[Number(model.get("scaled"))];
  const bySize = (/** @type {"entropy" | "gradient"} */ name) => [
    sizes.map(({ d }) => d),
    ...range(2).map((scaled) => sizes.map((size) => size.both[scaled][name])),
  ];
  return {
    scores: [scores],
    meanAndVariance: [[moments(scores.flat())]],
    histogram: [[counts]],
    weights: [weights],
    entropy: [bySize("entropy")],
    gradient: [bySize("gradient")],
    place,
  };
}

/** Mean and variance, as torch.var has it. @param {Vector} numbers */
function moments(numbers) {
  const middle = mean(numbers);
  const squares = numbers.map((x) => (x - middle) ** 2);
  return [middle, total(squares) / (numbers.length - 1)];
}

/** @param {Model} model @param {Words} words @returns {import("./figure.js").View} */
export function scalingFigure(model, words) {
  const [rows, size] = [model.get("queries")[0].length, model.get("queries")[0][0].length];
  const cols = model.get("keys_")[0].length;
  const switches = scalingControls(model, words);
  const spread = histogramPlot({ words, size, number: rows * cols });
  const weights = heatmapPanel({
    label: "attention_weights[0]",
    rows,
    cols,
    hue: "weights",
    example: 0,
  });
  const entropy = sizesPlot({ name: words("entropy"), size, limit: cols });
  const gradient = sizesPlot({ name: words("gradient"), size });
  const numbers = readout(words);
  const measure = remembered(measureSizes);
  const paint = () => {
    if (!switches.update()) return;
    const stages = scalingStages(model, measure);
    const now = { scaled: model.get("scaled"), d: model.get("d"), place: stages.place };
    spread.update(stages, now);
    weights.update(stages.weights[0], { domain: [0, 1], format: shortNumber });
    entropy.update(stages.entropy[0], now);
    gradient.update(stages.gradient[0], now);
    numbers.update(stages, { ...now, numKeys: cols });
  };
  return {
    parts: [switches.element, group("scaling", spread, numbers, weights, entropy, gradient)],
    keys: cols,
    columns: 2 * cols,
    listensTo: ["queries", "keys_", "d", "scaled"],
    paint,
    stages: () => scalingStages(model, measure),
    program: () => scalingProgram(model, words),
  };
}

/** @param {Model} model @param {Words} words */
function scalingControls(model, words) {
  const name = "d";
  const choices = sizesUpTo(model.get("queries")[0][0].length);
  const held = choice({ name, choices, model, words });
  const size = listSlider({ name, numbers: choices, change: (d) => write(model, name, d) });
  const scaled = checkbox({
    name: "scaled",
    label: words("divideByRoot"),
    change: (checked) => write(model, "scaled", checked),
  });
  const update = () => {
    const good = held.isGood();
    if (good) size.update(model.get(name));
    scaled.update(model.get("scaled"));
    return good;
  };
  return { element: group("controls walk-bar", size, scaled, held), update };
}

/** The measured numbers beside those expected. @param {Words} words */
function readout(words) {
  const lines = ["mean", "variance", "entropy", "gradient"].map((name) => {
    const ofWeights = ["entropy", "gradient"].includes(name);
    const value = element("dd", { "data-tells": ofWeights });
    const hint = element("dd", { class: "hint" });
    return { value, hint, nodes: [element("dt", {}, words(name)), value, hint] };
  });
  /** @param {Stages} stages @param {{ scaled: boolean, d: number, place: number, numKeys: number }} now */
  const update = (stages, { scaled, d, place, numKeys }) => {
    const [[measured], [entropy, gradient]] = [
      stages.meanAndVariance[0],
      [stages.entropy, stages.gradient].map(([rows]) => rows[1 + Number(scaled)][place]),
    ];
    const most = formatNumber(Math.log(numKeys));
    const hints = [
      words("expected", { number: 0 }),
      words("expected", { number: scaled ? 1 : d }),
      words("atMost", { numKeys, most }),
      words("gradientMeaning"),
    ];
    [...measured, entropy, gradient].forEach((x, i) => {
      lines[i].value.textContent = formatNumber(x);
      lines[i].hint.textContent = hints[i];
    });
  };
  return { element: element("dl", {}, ...lines.flatMap(({ nodes }) => nodes)), update };
}

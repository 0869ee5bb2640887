// @ts-check
// The decomposable attention model in float64: attend, compare, aggregate. Pure functions.
// Shapes: P words of the premise, H of the hypothesis, E embedding size.
import { dot, linear, maskedSoftmax } from "./arithmetic.js";
import { range } from "./dom.js";

/** @typedef {import("./arithmetic.js").Vector} Vector */
/** @typedef {import("./arithmetic.js").Matrix} Matrix */
/**
 * @typedef {object} Trained
 * @property {Record<string, any>} parameters by their names in the module's state_dict, vectors too
 * @property {Record<string, string[]>} layers of F, G and H: names of linear ones, and "relu"
 */

/** Rows through the layers of F, G or H. @param {Matrix} rows @param {string} name @param {Trained} model */
function throughLayers(rows, name, { parameters, layers }) {
  return layers[name].reduce((x, layer) => {
    if (layer === "relu") return x.map((row) => row.map((unit) => Math.max(0, unit)));
    const bias = parameters[`${layer}.bias`];
    return linear(x, parameters[`${layer}.weight`]).map((row) => row.map((y, i) => y + bias[i]));
  }, rows);
}

/** Sum of rows of a size, each so many times; zeros where there is none. */
/** @param {Vector} times @param {Matrix} rows @param {number} size */
function weightedSum(times, rows, size) {
  const column = (/** @type {number} */ i) => rows.map((row) => row[i]);
  return range(size).map((i) => dot(times, column(i)));
}

/** Scores and weights of the words of one sentence, a row each, on those of the other. */
/** @param {Matrix} from @param {Matrix} to */
function aligned(from, to) {
  const scores = from.map((a) => to.map((b) => dot(a, b)));
  return { scores, weights: maskedSoftmax([scores], [from.map(() => to.length)])[0] };
}

/** A word's vector: what is given of it, if anything is, then what was learnt; and what F reads. */
/** @param {number} id @param {Trained} model */
function embedded(id, { parameters: { vectors, ["embedding.weight"]: learnt } }) {
  const whole = [...(vectors?.[id] ?? []), ...learnt[id]];
  return { whole, read: vectors?.[id] ?? whole };
}

/** The module's scores and logits for two sentences, and its weights in both directions. */
/** @param {Vector[]} ids of the words of both @param {Trained} model */
export function decomposable(ids, model) {
  const words = ids.map((sentence) => sentence.map((id) => embedded(id, model)));
  const [a, b] = words.map((sentence) => sentence.map(({ whole }) => whole)); // (P, E), (H, E)
  const [Fa, Fb] = words.map((sentence) =>
    throughLayers(
      sentence.map(({ read }) => read),
      "F",
      model,
    ),
  );
  const [{ scores, weights: forth }, { weights: back }] = [aligned(Fa, Fb), aligned(Fb, Fa)];
  const sums = [...comparison(a, forth, b, model), ...comparison(b, back, a, model)];
  return { scores, forth, back, logits: throughLayers([sums], "H", model)[0] };
}

/** Each word beside what it met, through G, and summed. */
/** @param {Matrix} words @param {Matrix} weights @param {Matrix} others @param {Trained} model */
function comparison(words, weights, others, model) {
  const size = embedded(0, model).whole.length;
  const pairs = words.map((word, i) => [...word, ...weightedSum(weights[i], others, size)]);
  const [{ length }] = throughLayers([Array(2 * size).fill(0)], "G", model); // with no words too
  const ones = words.map(() => 1);
  return weightedSum(ones, throughLayers(pairs, "G", model), length);
}

// @ts-check
// Regression by Nadaraya and Watson, in float64: weights by kernels, and what follows from them.
import { distanceScore, dot, exponentials, pool, total } from "./arithmetic.js";
import { range } from "./dom.js";

/** @typedef {import("./model.js").Model} Model */
/** @typedef {import("./arithmetic.js").Vector} Vector */
/** @typedef {import("./arithmetic.js").Tensor} Tensor */
/** @typedef {ReturnType<typeof kernelStages>} Stages */

export const ROWS = 17; // evenly spaced queries
const LAST_BITS = 8; // what rounding may leave of a sum that is 0

/** K(x, x_i), all but the Gaussian, which is computed from its logarithm. */
/** @type {Record<string, (x: number, key: number) => number>} */
const KERNELS = {
  boxcar: (x, key) => Number(Math.abs(x - key) <= 1),
  epanechnikov: (x, key) => Math.max(0, 1 - (x - key) * (x - key)),
  triangular: (x, key) => Math.max(0, 1 - Math.abs(x - key)),
  linear: (x, key) => x * key,
};

/** The same as readers see it. @type {Record<string, string>} */
export const KERNEL_FORMULAS = {
  gaussian: "exp(−½u²)",
  boxcar: "1 if |u| ≤ 1 else 0",
  epanechnikov: "max(0, 1 − u²)",
  triangular: "max(0, 1 − |u|)",
  linear: "w x · w x_i",
};

/** K(w·x, w·x_i) divided by its sum over the keys; zeros where the sum is 0, up to rounding. */
/** @param {number} x @param {Vector} keys @param {string} kernel @param {number} w */
export function kernelWeights(x, keys, kernel, w) {
  if (kernel === "gaussian") {
    const scores = keys.map((key) => distanceScore([w * x], [w * key]));
    const { terms, sum } = exponentials(scores, keys.length);
    return terms.map((term) => term / sum);
  }
  const similarity = keys.map((key) => KERNELS[kernel](w * x, w * key));
  const sum = total(similarity);
  // Terms that cancel leave a few last bits, which are 0 but for rounding.
  const size = total(similarity.map(Math.abs));
  const empty = Math.abs(sum) <= LAST_BITS * Number.EPSILON * size;
  return similarity.map((term) => (empty ? 0 : term / sum));
}

/** All that the figure shows, from its state. @param {Pick<Model, "get">} model */
export function kernelStages(model) {
  /** @type {Tensor[]} */
  const [queries, keys, values] = ["queries", "keys_", "values"].map((name) => model.get(name));
  const inputs = keys[0].flat();
  const [low, high] = [Math.min(...inputs), Math.max(...inputs)];
  const even = range(ROWS).map((i) => low + ((high - low) * i) / (ROWS - 1));
  const weightsAt = (/** @type {Vector} */ xs) => [
    xs.map((x) => kernelWeights(x, inputs, model.get("kernel"), model.get("w"))),
  ];
  const [weights, evenWeights] = [weightsAt(queries[0].flat()), weightsAt(even)];
  return {
    queries,
    keys,
    values,
    weights,
    output: pool(weights, values),
    evenQueries: [even.map((x) => [x])],
    evenWeights,
    evenOutputs: pool(evenWeights, values),
  };
}

/** f(x) for each x; null where no key has weight, and there is nothing to average. */
/** @param {Pick<Model, "get">} model @param {Vector} xs */
export function kernelCurve(model, xs) {
  const [keys, values] = ["keys_", "values"].map((name) => model.get(name)[0].flat());
  return xs.map((x) => {
    const weights = kernelWeights(x, keys, model.get("kernel"), model.get("w"));
    return isEmpty(weights) ? null : dot(weights, values);
  });
}

/** Whether no key has weight. @param {Vector} weights */
export const isEmpty = (weights) => weights.every((weight) => weight === 0);

// @ts-check
// Dropout on attention weights, in float64: weights before and after it, and their running mean.
import { maskedSoftmax, pool, total } from "./arithmetic.js";

/** @typedef {import("./model.js").Model} Model */
/** @typedef {import("./arithmetic.js").Matrix} Matrix */
/** @typedef {import("./arithmetic.js").Tensor} Tensor */
/** @typedef {ReturnType<typeof dropoutStages>} Stages */

/** The mean of the first matrix, of the first two, and so on. @param {Tensor} matrices */
export function runningMeans(matrices) {
  let sum = matrices[0].map((row) => row.map(() => 0));
  return matrices.map((matrix, n) => {
    sum = sum.map((row, q) => row.map((x, k) => x + matrix[q][k]));
    return sum.map((row) => row.map((x) => x / (n + 1)));
  });
}

/** The largest difference between two matrices. @param {Matrix} a @param {Matrix} b */
const distance = (a, b) =>
  Math.max(...a.flatMap((row, q) => row.map((x, k) => Math.abs(x - b[q][k]))));

/** All that the figure shows, from its state. @param {Pick<Model, "get">} model */
export function dropoutStages(model) {
  /** @type {Tensor[]} */
  const [scores, values, draws] = ["scores", "values", "draws"].map((name) => model.get(name));
  const p = model.get("training") ? model.get("p") : 0;
  const [weights] = maskedSoftmax(scores, [scores[0].map((row) => row.length)]);
  const dropped = draws.map((matrix) =>
    matrix.map((row, q) => row.map((draw, k) => (draw >= p ? weights[q][k] / (1 - p) : 0))),
  );
  const [n, means] = [model.get("draw") - 1, runningMeans(dropped)];
  const distances = means.map((mean) => distance(mean, weights));
  const now = dropped[n];
  return {
    weights: [weights],
    draws: [draws[n]],
    kept: draws[n].map((row) => row.map((draw) => Number(draw >= p))),
    dropped: [now],
    rowSums: [now.map((row) => [total(row)])],
    values,
    output: pool([now], values),
    evalOutput: pool([weights], values),
    mean: [means[n]],
    deviation: [[[distances[n]]]],
    distances,
  };
}

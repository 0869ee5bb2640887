// Computes statistics of scores and weights: variance, histogram, entropy and gradients.
import { dot } from "./scores.ts";
import { softmax } from "./softmax.ts";
import { byRow, mean, range, sum, variance } from "./tensor.ts";
import type { Tensor, Vector } from "./tensor.ts";

const OUTERMOST = 16; // bars to either side of the middle one
const EDGE = 1e-9; // a score on the edge of two bars counts in the right one, despite rounding

/** Returns the values of d: 1, 2, 4, … and the largest. */
export function sizesUpTo(largest: number): Vector {
  const powers = range(Math.floor(Math.log2(largest)) + 1).map((i) => 2 ** i);
  return powers.includes(largest) ? powers : [...powers, largest];
}

/** Returns the first d components of each vector. */
export const firstComponents = (tensor: Tensor, d: number): Tensor =>
  byRow(tensor, (row) => row.slice(0, d));

/** Returns (1, 1, 2); the variance is that of torch.var. */
export function meanAndVariance(scores: Tensor): Tensor {
  const numbers = scores.flat(2);
  return [[[mean(numbers), variance(numbers)]]];
}

/** Counts scores in bars half a deviation wide, (1, 1, 33); the outermost bars include the rest. */
export function histogram(scores: Tensor, deviation: number): Tensor {
  const counts = Array<number>(2 * OUTERMOST + 1).fill(0);
  for (const score of scores.flat(2)) {
    const bar = Math.floor(score / (deviation / 2) + 0.5 + EDGE);
    counts[Math.min(OUTERMOST, Math.max(-OUTERMOST, bar)) + OUTERMOST]++;
  }
  return [[counts]];
}

/** Frobenius norm of ∂weights/∂query for each query, if scores are products times a factor. */
export function queryGradients([queries]: Tensor, [keys]: Tensor, factor: number): Vector {
  const [rows] = softmax([
    dot([queries], [keys])[0].map((row) => row.map((product) => factor * product)),
  ]);
  return rows.map((weights) => {
    const mean = keys[0].map((_, i) => sum(keys.map((key, k) => weights[k] * key[i])));
    const squares = keys.map((key, k) =>
      sum(key.map((x, i) => (factor * weights[k] * (x - mean[i])) ** 2)),
    );
    return Math.sqrt(sum(squares));
  });
}

/** Returns the median. */
export function median(numbers: Vector): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const half = (sorted.length - 1) / 2;
  return (sorted[Math.floor(half)] + sorted[Math.ceil(half)]) / 2;
}

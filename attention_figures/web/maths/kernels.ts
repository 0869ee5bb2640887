// Computes kernels and Nadaraya-Watson regression, as attention_lib.kernels.
import { gaussian } from "./scores.ts";
import { softmax } from "./softmax.ts";
import { mean, product, range, sum, transpose } from "./tensor.ts";
import type { Matrix, Vector } from "./tensor.ts";
import { decades, type Interval } from "./domains.ts";

const LAST_BITS = 8; // rounding error of a sum that should be 0, in units of EPSILON

/** K(x, x_i), except the Gaussian, which is computed from its logarithm. */
const KERNELS = {
  boxcar: (x: number, key: number) => Number(Math.abs(x - key) <= 1),
  epanechnikov: (x: number, key: number) => Math.max(0, 1 - (x - key) ** 2),
  triangular: (x: number, key: number) => Math.max(0, 1 - Math.abs(x - key)),
  linear: (x: number, key: number) => x * key,
};

export type KernelName = "gaussian" | keyof typeof KERNELS;

/** K(w·x, w·x_i) divided by its sum over the keys: (Q,), (K,) → (Q, K). A row with sum 0 is 0. */
export function kernelWeights(
  queries: Vector,
  keys: Vector,
  kernel: KernelName,
  w: number,
): Matrix {
  const [x, x_i] = [queries, keys].map((numbers) => numbers.map((number) => w * number));
  if (kernel === "gaussian") return softmax(gaussian([column(x)], [column(x_i)]))[0];
  return x.map((query) => dividedBySum(x_i.map((key) => KERNELS[kernel](query, key))));
}

/** f(x) for each query; null where no key has weight. */
export const kernelCurve = (
  queries: Vector,
  keys: Vector,
  values: Vector,
  kernel: KernelName,
  w: number,
): (number | null)[] =>
  kernelWeights(queries, keys, kernel, w).map((weights) =>
    isEmpty(weights) ? null : product(weights, values),
  );

/** The slider's values of w: 0, and ten per decade from 0.1 to 100. */
export const WIDTHS: Vector = [0, ...decades(0.1, 100)];

/**
 * Mean squared errors: at the keys; leave-one-out at the keys; and against the true function at given
 * points, if there is one. Infinite if some query has no key in reach.
 */
export function kernelErrors(
  keys: Vector,
  values: Vector,
  truth: Matrix,
  kernel: KernelName,
  w: number,
): Vector {
  const without = (numbers: Vector, i: number) => numbers.toSpliced(i, 1);
  const others = keys.map(
    (key, i) => kernelCurve([key], without(keys, i), without(values, i), kernel, w)[0],
  );
  const errors = [
    meanSquare(kernelCurve(keys, keys, values, kernel, w), values),
    meanSquare(others, values),
  ];
  if (!truth.length) return errors;
  const [places, heights] = transpose(truth);
  return [...errors, meanSquare(kernelCurve(places, keys, values, kernel, w), heights)];
}

const meanSquare = (predicted: (number | null)[], expected: Vector): number =>
  mean(predicted.map((y, i) => (y === null ? Infinity : (y - expected[i]) ** 2)));

/** The effective number of keys of a row of weights: n for n equal weights. */
export function keysUsed(weights: Vector): number {
  const squares = product(weights, weights);
  return squares === 0 ? 0 : 1 / squares;
}

/** Whether no key has weight. */
export const isEmpty = (weights: Vector): boolean => weights.every((weight) => weight === 0);

/** Returns evenly spaced numbers from the smallest to the largest key. */
export function evenQueries(keys: Vector, number: number): Vector {
  const [low, high] = [Math.min(...keys), Math.max(...keys)];
  return range(number).map((i) => low + ((high - low) * i) / (number - 1));
}

/** Returns the points at which a curve is computed: evenly over a domain, and at each key. */
export const samples = (domain: Interval, keys: Vector, number: number): Vector =>
  [...evenQueries(domain, number), ...keys].sort((a, b) => a - b);

/** A vector (N,) as rows (N, 1). */
export const column = (numbers: Vector): Matrix => numbers.map((x) => [x]);

/** Divides terms by their sum. A sum that only differs from 0 by rounding counts as 0. */
function dividedBySum(terms: Vector): Vector {
  const [total, size] = [sum(terms), sum(terms.map(Math.abs))];
  const empty = Math.abs(total) <= LAST_BITS * Number.EPSILON * size;
  return terms.map((term) => (empty ? 0 : term / total));
}

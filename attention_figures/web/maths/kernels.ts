// Kernels, and the regression of Nadaraya and Watson, as attention_lib.kernels.
import { gaussian } from "./scores.ts";
import { softmax } from "./softmax.ts";
import { mean, product, range, sum, transpose } from "./tensor.ts";
import type { Matrix, Vector } from "./tensor.ts";
import { decades, type Interval } from "./domains.ts";

const LAST_BITS = 8; // what rounding may leave of a sum that is 0

/** K(x, x_i), all but the Gaussian, which is computed from its logarithm. */
const KERNELS = {
  boxcar: (x: number, key: number) => Number(Math.abs(x - key) <= 1),
  epanechnikov: (x: number, key: number) => Math.max(0, 1 - (x - key) ** 2),
  triangular: (x: number, key: number) => Math.max(0, 1 - Math.abs(x - key)),
  linear: (x: number, key: number) => x * key,
};

export type KernelName = "gaussian" | keyof typeof KERNELS;

/** K(w·x, w·x_i) divided by its sum over the keys: (Q,), (K,) → (Q, K). A row is 0 where the sum is. */
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

/** f(x) for each query; null where no key has weight, and there is nothing to average. */
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

/** Numbers from 0 on, of the slider of w: 0, and ten in each power of ten from 0.1 to 100. */
export const WIDTHS: Vector = [0, ...decades(0.1, 100)];

/**
 * Mean squared differences: at the keys, at the keys with each of them left out where it is
 * predicted, and from a truth of places and heights, if there is one. Infinite where some query has
 * no key in reach.
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

/** How many keys a row of weights uses: n if n of them share alike. */
export function keysUsed(weights: Vector): number {
  const squares = product(weights, weights);
  return squares === 0 ? 0 : 1 / squares;
}

/** Whether no key has weight. */
export const isEmpty = (weights: Vector): boolean => weights.every((weight) => weight === 0);

/** So many numbers from the smallest to the largest of the keys, at even distances. */
export function evenQueries(keys: Vector, number: number): Vector {
  const [low, high] = [Math.min(...keys), Math.max(...keys)];
  return range(number).map((i) => low + ((high - low) * i) / (number - 1));
}

/** Where a curve is computed: evenly over a domain, and at each key, however narrow the kernel. */
export const samples = (domain: Interval, keys: Vector, number: number): Vector =>
  [...evenQueries(domain, number), ...keys].sort((a, b) => a - b);

/** A vector (N,) as rows (N, 1). */
export const column = (numbers: Vector): Matrix => numbers.map((x) => [x]);

/** Terms that cancel leave a few last bits, which are 0 but for rounding. */
function dividedBySum(terms: Vector): Vector {
  const [total, size] = [sum(terms), sum(terms.map(Math.abs))];
  const empty = Math.abs(total) <= LAST_BITS * Number.EPSILON * size;
  return terms.map((term) => (empty ? 0 : term / total));
}

// Kernels, and the regression of Nadaraya and Watson, as attention_lib.kernels.
import { gaussian } from "./scores.ts";
import { softmax } from "./softmax.ts";
import { product, range, sum } from "./tensor.ts";
import type { Matrix, Vector } from "./tensor.ts";
import type { Interval } from "./domains.ts";

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

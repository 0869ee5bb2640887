// Applies dropout to attention weights, by draws that are part of the state: N draws, each (Q, K).
import { byRow, distance, range } from "./tensor.ts";
import type { Matrix, Tensor, Vector } from "./tensor.ts";

/** 1 where a draw keeps a weight, 0 where it drops it. */
export const kept = (draws: Tensor, p: number): Tensor =>
  byRow(draws, (row) => row.map((draw) => Number(draw >= p)));

/** The weights (1, Q, K) after each of the draws, (N, Q, K): 0, or divided by 1 − p. */
export const dropout = ([weights]: Tensor, draws: Tensor, p: number): Tensor =>
  byRow(draws, (row, _, q) => row.map((draw, k) => (draw >= p ? weights[q][k] / (1 - p) : 0)));

/** The mean of the first matrix, of the first two, and so on. */
export function runningMeans(matrices: Tensor): Tensor {
  let all: Matrix = matrices[0].map((row) => row.map(() => 0));
  return matrices.map((matrix, n) => {
    all = all.map((row, q) => row.map((x, k) => x + matrix[q][k]));
    return all.map((row) => row.map((x) => x / (n + 1)));
  });
}

/** The largest distance of each mean from the weights (1, Q, K). */
export const distances = (means: Tensor, weights: Tensor): number[] =>
  means.map((mean) => distance([mean], weights));

/** Standard error of the mean of n draws, of a weight of 1. */
export const standardError = (p: number, n = 1): number => Math.sqrt(p / (1 - p) / n);

/** Returns each sum that dropout of these terms can give, with its probability. */
export const allSums = (terms: Vector, p: number): [sum: number, chance: number][] =>
  range(2 ** terms.length).map((way) =>
    terms.reduce<[number, number]>(
      ([sum, chance], term, k) =>
        (way >> k) & 1 ? [sum + term / (1 - p), chance * (1 - p)] : [sum, chance * p],
      [0, 1],
    ),
  );

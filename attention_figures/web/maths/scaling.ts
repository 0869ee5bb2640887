// Computes dot products of d components, divided by √d or not, on the state of a figure.
import { dot } from "./scores.ts";
import { firstComponents, sizesUpTo } from "./statistics.ts";
import { byRow, type Tensor, type Vector } from "./tensor.ts";

export interface ScalingState {
  queries: Tensor; // (1, Q, D)
  keys_: Tensor; // (1, K, D)
  /** The number of components that count. */
  d: number;
  scaled: boolean;
}

/** Returns D, the number of components. */
export const largestSize = ({ queries }: ScalingState): number => queries[0][0].length;

/** Returns the values of d. */
export const sizesOf = (state: ScalingState): Vector => sizesUpTo(largestSize(state));

export const scoresOf = ({ queries, keys_, d, scaled }: ScalingState): Tensor =>
  byRow(dot(firstComponents(queries, d), keys_), (row) =>
    row.map((x) => (scaled ? x / Math.sqrt(d) : x)),
  );

/** The expected standard deviation and variance of scores of random vectors. */
export const expectedDeviation = ({ d, scaled }: ScalingState) => (scaled ? 1 : Math.sqrt(d));
export const expectedVariance = ({ d, scaled }: ScalingState) => (scaled ? 1 : d);

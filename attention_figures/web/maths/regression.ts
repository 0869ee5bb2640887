// Computes kernel regression on the state of a figure: weights, output and errors.
import { kernelErrors, kernelWeights, type KernelName } from "./kernels.ts";
import { pool, type Matrix, type Tensor, type Vector } from "./tensor.ts";

export interface RegressionState {
  queries: Tensor; // (1, 1, 1)
  keys_: Tensor; // (1, K, 1)
  values: Tensor; // (1, K, 1)
  kernel: KernelName;
  w: number;
  /** Units of keys and of values. */
  units: string[];
}

export interface RegressionStages {
  keys: Tensor;
  attention_weights: Tensor;
  output: Tensor;
}

export type Regression = Readonly<RegressionState & RegressionStages>;

export const WIDEST = 1000;

/** Returns keys, values and kernel: all that does not depend on the query. */
export const dataOf = ({ keys_, values, kernel }: RegressionState) =>
  [keys_[0].flat(), values[0].flat(), kernel] as const;

export function weightsAt(state: RegressionState, queries: Vector): Tensor {
  const [keys, , kernel] = dataOf(state);
  return [kernelWeights(queries, keys, kernel, state.w)];
}

export function errorsAt(state: RegressionState & { truth: Matrix }, w: number): Vector {
  const [keys, values, kernel] = dataOf(state);
  return kernelErrors(keys, values, state.truth, kernel, w);
}

/** The stages at the query. */
export const regressionStages = {
  keys: ({ keys_ }: RegressionState) => keys_,
  attention_weights: (at: RegressionState) => weightsAt(at, at.queries[0].flat()),
  output: ({ attention_weights, values }: Regression) => pool(attention_weights, values),
};

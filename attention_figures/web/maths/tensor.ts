// Defines tensors as nested arrays, with the torch operations that the figures need.
// Shapes: B batch, Q queries, K keys, V value size.

export type Vector = number[];
export type Matrix = Vector[];
export type Tensor = Matrix[];

/** Returns the numbers 0 … n − 1. */
export const range = (n: number): Vector => Array.from({ length: n }, (_, i) => i);

export const sum = (numbers: Vector): number => numbers.reduce((all, x) => all + x, 0);

/** Returns the first number, the sum of the first two, and so on. */
export const cumulativeSums = (numbers: Vector): Vector => {
  let all = 0;
  return numbers.map((x) => (all += x));
};

/** The index of the largest number, the first of equals. */
export const largest = (row: Vector): number => row.indexOf(Math.max(...row));

export const mean = (numbers: Vector): number => sum(numbers) / numbers.length;

/** Sample variance, divided by n − 1, as torch.var. */
export function variance(numbers: Vector): number {
  const middle = mean(numbers);
  return sum(numbers.map((x) => (x - middle) ** 2)) / (numbers.length - 1);
}

/** Dot product of two vectors; extra components of b are ignored. */
export function product(a: Vector, b: Vector): number {
  let all = 0;
  for (let i = 0; i < a.length; i++) all += a[i] * b[i];
  return all;
}

/** Transposes a matrix; an empty matrix stays empty. */
export const transpose = (matrix: Matrix): Matrix =>
  (matrix[0] ?? []).map((_, j) => matrix.map((row) => row[j]));

/** Maps each row of a tensor. */
export const byRow = (tensor: Tensor, f: (row: Vector, b: number, q: number) => Vector): Tensor =>
  tensor.map((rows, b) => rows.map((row, q) => f(row, b, q)));

/** (B, Q, K) → (B, Q, 1). */
export const rowSums = (tensor: Tensor): Tensor => byRow(tensor, (row) => [sum(row)]);

/** Means over the rows, (B, K, V) → (B, 1, V). */
export const columnMeans = (tensor: Tensor): Tensor =>
  tensor.map((rows) => [transpose(rows).map(mean)]);

/** Applies a linear layer without bias to each row: weight is (out, in), as in torch.nn.Linear. */
export const linear = (rows: Matrix, weight: Matrix): Matrix =>
  rows.map((row) => weight.map((unit) => product(unit, row)));

/** Weighted sums of the values, torch's weights @ values: (B, Q, K), (B, K, V) → (B, Q, V). */
export function pool(weights: Tensor, values: Tensor): Tensor {
  return weights.map((rows, b) => {
    const columns = transpose(values[b]); // (V, K)
    return rows.map((row) => columns.map((column) => product(column, row)));
  });
}

/** The largest difference between two tensors' entries. */
export function distance(a: Tensor, b: Tensor): number {
  const differences = byRow(a, (row, i, q) => row.map((x, k) => Math.abs(x - b[i][q][k])));
  return Math.max(...differences.flat(2));
}

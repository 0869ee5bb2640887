// Computes masked softmax by its steps: lengths, mask, exponentials, sums; as attention_lib.masking.
import { byRow, range, rowSums } from "./tensor.ts";
import type { Matrix, Tensor, Vector } from "./tensor.ts";

/** How many leading keys count: one number per example (B,), or one per query (B, Q). */
export type Lengths = (number | Vector)[];

/** One length per row, (B, Q), from either form. */
export const rowLengths = (validLens: Lengths, numQueries: number): Matrix =>
  validLens.map((n) => (Array.isArray(n) ? n : Array<number>(numQueries).fill(n)));

/** 1 where a key is kept, 0 where it is padding: (B, Q, K). */
export function lengthMask(validLens: Lengths, numQueries: number, numKeys: number): Tensor {
  const rowOf = (length: number) => range(numKeys).map((k) => Number(k < length));
  return validLens.map((own) =>
    Array.isArray(own) ? own.map(rowOf) : Array<Vector>(numQueries).fill(rowOf(own)),
  );
}

/** Replaces the scores of padding by −∞. */
export const maskedScores = (scores: Tensor, mask: Tensor): Tensor =>
  byRow(scores, (row, b, q) => row.map((x, k) => (mask[b][q][k] ? x : -Infinity)));

/** exp(score − the row's largest), which never overflows; 0 for padding. */
export const exponentials = (scores: Tensor): Tensor =>
  byRow(scores, (row) => {
    const largest = Math.max(...row);
    return row.map((x) => (x > -Infinity ? Math.exp(x - largest) : 0));
  });

/** Divides each row by its sum (B, Q, 1); a row with sum 0 stays 0. */
export const dividedBySum = (terms: Tensor, sums: Tensor = rowSums(terms)): Tensor =>
  byRow(terms, (row, b, q) => row.map((x) => (sums[b][q][0] > 0 ? x / sums[b][q][0] : 0)));

/** Softmax over all keys, (B, Q, K). */
export const softmax = (scores: Tensor): Tensor => dividedBySum(exponentials(scores));

/** Softmax over the keys that gives padding a weight of 0; a row of padding alone is 0. */
export const maskedSoftmax = (scores: Tensor, validLens: Lengths): Tensor =>
  softmax(maskedScores(scores, lengthMask(validLens, scores[0].length, scores[0][0].length)));

const TIE = 2.5e-9; // coordinates of 4 decimals give scores that are equal or 5e-9 apart

/** Softmax of scores / temperature; at temperature 0 the largest scores share all the weight. */
export function temperedSoftmax(scores: Tensor, temperature: number): Tensor {
  // Subtract the largest first: divided by a small temperature, all scores could overflow.
  const below = byRow(scores, (row) => {
    const largest = Math.max(...row);
    return row.map((x) => x - largest);
  });
  if (temperature > 0) return softmax(byRow(below, (row) => row.map((x) => x / temperature)));
  return dividedBySum(byRow(below, (row) => row.map((x) => Number(x >= -TIE))));
}

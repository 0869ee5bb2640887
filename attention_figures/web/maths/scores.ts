// How well each key fits each query, as attention_lib.scores: (B, Q, size), (B, K, size) → (B, Q, K).
// H is the number of hidden units.
import { linear, product, sum, transpose } from "./tensor.ts";
import type { Matrix, Tensor, Vector } from "./tensor.ts";

/** Learned matrices by name; a score takes its own from among them. */
export type Parameters = Readonly<Record<"W" | "W_q" | "W_k" | "w_v", Matrix>>;
export type ScoreName = keyof typeof SCORES;

/** For every example, scores of all pairs of a query and a key. */
const forPairs = (queries: Tensor, keys: Tensor, score: (q: Vector, k: Vector) => number): Tensor =>
  queries.map((rows, b) => rows.map((q) => keys[b].map((k) => score(q, k))));

const mapped = (tensor: Tensor, weight: Matrix): Tensor =>
  tensor.map((rows) => linear(rows, weight));

/** q·k. */
export const dot = (queries: Tensor, keys: Tensor): Tensor => forPairs(queries, keys, product);

/** q·k / √d. */
export const scaledDot = (queries: Tensor, keys: Tensor): Tensor =>
  forPairs(queries, keys, (q, k) => product(q, k) / Math.sqrt(q.length));

/** −½‖q − k‖², never −0. */
export const gaussian = (queries: Tensor, keys: Tensor): Tensor =>
  forPairs(queries, keys, (q, k) => sum(q.map((x, i) => (k[i] - x) * ((x - k[i]) / 2))));

/** Cosine of the angle; 0 where a vector is zero and has none. */
export const cosine = (queries: Tensor, keys: Tensor): Tensor =>
  dot(
    queries.map((rows) => rows.map(unit)),
    keys.map((rows) => rows.map(unit)),
  );

/** q·W k. */
export const bilinear = (queries: Tensor, keys: Tensor, W: Matrix): Tensor =>
  dot(mapped(queries, transpose(W)), keys);

/** w_v·tanh(W_q q + W_k k). */
export const additive = (
  queries: Tensor,
  keys: Tensor,
  W_q: Matrix,
  W_k: Matrix,
  w_v: Matrix,
): Tensor => perceptron(queries, keys, W_q, W_k, w_v, Math.tanh);

/** The additive score without its tanh. */
export const additiveSum = (
  queries: Tensor,
  keys: Tensor,
  W_q: Matrix,
  W_k: Matrix,
  w_v: Matrix,
): Tensor => perceptron(queries, keys, W_q, W_k, w_v, (x) => x);

/** By their names in Python; "dot_product" is the module, and "sum" a figure's own. */
const SCORES = {
  dot,
  scaled_dot: scaledDot,
  dot_product: scaledDot,
  gaussian,
  cosine,
  bilinear: (queries: Tensor, keys: Tensor, { W }: Parameters) => bilinear(queries, keys, W),
  additive: (queries: Tensor, keys: Tensor, { W_q, W_k, w_v }: Parameters) =>
    additive(queries, keys, W_q, W_k, w_v),
  sum: (queries: Tensor, keys: Tensor, { W_q, W_k, w_v }: Parameters) =>
    additiveSum(queries, keys, W_q, W_k, w_v),
};

/** Scores by the name of their function in attention_lib.scores, or of the module. */
export const attentionScores = (
  score: ScoreName,
  queries: Tensor,
  keys: Tensor,
  parameters: Parameters,
): Tensor => SCORES[score](queries, keys, parameters);

function perceptron(
  queries: Tensor,
  keys: Tensor,
  W_q: Matrix,
  W_k: Matrix,
  [w_v]: Matrix,
  f: (x: number) => number,
): Tensor {
  return forPairs(mapped(queries, W_q), mapped(keys, W_k), (q, k) => {
    let score = 0;
    for (let h = 0; h < w_v.length; h++) score += w_v[h] * f(q[h] + k[h]);
    return score;
  });
}

/** Divided by its largest component first, no vector over- or underflows; zero stays zero. */
function unit(vector: Vector): Vector {
  const largest = Math.max(...vector.map(Math.abs)) || 1;
  const moderate = vector.map((x) => x / largest);
  const length = Math.hypot(...moderate) || 1;
  return moderate.map((x) => x / length);
}

// @ts-check
// What torch computes for the same state, in float64. Pure functions on nested arrays.
// Shapes: B batch, Q queries, K keys, V value size, H hidden units.

/** @typedef {number[]} Vector */
/** @typedef {number[][]} Matrix */
/** @typedef {number[][][]} Tensor */
/** @typedef {(number | number[])[]} Lengths one per example (B,), or one per query (B, Q) */
/** @typedef {{ score: string } & Record<string, any>} Attention a score's kind and its parameters */

/** @param {Vector} a @param {Vector} b */
export function dot(a, b) {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}

/** @param {Vector} numbers */
export const total = (numbers) => numbers.reduce((sum, x) => sum + x, 0);

/** @param {Vector} numbers */
export const mean = (numbers) => total(numbers) / numbers.length;

/** Rows of a linear layer without bias. @param {Matrix} rows @param {Matrix} weight */
export function linear(rows, weight) {
  return rows.map((row) => weight.map((unit) => dot(unit, row)));
}

/** q·k / √d. @type {(queries: Matrix, keys: Matrix) => Matrix} (Q, d), (K, d) → (Q, K) */
function dotProductScores(queries, keys) {
  const scale = Math.sqrt(queries[0].length);
  return queries.map((q) => keys.map((k) => dot(q, k) / scale));
}

/** w_v·f(W_q q + W_k k). */
/** @type {(f: (x: number) => number) => (queries: Matrix, keys: Matrix, attention: Attention) => Matrix} */
const perceptron =
  (f) =>
  (queries, keys, { W_q, W_k, w_v }) => {
    const hiddenQueries = linear(queries, W_q); // (Q, H)
    const hiddenKeys = linear(keys, W_k); // (K, H)
    return hiddenQueries.map((q) =>
      hiddenKeys.map((k) => {
        let score = 0;
        for (let h = 0; h < q.length; h++) score += w_v[0][h] * f(q[h] + k[h]);
        return score;
      }),
    );
  };

/** −½‖q − k‖². @param {Vector} q @param {Vector} k */
export function distanceScore(q, k) {
  const difference = q.map((x, i) => x - k[i]);
  return -dot(difference, difference) / 2;
}

/** Cosine of the angle; 0 where a vector is zero and has none. @param {Vector} q @param {Vector} k */
function cosineScore(q, k) {
  const lengths = Math.hypot(...q) * Math.hypot(...k);
  return lengths > 0 ? dot(q, k) / lengths : 0;
}

/** A score of one query and one key, for all pairs of them. @param {(q: Vector, k: Vector) => number} f */
const forPairs = (f) => (/** @type {Matrix} */ queries, /** @type {Matrix} */ keys) =>
  queries.map((q) => keys.map((k) => f(q, k)));

/** @type {Record<string, (queries: Matrix, keys: Matrix, attention: Attention) => Matrix>} */
const SCORES = {
  additive: perceptron(Math.tanh),
  sum: perceptron((x) => x),
  dot_product: dotProductScores, // what the module is called; the function is scaled_dot
  scaled_dot: dotProductScores,
  dot: forPairs(dot),
  gaussian: forPairs(distanceScore),
  cosine: forPairs(cosineScore),
  bilinear: (queries, keys, { W }) => forPairs(dot)(queries, linear(keys, W)),
};

/** Scores of one kind. @param {Attention} attention @param {Tensor} queries @param {Tensor} keys */
export function attentionScores(attention, queries, keys) {
  return queries.map((rows, b) => SCORES[attention.score](rows, keys[b], attention));
}

/** One length per row, (B, Q), from either form. @param {Lengths} validLens @param {number} numQueries */
export function rowLengths(validLens, numQueries) {
  return validLens.map((n) => (Array.isArray(n) ? n : Array(numQueries).fill(n)));
}

/** 1 where a key is kept, (Q, K). @param {Vector} lengths of the rows @param {number} numKeys */
export function lengthMask(lengths, numKeys) {
  return lengths.map((length) => Array.from({ length: numKeys }, (_, k) => Number(k < length)));
}

/**
 * exp(score − the row's largest kept score), 0 for padding; and their sum.
 * @param {Vector} scores @param {number} length
 */
export function exponentials(scores, length) {
  const largest = Math.max(...scores.slice(0, length));
  const terms = scores.map((score, k) => (k < length ? Math.exp(score - largest) : 0));
  return { terms, sum: total(terms) };
}

/** Weights; an empty row weighs nothing. @param {Tensor} scores @param {Matrix} lengths (B, Q) */
export function maskedSoftmax(scores, lengths) {
  return scores.map((rows, b) =>
    rows.map((row, q) => {
      const { terms, sum } = exponentials(row, lengths[b][q]);
      return terms.map((term) => (sum > 0 ? term / sum : 0));
    }),
  );
}

/** Weighted sums of the values. @param {Tensor} weights (B, Q, K) @param {Tensor} values (B, K, V) */
export function pool(weights, values) {
  return weights.map((rows, b) => {
    const columns = transpose(values[b]); // (V, K)
    return rows.map((row) => columns.map((column) => dot(row, column)));
  });
}

/** @param {Matrix} matrix */
export function transpose(matrix) {
  return matrix[0].map((_, j) => matrix.map((row) => row[j]));
}

/** Smallest and largest of a tensor's numbers, −∞ aside. */
/** @param {Tensor} tensor @returns {[number, number]} */
export function extent(tensor) {
  let [low, high] = [Infinity, -Infinity];
  for (const matrix of tensor) {
    for (const row of matrix) {
      for (const x of row) {
        if (x > -Infinity && x < low) low = x;
        if (x > high) high = x;
      }
    }
  }
  return [low, high];
}

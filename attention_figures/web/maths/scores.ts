// Scores each key for each query, as attention_lib.scores: (B, Q, size), (B, K, size) → (B, Q, K).
// H is the number of hidden units. A new score is a function here and a record in LIBRARY.
import { linear, product, sum, transpose } from "./tensor.ts";
import type { Matrix, Tensor, Vector } from "./tensor.ts";

export interface Score {
  of(queries: Tensor, keys: Tensor, ...parameters: Matrix[]): Tensor;
  /** As a function of q and k, for views/formula.tsx. */
  formula: string;
  /** The learned matrices it takes, by their names in Python, in order. */
  parameters: readonly string[];
  /** Its name in menus and tables. */
  words: Readonly<Record<"en" | "zh", string>>;
}

/** For every example, scores of all pairs of a query and a key. */
const forPairs = (queries: Tensor, keys: Tensor, score: (q: Vector, k: Vector) => number): Tensor =>
  queries.map((rows, b) => rows.map((q) => keys[b].map((k) => score(q, k))));

const mapped = (tensor: Tensor, weight: Matrix): Tensor =>
  tensor.map((rows) => linear(rows, weight));

export const dot = (queries: Tensor, keys: Tensor): Tensor => forPairs(queries, keys, product);

export const scaledDot = (queries: Tensor, keys: Tensor): Tensor =>
  forPairs(queries, keys, (q, k) => product(q, k) / Math.sqrt(q.length));

/** Never −0. */
export const gaussian = (queries: Tensor, keys: Tensor): Tensor =>
  forPairs(queries, keys, (q, k) => sum(q.map((x, i) => (k[i] - x) * ((x - k[i]) / 2))));

/** Cosine of the angle; 0 where a vector is zero and has none. */
export const cosine = (queries: Tensor, keys: Tensor): Tensor =>
  dot(
    queries.map((rows) => rows.map(unit)),
    keys.map((rows) => rows.map(unit)),
  );

export const bilinear = (queries: Tensor, keys: Tensor, W: Matrix): Tensor =>
  dot(mapped(queries, transpose(W)), keys);

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

/** By their names in attention_lib.scores, in the order of its table. */
const LIBRARY = {
  dot: {
    of: dot,
    formula: "q^T k",
    parameters: [],
    words: { en: "dot product", zh: "点积" },
  },
  scaled_dot: {
    of: scaledDot,
    formula: "q^T k / √d",
    parameters: [],
    words: { en: "scaled dot product", zh: "缩放点积" },
  },
  additive: {
    of: additive,
    formula: "w_v^T tanh(W_q q + W_k k)",
    parameters: ["W_q", "W_k", "w_v"],
    words: { en: "additive", zh: "加性" },
  },
  gaussian: {
    of: gaussian,
    formula: "−½ ‖q − k‖²",
    parameters: [],
    words: { en: "Gaussian", zh: "高斯" },
  },
  cosine: {
    of: cosine,
    formula: "q^T k / (‖q‖ ‖k‖)",
    parameters: [],
    words: { en: "cosine", zh: "余弦" },
  },
  bilinear: {
    of: bilinear,
    formula: "q^T W k",
    parameters: ["W"],
    words: { en: "bilinear", zh: "双线性" },
  },
} as const satisfies Record<string, Score>;

/** All of them, and "sum", which only figures have. */
const ALL = {
  ...LIBRARY,
  sum: {
    of: additiveSum,
    formula: "w_v^T (W_q q + W_k k)",
    parameters: ["W_q", "W_k", "w_v"],
    words: { en: "sum", zh: "线性相加" },
  },
} as const satisfies Record<string, Score>;

export type ScoreName = keyof typeof ALL;
type Parameter = (typeof ALL)[ScoreName]["parameters"][number];
/** Learned matrices by name; a score takes its own from among them. */
export type Parameters = Readonly<Partial<Record<Parameter, Matrix>>>;

type Known = Omit<Score, "parameters"> & { parameters: readonly Parameter[] };
export const SCORES: Readonly<Record<ScoreName, Known>> = ALL;
export const LIBRARY_SCORES = Object.keys(LIBRARY) as (keyof typeof LIBRARY)[];
/** The names of all parameters, each once. */
export const PARAMETERS = [...new Set(Object.values(SCORES).flatMap((it) => it.parameters))];

/** Scores all pairs by the score of this name. */
export function attentionScores(
  score: ScoreName,
  queries: Tensor,
  keys: Tensor,
  parameters: Parameters,
): Tensor {
  const { of, parameters: own } = SCORES[score];
  return of(queries, keys, ...own.map((name) => parameters[name]!));
}

/** The scores' names in a language, as words for the figures. */
export const scoreStrings = (lang: "en" | "zh") =>
  Object.fromEntries(
    Object.entries(SCORES).map(([name, { words }]) => [`score_${name}`, words[lang]]),
  ) as Record<`score_${ScoreName}`, string>;

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

// Runs the decomposable attention model (attend, compare, aggregate), as attention_lib.decomposable.
// Shapes: P words of the premise, H of the hypothesis, E embedding size.
import { dot } from "./scores.ts";
import { softmax } from "./softmax.ts";
import { linear } from "./tensor.ts";
import type { Matrix, Vector } from "./tensor.ts";

export type Perceptron = "F" | "G" | "H";

/** A trained model: parameters by their names in its state_dict, including pretrained word `vectors`;
 * and the layers of F, G and H, each "relu" or the name of a linear layer. */
export interface Trained {
  readonly parameters: Readonly<Record<string, Matrix | Vector>>;
  readonly layers: Readonly<Record<Perceptron, readonly string[]>>;
}

const weightOf = ({ parameters }: Trained, layer: string) =>
  parameters[`${layer}.weight`] as Matrix;
const biasOf = ({ parameters }: Trained, layer: string) => parameters[`${layer}.bias`] as Vector;

/** The pretrained word vectors, which are not learnt; undefined if the model has none. */
const pretrainedOf = ({ parameters }: Trained) => parameters.vectors as Matrix | undefined;

/** Embeds words, (P, E): pretrained components first, then learnt ones. */
export const embed = (model: Trained, ids: Vector): Matrix =>
  ids.map((id) => [...(pretrainedOf(model)?.[id] ?? []), ...weightOf(model, "embedding")[id]]);

/** The components of words that F reads: the pretrained ones, or all. */
const inputOfF = (model: Trained, words: Matrix): Matrix => {
  const size = pretrainedOf(model)?.[0].length;
  return words.map((word) => word.slice(0, size));
};

/** Applies F, G or H to each row. */
export const perceptron = (model: Trained, name: Perceptron, rows: Matrix): Matrix =>
  model.layers[name].reduce((x, layer) => {
    if (layer === "relu") return x.map((row) => row.map((unit) => Math.max(0, unit)));
    const bias = biasOf(model, layer);
    return linear(x, weightOf(model, layer)).map((row) => row.map((y, i) => y + bias[i]));
  }, rows);

/** Scores the words of one sentence (rows) against those of the other (columns). */
export const scores = (model: Trained, words: Matrix, others: Matrix): Matrix =>
  dot(
    [perceptron(model, "F", inputOfF(model, words))],
    [perceptron(model, "F", inputOfF(model, others))],
  )[0];

/** Computes the weights of one sentence's words (rows) on the other's (columns). */
export const attend = (model: Trained, words: Matrix, others: Matrix): Matrix =>
  softmax([scores(model, words, others)])[0];

/** Applies G to each word concatenated with its weighted sum of the other sentence. */
export function compare(model: Trained, words: Matrix, weights: Matrix, others: Matrix): Matrix {
  const size = embed(model, [0])[0].length;
  const pairs = words.map((word, i) => [...word, ...weightedSum(weights[i], others, size)]);
  return perceptron(model, "G", pairs);
}

/** Computes the logits: H of both sums over the words. An empty sum is 0. */
export function aggregate(model: Trained, v_a: Matrix, v_b: Matrix): Vector {
  const linearLayers = model.layers.G.filter((layer) => layer !== "relu");
  const size = biasOf(model, linearLayers[linearLayers.length - 1]).length;
  const sums = [v_a, v_b].map((v) =>
    weightedSum(
      v.map(() => 1),
      v,
      size,
    ),
  );
  return perceptron(model, "H", [sums.flat()])[0];
}

/** Computes a weighted sum of rows; without rows, zeros of this size. */
function weightedSum(times: Vector, rows: Matrix, size: number): Vector {
  const all = Array<number>(size).fill(0);
  rows.forEach((row, j) => row.forEach((x, i) => (all[i] += times[j] * x)));
  return all;
}

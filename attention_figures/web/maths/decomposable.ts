// The decomposable attention model: attend, compare, aggregate, as attention_lib.decomposable.
// Shapes: P words of the premise, H of the hypothesis, E embedding size.
import { dot } from "./scores.ts";
import { softmax } from "./softmax.ts";
import { linear } from "./tensor.ts";
import type { Matrix, Vector } from "./tensor.ts";

export type Perceptron = "F" | "G" | "H";

/** A model: parameters by their names in its state_dict, given vectors of the words too; of F, G and
 * H the layers, each "relu" or the name of a linear one. */
export interface Trained {
  readonly parameters: Readonly<Record<string, Matrix | Vector>>;
  readonly layers: Readonly<Record<Perceptron, readonly string[]>>;
}

const weightOf = ({ parameters }: Trained, layer: string) =>
  parameters[`${layer}.weight`] as Matrix;
const biasOf = ({ parameters }: Trained, layer: string) => parameters[`${layer}.bias`] as Vector;

/** What is given of each word, and is not learnt; of old models nothing. */
const givenOf = ({ parameters }: Trained) => parameters.vectors as Matrix | undefined;

/** The vectors of words, (P, E): what is given, then what was learnt. */
export const embed = (model: Trained, ids: Vector): Matrix =>
  ids.map((id) => [...(givenOf(model)?.[id] ?? []), ...weightOf(model, "embedding")[id]]);

/** What F reads of words: what is given of them, or all. */
const read = (model: Trained, words: Matrix): Matrix => {
  const size = givenOf(model)?.[0].length;
  return words.map((word) => word.slice(0, size));
};

/** Rows through the layers of F, G or H. */
export const perceptron = (model: Trained, name: Perceptron, rows: Matrix): Matrix =>
  model.layers[name].reduce((x, layer) => {
    if (layer === "relu") return x.map((row) => row.map((unit) => Math.max(0, unit)));
    const bias = biasOf(model, layer);
    return linear(x, weightOf(model, layer)).map((row) => row.map((y, i) => y + bias[i]));
  }, rows);

/** Scores of the words of one sentence, a row each, with those of the other. */
export const scores = (model: Trained, words: Matrix, others: Matrix): Matrix =>
  dot(
    [perceptron(model, "F", read(model, words))],
    [perceptron(model, "F", read(model, others))],
  )[0];

/** Weights of one sentence's words, a row each, on those of the other. */
export const attend = (model: Trained, words: Matrix, others: Matrix): Matrix =>
  softmax([scores(model, words, others)])[0];

/** Each word beside what it met, through G. */
export function compare(model: Trained, words: Matrix, weights: Matrix, others: Matrix): Matrix {
  const size = embed(model, [0])[0].length;
  const pairs = words.map((word, i) => [...word, ...weightedSum(weights[i], others, size)]);
  return perceptron(model, "G", pairs);
}

/** Both sums over the words, and the logits that H makes of them; no words add up to zeros. */
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

/** Sum of rows of a size, each so many times; zeros where there is none. */
function weightedSum(times: Vector, rows: Matrix, size: number): Vector {
  const all = Array<number>(size).fill(0);
  rows.forEach((row, j) => row.forEach((x, i) => (all[i] += times[j] * x)));
  return all;
}

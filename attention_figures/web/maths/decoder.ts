// Computes every tensor of a decoder's forward pass, as attention_figures.decoder_pass.
// Shapes: N tokens, P tokens before them, d size of a vector, h heads, F units of the feed-forward network, V words.
import { unpacked, type Packed, type Parameters } from "./packed.ts";
import { maskedSoftmax, softmax } from "./softmax.ts";
import { largest, linear, mean, pool, product, range } from "./tensor.ts";
import type { Matrix, Tensor, Vector } from "./tensor.ts";

const EPSILON = 1e-5; // of torch.nn.LayerNorm

/** The part that is removed, "nothing" among them; see PARTS of attention_figures.decoder_pass. */
export type Part = string;

export interface Decoder {
  parameters: Parameters;
  numHeads: number;
  passes: Map<string, ForwardPass>; // the latest ones, by tokens and part
}

/** All tensors of a pass. Scores are −∞ for keys that a query must not read. */
export interface ForwardPass {
  embedded: Matrix; // (N, d), like all below that are not described otherwise
  positions: Matrix;
  inputs: Matrix;
  normed: Matrix;
  queries: Matrix;
  keys: Matrix; // (P + N, d), like the next
  values: Matrix;
  scores: Tensor; // (h, N, P + N), like the next
  attention_weights: Tensor;
  read: Matrix; // what the heads return, side by side
  attended: Matrix;
  after_attention: Matrix;
  normed_again: Matrix;
  hidden: Matrix; // (N, F)
  fed: Matrix;
  outputs: Matrix;
  final: Matrix;
  logits: Matrix; // (N, V)
  probabilities: Matrix; // (N, V)
}

const decoders = new WeakMap<Packed, Decoder>();

/** Returns the decoder with packed parameters, unpacked once. */
export function decoderOf(packed: Packed, numHeads: number): Decoder {
  if (!decoders.has(packed))
    decoders.set(packed, { parameters: unpacked(packed), numHeads, passes: new Map() });
  return decoders.get(packed)!;
}

const added = (a: Matrix, b: Matrix): Matrix => a.map((row, i) => row.map((x, j) => x + b[i][j]));
const zeros = (rows: Matrix): Matrix => rows.map((row) => row.map(() => 0));

/** What layer normalisation subtracts from a vector, and by what it divides. */
export function meanAndDeviation(row: Vector): [mean: number, deviation: number] {
  const middle = mean(row);
  return [middle, Math.sqrt(mean(row.map((x) => (x - middle) ** 2)) + EPSILON)];
}

function layerNorm(rows: Matrix, [weight]: Matrix, [bias]: Matrix): Matrix {
  return rows.map((row) => {
    const [middle, scale] = meanAndDeviation(row);
    return row.map((x, j) => ((x - middle) / scale) * weight[j] + bias[j]);
  });
}

const affine = (rows: Matrix, weight: Matrix, [bias]: Matrix): Matrix =>
  linear(rows, weight).map((row) => row.map((x, j) => x + bias[j]));

const REMEMBERED = 100; // passes

/** Runs a decoder of one block on N tokens, or returns what it gave before. */
export function forwardPass(decoder: Decoder, tokens: Vector, without: Part): ForwardPass {
  const { passes } = decoder;
  const key = `${tokens} ${without}`;
  if (passes.size > REMEMBERED) passes.clear();
  if (!passes.has(key)) passes.set(key, run(decoder, tokens, without));
  return passes.get(key)!;
}

/** Runs a decoder on one more token, with the keys and values of what it returned before. */
export const nextPass = (decoder: Decoder, token: number, past?: ForwardPass): ForwardPass =>
  run(decoder, [token], "nothing", past);

function run(
  { parameters: own, numHeads }: Decoder,
  tokens: Vector,
  without: Part,
  past?: ForwardPass,
): ForwardPass {
  const norm = (name: string, rows: Matrix) =>
    layerNorm(rows, own[`${name}.weight`], own[`${name}.bias`]);
  const project = (rows: Matrix, name: string) =>
    linear(rows, own[`blocks.0.attention.${name}.weight`]);
  const layer = (rows: Matrix, i: number) =>
    affine(rows, own[`blocks.0.feed_forward.${i}.weight`], own[`blocks.0.feed_forward.${i}.bias`]);
  const embedding = own["embedding.weight"];
  const embedded = tokens.map((token) => embedding[token]);
  const before = past?.keys.length ?? 0;
  const all = own["positions.weight"].slice(before, before + tokens.length);
  const positions = without === "positions" ? zeros(all) : all;
  const inputs = added(embedded, positions);
  const normed = norm("blocks.0.norm_1", inputs);
  const queries = project(normed, "W_q");
  const keys = [...(past?.keys ?? []), ...project(normed, "W_k")];
  const values = [...(past?.values ?? []), ...project(normed, "W_v")];

  const size = queries[0].length / numHeads;
  const split = (rows: Matrix): Tensor =>
    range(numHeads).map((head) => rows.map((row) => row.slice(head * size, (head + 1) * size)));
  const keysOf = split(keys);
  const raw = split(queries).map((rows, head) =>
    rows.map((query) => keysOf[head].map((key) => product(query, key) / Math.sqrt(size))),
  );
  const attention_weights = weightsOf(raw, without);
  const scores = raw.map((rows, head) =>
    rows.map((row, q) => row.map((x, k) => (attention_weights[head][q][k] ? x : -Infinity))),
  );
  const returned = pool(attention_weights, split(values)).map((rows, head) =>
    without === `head-${head}` ? zeros(rows) : rows,
  );
  const read = tokens.map((_, i) => returned.flatMap((rows) => rows[i]));
  const attended = project(read, "W_o");

  const after_attention = without === "residual-1" ? attended : added(inputs, attended);
  const normed_again = norm("blocks.0.norm_2", after_attention);
  const hidden = layer(normed_again, 0).map((row) => row.map((x) => Math.max(x, 0)));
  const full = layer(hidden, 2);
  const fed = without === "feed-forward" ? zeros(full) : full;
  const outputs = without === "residual-2" ? fed : added(after_attention, fed);
  const final = norm("norm", outputs);
  const logits = linear(final, embedding);
  const [probabilities] = softmax([logits]);
  return {
    embedded,
    positions,
    inputs,
    normed,
    queries,
    keys,
    values,
    scores,
    attention_weights,
    read,
    attended,
    after_attention,
    normed_again,
    hidden,
    fed,
    outputs,
    final,
    logits,
    probabilities,
  };
}

function weightsOf(scores: Tensor, without: Part): Tensor {
  const [queries, number] = [scores[0].length, scores[0][0].length];
  const first = without === "first-token" ? 1 : 0;
  const lengths = range(queries).map(
    (i) => (without === "mask" ? number : number - queries + i + 1) - first,
  );
  return scores.map((rows) => {
    const [weights] = maskedSoftmax([rows.map((row) => row.slice(first))], [lengths]);
    return weights.map((row) => (first ? [0, ...row] : row));
  });
}

/** Writes a sentence: keeps the tokens that are given, and takes the most probable word elsewhere. */
export function greedy(decoder: Decoder, tokens: Vector, given: boolean[]): Vector {
  const written: Vector = [];
  tokens.forEach((token, i) => {
    if (given[i]) written.push(token);
    else {
      const { probabilities } = forwardPass(decoder, written, "nothing");
      written.push(largest(probabilities[i - 1]));
    }
  });
  return written;
}

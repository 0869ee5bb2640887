// Runs a recurrent encoder-decoder with additive attention, as attention_course.dates.model.Aligner.
// Shapes: K tokens, T characters, D numbers of a state, R rows.
import type { Parameters } from "./packed.ts";
import { additive } from "./scores.ts";
import { softmax } from "./softmax.ts";
import { product, range } from "./tensor.ts";
import type { Matrix, Tensor, Vector } from "./tensor.ts";

const LENGTH = 10; // of an answer

/** Applies a torch.nn.Linear layer to a vector. */
const affine = (x: Vector, weight: Matrix, [bias]: Matrix): Vector =>
  weight.map((row, i) => product(row, x) + bias[i]);

const sigmoid = (x: number) => 1 / (1 + Math.exp(-x));

/** Computes a step of a GRU: reset gate r, update gate z, new state n, in torch's order. */
function step(parameters: Parameters, layer: string, end: string, x: Vector, h: Vector): Vector {
  const of = (name: string) => parameters[`${layer}.${name}${end}`];
  const fromInput = affine(x, of("weight_ih"), of("bias_ih"));
  const fromState = affine(h, of("weight_hh"), of("bias_hh"));
  const size = h.length;
  return h.map((previous, i) => {
    const r = sigmoid(fromInput[i] + fromState[i]);
    const z = sigmoid(fromInput[size + i] + fromState[size + i]);
    const n = Math.tanh(fromInput[2 * size + i] + r * fromState[2 * size + i]);
    return (1 - z) * n + z * previous;
  });
}

/** Encodes a sentence in both directions: all states (K, D) and the last of each direction (D,). */
function encode(parameters: Parameters, ids: Vector): { states: Matrix; last: Vector } {
  const words = ids.map((id) => parameters["tokens.weight"][id]);
  const zero = Array<number>(parameters["encoder.weight_hh_l0"][0].length).fill(0);
  const read = (rows: Matrix, end: string) => {
    let h = zero;
    return rows.map((row) => (h = step(parameters, "encoder", end, row, h)));
  };
  const forwards = read(words, "_l0");
  const backwards = read([...words].reverse(), "_l0_reverse").reverse();
  return {
    states: forwards.map((state, k) => [...state, ...backwards[k]]),
    last: [...forwards[forwards.length - 1], ...backwards[0]],
  };
}

/** Decodes a sentence: T character indices and the attention weights (1, T, K). */
export function read(parameters: Parameters, ids: Vector) {
  const { states, last } = encode(parameters, ids);
  const p = (name: string) => parameters[name];
  let state = affine(last, p("start.weight"), p("start.bias")).map(Math.tanh);
  let before = p("characters.weight").length - 1; // the start symbol
  const characters: Vector = [];
  const weights: Matrix = [];
  for (const _ of range(LENGTH)) {
    const scores = additive(
      [[state]],
      [states],
      p("attention.W_q.weight"),
      p("attention.W_k.weight"),
      p("attention.w_v.weight"),
    );
    const [[row]] = softmax(scores);
    const context = last.map((_, i) => states.reduce((all, h, k) => all + row[k] * h[i], 0));
    state = step(parameters, "decoder", "", [...p("characters.weight")[before], ...context], state);
    const scored = affine([...state, ...context], p("out.weight"), p("out.bias"));
    before = scored.indexOf(Math.max(...scored));
    characters.push(before);
    weights.push(row);
  }
  return { characters, attention_weights: [weights] as Tensor };
}

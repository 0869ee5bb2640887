// A model that reads a sentence with a recurrent network and writes an answer with another one, as
// attention_course.dates.model.Aligner. Shapes: K tokens, T characters, D numbers of a state, R rows.
import { additive } from "./scores.ts";
import { softmax } from "./softmax.ts";
import { product, range } from "./tensor.ts";
import type { Matrix, Tensor, Vector } from "./tensor.ts";

/** By the names of torch's state_dict. A vector is a matrix of one row. */
export type Parameters = Readonly<Record<string, Matrix>>;

const LENGTH = 10; // of an answer

/** How rows of parameters are stored: multiples, a byte each in base64, of a step for each row. */
export type Packed = Readonly<Record<string, { scale: Vector; levels: string }>>;

export const unpacked = (stored: Packed): Parameters =>
  Object.fromEntries(
    Object.entries(stored).map(([name, { scale, levels }]) => {
      const bytes = Int8Array.from(atob(levels), (byte) => byte.charCodeAt(0));
      const size = bytes.length / scale.length;
      const row = (r: number) => [...bytes.subarray(r * size, (r + 1) * size)];
      return [name, scale.map((step, r) => row(r).map((level) => level * step))];
    }),
  );

/** A vector through a layer of torch.nn.Linear. */
const affine = (x: Vector, weight: Matrix, [bias]: Matrix): Vector =>
  weight.map((row, i) => product(row, x) + bias[i]);

const sigmoid = (x: number) => 1 / (1 + Math.exp(-x));

/** One step of a gated recurrent unit: r forgets, z keeps, and n is new, in torch's order. */
function step(parameters: Parameters, layer: string, end: string, x: Vector, h: Vector): Vector {
  const of = (name: string) => parameters[`${layer}.${name}${end}`];
  const given = affine(x, of("weight_ih"), of("bias_ih"));
  const own = affine(h, of("weight_hh"), of("bias_hh"));
  const size = h.length;
  return h.map((kept, i) => {
    const r = sigmoid(given[i] + own[i]);
    const z = sigmoid(given[size + i] + own[size + i]);
    const n = Math.tanh(given[2 * size + i] + r * own[2 * size + i]);
    return (1 - z) * n + z * kept;
  });
}

/** The states of a sentence, (K, D), read forwards and backwards, and the last of each way, (D,). */
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

/** What the model writes to a sentence, T indices, and where it looked, (1, T, K). */
export function read(parameters: Parameters, ids: Vector) {
  const { states, last } = encode(parameters, ids);
  const p = (name: string) => parameters[name];
  let state = affine(last, p("start.weight"), p("start.bias")).map(Math.tanh);
  let before = p("characters.weight").length - 1; // none as yet
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

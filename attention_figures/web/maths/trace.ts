// Follows one number through a decoder, as attention_figures.decoder_trace.
import type { Decoder, ForwardPass } from "./decoder.ts";
import { largest, product, type Matrix, type Vector } from "./tensor.ts";

/** The numbers in the order in which they are computed, each with the stage to which it belongs. */
export const LINES = {
  inputs: 1,
  normed: 2,
  queries: 3,
  keys: 3,
  values: 3,
  scores: 4,
  masked_scores: 5,
  attention_weights: 6,
  read: 7,
  attended: 8,
  after_attention: 9,
  normed_again: 10,
  hidden: 11,
  fed: 11,
  outputs: 12,
  final: 13,
  logits: 14,
  probabilities: 15,
} as const;
export type Line = keyof typeof LINES;
export const LINE_NAMES = Object.keys(LINES) as Line[];
export const NUM_STAGES = 15;

/** What is followed: places of words, a component with its head, a hidden unit, the next token. */
export interface Followed {
  query: number;
  component: number;
  head: number;
  size: number; // of a head's vectors
  key: number;
  unit: number;
  next: number;
}

/** Completes what the reader has chosen; null is the largest weight, or the most probable word. */
export function followed(
  { parameters, numHeads }: Decoder,
  pass: ForwardPass,
  query: number,
  component: number,
  key: number | null,
  next: number | null,
): Followed {
  const size = pass.queries[0].length / numHeads;
  const head = Math.floor(component / size);
  const outward = parameters["blocks.0.feed_forward.2.weight"][component];
  return {
    query,
    component,
    head,
    size,
    key: key ?? largest(pass.attention_weights[head][query]),
    unit: largest(pass.hidden[query].map((x, j) => Math.abs(x * outward[j]))),
    next: next ?? largest(pass.logits[query]),
  };
}

/** The part of a word's vector that belongs to the head. */
export const ownPart = (rows: Matrix, place: number, { head, size }: Followed): Vector =>
  rows[place].slice(head * size, (head + 1) * size);

export function traceOf(pass: ForwardPass, at: Followed): Record<Line, number> {
  const { query, component: c, head, key, unit, next } = at;
  const own = product(ownPart(pass.queries, query, at), ownPart(pass.keys, key, at));
  const numbers = {
    inputs: pass.inputs[query][c],
    normed: pass.normed[query][c],
    queries: pass.queries[query][c],
    keys: pass.keys[key][c],
    values: pass.values[key][c],
    scores: own / Math.sqrt(at.size),
    masked_scores: pass.scores[head][query][key],
    attention_weights: pass.attention_weights[head][query][key],
    read: pass.read[query][c],
    attended: pass.attended[query][c],
    after_attention: pass.after_attention[query][c],
    normed_again: pass.normed_again[query][c],
    hidden: pass.hidden[query][unit],
    fed: pass.fed[query][c],
    outputs: pass.outputs[query][c],
    final: pass.final[query][c],
    logits: pass.logits[query][next],
    probabilities: pass.probabilities[query][next],
  };
  return numbers;
}

// Writes the computation of a decoder's number with its numbers: "embedding[3] + position[3] = …".
import { formatNumber } from "../core/format.ts";
import type { Translate } from "../core/strings.ts";
import { meanAndDeviation, type Decoder, type ForwardPass } from "../maths/decoder.ts";
import { exponentials } from "../maths/softmax.ts";
import { product, range, sum, type Vector } from "../maths/tensor.ts";
import { ownPart, type Followed, type Line } from "../maths/trace.ts";

/** A negative number behind an operator stands in brackets. */
const term = (x: number) => formatNumber(x).replace(/^−.*/, "($&)");

export function computation(
  line: Line,
  { parameters, numHeads }: Decoder,
  pass: ForwardPass,
  at: Followed,
  t: Translate,
): string {
  const { query, key, component: c, head, size, unit, next } = at;
  const matrix = (name: string) => parameters[`blocks.0.${name}.weight`];
  const bias = (layer: string, i: number) => parameters[`blocks.0.${layer}.bias`][0][i];

  /** The two largest products, and the sum of the others. */
  function terms(a: Vector, b: Vector): string {
    const products = a.map((x, i) => x * b[i]);
    const order = range(a.length).sort((i, j) => Math.abs(products[j]) - Math.abs(products[i]));
    const rest = order.slice(2);
    const [first, second] = order.slice(0, 2).map((i) => `${term(a[i])} · ${term(b[i])}`);
    const others = term(sum(rest.map((i) => products[i])));
    return t("traceTerms", { first, second, others, n: rest.length });
  }
  function normed(layer: string, row: Vector): string {
    const [mean, deviation] = meanAndDeviation(row).map(term);
    const [weight] = parameters[`${layer}.weight`];
    const [shift] = parameters[`${layer}.bias`];
    const values = {
      x: formatNumber(row[c]),
      mean,
      deviation,
      weight: term(weight[c]),
      bias: term(shift[c]),
    };
    return t("traceHowNormed", values);
  }
  /** exp(a score below the largest), and the sum of all of them. */
  function share(scores: Vector, place: number) {
    const [[all]] = exponentials([[scores]]);
    return {
      below: formatNumber(scores[place] - Math.max(...scores)),
      sum: formatNumber(sum(all)),
    };
  }
  const how = (name: string, values: Record<string, unknown>) =>
    t(name, { c, unit, head, ...values });
  const added = (name: string, a: number, b: number) =>
    how(name, { a: formatNumber(a), b: term(b) });

  switch (line) {
    case "inputs":
      return added("traceHowInputs", pass.embedded[query][c], pass.positions[query][c]);
    case "normed":
      return normed("blocks.0.norm_1", pass.inputs[query]);
    case "queries":
      return how("traceHowQueries", {
        terms: terms(matrix("attention.W_q")[c], pass.normed[query]),
      });
    case "keys":
      return how("traceHowKeys", { terms: terms(matrix("attention.W_k")[c], pass.normed[key]) });
    case "values":
      return how("traceHowValues", { terms: terms(matrix("attention.W_v")[c], pass.normed[key]) });
    case "scores": {
      const found = product(ownPart(pass.queries, query, at), ownPart(pass.keys, key, at));
      return how("traceHowScores", {
        size,
        product: formatNumber(found),
        root: formatNumber(Math.sqrt(size)),
      });
    }
    case "masked_scores":
      return t(key > query ? "traceHowMasked" : "traceHowKept", { key, query });
    case "attention_weights":
      return how("traceHowAttentionWeights", share(pass.scores[head][query], key));
    case "read": {
      const [weight, value] = [pass.attention_weights[head][query][key], pass.values[key][c]];
      const others = pass.read[query][c] - weight * value;
      return how("traceHowRead", {
        weight: term(weight),
        value: term(value),
        others: term(others),
      });
    }
    case "attended": {
      const row = matrix("attention.W_o")[c];
      const parts = range(numHeads).map((head) => {
        const [from, to] = [head * size, (head + 1) * size];
        return product(row.slice(from, to), pass.read[query].slice(from, to));
      });
      const named = parts.map((x, head) => t("traceByHead", { x: term(x), head }));
      return how("traceHowAttended", { parts: named.join(" + ") });
    }
    case "after_attention":
      return added("traceHowAfterAttention", pass.inputs[query][c], pass.attended[query][c]);
    case "normed_again":
      return normed("blocks.0.norm_2", pass.after_attention[query]);
    case "hidden": {
      const x = product(matrix("feed_forward.0")[unit], pass.normed_again[query]);
      return how("traceHowHidden", {
        x: formatNumber(x),
        bias: term(bias("feed_forward.0", unit)),
      });
    }
    case "fed": {
      const row = matrix("feed_forward.2")[c];
      const x = `${term(row[unit])} · ${term(pass.hidden[query][unit])}`;
      const others = product(row, pass.hidden[query]) - row[unit] * pass.hidden[query][unit];
      const shift = term(bias("feed_forward.2", c));
      return how("traceHowFed", { x, others: term(others), n: row.length - 1, bias: shift });
    }
    case "outputs":
      return added("traceHowOutputs", pass.after_attention[query][c], pass.fed[query][c]);
    case "final":
      return normed("norm", pass.outputs[query]);
    case "logits":
      return how("traceHowLogits", {
        terms: terms(pass.final[query], parameters["embedding.weight"][next]),
      });
    case "probabilities":
      return how("traceHowProbabilities", share(pass.logits[query], next));
  }
}

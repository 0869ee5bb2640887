// @ts-check
// The dropout figure as a program, with the random numbers up to the draw that is looked at.
import { integers, program, pythonFloat, remark, tensors } from "./python.js";

/** @typedef {import("./arithmetic.js").Tensor} Tensor */

/**
 * @param {Pick<import("./model.js").Model, "get">} model
 * @param {import("./controls.js").Words} words
 */
export function dropoutProgram(model, words) {
  const [draw, p] = [model.get("draw"), model.get("p")];
  /** @type {Tensor} */
  const draws = model.get("draws").slice(0, draw);
  const hundredths = draws.map((rows) => rows.map((row) => row.map((x) => Math.round(100 * x))));
  const all = "attention_weights / (1 - p)";
  const dropped = model.get("training")
    ? `all_dropped = torch.where(draws >= p, ${all}, 0.0)`
    : remark("all_dropped = attention_weights.expand(draws.shape)", words("evaluation"));
  return program(
    words,
    [],
    [
      ...tensors(model, ["scores", "values"]),
      integers("hundredths", hundredths),
      remark("draws = hundredths.double() / 100", words("upToDraw", { n: draw })),
      `p = ${pythonFloat(p)}`,
      "",
      "attention_weights = torch.softmax(scores, dim=-1)",
      dropped,
      "dropped = all_dropped[-1:]",
      remark("row_sums = dropped.sum(-1, keepdim=True)", words("rowSums")),
      "output = dropped @ values",
      remark("eval_output = attention_weights @ values", words("withoutDropout")),
      remark("mean = all_dropped.mean(0, keepdim=True)", words("meanOfDraws", { n: draw })),
      remark("deviation = (mean - attention_weights).abs().max()", words("deviation")),
    ],
  );
}

// @ts-check
// The scaling figure as a program, for the d that is chosen.
import { floats, program, remark } from "./python.js";

/** @typedef {import("./arithmetic.js").Matrix} Matrix */

/**
 * @param {Pick<import("./model.js").Model, "get">} model
 * @param {import("./controls.js").Words} words
 */
export function scalingProgram(model, words) {
  const [d, scaled] = [model.get("d"), model.get("scaled")];
  const used = (/** @type {string} */ trait) =>
    model.get(trait).map((/** @type {Matrix} */ rows) => rows.map((row) => row.slice(0, d)));
  const score = scaled ? "scaled_dot" : "dot";
  const width = scaled ? "0.5" : `(${d} ** 0.5 / 2)`;
  return program(
    words,
    [`from attention_lib.scores import ${score}`],
    [
      floats("queries", used("queries")),
      floats("keys", used("keys_")),
      "",
      `scores = ${score}(queries, keys)`,
      "mean, variance = scores.mean(), scores.var()",
      "attention_weights = torch.softmax(scores, dim=-1)",
      remark("entropy = torch.special.entr(attention_weights).sum(-1).mean()", words("entropy")),
      "",
      `# ${words("gradientMeaning")}`,
      "jacobians = torch.func.vmap(torch.func.jacrev(lambda row: torch.softmax(row, dim=-1)))",
      "gradient = torch.linalg.matrix_norm(jacobians(scores[0])).mean()",
      "",
      `# ${words("barsOfScores")}`,
      `bars = torch.floor(scores / ${width} + 0.5 + 1e-9).clamp(-16, 16)`,
      "histogram = torch.bincount((bars + 16).long().flatten(), minlength=33)",
      "",
    ],
  );
}

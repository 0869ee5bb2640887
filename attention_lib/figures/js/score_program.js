// @ts-check
// The score figure as a program.
import { program, tensors } from "./python.js";

/**
 * @param {Pick<import("./model.js").Model, "get">} model
 * @param {string[]} parameters of the chosen score
 * @param {import("./controls.js").Words} words
 */
export function scoreProgram(model, parameters, words) {
  const score = model.get("score");
  return program(
    words,
    [`from attention_lib.scores import ${score}`],
    [
      ...tensors(model, ["queries", "keys_", "values", ...parameters]),
      "",
      `scores = ${score}(${["queries", "keys", ...parameters].join(", ")})`,
      "attention_weights = torch.softmax(scores, dim=-1)",
      "output = attention_weights @ values",
    ],
  );
}

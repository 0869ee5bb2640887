// @ts-check
// The look-up figure as a program.
import { program, pythonFloat, remark, tensors } from "./python.js";

/**
 * @param {Pick<import("./model.js").Model, "get">} model
 * @param {import("./controls.js").Words} words
 */
export function poolingProgram(model, words) {
  const temperature = model.get("temperature");
  const weights =
    temperature > 0
      ? ["attention_weights = torch.softmax(below / temperature, dim=-1)"]
      : [
          remark("largest = (below >= -2.5e-9).double()", words("hardMaximum")),
          "attention_weights = largest / largest.sum(-1, keepdim=True)",
        ];
  return program(
    words,
    ["from attention_lib.scores import gaussian"],
    [
      ...tensors(model, ["queries", "keys_", "values"]),
      `temperature = ${pythonFloat(temperature)}`,
      "",
      "scores = gaussian(queries, keys)",
      remark("below = scores - scores.amax(-1, keepdim=True)", words("belowLargest")),
      ...weights,
      "output = attention_weights @ values",
      "mean = values.mean(1, keepdim=True)",
    ],
  );
}

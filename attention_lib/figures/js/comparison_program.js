// @ts-check
// The comparison figure as a program.
import { program, remark, tensors } from "./python.js";

/**
 * @param {Pick<import("./model.js").Model, "get">} model
 * @param {import("./controls.js").Words} words
 */
export const comparisonProgram = (model, words) =>
  program(
    words,
    ["from attention_lib.scores import additive, bilinear, dot, gaussian, scaled_dot"],
    [
      ...tensors(model, ["queries", "keys_", "W_q", "W_k", "w_v", "W"]),
      "",
      "hidden = (queries @ W_q.T).unsqueeze(2) + (keys @ W_k.T).unsqueeze(1)",
      "rows = [",
      "    dot(queries, keys),",
      "    scaled_dot(queries, keys),",
      "    bilinear(queries, keys, W),",
      "    additive(queries, keys, W_q, W_k, w_v),",
      "    gaussian(queries, keys),",
      remark("    hidden @ w_v[0],", words("withoutTanh")),
      "]",
      "scores = torch.cat(rows, dim=1)",
      "attention_weights = torch.softmax(scores, dim=-1)",
    ],
  );

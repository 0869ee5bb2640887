// @ts-check
// The pipeline figure as a program: a module of the library with the figure's parameters.
import { floats, integers, program, tensors } from "./python.js";

/**
 * @param {Pick<import("./model.js").Model, "get">} model
 * @param {import("./arithmetic.js").Attention} module the chosen one
 * @param {import("./controls.js").Words} words
 */
export function attentionProgram(model, { score, W_q, W_k, w_v }, words) {
  const parameters = score === "additive" ? Object.entries({ W_q, W_k, w_v }) : [];
  const name = parameters.length ? "AdditiveAttention" : "DotProductAttention";
  const sizes = parameters.length
    ? `key_size=${W_k[0].length}, query_size=${W_q[0].length}, num_hiddens=${W_q.length}`
    : "";
  return program(
    words,
    [`from attention_lib import ${name}, length_mask`],
    [
      ...tensors(model, ["queries", "keys_", "values"]),
      integers("valid_lens", model.get("valid_lens")),
      ...parameters.map((entry) => floats(...entry)),
      "",
      `attention = ${name}(${sizes}).double()`,
      "with torch.no_grad():",
      ...parameters.map(([own]) => `    attention.${own}.weight.copy_(${own})`),
      "    scores = attention.score(queries, keys)",
      "    output = attention(queries, keys, values, valid_lens)",
      "mask = length_mask(valid_lens, *scores.shape[1:]).expand(scores.shape)",
      "attention_weights = attention.attention_weights",
    ],
  );
}

// @ts-check
// The kernel figure as a program.
import { program, pythonFloat, remark, tensors } from "./python.js";

/**
 * @param {Pick<import("./model.js").Model, "get">} model
 * @param {import("./controls.js").Words} words
 */
export function kernelProgram(model, words) {
  const kernel = model.get("kernel");
  const weights = (/** @type {string} */ queries) =>
    `kernel_weights(${queries}, keys.flatten(), ${kernel}, w)[None]`;
  return program(
    words,
    [`from attention_lib.kernels import ${kernel}, kernel_weights`],
    [
      ...tensors(model, ["queries", "keys_", "values"]),
      `w = ${pythonFloat(model.get("w"))}`,
      "",
      `attention_weights = ${weights("queries.flatten()")}`,
      "output = attention_weights @ values",
      "",
      `# ${words("weightMap")}`,
      "low, high = keys.aminmax()",
      "even_queries = low + (high - low) * torch.arange(17) / 16",
      `even_weights = ${weights("even_queries")}`,
      "even_outputs = even_weights @ values",
    ],
  );
}

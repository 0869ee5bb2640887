// @ts-check
// The alignment figure as a program. Its model is too large to print; what it gives is not.
import { floats, program } from "./python.js";

/** @typedef {import("./arithmetic.js").Matrix} Matrix */

/**
 * @param {{ words: string[][], scores: Matrix[], logits: Matrix[] }} stages
 * @param {import("./controls.js").Words} words
 */
export function alignmentProgram({ words: [premise, hypothesis], scores, logits }, words) {
  // JSON writes strings as Python does.
  const sentence = (/** @type {string[]} */ tokens) =>
    `[${tokens.map((word) => JSON.stringify(word)).join(", ")}]`;
  const sizes = `1, ${premise.length}, ${hypothesis.length}`;
  return program(
    words,
    ["from attention_lib import masked_softmax"],
    [
      `premise = ${sentence(premise)}`,
      `hypothesis = ${sentence(hypothesis)}`,
      `# ${words("fromTheModel")}`,
      premise.length && hypothesis.length
        ? floats("scores", scores)
        : `scores = torch.zeros(${sizes}, dtype=torch.float64)`,
      floats("logits", logits),
      "",
      "attention_weights = masked_softmax(scores, None)",
      "reverse_weights = masked_softmax(scores.mT, None)",
      "probabilities = torch.softmax(logits, dim=-1)",
    ],
  );
}

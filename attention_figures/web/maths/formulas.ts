// Scoring functions, each as a function of q and k, and the parameters of those that have some.

/** By their names in attention_lib.scores; "sum" is a figure's own. */
export const FORMULAS: Record<string, string> = {
  dot: "q^T k",
  scaled_dot: "q^T k / √d",
  additive: "w_v^T tanh(W_q q + W_k k)",
  gaussian: "−½ ‖q − k‖²",
  cosine: "q^T k / (‖q‖ ‖k‖)",
  bilinear: "q^T W k",
  sum: "w_v^T (W_q q + W_k k)",
};

export const PARAMETERS: Record<string, readonly ("W" | "W_q" | "W_k" | "w_v")[]> = {
  additive: ["W_q", "W_k", "w_v"],
  sum: ["W_q", "W_k", "w_v"],
  bilinear: ["W"],
};

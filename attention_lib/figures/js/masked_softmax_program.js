// @ts-check
// The step figure as a program: every step, and masked_softmax, which does them all.
import { floats, integers, program, remark } from "./python.js";

/**
 * @param {Pick<import("./model.js").Model, "get">} model
 * @param {import("./controls.js").Words} words
 */
export const softmaxProgram = (model, words) =>
  program(
    words,
    ["from attention_lib import length_mask, masked_softmax"],
    [
      floats("scores", model.get("scores")),
      integers("valid_lens", model.get("valid_lens")),
      "",
      "mask = length_mask(valid_lens, *scores.shape[1:]).expand(scores.shape)",
      remark("lengths = mask.sum(-1, keepdim=True)", words("lengths")),
      remark("masked_scores = scores.masked_fill(~mask, -torch.inf)", words("maskedScores")),
      remark("largest = masked_scores.amax(-1, keepdim=True).nan_to_num(neginf=0)", words("noKey")),
      remark("exponentials = torch.exp(masked_scores - largest)", words("exponentials")),
      "sums = exponentials.sum(-1, keepdim=True)",
      "attention_weights = masked_softmax(scores, valid_lens)",
    ],
  );

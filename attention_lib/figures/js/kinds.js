// @ts-check
// The kinds of figure, each from the file of its name. A page gets those that it shows: bundle.py.
import { alignmentFigure } from "./alignment.js";
import { attentionFigure } from "./attention.js";
import { comparisonFigure } from "./comparison.js";
import { dropoutFigure } from "./dropout.js";
import { kernelFigure } from "./kernel.js";
import { maskedSoftmaxFigure } from "./masked_softmax.js";
import { scalingFigure } from "./scaling.js";
import { scoreFigure } from "./score.js";

/** @typedef {import("./model.js").Model} Model */
/** @typedef {import("./controls.js").Words} Words */

/** @type {Record<string, (model: Model, words: Words) => import("./figure.js").View>} */
export const KINDS = {
  alignment: alignmentFigure,
  attention: attentionFigure,
  comparison: comparisonFigure,
  dropout: dropoutFigure,
  kernel: kernelFigure,
  masked_softmax: maskedSoftmaxFigure,
  scaling: scalingFigure,
  score: scoreFigure,
};

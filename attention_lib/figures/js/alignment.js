// @ts-check
// The alignment figure: two sentences, which words of the one meet which of the other, and a label.
import { alignmentMap } from "./alignment_map.js";
import { alignmentProgram } from "./alignment_program.js";
import { maskedSoftmax } from "./arithmetic.js";
import { decomposable } from "./decomposable.js";
import { element, formatNumber } from "./dom.js";
import { pairControl, sentenceField } from "./sentences.js";
import { tokeniser } from "./tokens.js";

/** @typedef {import("./model.js").Model} Model */
/** @typedef {import("./controls.js").Words} Words */
/** @typedef {ReturnType<typeof tokeniser>} Tokens */

const SIDES = ["premise", "hypothesis"];
const LABELS = ["entailment", "neutral", "contradiction"]; // of the logits, in this order
const TELLS = { "data-tells": true }; // it is hidden with the weights

/** All that the figure shows, from its state. @param {Pick<Model, "get">} model */
export function alignmentStages(model, tokens = tokeniser(model.get("words"))) {
  const words = SIDES.map((side) => tokens.split(model.get(side)));
  const trained = { parameters: model.get("parameters"), layers: model.get("layers") };
  const ids = words.map((sentence) => sentence.map(tokens.id));
  const { scores, forth, back, logits } = decomposable(ids, trained);
  return {
    words,
    scores: [scores],
    weights: [forth],
    reverseWeights: [back],
    logits: [[logits]],
    probabilities: maskedSoftmax([[logits]], [[logits.length]]),
  };
}

/** @param {Model} model @param {Words} words @returns {import("./figure.js").View} */
export function alignmentFigure(model, words) {
  const tokens = tokeniser(model.get("words"));
  const pairs = pairControl({
    ...{ model, words, labels: LABELS, sides: SIDES },
    settled: () => paint(),
  });
  const fields = SIDES.map((name) => sentenceField({ name, model, words }));
  const notice = element("p", { class: "notice", role: "status" });
  const verdict = probabilityBars(words);
  /** @param {string} label @param {string} place @param {string} from @param {string} to */
  const map = (label, place, from, to) =>
    alignmentMap({ label, place, direction: `${words(from)} → ${words(to)}`, knows: tokens.knows });
  const forth = map("attention_weights[0]", "data-at", "premise", "hypothesis");
  const back = map("reverse_weights[0]", "data-reverse-at", "hypothesis", "premise");
  const paint = () => {
    if (pairs.isHalfway() || !fields.every((field) => field.update())) return;
    const stages = alignmentStages(model, tokens);
    const [premise, hypothesis] = stages.words;
    notice.textContent = remarks(stages.words, tokens, words);
    verdict.update(stages.probabilities[0][0], pairs.update());
    forth.update(stages.weights[0], premise, hypothesis);
    back.update(stages.reverseWeights[0], hypothesis, premise);
  };
  const controls = [pairs, ...fields].map((control) => control.element);
  return {
    parts: [
      element("div", { class: "controls sentences" }, ...controls),
      notice,
      verdict.element,
      element("div", { class: "tensors" }, forth.element, back.element),
    ],
    keys: 1, // each heatmap has its own number
    columns: 1,
    listensTo: ["parameters", "pairs", ...SIDES],
    changes: SIDES,
    paint,
    stages: () => {
      const { words: sentences, ...stages } = alignmentStages(model, tokens);
      return { premiseWords: sentences[0], hypothesisWords: sentences[1], ...stages };
    },
    program: () => alignmentProgram(alignmentStages(model, tokens), words),
  };
}

/** What is to be said about sentences without words, and about words that are unknown. */
/** @param {string[][]} sentences @param {Tokens} tokens @param {Words} words */
function remarks(sentences, tokens, words) {
  const empty = SIDES.filter((_, i) => !sentences[i].length);
  const said = empty.map((side) => words("noWords", { side: words(side) }));
  const unknown = new Set(sentences.flat().filter((word) => !tokens.knows(word)));
  if (unknown.size) said.push(words("unknownWords", { list: [...unknown].join(words("comma")) }));
  return said.join(" ");
}

/** The probability of each label as a number and a bar, and which is the gold label, if any. */
/** @param {Words} words */
function probabilityBars(words) {
  const lines = LABELS.map((label) => {
    const name = element("dt", {}, label, " ", words(`label_${label}`));
    const [number, bar] = [element("dd", TELLS), element("span", { class: "bar" })];
    const gold = element("span", {}, words("goldLabel"));
    const nodes = [name, number, element("dd", { class: "hint", ...TELLS }, bar, gold)];
    return { label, name, number, bar, gold, nodes };
  });
  const update = (/** @type {number[]} */ probabilities, /** @type {string | undefined} */ label) =>
    lines.forEach((line, i) => {
      line.name.toggleAttribute("data-chosen", probabilities[i] === Math.max(...probabilities));
      line.number.textContent = formatNumber(probabilities[i]);
      line.bar.style.width = `${5 * probabilities[i]}rem`;
      line.gold.hidden = line.label !== label;
    });
  const title = element("div", { class: "title" }, words("prediction"));
  const list = element("dl", {}, ...lines.flatMap(({ nodes }) => nodes));
  return { element: element("div", {}, title, list), update };
}

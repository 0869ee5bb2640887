// @ts-check
// The kernel figure: the curve that weighted averages of the data draw, and the weights at a query.
import { extent } from "./arithmetic.js";
import { colourRange } from "./colours.js";
import { choice, interval, select } from "./controls.js";
import { element } from "./dom.js";
import { formula } from "./formula.js";
import { dataPlot } from "./kernel_data.js";
import { weightMap } from "./kernel_map.js";
import { kernelProgram } from "./kernel_program.js";
import { KERNEL_FORMULAS, ROWS, isEmpty, kernelCurve, kernelStages } from "./kernels.js";
import { legend } from "./marks.js";
import { write } from "./model.js";
import { editablePanel, heatmapPanel, numbered } from "./panels.js";
import { markFocus } from "./plot.js";
import { decades, listSlider } from "./sliders.js";

/** @typedef {import("./model.js").Model} Model */
/** @typedef {import("./controls.js").Words} Words */
/** @typedef {import("./kernels.js").Stages} Stages */

const WIDEST = 1000; // limit of w

/** @param {Model} model @param {Words} words @returns {import("./figure.js").View} */
export function kernelFigure(model, words) {
  const numKeys = model.get("keys_")[0].length;
  const controls = kernelControls(model, words);
  const data = dataPlot({ model, words, curveAt: kernelCurve, settled: () => paint() });
  const map = weightMap({ words, rows: ROWS, cols: numKeys });
  const panels = kernelPanels({ model, words });
  const gap = element("p", { class: "notice", role: "status", "data-tells": true });
  const paint = () => {
    if (!controls.update()) return;
    const stages = kernelStages(model);
    gap.textContent = isEmpty(stages.weights[0][0]) ? words("noReach") : "";
    for (const part of [data, map, panels]) part.update(stages);
  };
  const pair = element(
    "div",
    { class: "pair" },
    element("div", {}, data.element, legend(words, "legendTraining", "legendArea"), gap),
    map.element,
  );
  const whole = element("div", {}, controls.element, pair, panels.element);
  markFocus(whole);
  return {
    parts: [whole],
    keys: numKeys,
    columns: numKeys + 3,
    listensTo: ["queries", "keys_", "values", "kernel", "w"],
    paint,
    stages: () => kernelStages(model),
    program: () => kernelProgram(model, words),
  };
}

/** @param {Model} model @param {Words} words */
function kernelControls(model, words) {
  const choices = Object.keys(KERNEL_FORMULAS);
  const rules = [
    choice({ name: "kernel", choices, model, words }),
    interval({ name: "w", low: 0, high: WIDEST, model, words }),
  ];
  const kernel = select({
    name: "kernel",
    choices,
    change: (name) => write(model, "kernel", name),
  });
  const numbers = decades(0.1, 100);
  const width = listSlider({ name: "w", numbers, change: (w) => write(model, "w", w) });
  const meaning = element("span", { class: "formula" });
  const update = () => {
    if (!rules.every((rule) => rule.isGood())) return false;
    kernel.update(model.get("kernel"));
    width.update(model.get("w"));
    const chosen = KERNEL_FORMULAS[model.get("kernel")];
    const u = chosen.includes("u") ? ",  u = w (x − x_i)" : "";
    meaning.replaceChildren(...formula(`K = ${chosen}${u}`));
    return true;
  };
  const parts = [kernel, width, ...rules].map((part) => part.element);
  return { element: element("div", { class: "controls" }, ...parts, meaning), update };
}

/** The same state, and what follows from it, as numbers. @param {{ model: Model, words: Words }} context */
function kernelPanels(context) {
  const cols = context.model.get("keys_")[0].length;
  /** @type {(trait: string, look: object) => ReturnType<typeof editablePanel>} */
  const input = (trait, look) => editablePanel({ trait, b: 0, ...context, ...look });
  const query = input("queries", { hue: "queries", sides: ["q0"] });
  const inputs = [
    input("keys_", { transposed: true, heads: numbered("k", cols) }),
    input("values", { transposed: true, hue: "values", heads: numbered("v", cols) }),
  ];
  const row = { rows: 1, sides: ["q0"] };
  const weights = heatmapPanel({
    label: "attention_weights[0]",
    hue: "weights",
    heads: numbered("k", cols),
    cols,
    example: 0,
    ...row,
  });
  const output = heatmapPanel({
    label: "output[0]",
    hue: "values",
    tells: true,
    cols: 1,
    ...row,
  });
  const update = (/** @type {Stages} */ stages) => {
    [query, ...inputs].forEach((panel) => panel.update());
    weights.update(stages.weights[0], { domain: [0, extent(stages.weights)[1]] });
    output.update(stages.output[0], { domain: colourRange(stages.values) });
  };
  const stack = (/** @type {{ element: HTMLElement }[]} */ ...all) =>
    element("div", {}, ...all.map((panel) => panel.element));
  return {
    element: element("div", { class: "tensors" }, stack(...inputs, weights), stack(query, output)),
    update,
  };
}

// @ts-check
// What the scaling figure draws: how the scores spread, and what goes with d.
import { element, range } from "./dom.js";
import { bars, curve, drawn, plotArea, redraw } from "./plot.js";
import { linearScale, log2Scale } from "./scales.js";

/** @typedef {import("./controls.js").Words} Words */
/** @typedef {{ scaled: boolean, d: number, place: number }} Now the switch, and d among the sizes */

const DEVIATIONS = 3; // shown to either side, of the widest spread
const STEPS = 96; // of the expected curve

/** Density of the normal distribution with mean 0 and variance 1. @param {number} z */
const normal = (z) => Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);

/**
 * Bars of scores on an axis that stays, whatever d is, and the normal curve expected.
 * @param {{ words: Words, size: number, number: number }} options size: largest d; number of scores
 */
export function histogramPlot({ words, size, number }) {
  const area = plotArea({
    label: words("spread"),
    height: 280,
    xlabel: "scores",
    ylabel: words("count"),
  });
  const [measured, expected] = [bars(area, "spread"), curve(area, "expected")];
  const widest = DEVIATIONS * Math.sqrt(size);
  const x = linearScale([-widest, widest], area.ranges.x);
  /** @param {{ histogram: number[][][] }} stages @param {Now} now */
  const update = ({ histogram: [[counts]] }, { scaled, d }) => {
    const highest = Math.max(number / 4, ...counts); // of a normal bar: a fifth of the scores
    const y = linearScale([0, 1.05 * highest], area.ranges.y);
    const deviation = scaled ? 1 : Math.sqrt(d);
    const middle = (counts.length - 1) / 2;
    area.axes(x, y);
    measured.update(
      counts.map((count, i) => ({
        from: x.place(((i - middle - 0.5) * deviation) / 2),
        to: x.place(((i - middle + 0.5) * deviation) / 2),
        top: y.place(count),
      })),
    );
    const across = range(STEPS + 1).map((i) => 8 * (i / STEPS) - 4); // in deviations
    expected.update(across.map((z) => [x.place(z * deviation), y.place((number * normal(z)) / 2)]));
  };
  return { element: area.element, update };
}

/**
 * A number for every d, with √d and without, the chosen one marked.
 * @param {{ name: string, size: number, limit?: number }} options limit: of keys, for an entropy
 */
export function sizesPlot({ name, size, limit }) {
  const area = plotArea({ label: name, height: 170, xlabel: "d", ylabel: name });
  const x = log2Scale([1, Math.max(2, size)], area.ranges.x);
  const lines = ["q·k", "q·k / √d"].map((text) => ({
    line: curve(area, "by-size"),
    label: drawn("text", { class: "name by-size-name" }, text),
  }));
  const most = curve(area, "limit");
  const dot = drawn("circle", { class: "now", r: 5 });
  area.over.append(...lines.map(({ label }) => label), dot);
  /** @param {number[][]} rows sizes, without √d, with it @param {Now} now */
  const update = ([sizes, ...both], { scaled, place }) => {
    const top = limit ? Math.log(limit) : Math.max(...both.flat());
    const y = linearScale([0, 1.15 * top || 1], area.ranges.y);
    area.axes(x, y);
    if (limit) most.update(area.ranges.x.map((edge) => [edge, y.place(top)]));
    lines.forEach(({ line, label }, i) => {
      line.update(sizes.map((d, j) => [x.place(d), y.place(both[i][j])]));
      for (const node of [line.element, label]) {
        node.toggleAttribute("data-chosen", Number(scaled) === i);
      }
    });
    // The falling line is named above a point in its middle, the level one below its end.
    const [middle, last] = [Math.floor(sizes.length / 2), sizes.length - 1];
    const [falling, level] = [y.place(both[0][middle]) - 4, y.place(both[1][last]) + 18];
    redraw(lines[0].label, { x: x.place(sizes[middle]) + 8, y: falling });
    redraw(lines[1].label, { x: area.ranges.x[1], y: level, "text-anchor": "end" });
    redraw(dot, { cx: x.place(sizes[place]), cy: y.place(both[Number(scaled)][place]) });
  };
  return { element: element("div", { "data-tells": true }, area.element), update };
}

// @ts-check
// Queries and keys as points in the plane. Lines are as thick, and discs as large, as the weights.
import { range } from "./dom.js";
import { write } from "./model.js";
import { withRow } from "./panels.js";
import { draggables, drawn, plotArea, redraw } from "./plot.js";
import { clamped, linearScale, steadyDomain } from "./scales.js";

/** @typedef {import("./model.js").Model} Model */
/** @typedef {import("./pooling.js").Stages} Stages */
/** @typedef {import("./scales.js").Point} Point */

const DISC = 20; // radius of all the weight
const LINE = 12; // thickness of all the weight

/**
 * @param {{ model: Model, words: import("./controls.js").Words, choose: (q: number) => void,
 *   settled: () => void }} options choose: a query; settled: called at the end of a drag
 */
export function planePlot({ model, words, choose, settled }) {
  const area = plotArea({ label: words("plane"), height: 348 });
  const points = planePoints(model);
  const links = points.keys.map(() => drawn("line", { class: "link" }));
  area.inside.append(...links);
  const domain = steadyDomain();
  let scales = [linearScale([0, 1], area.ranges.x), linearScale([0, 1], area.ranges.y)];
  const handles = draggables(area, {
    names: points.all.map(({ name }) => name),
    mark: (i) => points.all[i].mark.element,
    title: words("dragPoint"),
    start: (i) => {
      domain.hold(true);
      if (i < points.queries.length) choose(i);
    },
    move: (i, place) => {
      const { trait, row } = points.all[i];
      const point = scales.map((scale, axis) => scale.value(place[axis]));
      write(model, trait, withRow(model.get(trait), 0, row, point));
    },
    end: () => {
      domain.hold(false);
      settled();
    },
  });
  const update = (/** @type {Stages} */ { queries, keys, weights }, /** @type {number} */ q) => {
    const numbers = [...queries[0], ...keys[0]];
    const shown = domain.of(numbers.flat());
    scales = [linearScale(shown, area.ranges.x), linearScale(shown, area.ranges.y)];
    area.axes(scales[0], scales[1]);
    const places = numbers.map(
      (own) => /** @type {Point} */ (own.map((x, axis) => scales[axis].place(clamped(shown, x)))),
    );
    handles.update(places);
    points.queries.forEach(({ mark }, i) => mark.update(Number(i === q)));
    points.keys.forEach(({ mark }, k) => mark.update(weights[0][q][k]));
    links.forEach((link, k) => {
      const [[x1, y1], [x2, y2]] = [places[q], places[queries[0].length + k]];
      redraw(link, { x1, y1, x2, y2, "stroke-width": LINE * weights[0][q][k] });
    });
  };
  return { element: area.element, update };
}

/** Every point: its form elements, the row of the trait that holds it, its mark. */
/** @param {Model} model */
function planePoints(model) {
  const of = (/** @type {string} */ trait, /** @type {typeof keyMark} */ markOf) =>
    range(model.get(trait)[0].length).map((row) => {
      return { trait, row, name: `${trait.replace("_", "")}[0][${row}]`, mark: markOf(row) };
    });
  const [queries, keys] = [of("queries", queryMark), of("keys_", keyMark)];
  return { queries, keys, all: [...queries, ...keys] };
}

/** A query; the one that the lines start from is filled. @param {number} q */
function queryMark(q) {
  const element = drawn(
    "g",
    { class: "query" },
    drawn("path", { d: "M0-9L9 0L0 9L-9 0Z" }),
    drawn("text", { x: 10, y: -8 }, `q${q}`),
  );
  const update = (/** @type {number} */ chosen) =>
    element.toggleAttribute("data-chosen", chosen === 1);
  return { element, update };
}

/** A key in a disc whose area is its weight. @param {number} k */
function keyMark(k) {
  const disc = drawn("circle", { class: "weight" });
  const element = drawn(
    "g",
    { class: "key" },
    disc,
    drawn("circle", { r: 4.5 }),
    drawn("text", { x: 8, y: -8 }, `k${k}`),
  );
  const update = (/** @type {number} */ weight) => redraw(disc, { r: DISC * Math.sqrt(weight) });
  return { element, update };
}

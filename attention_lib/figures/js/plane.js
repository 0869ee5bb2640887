// @ts-check
// Queries and keys as points in the plane. Lines are as thick as the weights.
import { range } from "./dom.js";
import { keyMark, queryMark } from "./marks.js";
import { write } from "./model.js";
import { withRow } from "./panels.js";
import { draggables, drawn, plotArea, redraw, tickText } from "./plot.js";
import { clamped, linearScale, steadyDomain } from "./scales.js";

/** @typedef {import("./model.js").Model} Model */
/** @typedef {import("./arithmetic.js").Tensor} Tensor */
/** @typedef {import("./scales.js").Point} Point */

const LINE = 12; // thickness of all the weight
const ROOM = 75; // room for a label

/**
 * @param {{ model: Model, words: import("./controls.js").Words, choose?: (q: number) => void,
 *   origin?: boolean, settled: () => void }} options choose: a query; origin: whether it is shown;
 *   settled: called at the end of a drag
 */
export function planePlot({ model, words, choose, origin = false, settled }) {
  const area = plotArea({ label: words("plane"), height: 334, margin: { bottom: 22 } });
  const points = planePoints(model);
  const links = points.keys.map(() => drawn("line", { class: "link" }));
  const cross = drawn("path", { class: "origin", d: "M-7 0H7M0-7V7" });
  area.inside.append(...links, ...(origin ? [cross] : []));
  const domain = steadyDomain();
  let scales = [linearScale([0, 1], area.ranges.x), linearScale([0, 1], area.ranges.y)];
  const handles = draggables(area, {
    names: points.all.map(({ name }) => name),
    mark: (i) => points.all[i].mark.element,
    title: words("dragPoint"),
    start: (i) => {
      domain.hold(true);
      if (i < points.queries.length) choose?.(i);
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
  /** @param {{ queries: Tensor, keys: Tensor, values?: Tensor, weights: Tensor }} stages @param {number} q */
  const update = ({ queries, keys, values, weights }, q) => {
    const numbers = [...queries[0], ...keys[0]];
    const shown = domain.of([...numbers.flat(), ...(origin ? [0] : [])]);
    scales = [linearScale(shown, area.ranges.x), linearScale(shown, area.ranges.y)];
    area.axes(scales[0], scales[1]);
    const places = numbers.map(
      (own) => /** @type {Point} */ (own.map((x, axis) => scales[axis].place(clamped(shown, x)))),
    );
    handles.update(places);
    points.all.forEach(({ mark }, i) => mark.turn(places[i][0] > area.ranges.x[1] - ROOM));
    points.queries.forEach(({ mark }, i) => mark.update(i === q));
    points.keys.forEach(({ mark }, k) =>
      mark.update(weights[0][q][k], values && tickText(Number(values[0][k][0].toFixed(2)))),
    );
    redraw(cross, { transform: `translate(${scales.map((scale) => scale.place(0))})` });
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
  /** @template T */
  const of = (/** @type {string} */ trait, /** @type {(name: string) => T} */ markOf) =>
    range(model.get(trait)[0].length).map((row) => {
      const name = trait.replace("_", "");
      return { trait, row, name: `${name}[0][${row}]`, mark: markOf(name[0] + row) };
    });
  const [queries, keys] = [of("queries", queryMark), of("keys_", keyMark)];
  return { queries, keys, all: [...queries, ...keys] };
}

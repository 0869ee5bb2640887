// @ts-check
// Where numbers stand on a plot, and what number a pointer means. Pure functions.
import { LIMIT, rounded } from "./model.js";

/** @typedef {[number, number]} Interval smallest and largest number, or one edge and the other */
/** @typedef {[number, number]} Point */
/**
 * @typedef {object} Scale
 * @property {Interval} domain the numbers that the plot shows
 * @property {number[]} ticks
 * @property {(x: number) => number} place of a number, beyond the edges too
 * @property {(place: number) => number} value at a place, to 4 decimals, never beyond the edges
 *   or what can be typed
 */

const TICKS = 5;

/** @param {Interval} domain @param {number} x */
export const clamped = ([low, high], x) => Math.min(high, Math.max(low, x));

/** @param {Interval} domain of numbers @param {Interval} range of places @returns {Scale} */
export function linearScale(domain, range) {
  const [[low, high], [from, to]] = [domain, range];
  return {
    domain,
    ticks: niceTicks(domain),
    place: (x) => from + ((x - low) / (high - low)) * (to - from),
    value: (place) => {
      const there = low + ((place - from) / (to - from)) * (high - low);
      return rounded(clamped([-LIMIT, LIMIT], clamped(domain, there)));
    },
  };
}

/** Doublings at even distances. @param {Interval} domain @param {Interval} range @returns {Scale} */
export function log2Scale(domain, range) {
  const [low, high] = domain.map(Math.log2);
  const exponents = linearScale([low, high], range);
  const first = Math.ceil(low);
  return {
    domain,
    ticks: Array.from({ length: Math.floor(high) - first + 1 }, (_, i) => 2 ** (first + i)),
    place: (x) => exponents.place(Math.log2(x)),
    value: (place) => rounded(clamped(domain, 2 ** exponents.value(place))),
  };
}

/** The smallest of 1, 2, 5, 10, 20 … (and 0.5, 0.2 …) that divides a length into few parts. */
/** @param {number} length @param {number} parts */
export function niceStep(length, parts) {
  const power = 10 ** Math.floor(Math.log10(length / parts));
  return power * ([1, 2, 5].find((factor) => factor * power * parts >= length) ?? 10);
}

/** Round numbers within a domain, about five. @param {Interval} domain */
export function niceTicks([low, high]) {
  const step = niceStep(high - low, TICKS);
  const [first, last] = [Math.ceil(low / step - 1e-9), Math.floor(high / step + 1e-9)];
  return Array.from({ length: last - first + 1 }, (_, i) =>
    Number(((first + i) * step).toPrecision(12)),
  );
}

/** A domain of round edges, with room around the numbers. @param {number[]} numbers @returns {Interval} */
export function fitted(numbers) {
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  const room = (high - low) * 0.15 || Math.max(1, Math.abs(low) / 4);
  const step = niceStep(high - low + 2 * room, 2 * TICKS);
  const edge = (/** @type {number} */ x) => Number((x * step).toPrecision(12));
  return [edge(Math.floor((low - room) / step)), edge(Math.ceil((high + room) / step))];
}

/**
 * The same domain while the numbers lie well within it; otherwise one that fits them.
 * @param {Interval} domain @param {number[]} numbers
 */
export function followed([low, high], numbers) {
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)];
  const edge = 0.02 * (high - low);
  const within = least > low + edge && most < high - edge;
  const lost = least < most && (most - least) * 5 < high - low;
  return within && !lost ? /** @type {Interval} */ ([low, high]) : fitted(numbers);
}

/** A domain that follows the numbers, but stands still while one of them is dragged. */
export function steadyDomain() {
  /** @type {Interval | undefined} */
  let domain;
  let still = false;
  return {
    of: (/** @type {number[]} */ numbers) => {
      if (!domain) domain = fitted(numbers);
      return still ? domain : (domain = followed(domain, numbers));
    },
    hold: (/** @type {boolean} */ held) => {
      still = held;
    },
  };
}

/** For each place the lowest row on which labels of such a width do not overlap. */
/** @param {number[]} places @param {number} width */
export function labelRows(places, width) {
  /** @type {number[]} */
  const rows = [];
  places.forEach((place, i) => {
    const taken = rows.filter((_, j) => j < i && Math.abs(places[j] - place) < width);
    const free = [...rows, 0].map((_, row) => row).find((row) => !taken.includes(row));
    rows.push(free ?? 0);
  });
  return rows;
}

/** How a text of such a width stands at a place without crossing the edges. */
/** @param {number} place @param {number} width @param {Interval} edges */
export function anchorAt(place, width, [low, high]) {
  if (place - width / 2 < low) return "start";
  return place + width / 2 > high ? "end" : "middle";
}

/** An SVG path through points; it breaks where y is null, and a point alone is a dot. */
/** @param {(readonly [number, number | null])[]} points */
export function curvePath(points) {
  let pen = "M";
  const steps = points.map(([x, y]) => {
    const step =
      y === null ? "" : `${pen}${x.toFixed(2)} ${y.toFixed(2)}${pen === "M" ? "h0" : ""}`;
    pen = y === null ? "M" : "L";
    return step;
  });
  return steps.join("");
}

/** Which of the points lies nearest; of equally near ones the first. */
/** @param {Point[]} points @param {Point} place */
export function nearest(points, [x, y]) {
  const distances = points.map((point) => Math.hypot(point[0] - x, point[1] - y));
  return distances.indexOf(Math.min(...distances));
}

/**
 * Where a pointer is in a drawing's own units.
 * @param {{ clientX: number, clientY: number }} pointer
 * @param {{ left: number, top: number, width: number, height: number }} box of the drawing on screen
 * @param {{ width: number, height: number }} size of the drawing
 * @returns {Point}
 */
export function placeOf({ clientX, clientY }, box, { width, height }) {
  return [((clientX - box.left) / box.width) * width, ((clientY - box.top) / box.height) * height];
}

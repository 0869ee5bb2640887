// Maps numbers to places on an axis and back, chooses the domain, and places labels beside points.
import { nice, ticks } from "d3-array";
import { clamped, LIMIT, rounded } from "../core/format.ts";
import type { Interval } from "./domains.ts";

export type Point = readonly [number, number];

export interface Axis {
  /** The numbers that it shows. */
  domain: Interval;
  ticks: number[];
  /** Of a number; one beyond the edges stands there. */
  place(x: number): number;
}

/** An axis along which something is dragged. */
export interface DragAxis extends Axis {
  /** At a place, to 4 decimals, never beyond the edges or what can be typed. */
  value(place: number): number;
}

const TICKS = 5;
const ROOM = 0.15; // beside the numbers, of what they span

export function axisOf(domain: Interval, [from, to]: Interval): DragAxis {
  const [low, high] = domain;
  return {
    ...bentAxis(domain, [from, to], ticks(low, high, TICKS), (x) => x),
    value: (place) => {
      const there = low + ((place - from) / (to - from)) * (high - low);
      return rounded(clamped(clamped(there, low, high), -LIMIT, LIMIT));
    },
  };
}

/** An axis on which not numbers are evenly spaced but what `bend` makes of them, such as logarithms. */
export function bentAxis(
  domain: Interval,
  [from, to]: Interval,
  ticks: number[],
  bend: (x: number) => number,
): Axis {
  const [low, high] = domain.map(bend);
  return {
    domain,
    ticks,
    place: (x) => from + ((bend(clamped(x, ...domain)) - low) / (high - low)) * (to - from),
  };
}

/** Round edges, with room around the numbers. */
export function fitted(numbers: readonly number[]): Interval {
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  const room = (high - low) * ROOM || Math.max(1, Math.abs(low) / 4);
  const [from, to] = nice(low - room, high + room, 2 * TICKS);
  return [from, to];
}

/** Which of the points lies nearest; of equally near ones the first, or `preferred`. */
export function nearest(points: readonly Point[], [x, y]: Point, preferred = -1): number {
  const distances = points.map((point) => Math.hypot(point[0] - x, point[1] - y));
  const least = Math.min(...distances);
  return distances[preferred] === least ? preferred : distances.indexOf(least);
}

/** For each place the lowest row on which labels of such a width do not overlap. */
export function labelRows(places: readonly number[], width: number): number[] {
  const rows: number[] = [];
  places.forEach((place, i) => {
    const taken = rows.filter((_, j) => Math.abs(places[j] - place) < width);
    rows[i] = [...rows.keys(), rows.length].find((row) => !taken.includes(row)) ?? 0;
  });
  return rows;
}

/** How a text of such a width stands at a place without crossing the edges. */
export function anchorAt(place: number, width: number, [low, high]: Interval) {
  if (place - width / 2 < low) return "start";
  return place + width / 2 > high ? "end" : "middle";
}

/** How wide a label will be, in pixels: characters of full width take twice as much. */
export const widthOf = (text: string): number =>
  6.6 * [...text].reduce((all, letter) => all + (letter > "⺀" ? 1.9 : 1), 0);

/** From a label's point to where its text stands. */
export interface LabelPlace {
  x: number;
  y: number;
  anchor: Anchor;
}

type Anchor = "start" | "middle" | "end";
export type Box = readonly [left: number, top: number, right: number, bottom: number];

const ACROSS = 12; // pixels from a point to its label
export const LINE = 14; // height of one of text
const SHIFT = { start: 0, middle: 0.5, end: 1 };
// From best to worst: beside the point, above, below, and then farther up and down.
const PLACES: LabelPlace[] = [0, 1, 2, 3].flatMap((row) => [
  { x: ACROSS, y: -8 - row * LINE, anchor: "start" as const },
  { x: 0, y: 24 + row * LINE, anchor: "middle" as const },
  { x: -ACROSS, y: -8 - row * LINE, anchor: "end" as const },
  { x: 0, y: -14 - row * LINE, anchor: "middle" as const },
  { x: ACROSS, y: 17 + row * LINE, anchor: "start" as const },
  { x: -ACROSS, y: 17 + row * LINE, anchor: "end" as const },
]);
const COST = { label: 3, mark: 2, edge: 4, line: 0.3 };

/**
 * Where labels stand beside their points: each where it covers as little as may be of the labels
 * before it, of `taken`, of other points, and of what is drawn along `lines`.
 */
export function labelPlaces(
  points: readonly Point[],
  widths: readonly number[],
  [width, height]: Point,
  lines: readonly Point[] = [],
  taken: readonly Box[] = [],
): LabelPlace[] {
  const before = [...taken];
  return points.map((point, i) => {
    const others = points.filter((_, j) => j !== i);
    const cost = (box: Box) =>
      COST.label * before.filter((other) => overlap(box, other)).length +
      COST.mark * others.filter((other) => within(other, box, 5)).length +
      COST.line * lines.filter((other) => within(other, box, 0)).length +
      COST.edge * Number(box[0] < 0 || box[1] < 0 || box[2] > width || box[3] > height);
    const boxes = PLACES.map((place) => boxOf(point, place, widths[i]));
    const costs = boxes.map(cost);
    const best = costs.indexOf(Math.min(...costs));
    before.push(boxes[best]);
    return PLACES[best];
  });
}

/** What a label covers that stands so beside its point. */
export function boxOf([x, y]: Point, place: LabelPlace, width: number): Box {
  const left = x + place.x - SHIFT[place.anchor] * width;
  return [left, y + place.y - LINE + 3, left + width, y + place.y + 3];
}

export const overlap = (a: Box, b: Box) => a[0] < b[2] && a[2] > b[0] && a[1] < b[3] && a[3] > b[1];

export const within = ([x, y]: Point, [left, top, right, bottom]: Box, room: number) =>
  x > left - room && x < right + room && y > top - room && y < bottom + room;

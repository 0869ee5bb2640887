// Maps numbers to places on an axis and back, chooses the domain, and places labels beside points.
import { nice, ticks } from "d3-array";
import { clamped, LIMIT, rounded } from "../core/format.ts";
import type { Interval } from "./domains.ts";

export type Point = readonly [number, number];

export interface Axis {
  /** The interval of numbers that it shows. */
  domain: Interval;
  ticks: number[];
  /** Maps a number to a coordinate, clamped to the edges. */
  place(x: number): number;
}

/** An axis along which something is dragged. */
export interface DragAxis extends Axis {
  /** Maps a coordinate to a number, to 4 decimals, clamped to the edges and to LIMIT. */
  value(place: number): number;
}

const TICKS = 5;
const ROOM = 0.15; // margin on each side, relative to the span of the numbers

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

/** Creates an axis that is linear in `bend` of a number, e.g. a logarithmic axis. */
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

/** Returns a domain with round edges and a margin around the numbers. */
export function fitted(numbers: readonly number[]): Interval {
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  const room = (high - low) * ROOM || Math.max(1, Math.abs(low) / 4);
  const [from, to] = nice(low - room, high + room, 2 * TICKS);
  return [from, to];
}

/** Returns the index of the nearest point; of equally near points `preferred` or the first. */
export function nearest(points: readonly Point[], [x, y]: Point, preferred = -1): number {
  const distances = points.map((point) => Math.hypot(point[0] - x, point[1] - y));
  const least = Math.min(...distances);
  return distances[preferred] === least ? preferred : distances.indexOf(least);
}

/** Assigns each label the lowest row on which labels of this width do not overlap. */
export function labelRows(places: readonly number[], width: number): number[] {
  const rows: number[] = [];
  places.forEach((place, i) => {
    const taken = rows.filter((_, j) => Math.abs(places[j] - place) < width);
    rows[i] = [...rows.keys(), rows.length].find((row) => !taken.includes(row)) ?? 0;
  });
  return rows;
}

/** Returns the text-anchor with which a text of this width does not cross the edges. */
export function anchorAt(place: number, width: number, [low, high]: Interval) {
  if (place - width / 2 < low) return "start";
  return place + width / 2 > high ? "end" : "middle";
}

/** Estimates the width of a label in pixels: full-width characters are about twice as wide. */
export const widthOf = (text: string): number =>
  6.6 * [...text].reduce((all, letter) => all + (letter > "⺀" ? 1.9 : 1), 0);

/** The offset of a label's text from its point. */
export interface LabelPlace {
  x: number;
  y: number;
  anchor: Anchor;
}

type Anchor = "start" | "middle" | "end";
export type Box = readonly [left: number, top: number, right: number, bottom: number];

const ACROSS = 12; // pixels from a point to its label
export const LINE = 14; // height of a line of text
const SHIFT = { start: 0, middle: 0.5, end: 1 };
// From best to worst: beside the point, below, above, then farther away.
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
 * Places labels beside their points. Each place covers as little as possible of earlier labels, of
 * the boxes in `taken`, of other points and of `lines`. The label of `first`, which may have the least
 * room, is placed before the others.
 */
export function labelPlaces(
  points: readonly Point[],
  widths: readonly number[],
  [width, height]: Point,
  lines: readonly Point[] = [],
  taken: readonly Box[] = [],
  first = 0,
): LabelPlace[] {
  const before = [...taken];
  const places: LabelPlace[] = [];
  const order = [...points.keys()].sort((i, j) => Number(j === first) - Number(i === first));
  for (const i of order) {
    const point = points[i];
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
    places[i] = PLACES[best];
  }
  return places;
}

/** Returns the box of a label at a place beside its point. */
export function boxOf([x, y]: Point, place: LabelPlace, width: number): Box {
  const left = x + place.x - SHIFT[place.anchor] * width;
  return [left, y + place.y - LINE + 3, left + width, y + place.y + 3];
}

export const overlap = (a: Box, b: Box) => a[0] < b[2] && a[2] > b[0] && a[1] < b[3] && a[3] > b[1];

export const within = ([x, y]: Point, [left, top, right, bottom]: Box, room: number) =>
  x > left - room && x < right + room && y > top - room && y < bottom + room;

// Draws the regions of the plane in which each key has the largest score, behind the points. The
// winning key's region is tinted. A region is labelled where
// its name fits or its key lies elsewhere; small ones have a leader line to the label.
import { contours } from "d3-contour";
import { useMemo } from "preact/hooks";
import { clamped } from "../core/format.ts";
import { boxOf, overlap, widthOf, within } from "../maths/axis.ts";
import type { Axis, Box, Point } from "../maths/axis.ts";
import { range, type Matrix, type Vector } from "../maths/tensor.ts";
import "../styles/comparison.css";

const CELLS = 48; // along each side
const SIDE = CELLS + 2; // one more on each side covers the edges
const MARGIN = 4; // pixels between a label and the edges or other boxes
const CLEAR = 8; // pixels between the dot of a leader line and other lines
// Costs of a label's place, in pixels of distance: wholly outside its region, on a point of a line,
// shortened, with a leader line, or for each covered place that the leader line crosses.
const COST = { outside: 200, line: 12, short: 30, leader: 90, crossed: 40 };

export function Regions(props: {
  x: Axis;
  y: Axis;
  /** Computes the scores of all keys for queries at many points. */
  of: (points: Matrix) => Matrix;
  /** A key that changes with the function. */
  about: string;
  /** The points of the keys, which have labels of their own. */
  keys: Matrix;
  /** The label of each region, and a shorter one for small regions without their key. */
  names: readonly string[];
  short: readonly string[];
  /** The key that wins at the query's point. */
  winner: number;
  /** Boxes of labels, points and lines, which region labels avoid. */
  taken: readonly Box[];
  lines: readonly Point[];
}) {
  const { x, y, of, about, keys, names, short, winner, taken, lines } = props;
  const won = useMemo(() => drawn(x, y, of, names.length), [about, String([x.domain, y.domain])]);
  const named = namesOf(won, keys, names, short, x, y, taken, lines);
  return (
    <g class="regions" data-tells aria-hidden="true">
      {won.map(({ key, path }) => (
        <path
          key={key}
          class="region"
          d={path}
          data-key={key}
          data-chosen={key === winner ? "" : undefined}
        />
      ))}
      {won.map(({ key }) => {
        const name = named.get(key);
        if (!name) return null;
        const { text, place, leader } = name;
        return (
          <g key={key}>
            {leader && <path class="region-leader" d={`M${leader.map(written).join("L")}`} />}
            {leader && <circle class="region-leader" cx={leader[0][0]} cy={leader[0][1]} r={2} />}
            <text class="region-name" x={place[0]} y={place[1] + NAME.y} text-anchor={NAME.anchor}>
              {text}
            </text>
          </g>
        );
      })}
    </g>
  );
}

interface Region {
  key: number;
  path: string;
  /** Grid points in the region. */
  inside: Point[];
  /** Whether a grid cell is in the region. */
  has: (column: number, row: number) => boolean;
}

function drawn(x: Axis, y: Axis, of: (points: Matrix) => Matrix, numKeys: number): Region[] {
  // Values belong to the centres of cells.
  const along = ([low, high]: readonly number[]) =>
    range(SIDE).map((i) => low + ((i - 0.5) / CELLS) * (high - low));
  const grid = along(y.domain).flatMap((b) => along(x.domain).map((a) => [a, b]));
  const leads = of(grid).map(leadsOf);
  const placed = (axis: Axis, i: number) => {
    const [from, to] = axis.domain.map(axis.place);
    return from + ((Math.min(CELLS + 1, Math.max(1, i)) - 1) / CELLS) * (to - from);
  };
  return range(numKeys).flatMap((key) => {
    const ahead = leads.map((row) => row[key]);
    const inside = grid.filter((_, i) => ahead[i] > 0);
    if (!inside.length) return [];
    const values = numKeys > 1 ? ahead : ahead.map(() => 1);
    const [{ coordinates }] = contours().size([SIDE, SIDE]).thresholds([0])(values);
    const path = coordinates
      .flat()
      .map((ring) => `M${ring.map(([i, j]) => written([placed(x, i), placed(y, j)])).join("L")}Z`)
      .join("");
    return [
      {
        key,
        path,
        inside: inside.map(([a, b]): Point => [x.place(a), y.place(b)]),
        has: (column, row) => ahead[row * SIDE + column] > 0,
      },
    ];
  });
}

/** Computes each key's score minus the best of the others. */
function leadsOf(scores: Vector): Vector {
  let [best, next] = [-Infinity, -Infinity];
  for (const x of scores) {
    if (x > best) [best, next] = [x, best];
    else if (x > next) next = x;
  }
  return scores.map((x) => x - (x === best ? next : best));
}

const NAME = { x: 0, y: 4, anchor: "middle" } as const;

const written = ([a, b]: Point) => `${a.toFixed(1)} ${b.toFixed(1)}`;

interface Name {
  text: string;
  place: Point;
  /** A leader line from the region to the label, if the label is outside. */
  leader?: [Point, Point];
}

/** Places the labels, the smallest region first, as it has the fewest free places. */
function namesOf(
  regions: readonly Region[],
  keys: Matrix,
  names: readonly string[],
  short: readonly string[],
  x: Axis,
  y: Axis,
  taken: readonly Box[],
  lines: readonly Point[],
): Map<number, Name> {
  const room = roomIn(x, y);
  const [covered, crossed] = [[...taken], [...lines]];
  const found = new Map<number, Name>();
  for (const region of [...regions].sort((a, b) => a.inside.length - b.inside.length)) {
    const [full, less] = [names[region.key], short[region.key]];
    // Its key's label is in it and names it.
    const [a, b] = keys[region.key];
    const holds = region.has(...room.cell([x.place(a), y.place(b)]));
    const ways = [
      () => inside(region, full, 0, room, covered, crossed),
      () => (holds ? undefined : inside(region, less, COST.short, room, covered, crossed)),
      () =>
        holds ? undefined : outside(region, less, COST.short + COST.leader, room, covered, crossed),
    ];
    let name: Found | undefined;
    ways.forEach((way, i) => {
      if (name && name.cost <= LEAST[i]) return; // the search takes long
      const other = way();
      if (other && !(name && name.cost <= other.cost)) name = other;
    });
    if (!name) continue;
    found.set(region.key, name);
    covered.push(boxOf(name.place, NAME, widthOf(name.text)));
    if (name.leader) crossed.push(...between(...name.leader));
  }
  return found;
}

interface Room {
  left: number;
  right: number;
  top: number;
  bottom: number;
  /** The column and row of a grid point. */
  cell: (place: Point) => [number, number];
  /** All grid points. */
  places: Point[];
}

function roomIn(x: Axis, y: Axis): Room {
  const [left, right] = x.domain.map(x.place);
  const [bottom, top] = y.domain.map(y.place);
  const at = (i: number, from: number, to: number) => from + ((i - 0.5) / CELLS) * (to - from);
  const of = (place: number, from: number, to: number) =>
    clamped(Math.round(((place - from) / (to - from)) * CELLS + 0.5), 0, SIDE - 1);
  const inner = range(CELLS).map((i) => i + 1);
  return {
    left,
    right,
    top,
    bottom,
    cell: ([a, b]) => [of(a, left, right), of(b, bottom, top)],
    places: inner.flatMap((j) => inner.map((i): Point => [at(i, left, right), at(j, bottom, top)])),
  };
}

const isFree = ([left, top, right, bottom]: Box, room: Room, covered: readonly Box[]) =>
  left > room.left + MARGIN &&
  right < room.right - MARGIN &&
  top > room.top + MARGIN &&
  bottom < room.bottom - MARGIN &&
  !covered.some((other) => overlap([left - MARGIN, top, right + MARGIN, bottom], other));

const onLines = (box: Box, lines: readonly Point[]) =>
  COST.line * lines.filter((point) => within(point, box, 2)).length;

const distance = ([a, b]: Point, [c, d]: Point) => Math.hypot(a - c, b - d);

const byDistance = (places: readonly Point[], from: Point) =>
  places
    .map((place) => ({ place, away: distance(place, from) }))
    .sort((one, other) => one.away - other.away);

const middleOf = (places: readonly Point[]): Point => {
  const along = (i: 0 | 1) => places.reduce((all, place) => all + place[i], 0) / places.length;
  return [along(0), along(1)];
};

/** The least cost of each way to place a label. */
const LEAST = [0, COST.short, COST.short + COST.leader];

type Found = Name & { cost: number };

/**
 * Finds the free point nearest to the region's centre for a label inside; reaching into another region
 * or lying on a line adds to the cost.
 */
function inside(
  region: Region,
  text: string,
  more: number,
  room: Room,
  covered: readonly Box[],
  lines: readonly Point[],
): Found | undefined {
  let best: Found | undefined;
  for (const { place, away } of byDistance(region.inside, middleOf(region.inside))) {
    if (best && away + more >= best.cost) break;
    const box = boxOf(place, NAME, widthOf(text));
    if (!isFree(box, room, covered)) continue;
    const cost = more + away + COST.outside * shareOutside(region, box, room) + onLines(box, lines);
    if (!best || cost < best.cost) best = { text, place, cost };
  }
  return best;
}

const [ACROSS, DOWN] = [range(7).map((i) => i / 6), [0.25, 0.75]];

function shareOutside({ has }: Region, [left, top, right, bottom]: Box, { cell }: Room): number {
  const out = ACROSS.flatMap((a) =>
    DOWN.filter((b) => !has(...cell([left + a * (right - left), top + b * (bottom - top)]))),
  );
  return out.length / (ACROSS.length * DOWN.length);
}

/** Finds a place for a label outside a region, with a leader line. */
function outside(
  { inside: own, has }: Region,
  text: string,
  more: number,
  room: Room,
  covered: readonly Box[],
  lines: readonly Point[],
): Found | undefined {
  const shown = own.filter((place) => !covered.some((box) => within(place, box, 1)));
  const deep = shown.filter((place) => {
    const [column, row] = room.cell(place);
    return [-1, 1].every((step) => has(column + step, row) && has(column, row + step));
  });
  const clear = deep.filter((place) => lines.every((point) => distance(point, place) > CLEAR));
  const chosen = [clear, deep, shown, own].find((places) => places.length) ?? own;
  const [from] = byDistance(chosen, middleOf(own));
  let best: Found | undefined;
  for (const { place, away } of byDistance(room.places, from.place)) {
    if (best && more + away - widthOf(text) >= best.cost) break;
    const box = boxOf(place, NAME, widthOf(text));
    if (!isFree(box, room, covered) || within(from.place, box, 2 * MARGIN)) continue;
    const end: Point = [
      clamped(from.place[0], box[0], box[2]),
      clamped(from.place[1], box[1], box[3]),
    ];
    const length = distance(from.place, end);
    const crossed = between(from.place, end).filter((point) =>
      covered.some((other) => within(point, other, 0)),
    );
    const cost = more + length + COST.crossed * crossed.length + onLines(box, lines);
    if (!best || cost < best.cost) best = { text, place, cost, leader: [from.place, end] };
  }
  return best;
}

const between = ([a, b]: Point, [c, d]: Point): Point[] =>
  range(9).map((i): Point => [a + (i / 8) * (c - a), b + (i / 8) * (d - b)]);

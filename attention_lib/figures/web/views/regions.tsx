// Where in the plane the query would have to be for each key to win, behind the points. The region of
// the key that wins now is tinted; lines part the regions, and each bears its key's name.
import { contours } from "d3-contour";
import { useMemo } from "preact/hooks";
import { boxOf, overlap, widthOf, within } from "../maths/axis.ts";
import type { Axis, Box, Point } from "../maths/axis.ts";
import { range, type Matrix, type Vector } from "../maths/tensor.ts";

const CELLS = 48; // along each side
const MARGIN = 4; // pixels between a name and the edges
const COST = { outside: 80, line: 12 }; // pixels that a name rather goes than be so

export function Regions(props: {
  x: Axis;
  y: Axis;
  /** Scores of all keys for queries at many points. */
  of: (points: Matrix) => Matrix;
  /** Changes with the function. */
  about: string;
  /** Of each region, and shorter where that finds no room. */
  names: readonly string[];
  short: readonly string[];
  /** The key that wins where the query is. */
  winner: number;
  /** What labels, points and their lines cover, where names do not stand. */
  taken: readonly Box[];
  lines: readonly Point[];
}) {
  const { x, y, of, about, names, short, winner, taken, lines } = props;
  const won = useMemo(() => drawn(x, y, of, names.length), [about, String([x.domain, y.domain])]);
  const covered = [...taken];
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
      {won.map(({ key, inside }) => {
        const placeOf = (name: string) => namePlace(inside, widthOf(name), x, y, covered, lines);
        let name = names[key];
        let place = placeOf(name);
        if (!place) place = placeOf((name = short[key])); // to look for a place takes long
        if (!place) return null;
        covered.push(boxOf(place, NAME, widthOf(name)));
        return (
          <text
            key={key}
            class="region-name"
            x={place[0]}
            y={place[1] + NAME.y}
            text-anchor={NAME.anchor}
          >
            {name}
          </text>
        );
      })}
    </g>
  );
}

interface Region {
  key: number;
  path: string;
  /** Points of the grid that lie in it. */
  inside: Point[];
}

function drawn(x: Axis, y: Axis, of: (points: Matrix) => Matrix, numKeys: number): Region[] {
  // Values stand for the middles of cells; one more cell on each side covers the edges.
  const along = ([low, high]: readonly number[]) =>
    range(CELLS + 2).map((i) => low + ((i - 0.5) / CELLS) * (high - low));
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
    const [{ coordinates }] = contours()
      .size([CELLS + 2, CELLS + 2])
      .thresholds([0])(values);
    const path = coordinates
      .flat()
      .map((ring) => `M${ring.map(([i, j]) => text([placed(x, i), placed(y, j)])).join("L")}Z`)
      .join("");
    return [{ key, path, inside: inside.map(([a, b]): Point => [x.place(a), y.place(b)]) }];
  });
}

/** How far each key is ahead of the best of the others. */
function leadsOf(scores: Vector): Vector {
  let [best, next] = [-Infinity, -Infinity];
  for (const x of scores) {
    if (x > best) [best, next] = [x, best];
    else if (x > next) next = x;
  }
  return scores.map((x) => x - (x === best ? next : best));
}

const NAME = { x: 0, y: 4, anchor: "middle" } as const;

const text = ([a, b]: Point) => `${a.toFixed(1)} ${b.toFixed(1)}`;

/**
 * Of the points of a region, the one nearest to its middle where the name covers nothing; farther
 * ones rather than that it reaches into another region or lies on a line.
 */
function namePlace(
  inside: readonly Point[],
  width: number,
  x: Axis,
  y: Axis,
  taken: readonly Box[],
  lines: readonly Point[],
): Point | undefined {
  const middle = [0, 1].map(
    (i) => inside.reduce((all, point) => all + point[i], 0) / inside.length,
  );
  const [left, right] = x.domain.map(x.place);
  const [bottom, top] = y.domain.map(y.place);
  const [column, row] = [(right - left) / CELLS, (bottom - top) / CELLS];
  const isFree = (box: Box) =>
    box[0] > left + MARGIN &&
    box[2] < right - MARGIN &&
    box[1] > top + MARGIN &&
    box[3] < bottom - MARGIN &&
    !taken.some((other) => overlap(box, other));
  const inRegion = ([a, b]: Point) =>
    inside.some(([c, d]) => Math.abs(a - c) < column && Math.abs(b - d) < row);
  const places = inside.map((place) => ({
    place,
    away: Math.hypot(place[0] - middle[0], place[1] - middle[1]),
  }));
  let [best, least]: [Point | undefined, number] = [undefined, Infinity];
  for (const { place, away } of places.sort((one, other) => one.away - other.away)) {
    if (away >= least) break;
    const box = boxOf(place, NAME, width);
    if (!isFree(box)) continue;
    const ends: Point[] = [box[0], box[2]].map((a) => [a, place[1]]);
    const cost =
      away +
      COST.outside * ends.filter((end) => !inRegion(end)).length +
      COST.line * lines.filter((point) => within(point, box, 2)).length;
    if (cost < least) [best, least] = [place, cost];
  }
  return best;
}

// Draws contour lines of a function of two numbers behind the points of a plane, labelled and shaded
// in the colours of scores.
import { ticks } from "d3-array";
import { contours } from "d3-contour";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import type { Figure } from "../core/figure.ts";
import { plainNumber } from "../core/format.ts";
import { SHADES, shadeReader } from "../core/palette.ts";
import { boxOf, LINE, overlap, widthOf } from "../maths/axis.ts";
import type { Axis, Box, LabelPlace, Point } from "../maths/axis.ts";
import type { Interval } from "../maths/domains.ts";
import { range, type Matrix } from "../maths/tensor.ts";
import { symmetricScale } from "./scale.tsx";

const CELLS = 40; // along each side
const LEVELS = 7;
const SEEN = 0.01; // scores that differ by less have one label
const PALE = 0.55; // lightens the colours, so that points and their names stand out
const APART = 10; // least distance between the labels of two lines, in pixels
const NUMBER: LabelPlace = { x: 0, y: 4, anchor: "middle" }; // relative to its point on a line

interface Line {
  level: number;
  /** As points, and as the `d` of an SVG path. */
  points: Point[];
  path: string;
}

export function Contours(props: {
  figure: Figure;
  x: Axis;
  y: Axis;
  /** Computes the function at many points. */
  of: (points: Matrix) => number[];
  /** A key that changes with the function. */
  about: string;
  /** Boxes of labels and points, which contour labels avoid. */
  taken: readonly Box[];
  /** The size of a pixel in units of the plane: text has the same size at every scale. */
  pixel: number;
  /** Whether the contours would reveal an answer. */
  reveals?: boolean;
}) {
  const { figure, x, y, of, about, pixel, reveals = true } = props;
  const group = useRef<SVGGElement>(null);
  const read = useMemo(shadeReader, []);
  const { lines, floor, scale } = useMemo(() => drawn(x, y, of), [about, String(x.domain)]);
  const theme = figure.theme.value;
  useLayoutEffect(() => {
    const shades = read(group.current!, "scores", theme);
    if (!shades) return;
    const colour = (score: number) =>
      `rgb(${shades.shades[Math.round(PALE * scale.level(score)) + SHADES]})`;
    const fills = [floor, ...lines.map(({ level }) => level)];
    group.current!.querySelectorAll<SVGElement>(".band").forEach((band, i) => {
      const next = fills[i + 1] ?? fills[i];
      band.style.fill = colour((fills[i] + next) / 2);
    });
  }, [lines, theme]);
  const [left, right] = x.domain.map(x.place);
  const [bottom, top] = y.domain.map(y.place);
  const taken = [...props.taken];
  const numbers = lines.flatMap(({ level, points }) => {
    const text = plainNumber(level);
    const place = numberPlace(points, text, pixel, x, y, taken);
    if (place) taken.push(numberBox(place, text, pixel, APART));
    return place ? [{ text, place }] : [];
  });
  return (
    <g class="contours" ref={group} data-tells={reveals ? "" : undefined} aria-hidden="true">
      <rect class="band" x={left} y={top} width={right - left} height={bottom - top} />
      {lines.map(({ level, path }) => (
        <path key={level} class="band line" d={path} />
      ))}
      {numbers.map(({ text, place }) => (
        <text key={text} x={place[0]} y={place[1] + NUMBER.y} text-anchor={NUMBER.anchor}>
          {text}
        </text>
      ))}
    </g>
  );
}

function drawn(x: Axis, y: Axis, of: (points: Matrix) => number[]) {
  // Values belong to the centres of cells; one more cell on each side covers the edges.
  const along = ([low, high]: Interval) =>
    range(CELLS + 2).map((i) => low + ((i - 0.5) / CELLS) * (high - low));
  const [across, up] = [along(x.domain as Interval), along(y.domain as Interval)];
  const values = of(up.flatMap((b) => across.map((a) => [a, b])));
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const levels = high - low > SEEN ? ticks(low, high, LEVELS).filter((t) => t > low) : [];
  const placed = (domain: readonly number[], axis: Axis, i: number) =>
    axis.place(domain[0] + ((i - 1) / CELLS) * (domain[1] - domain[0]));
  const lines = contours()
    .size([CELLS + 2, CELLS + 2])
    .thresholds(levels)(values)
    .map(({ value, coordinates }): Line => {
      const rings = coordinates
        .flat()
        .map((ring) =>
          ring.map(([i, j]): Point => [placed(x.domain, x, i), placed(y.domain, y, j)]),
        );
      const path = rings.map((ring) => `M${ring.map(rounded).join("L")}Z`).join("");
      return { level: value, points: rings.flat(), path };
    });
  return { lines, floor: low, scale: symmetricScale("scores", [[values]]) };
}

const rounded = ([a, b]: Point) => `${a.toFixed(1)} ${b.toFixed(1)}`;

/** Finds the free point of a line that is nearest to the lower right corner. */
function numberPlace(
  points: Point[],
  text: string,
  pixel: number,
  x: Axis,
  y: Axis,
  taken: readonly Box[],
): Point | null {
  const [left, right] = x.domain.map(x.place);
  const [bottom, top] = y.domain.map(y.place);
  const good = points.filter((point) => {
    const box = numberBox(point, text, pixel);
    const inside = box[0] > left && box[2] < right && box[1] > top && box[3] < bottom;
    return inside && !taken.some((other) => overlap(box, other));
  });
  return good.reduce<Point | null>(
    (best, point) => (best && best[0] + best[1] >= point[0] + point[1] ? best : point),
    null,
  );
}

function numberBox(point: Point, text: string, pixel: number, room = 3): Box {
  const [left, top, right, bottom] = boxOf(point, NUMBER, pixel * widthOf(text));
  const more = room + (pixel - 1) * LINE; // as both lines of text are higher
  return [left - room, top - more, right + room, bottom + more];
}

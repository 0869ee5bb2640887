// Queries and keys as points in the plane. Lines are as thick as weights, by their square root.
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { Handles } from "../controls/handles.tsx";
import { axisOf, boxOf, labelPlaces, widthOf } from "../maths/axis.ts";
import type { Axis, Box, LabelPlace, Point } from "../maths/axis.ts";
import type { Matrix } from "../maths/tensor.ts";
import { KeyMark, Link, QueryMark } from "./marks.tsx";
import { Plot, smallerOnPhone, useSteadyDomain } from "./plot.tsx";

const SIZE: Point = [320, 296];
const FRAME = { left: 28, right: 296, top: 6, bottom: 274 }; // square, as distances count
const LESS = 72; // on a phone
const ROOM = 75; // for what stands beside the handle
const BOLD = 1.2; // as names of points are, against other text
const MARK = 10; // around any other point
const TOGETHER = 3; // pixels: nearer keys lie in one place
const GRIP = 18; // around the handle, for its arrows
const STEPS = 60; // of the arrow keys, across the whole plane

const ALONG = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]; // of a line, where no label should be
const between = ([a, b]: Point, [c, d]: Point, way: number): Point => [
  a + way * (c - a),
  b + way * (d - b),
];

export interface PlanePoint {
  /** The trait that holds it, and its row there. */
  trait: string;
  row: number;
  name: string;
  /** For those who do not see it. */
  label: string;
  /** What stands beside it: who it is, and its value. */
  text: string;
  value?: string;
}

export function Plane(props: {
  label: string;
  title: string;
  /** What stands at the handle until it was first moved. */
  hint: string;
  queries: Matrix;
  keys: Matrix;
  /** Of queries and then of keys. */
  points: readonly PlanePoint[];
  /** Of the chosen query. */
  weights: readonly number[];
  chosen: number;
  focused: string;
  /** Of the points, the one handle of the figure; the chosen query unless said. */
  main?: number;
  /** Marks the origin. */
  origin?: boolean;
  /** What is more to the right, and what further up. */
  axes?: readonly string[];
  /** What lies below lines and points; `taken` is what labels and points cover, in units. */
  behind?: (
    x: Axis,
    y: Axis,
    taken: readonly Box[],
    lines: readonly Point[],
    pixel: number,
  ) => ComponentChildren;
  choose: (q: number) => void;
  move: (point: PlanePoint, to: [number, number]) => void;
}) {
  const { label, title, hint, queries, keys, points, weights, chosen, focused } = props;
  const { main = chosen, origin, axes, behind, choose, move } = props;
  const [size, frame] = smallerOnPhone(SIZE, FRAME, LESS);
  const numbers = [...queries, ...keys];
  const { domain, hold } = useSteadyDomain([...numbers.flat(), ...(origin ? [0] : [])]);
  const x = axisOf(domain, [frame.left, frame.right]);
  const y = axisOf(domain, [frame.bottom, frame.top]);
  const places = numbers.map(([a, b]): Point => [x.place(a), y.place(b)]);
  const [from, ends] = [places[chosen], places.slice(queries.length)];
  const drawn = useSignal(1); // pixels that a unit takes, while letters have their own size
  const pixel = 1 / drawn.value;
  const wide = (text: string) => widthOf(text) * pixel;
  const widths = points.map(({ text, value }) => BOLD * wide(value ? `${text} ${value}` : text));
  const lines = ends.flatMap((end) => ALONG.map((way) => between(from, end, way)));
  const grip = points[main] && places[main]; // none, where the handle is no point
  const turned = Boolean(grip) && grip[0] > SIZE[0] - ROOM;
  const hinted = grip && boxOf(grip, hintPlace(turned), BOLD * wide(hint));
  const handle = grip ? [around(grip, GRIP), hinted] : [];
  const labels = labelPlaces(places, widths, size, lines, handle);
  const axisNames = axes ? axisNamesOf(axes, frame) : [];
  const taken = [
    ...handle,
    ...axisNames.map(({ text, point, place }) => boxOf(point, place, wide(text))),
    ...places.map((place) => around(place, MARK)),
    ...labels.map((label, i) => boxOf(places[i], label, widths[i])),
  ];
  const rank = (k: number) =>
    [from, ...ends.slice(0, k)].filter(
      ([a, b]) => Math.hypot(a - ends[k][0], b - ends[k][1]) < TOGETHER,
    ).length;
  const handles = points.map((point, i) => {
    const k = i - queries.length;
    const label = (
      <text x={labels[i].x} y={labels[i].y} text-anchor={labels[i].anchor}>
        {point.text}
        {point.value && (
          <tspan class="value" dx={5}>
            {point.value}
          </tspan>
        )}
      </text>
    );
    const isMain = i === main;
    const dragged = isMain && <DragHint text={hint} left={turned} />;
    const mark =
      k < 0 ? (
        <QueryMark chosen={i === chosen} main={isMain}>
          {label}
          {dragged}
        </QueryMark>
      ) : (
        <KeyMark weight={weights[k]} rank={rank(k)} main={isMain}>
          {label}
          {dragged}
        </KeyMark>
      );
    return { ...point, numbers: numbers[i], place: places[i], main: isMain, mark };
  });
  return (
    <Plot label={label} size={size} frame={frame} x={x} y={y} drawn={drawn}>
      {behind?.(x, y, taken, lines, pixel)}
      {origin && (
        <path
          class="origin"
          d="M-7 0H7M0-7V7"
          transform={`translate(${[x.place(0), y.place(0)]})`}
        />
      )}
      {axisNames.map(({ text, point: [left, baseline], place }) => (
        <text key={text} class="axis-name" x={left} y={baseline} text-anchor={place.anchor}>
          {text}
        </text>
      ))}
      {ends.map(([a, b], k) => (
        <Link key={k} from={from} to={[a, b]} weight={weights[k]} />
      ))}
      <Handles
        handles={handles}
        focused={focused}
        title={title}
        start={(i) => {
          hold(true);
          if (i < queries.length) choose(i);
        }}
        move={(i, place) => move(points[i], [x.value(place[0]), y.value(place[1])])}
        nudge={(i, [right, up]) => {
          const step = stepOf((domain[1] - domain[0]) / STEPS);
          const [a, b] = numbers[i];
          move(points[i], [a + right * step, b + up * step]);
        }}
        end={() => hold(false)}
      />
    </Plot>
  );
}

/** What grows along the axes, in the corners where they end. */
const axisNamesOf = ([across, up]: readonly string[], frame: typeof FRAME) => [
  {
    text: `${across} →`,
    point: [frame.right - 2, frame.bottom - 4] as Point,
    place: { x: 0, y: 0, anchor: "end" } as LabelPlace,
  },
  {
    text: `↑ ${up}`,
    point: [frame.left + 4, frame.top + 12] as Point,
    place: { x: 0, y: 0, anchor: "start" } as LabelPlace,
  },
];

const hintPlace = (left: boolean): LabelPlace =>
  left ? { x: -24, y: 4, anchor: "end" } : { x: 24, y: 4, anchor: "start" };

const around = ([x, y]: Point, room: number): Box => [x - room, y - room, x + room, y + room];

/** What stands beside the arrows of a handle until it was first moved. */
export const DragHint = (props: { text: string; left: boolean; up?: number }) => (
  <text
    class="drag-me"
    x={hintPlace(props.left).x}
    y={hintPlace(props.left).y - (props.up ?? 0)}
    text-anchor={hintPlace(props.left).anchor}
  >
    {props.text}
  </text>
);

/** The power of ten that is nearest to what is wanted. */
export const stepOf = (wanted: number) => 10 ** Math.max(-4, Math.round(Math.log10(wanted)));

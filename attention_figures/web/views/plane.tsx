// Draws queries and keys as points in the plane that can be dragged, with lines as thick as the weights.
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { Handles } from "../controls/handles.tsx";
import type { Figure } from "../core/figure.ts";
import { axisOf, boxOf, labelPlaces, widthOf } from "../maths/axis.ts";
import type { Axis, Box, LabelPlace, Point } from "../maths/axis.ts";
import type { Matrix, Tensor } from "../maths/tensor.ts";
import { KeyMark, Link, QueryMark } from "./marks.tsx";
import { Plot, smallerOnPhone, useSteadyDomain, type Frame } from "./plot.tsx";

const SIZE: Point = [320, 296];
const FRAME = { left: 28, right: 296, top: 6, bottom: 274 }; // square, as distances count
const LESS = 72; // height saved on a phone
const ROOM = 75; // for the hint beside the handle
export const BOLD = 1.2; // width of bold text relative to regular text
const MARK = 10; // half the size of a point's box
const TOGETHER = 3; // pixels; nearer keys count as one point
const GRIP = 18; // half the size of the handle's box, with its arrows
const STEPS = 60; // of the arrow keys, across the whole plane

const ALONG = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];

/** Returns points of a line, which labels avoid. */
export const alongLine = ([a, b]: Point, [c, d]: Point): Point[] =>
  ALONG.map((way) => [a + way * (c - a), b + way * (d - b)]);

export interface PlanePoint {
  /** The trait that holds the point, and its row there. */
  trait: string;
  row: number;
  name: string;
  /** The accessible name. */
  label: string;
  /** The label beside the point: its name and its value. */
  text: string;
  value?: string;
}

export function Plane(props: {
  label: string;
  title: string;
  /** The hint at the handle until it is first moved. */
  hint: string;
  queries: Matrix;
  keys: Matrix;
  /** Points of the queries, then of the keys. */
  points: readonly PlanePoint[];
  /** The selected query's weights. */
  weights: readonly number[];
  chosen: number;
  focused: string;
  /** The index of the point that is the figure's handle; by default the selected query. */
  main?: number;
  /** Whether to mark the origin. */
  origin?: boolean;
  /** Points to which a question sends the reader; the axes reach them. */
  reach?: Matrix;
  /** Names of the axes: what increases to the right, and what upwards. */
  axes?: readonly string[];
  /** Renders a background; `taken`: the boxes of labels and points, in units. */
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
  const { main = chosen, origin, reach = [], axes, behind, choose, move } = props;
  const [size, frame] = smallerOnPhone(SIZE, FRAME, LESS);
  const numbers = [...queries, ...keys];
  const far = [...numbers, ...reach].flat();
  const { domain, hold } = useSteadyDomain([...far, ...(origin ? [0] : [])]);
  const x = axisOf(domain, [frame.left, frame.right]);
  const y = axisOf(domain, [frame.bottom, frame.top]);
  const places = numbers.map(([a, b]): Point => [x.place(a), y.place(b)]);
  const [from, ends] = [places[chosen], places.slice(queries.length)];
  const drawn = useSignal(1); // pixels per unit; text does not scale
  const pixel = 1 / drawn.value;
  const wide = (text: string) => widthOf(text) * pixel;
  const near = ([a, b]: Point, [c, d]: Point) => Math.hypot(a - c, b - d) < TOGETHER;
  const texts = points.map(({ text, value }, i) => {
    if (i < queries.length || value) return text;
    const together = [...points.keys()].filter(
      (j) => j >= queries.length && near(places[i], places[j]),
    );
    return i === together[0] ? together.map((j) => points[j].text).join(" ") : "";
  });
  const widths = points.map(
    ({ value }, i) => BOLD * wide(value ? `${texts[i]} ${value}` : texts[i]),
  );
  const lines = ends.flatMap((end) => alongLine(from, end));
  const grip = points[main] && places[main]; // undefined if the handle is no point
  const turned = Boolean(grip) && grip[0] > SIZE[0] - ROOM;
  const handle = grip ? handleBoxes(grip, turned, wide(hint)) : [];
  const labels = labelPlaces(places, widths, size, lines, handle, main);
  const axisNames = axes ? axisNamesOf(axes, frame) : [];
  const taken = [
    ...handle,
    ...axisNames.map(({ text, point, place }) => boxOf(point, place, wide(text))),
    ...places.map((place) => around(place, MARK)),
    ...labels.map((label, i) => boxOf(places[i], label, widths[i])),
  ];
  const rank = (k: number) =>
    [from, ...ends.slice(0, k)].filter((place) => near(place, ends[k])).length;
  const handles = points.map((point, i) => {
    const k = i - queries.length;
    const label = (
      <text x={labels[i].x} y={labels[i].y} text-anchor={labels[i].anchor}>
        {texts[i]}
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

/** The points of queries and keys in the state that a figure's questions name. */
export const pointsAsked = ({ questionState, observationState }: Figure): Matrix =>
  [questionState, observationState].flatMap(({ question }) => {
    const { queries, keys_ } = (question?.at ?? {}) as { queries?: Tensor; keys_?: Tensor };
    return [...(queries?.[0] ?? []), ...(keys_?.[0] ?? [])];
  });

/** Places the axes' names at their ends. */
export const axisNamesOf = ([across, up]: readonly string[], frame: Frame) => [
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

const hintPlace = (left: boolean, up = 0): LabelPlace =>
  left ? { x: -24, y: 4 - up, anchor: "end" } : { x: 24, y: 4 - up, anchor: "start" };

const around = ([x, y]: Point, room: number): Box => [x - room, y - room, x + room, y + room];

/** Returns the boxes of a handle and of the hint beside it, which labels avoid. */
export const handleBoxes = (place: Point, left: boolean, width: number, up?: number): Box[] => [
  around(place, GRIP),
  boxOf(place, hintPlace(left, up), BOLD * width),
];

/** Renders the hint beside a handle until it is first moved. */
export function DragHint({ text, left, up }: { text: string; left: boolean; up?: number }) {
  const { x, y, anchor } = hintPlace(left, up);
  return (
    <text class="drag-me" x={x} y={y} text-anchor={anchor}>
      {text}
    </text>
  );
}

/** Rounds a step to the nearest power of ten, at least 1e-4. */
export const stepOf = (step: number) => 10 ** Math.max(-4, Math.round(Math.log10(step)));

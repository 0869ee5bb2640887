// Queries and keys as points in the plane. Lines are as thick as weights, by their square root.
import { Handles } from "../controls/handles.tsx";
import { axisOf, labelPlaces, widthOf, type Point } from "../maths/axis.ts";
import type { Matrix } from "../maths/tensor.ts";
import { KeyMark, QueryMark, thickness } from "./marks.tsx";
import { Plot, useSteadyDomain } from "./plot.tsx";

const SIZE: Point = [320, 296];
const FRAME = { left: 28, right: 296, top: 6, bottom: 274 }; // square, as distances count
const ROOM = 75; // for what stands beside the handle
const TOGETHER = 3; // pixels: nearer keys lie in one place
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
  /** Marks the origin. */
  origin?: boolean;
  choose: (q: number) => void;
  move: (point: PlanePoint, to: [number, number]) => void;
}) {
  const { label, title, hint, queries, keys, points, weights, chosen, focused } = props;
  const { origin, choose, move } = props;
  const numbers = [...queries, ...keys];
  const { domain, hold } = useSteadyDomain([...numbers.flat(), ...(origin ? [0] : [])]);
  const x = axisOf(domain, [FRAME.left, FRAME.right]);
  const y = axisOf(domain, [FRAME.bottom, FRAME.top]);
  const places = numbers.map(([a, b]): Point => [x.place(a), y.place(b)]);
  const [from, ends] = [places[chosen], places.slice(queries.length)];
  const widths = points.map(({ text, value }) => widthOf(value ? `${text} ${value}` : text));
  const lines = ends.flatMap((end) => ALONG.map((way) => between(from, end, way)));
  const labels = labelPlaces(places, widths, SIZE, lines);
  const rank = (k: number) =>
    ends.slice(0, k).filter(([a, b]) => Math.hypot(a - ends[k][0], b - ends[k][1]) < TOGETHER)
      .length;
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
    const mark =
      k < 0 ? (
        <QueryMark chosen={i === chosen} main={i === chosen}>
          {label}
          {i === chosen && <Hint text={hint} left={from[0] > SIZE[0] - ROOM} />}
        </QueryMark>
      ) : (
        <KeyMark weight={weights[k]} rank={rank(k)}>
          {label}
        </KeyMark>
      );
    return { ...point, numbers: numbers[i], place: places[i], main: i === chosen, mark };
  });
  return (
    <Plot label={label} size={SIZE} frame={FRAME} x={x} y={y}>
      {origin && (
        <path
          class="origin"
          d="M-7 0H7M0-7V7"
          transform={`translate(${[x.place(0), y.place(0)]})`}
        />
      )}
      {ends.map(([a, b], k) => (
        <line
          key={k}
          class="link"
          x1={from[0]}
          y1={from[1]}
          x2={a}
          y2={b}
          stroke-width={thickness(weights[k])}
        />
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

/** What stands beside the arrows of a handle until it was first moved. */
const Hint = ({ text, left }: { text: string; left: boolean }) => (
  <text class="drag-me" x={left ? -24 : 24} y={4} text-anchor={left ? "end" : "start"}>
    {text}
  </text>
);

/** A power of ten, not above what is wanted. */
export const stepOf = (wanted: number) => 10 ** Math.max(-4, Math.floor(Math.log10(wanted * 1.01)));

// The values on a line, as large as their weights, with their weighted and their plain average.
import { Handles } from "../controls/handles.tsx";
import { anchorAt, axisOf, labelRows, widthOf, type Point } from "../maths/axis.ts";
import { OutputTip } from "./marks.tsx";
import { stepOf } from "./plane.tsx";
import { Plot, useSteadyDomain } from "./plot.tsx";

const SIZE: Point = [320, 126];
const FRAME = { left: 16, right: 304, top: 30, bottom: 98 };
const ACROSS = [FRAME.left, FRAME.right] as [number, number];
const MIDDLE = 42; // where the line is
const SIDE = 22; // of a square with all the weight
const LABEL = { below: 22, height: 13, rows: 2 };
const STEPS = 60; // of the arrow keys, along the whole line

export interface Average {
  class: "output" | "mean";
  text: string;
  value: number;
}

export function ValueLine(props: {
  label: string;
  title: string;
  /** Of the axis. */
  name: string;
  /** Of each value: its fields, what it is for those who do not see it, what stands below it. */
  points: readonly { name: string; label: string; text: string }[];
  values: readonly number[];
  weights: readonly number[];
  averages: readonly Average[];
  focused: string;
  move: (k: number, to: number) => void;
}) {
  const { label, title, name, points, values, weights, averages, focused, move } = props;
  const { domain, hold } = useSteadyDomain(values);
  const axis = axisOf(domain, ACROSS);
  const places = values.map(axis.place);
  const rows = labelRows(places, Math.max(22, ...points.map(({ text }) => widthOf(text) + 4)));
  const handles = points.map((point, k) => {
    const side = SIDE * Math.sqrt(weights[k]);
    const y = LABEL.below + Math.min(rows[k], LABEL.rows - 1) * LABEL.height;
    return {
      ...point,
      numbers: [values[k]],
      place: [places[k], MIDDLE] as const,
      mark: (
        <g class="value">
          <rect class="weight" x={-side / 2} y={-side / 2} width={side} height={side} />
          <rect x={-4} y={-4} width={8} height={8} />
          <text y={y} text-anchor={anchorAt(places[k], widthOf(point.text), [0, SIZE[0]])}>
            {point.text}
          </text>
        </g>
      ),
    };
  });
  return (
    <Plot label={label} size={SIZE} frame={FRAME} x={axis} name={name}>
      {averages.map(({ class: kind, text, value }) => (
        <g
          key={kind}
          class={kind}
          aria-hidden="true"
          transform={`translate(${axis.place(value)} ${MIDDLE})`}
        >
          {kind === "output" ? <OutputTip /> : <path d="M0-8V40" />}
          <text
            y={kind === "output" ? -26 : 52}
            text-anchor={anchorAt(axis.place(value), widthOf(text), [0, SIZE[0]])}
          >
            {text}
          </text>
        </g>
      ))}
      <Handles
        handles={handles}
        focused={focused}
        title={title}
        start={() => hold(true)}
        move={(k, [place]) => move(k, axis.value(place))}
        nudge={(k, [right, up]) =>
          move(k, values[k] + (right + up) * stepOf((domain[1] - domain[0]) / STEPS))
        }
        end={() => hold(false)}
      />
    </Plot>
  );
}

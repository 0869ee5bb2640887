// Draws values on a number line, sized by their weights, with the weighted and the plain average.
import { Handles } from "../controls/handles.tsx";
import { anchorAt, axisOf, labelRows, widthOf, type Point } from "../maths/axis.ts";
import { sideOf } from "../maths/weights.ts";
import { OutputTip } from "./marks.tsx";
import { stepOf } from "./plane.tsx";
import { Plot, useSteadyDomain } from "./plot.tsx";

const ACROSS: [number, number] = [16, 304];
const MIDDLE = 37; // y of the line
const SIDE = 22; // of a square of weight 1
const LABEL = { below: 18, height: 11, rows: 4 }; // rows: at most
const STEPS = 60; // of the arrow keys, along the whole line

export interface Average {
  class: "output" | "mean";
  text: string;
  value: number;
}

export function ValueLine(props: {
  label: string;
  title: string;
  /** The name of the axis. */
  name: string;
  /** For each value: the name of its field, its accessible name, and the label below it. */
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
  // Space for all labels at one point, so that the layout stays when a point moves.
  const most = Math.max(2, Math.min(points.length, LABEL.rows));
  const mean = LABEL.below + most * LABEL.height + 1;
  const bottom = MIDDLE + mean + 2;
  const size: Point = [320, bottom + 28];
  const frame = { left: ACROSS[0], right: ACROSS[1], top: MIDDLE - 12, bottom };
  const handles = points.map((point, k) => {
    const side = sideOf(weights[k], SIDE);
    const y = LABEL.below + Math.min(rows[k], most - 1) * LABEL.height;
    return {
      ...point,
      numbers: [values[k]],
      place: [places[k], MIDDLE] as const,
      mark: (
        <g class="value">
          <rect
            class="weight"
            data-area={weights[k]}
            x={-side / 2}
            y={-side / 2}
            width={side}
            height={side}
          />
          <rect x={-4} y={-4} width={8} height={8} />
          <text y={y} text-anchor={anchorAt(places[k], widthOf(point.text), [0, size[0]])}>
            {point.text}
          </text>
        </g>
      ),
    };
  });
  return (
    <Plot label={label} size={size} frame={frame} x={axis} name={name}>
      {averages.map(({ class: kind, text, value }) => (
        <g
          key={kind}
          class={kind}
          aria-hidden="true"
          transform={`translate(${axis.place(value)} ${MIDDLE})`}
        >
          {kind === "output" ? <OutputTip /> : <path d={`M0-8V${mean - 12}`} />}
          <text
            y={kind === "output" ? -26 : mean}
            text-anchor={anchorAt(axis.place(value), widthOf(text), [0, size[0]])}
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

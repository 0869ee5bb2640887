// Draws the marks of queries, keys, values and outputs in a plot, and lines between them.
import type { ComponentChildren } from "preact";
import type { Point } from "../maths/axis.ts";
import { lengthOf, sideOf } from "../maths/weights.ts";
import "../styles/plots.css";

const DISC = 20; // radius of a disc of weight 1
const THICKEST = 14; // pixels, of a line of weight 1

/** Draws a line from a query to a key, as thick as its weight. */
export const Link = (props: { from: Point; to: Point; weight: number; "data-tells"?: string }) => {
  const { from, to, weight, ...look } = props;
  const ends = { x1: from[0], y1: from[1], x2: to[0], y2: to[1] };
  return (
    <line
      class="link"
      {...look}
      {...ends}
      data-length={weight}
      stroke-width={lengthOf(weight, THICKEST)}
    />
  );
};

const ARROWS = [0, 90, 180, 270];

/** Draws the ring and arrows around the figure's handle. */
export const Grip = () => (
  <>
    <circle class="ring" r={13} />
    {ARROWS.map((angle) => (
      <path key={angle} class="arrow" d="M15-5L21 0L15 5Z" transform={`rotate(${angle})`} />
    ))}
  </>
);

/** Draws a query as a dot: filled if selected, with arrows if it is the figure's handle. */
export const QueryMark = (props: {
  chosen: boolean;
  main?: boolean;
  children?: ComponentChildren;
}) => (
  <g class="query" data-chosen={props.chosen ? "" : undefined}>
    <circle class="dot" r={7} />
    {props.main && <Grip />}
    {props.children}
  </g>
);

/** Draws a key as a square on a disc of its weight; `rank`: number of keys already at this point. */
export function KeyMark(props: {
  weight: number;
  rank?: number;
  main?: boolean;
  children?: ComponentChildren;
}) {
  const { weight, rank = 0, main, children } = props;
  const half = 5 + 4 * rank;
  return (
    <g class="key">
      <circle
        class="weight"
        data-area={weight}
        r={sideOf(weight, DISC)}
        data-negative={weight < 0 ? "" : undefined}
      />
      <rect
        x={-half}
        y={-half}
        width={2 * half}
        height={2 * half}
        data-around={rank ? "" : undefined}
      />
      {main && <Grip />}
      {children}
    </g>
  );
}

/** Draws an output as a wedge whose tip is at the value. */
export const OutputTip = () => <path d="M0-6l9-15h-18Z" />;

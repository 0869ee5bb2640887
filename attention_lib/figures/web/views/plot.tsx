// A drawing with axes. Its units are pixels at the width of a phone, so that text stays legible there.
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { plainNumber } from "../core/format.ts";
import { fitted, type Axis, type Point } from "../maths/axis.ts";
import type { Interval } from "../maths/domains.ts";

/** Where the axes reach, in the drawing's own units. */
export interface Frame {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

export function Plot(props: {
  /** What it is, for those who do not see it. */
  label: string;
  size: Point;
  frame: Frame;
  x: Axis;
  /** Without one there is only the axis below. */
  y?: Axis;
  /** Of the axis below. */
  name?: string;
  children: ComponentChildren;
}) {
  const { label, size, frame, x, y, name, children } = props;
  const { left, right, top, bottom } = frame;
  return (
    <svg class="plot" viewBox={`0 0 ${size.join(" ")}`} role="group" aria-label={label}>
      <g class="axes" aria-hidden="true">
        {x.ticks.map((tick) => (
          <>
            <path d={`M${x.place(tick)} ${top}V${bottom}`} />
            <text x={x.place(tick)} y={bottom + 15} text-anchor="middle">
              {plainNumber(tick)}
            </text>
          </>
        ))}
        {y?.ticks.map((tick) => (
          <>
            <path d={`M${left} ${y.place(tick)}H${right}`} />
            <text x={left - 5} y={y.place(tick) + 4} text-anchor="end">
              {plainNumber(tick)}
            </text>
          </>
        ))}
      </g>
      {name && (
        <text class="name" x={right} y={size[1] - 3} text-anchor="end" aria-hidden="true">
          {name}
        </text>
      )}
      {children}
    </svg>
  );
}

/** A domain that fits the numbers, but stands still while one of them is dragged. */
export function useSteadyDomain(numbers: readonly number[]) {
  const held = useSignal(false);
  const domain = useRef<Interval>([0, 1]);
  if (!held.value) domain.current = fitted(numbers);
  return { domain: domain.current, hold: (hold: boolean) => (held.value = hold) };
}

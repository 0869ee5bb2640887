// Renders an SVG plot with axes. Its units are pixels at the width of a phone, so that text stays legible.
import { signal, useSignal, type Signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { plainNumber } from "../core/format.ts";
import { fitted, type Axis, type Point } from "../maths/axis.ts";
import type { Interval } from "../maths/domains.ts";
import "../styles/plots.css";

/** The extent of the axes, in the plot's units. */
export interface Frame {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

const phones = globalThis.matchMedia?.("(max-width: 36rem)");
const phone = signal(phones?.matches ?? false);
phones?.addEventListener("change", ({ matches }) => (phone.value = matches));

/** Reduces the height on a phone, where a plot shares the screen with its question. */
export function lowerOnPhone(size: Point, frame: Frame, by: number): [Point, Frame] {
  const less = phone.value ? by : 0;
  return [[size[0], size[1] - less], { ...frame, bottom: frame.bottom - less }];
}

/** Reduces a square plot on a phone, in both directions. */
export function smallerOnPhone(size: Point, frame: Frame, by: number): [Point, Frame] {
  const [low, { left, right, ...rest }] = lowerOnPhone(size, frame, by);
  const side = (size[1] - low[1]) / 2;
  return [low, { left: left + side, right: right - side, ...rest }];
}

/** Runs a function with the desktop layout; on a phone the layout is restored before the next paint. */
export async function withDesktopLayout<T>(act: () => T): Promise<T> {
  const before = phone.value;
  phone.value = false;
  await null; // until Preact has rendered
  try {
    return act();
  } finally {
    phone.value = before;
  }
}

const STEP = 0.05; // rounding of the size of a unit, so that labels are not placed again too often

/** Sets the size of a plot's units as a custom property, so that text has the same size in all plots. */
export function useDrawnSize(units: number, drawn?: Signal<number>) {
  const drawing = useRef<SVGSVGElement>(null);
  useLayoutEffect(() => {
    const node = drawing.current!;
    const observer = new ResizeObserver(([{ contentRect }]) => {
      const size = contentRect.width / units;
      if (size) node.style.setProperty("--drawn", String(size));
      if (size && drawn) drawn.value = STEP * Math.floor(size / STEP);
    });
    observer.observe(node);
    return () => observer.disconnect();
  }, [units]);
  return drawing;
}

export function Plot(props: {
  /** The accessible name. */
  label: string;
  size: Point;
  frame: Frame;
  x: Axis;
  /** Without it there is only the horizontal axis. */
  y?: Axis;
  /** Names of the horizontal and of the vertical axis. */
  name?: string;
  beside?: string;
  /** Receives the size of a unit in pixels. */
  drawn?: Signal<number>;
  children: ComponentChildren;
}) {
  const { label, size, frame, x, y, name, beside, drawn, children } = props;
  const { left, right, top, bottom } = frame;
  return (
    <svg
      class="plot"
      ref={useDrawnSize(size[0], drawn)}
      viewBox={`0 0 ${size.join(" ")}`}
      role="group"
      aria-label={label}
    >
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
      {beside && (
        <text class="name" x={4} y={11} aria-hidden="true">
          {beside}
        </text>
      )}
      {children}
    </svg>
  );
}

/** Returns a domain that fits the numbers, but does not change while one of them is dragged. */
export function useSteadyDomain(numbers: readonly number[]) {
  const held = useSignal(false);
  const domain = useRef<Interval>([0, 1]);
  if (!held.value) domain.current = fitted(numbers);
  return { domain: domain.current, hold: (hold: boolean) => (held.value = hold) };
}

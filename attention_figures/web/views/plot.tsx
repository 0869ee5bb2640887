// A drawing with axes. Its units are pixels at the width of a phone, so that text stays legible there.
import { signal, useSignal, type Signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
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

const phones = globalThis.matchMedia?.("(max-width: 36rem)");
const phone = signal(phones?.matches ?? false);
phones?.addEventListener("change", ({ matches }) => (phone.value = matches));

/** Size and frame, on a phone lower by so much: there a drawing shares one screen with its question. */
export function lowerOnPhone(size: Point, frame: Frame, by: number): [Point, Frame] {
  const less = phone.value ? by : 0;
  return [[size[0], size[1] - less], { ...frame, bottom: frame.bottom - less }];
}

/** The same of a square, which stays one. */
export function smallerOnPhone(size: Point, frame: Frame, by: number): [Point, Frame] {
  const [low, { left, right, ...rest }] = lowerOnPhone(size, frame, by);
  const side = (size[1] - low[1]) / 2;
  return [low, { left: left + side, right: right - side, ...rest }];
}

/** What comes of drawings as on a desk; on a phone they are back before anything is painted. */
export async function withDesktopLayout<T>(act: () => T): Promise<T> {
  const before = phone.value;
  phone.value = false;
  await null; // until they are drawn
  try {
    return act();
  } finally {
    phone.value = before;
  }
}

const STEP = 0.05; // of the size of a unit, by which text is placed

/** Tells the style sheet how large the units of a drawing are, so that letters have one size in all. */
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
  /** What it is, for those who do not see it. */
  label: string;
  size: Point;
  frame: Frame;
  x: Axis;
  /** Without one there is only the axis below. */
  y?: Axis;
  /** Of the axis below, and of the one beside. */
  name?: string;
  beside?: string;
  /** Is told how large a unit is. */
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

/** A domain that fits the numbers, but stands still while one of them is dragged. */
export function useSteadyDomain(numbers: readonly number[]) {
  const held = useSignal(false);
  const domain = useRef<Interval>([0, 1]);
  if (!held.value) domain.current = fitted(numbers);
  return { domain: domain.current, hold: (hold: boolean) => (held.value = hold) };
}

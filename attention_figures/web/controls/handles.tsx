// Renders draggable points of a plot. To assistive technology each is a slider, moved by the arrow
// keys; only the points capture touch.
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { LIMIT, plainNumber } from "../core/format.ts";
import { nearest, type Point } from "../maths/axis.ts";
import { focusByPointer } from "./pointer_focus.ts";
import "../styles/plots.css";

const TOUCH = 24; // radius of a touch target, in pixels
const KEYS: Record<string, Point> = {
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowDown: [0, -1],
};

export interface Handle {
  /** Prefixes of the fields for the same numbers, separated by spaces. */
  name: string;
  /** The accessible name. */
  label: string;
  /** Its numbers; the first is the slider's value. */
  numbers: readonly number[];
  place: Point;
  mark: ComponentChildren;
  /** Whether it is the figure's handle. */
  main?: boolean;
}

export function Handles(props: {
  handles: readonly Handle[];
  /** The focused control; its point is highlighted. */
  focused: string;
  title: string;
  start?: (i: number) => void;
  /** Moves a handle to a point of the plot. */
  move: (i: number, place: Point) => void;
  /** Moves a handle by steps to the right and upwards. */
  nudge: (i: number, steps: Point) => void;
  end: () => void;
}) {
  const { handles, focused, title, start, move, nudge, end } = props;
  const near = useSignal(-1);
  const grip = useRef({ handle: 0, x: 0, y: 0 }); // the dragged handle and the pointer's offset
  const places = handles.map(({ place }) => place);
  const at = ({ currentTarget, clientX, clientY }: PointerEvent): Point => {
    const svg = (currentTarget as SVGElement).ownerSVGElement!;
    const [box, { width, height }] = [svg.getBoundingClientRect(), svg.viewBox.baseVal];
    const [x, y] = [(clientX - box.left) / box.width, (clientY - box.top) / box.height];
    return [x * width, y * height];
  };
  // Of coinciding points, the one that was dragged last is dragged again.
  const under = (point: Point) => nearest(places, point, grip.current.handle);
  const grab = (event: PointerEvent) => {
    event.preventDefault();
    if (event.button !== 0) return;
    const hit = event.currentTarget as SVGElement;
    const [x, y] = at(event);
    const handle = under([x, y]);
    hit.setPointerCapture(event.pointerId);
    focusByPointer(hit.ownerSVGElement!.querySelectorAll<SVGElement>("[data-point]")[handle]);
    grip.current = { handle, x: x - places[handle][0], y: y - places[handle][1] };
    start?.(handle);
  };
  const drag = (event: PointerEvent) => {
    const [x, y] = at(event);
    const held = (event.currentTarget as SVGElement).hasPointerCapture(event.pointerId);
    if (!held) near.value = under([x, y]);
    else move(grip.current.handle, [x - grip.current.x, y - grip.current.y]);
  };
  return (
    <>
      {handles.map(({ name, label, numbers, place, mark, main }, i) => (
        <g
          key={name}
          class="handle"
          role="slider"
          tabindex={0} // lower case, as in SVG
          aria-label={label}
          aria-valuenow={numbers[0]}
          aria-valuemin={-LIMIT}
          aria-valuemax={LIMIT}
          aria-valuetext={numbers.map(plainNumber).join(", ")}
          data-control={name.split(" ")[0]}
          data-point={name}
          data-handle={main ? "" : undefined}
          data-near={near.value === i ? "" : undefined}
          data-focused={name.split(" ").some((own) => focused.startsWith(own)) ? "" : undefined}
          transform={`translate(${place})`}
          onKeyDown={(event) => {
            if (!(event.key in KEYS) || event.ctrlKey || event.metaKey || event.altKey) return;
            event.preventDefault();
            const far = event.shiftKey ? 10 : 1;
            const [right, up] = KEYS[event.key];
            start?.(i);
            nudge(i, [far * right, far * up]);
            end();
          }}
        >
          <title>{title}</title>
          <circle
            class="hit"
            r={TOUCH}
            onPointerDown={grab}
            onPointerMove={drag}
            onPointerLeave={() => (near.value = -1)}
            onLostPointerCapture={end}
            // Some browsers ignore touch-action on SVG elements and would scroll.
            onTouchStart={(event) => event.preventDefault()}
          />
          {mark}
        </g>
      ))}
    </>
  );
}

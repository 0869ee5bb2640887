// Points of a drawing that can be dragged. To assistive technology each is a slider, moved by the
// arrow keys; they alone take what touches them.
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { LIMIT, plainNumber } from "../core/format.ts";
import { nearest, type Point } from "../maths/axis.ts";
import { focusByPointer } from "./pointer_focus.ts";

const TOUCH = 24; // radius of what a finger hits, in pixels
const KEYS: Record<string, Point> = {
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowDown: [0, -1],
};

export interface Handle {
  /** What the names of the fields begin with that do the same; several stand apart by spaces. */
  name: string;
  /** For those who do not see it. */
  label: string;
  /** Its numbers, of which the first is the slider's. */
  numbers: readonly number[];
  place: Point;
  mark: ComponentChildren;
  /** Drawn as the one handle of its figure. */
  main?: boolean;
}

export function Handles(props: {
  handles: readonly Handle[];
  /** The control that has the focus: its point is marked. */
  focused: string;
  title: string;
  start?: (i: number) => void;
  /** To a place in the drawing. */
  move: (i: number, place: Point) => void;
  /** By so many steps to the right and upward. */
  nudge: (i: number, steps: Point) => void;
  end: () => void;
}) {
  const { handles, focused, title, start, move, nudge, end } = props;
  const near = useSignal(-1);
  const grip = useRef({ handle: 0, x: 0, y: 0 }); // what was taken, and how far from its middle
  const places = handles.map(({ place }) => place);
  const at = ({ currentTarget, clientX, clientY }: PointerEvent): Point => {
    const svg = (currentTarget as SVGElement).ownerSVGElement!;
    const [box, { width, height }] = [svg.getBoundingClientRect(), svg.viewBox.baseVal];
    const [x, y] = [(clientX - box.left) / box.width, (clientY - box.top) / box.height];
    return [x * width, y * height];
  };
  // Of points that lie together, the one that was dragged last is dragged on.
  const under = (point: Point) => nearest(places, point, grip.current.handle);
  const take = (event: PointerEvent) => {
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
          tabindex={0} // its name in drawings, too
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
            onPointerDown={take}
            onPointerMove={drag}
            onPointerLeave={() => (near.value = -1)}
            onLostPointerCapture={end}
            // Browsers that scroll all the same, whatever touch-action says of a part of a drawing.
            onTouchStart={(event) => event.preventDefault()}
          />
          {mark}
        </g>
      ))}
    </>
  );
}

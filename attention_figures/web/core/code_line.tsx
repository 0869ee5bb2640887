// Renders the line of PyTorch below a figure: dragging its numbers changes the state and the output.
import { useRef } from "preact/hooks";
import { focusByPointer } from "../controls/pointer_focus.ts";
import type { Figure } from "./figure.ts";
import { clamped, rounded } from "./format.ts";
import type { CodeNumber } from "./kind.ts";

const PIXELS_PER_STEP = 14;
const NUMBER = /-?\d+\.?\d*(e[+-]?\d+)?/g;
const KEYS: Record<string, number> = {
  ArrowRight: 1,
  ArrowUp: 1,
  ArrowLeft: -1,
  ArrowDown: -1,
  PageUp: 10,
  PageDown: -10,
  Home: -Infinity,
  End: Infinity,
};

export function CodeLineView({ figure }: { figure: Figure }) {
  const { code } = figure.kind;
  if (!code) return null;
  const { parts, output } = code(figure.at);
  return (
    <pre class="code" data-code tabIndex={0} translate={false}>
      {parts.map((part, i) =>
        typeof part === "string" ? part : <DraggableNumber key={i} figure={figure} number={part} />,
      )}
      {"\n"}
      <samp>{figure.revealed.value ? output : output.replace(NUMBER, "?")}</samp>
    </pre>
  );
}

/** A number as a slider for assistive technology; only the number itself captures touch. */
function DraggableNumber({ figure, number }: { figure: Figure; number: CodeNumber<object> }) {
  const start = useRef({ x: 0, place: 0 });
  const { name, value, low, high, step = 1, numbers } = number;
  // An index into `numbers`, or the number of steps from `low`.
  const place = numbers ? nearest(numbers, value) : Math.round((value - low) / step);
  const last = numbers ? numbers.length - 1 : Math.round((high - low) / step);
  const moveTo = (to: number) => {
    const next = clamped(to, 0, last);
    if (next !== place) figure.set(number.change(numbers?.[next] ?? rounded(low + next * step)));
  };
  return (
    <span
      class="dragged"
      role="slider"
      tabIndex={0}
      data-control={name}
      aria-label={name.replace("code.", "")}
      aria-valuenow={value}
      aria-valuemin={low}
      aria-valuemax={high}
      title={figure.t("dragCode")}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.preventDefault();
        focusByPointer(event.currentTarget);
        event.currentTarget.setPointerCapture(event.pointerId);
        start.current = { x: event.clientX, place };
      }}
      onPointerMove={(event) => {
        if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
        const steps = Math.round((event.clientX - start.current.x) / PIXELS_PER_STEP);
        moveTo(start.current.place + steps);
      }}
      onKeyDown={(event) => {
        if (!(event.key in KEYS) || event.ctrlKey || event.metaKey || event.altKey) return;
        event.preventDefault();
        moveTo(place + KEYS[event.key]);
      }}
    >
      {/* With an ASCII minus, so that the line can be copied and run. */}
      {String(value)}
    </span>
  );
}

function nearest(numbers: readonly number[], x: number): number {
  const distances = numbers.map((number) => Math.abs(number - x));
  return distances.indexOf(Math.min(...distances));
}

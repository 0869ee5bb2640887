// A number to type, to step with the arrow keys, or to drag sideways. A text field, since fields for
// numbers drop what they do not like, such as the minus that the page prints, without a word.
import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import type { Figure } from "../core/figure.ts";
import { clamped, formatNumber, LIMIT, parseNumber, plainNumber, rounded } from "../core/format.ts";

const PIXELS_PER_STEP = 6;
const STEP = 0.1;

export function NumberField(props: {
  figure: Figure;
  name: string;
  label?: string;
  value: number;
  low?: number;
  high?: number;
  step?: number;
  change: (value: number) => void;
}) {
  const { figure, name, label = name, value, change } = props;
  const { low = -LIMIT, high = LIMIT, step = STEP } = props;
  const typed = useSignal<string | null>(null); // as long as it is being edited
  const wrong = useSignal(false);
  const before = useRef(value); // what a wrong entry leads back to
  const drag = useRef({ x: 0, value: 0, far: false });
  if (typed.peek() === null) before.current = value;

  const enter = (text: string) => {
    typed.value = text;
    const x = parseNumber(text);
    const good = x !== null && x >= low && x <= high;
    wrong.value = !good;
    change(good ? rounded(x) : before.current);
    const limits = { low: plainNumber(low), high, kept: formatNumber(before.current) };
    if (!good) figure.refused.value = ["refusedNumber", limits];
  };
  const leave = () => {
    if (wrong.peek()) figure.refused.value = null;
    typed.value = null;
    wrong.value = false;
  };
  const go = (to: number) => {
    leave();
    change(clamped(rounded(to), low, high));
  };
  const refused = wrong.value && figure.refused.value; // unless all has been reset since
  const input = useRef<HTMLInputElement>(null);
  const here = typed.value !== null && input.current?.matches(":focus");
  const editing = here && (refused || parseNumber(typed.value!) === value);
  return (
    <input
      ref={input}
      type="text"
      inputMode="decimal"
      autocomplete="off"
      class="number"
      data-control={name}
      aria-label={label}
      aria-invalid={Boolean(refused)}
      title={figure.words("dragNumber")}
      value={editing ? typed.value! : plainNumber(Number(value.toFixed(2)))}
      onFocus={({ currentTarget }) => {
        currentTarget.value = plainNumber(value); // with all its decimals
        currentTarget.select();
      }}
      onBlur={({ currentTarget }) => {
        leave();
        currentTarget.value = plainNumber(Number(value.toFixed(2)));
      }}
      onInput={({ currentTarget }) => enter(currentTarget.value)}
      onKeyDown={(event) => {
        const by = { ArrowUp: 1, ArrowDown: -1 }[event.key];
        if (!by) return;
        event.preventDefault();
        go(value + by * step);
      }}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        drag.current = { x: event.clientX, value, far: false };
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={(event) => {
        if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
        const pixels = event.clientX - drag.current.x;
        drag.current.far ||= Math.abs(pixels) >= PIXELS_PER_STEP; // a click may tremble
        if (drag.current.far) go(drag.current.value + Math.round(pixels / PIXELS_PER_STEP) * step);
      }}
      onDragStart={(event) => event.preventDefault()} // the selected text would go instead
    />
  );
}

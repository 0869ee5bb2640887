// Renders a number field: type, step with the arrow keys, or drag sideways. It is a text input, because
// type=number silently drops invalid input, such as the minus sign (U+2212) that the page prints.
import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import type { Figure } from "../core/figure.ts";
import { clamped, formatNumber, isAmbiguous, LIMIT, parseNumber } from "../core/format.ts";
import { plainNumber, rounded } from "../core/format.ts";

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
  /** The font style while it is not being edited. */
  type?: { fontSize: string; letterSpacing: string };
  change: (value: number) => void;
}) {
  const { figure, name, label = name, value, change } = props;
  const { low = -LIMIT, high = LIMIT, step = STEP, type } = props;
  const typed = useSignal<string | null>(null); // the text while it is being edited
  const focused = useSignal(false);
  const before = useRef(value); // the value that an invalid entry restores
  const written = useRef(NaN); // the value that this field set last
  const drag = useRef({ x: 0, value: 0, far: false });
  // The value changed elsewhere or by dragging; while typing, "0." on the way to "0.5" stays.
  if (value !== written.current) before.current = written.current = value;

  const isGood = (x: number | null): x is number => x !== null && x >= low && x <= high;
  const enter = (text: string) => {
    const x = parseNumber(text);
    const good = isGood(x);
    written.current = good ? rounded(x) : before.current;
    typed.value = text;
    change(written.current);
    const limits = { low: plainNumber(low), high, kept: formatNumber(before.current) };
    if (good) return;
    figure.refused.value = isAmbiguous(text)
      ? ["refusedComma", { got: text }]
      : ["refusedNumber", limits];
  };
  const leave = () => {
    if (wrong) figure.refused.value = null;
    typed.value = null;
  };
  const moveTo = (to: number) => {
    leave();
    change(clamped(rounded(to), low, high));
  };
  // A refused text stays until it is corrected or the figure is reset.
  const wrong = typed.value !== null && !isGood(parseNumber(typed.value)) && figure.refused.value;
  const accepted = typed.value !== null && rounded(parseNumber(typed.value) ?? NaN) === value;
  const editing = focused.value && (wrong || accepted);
  const short = String(Number(value.toFixed(2))); // fits a cell; the focused field shows all decimals
  return (
    <input
      type="text"
      inputMode="decimal"
      autocomplete="off"
      class="number"
      data-control={name}
      aria-label={label}
      aria-invalid={Boolean(wrong)}
      title={figure.t("dragNumber")}
      style={editing ? {} : type}
      value={editing ? typed.value! : focused.value ? String(value) : short}
      onFocus={({ currentTarget }) => {
        focused.value = true;
        currentTarget.value = String(value);
        currentTarget.select();
      }}
      onBlur={() => {
        leave();
        focused.value = false;
      }}
      onChange={() => (before.current = value)}
      onInput={({ currentTarget }) => enter(currentTarget.value)}
      onKeyDown={(event) => {
        const by = { ArrowUp: 1, ArrowDown: -1 }[event.key];
        if (!by) return;
        event.preventDefault();
        moveTo(value + by * step);
      }}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        drag.current = { x: event.clientX, value, far: false };
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={(event) => {
        if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
        const pixels = event.clientX - drag.current.x;
        drag.current.far ||= Math.abs(pixels) >= PIXELS_PER_STEP; // tolerance for a click
        if (drag.current.far)
          moveTo(drag.current.value + Math.round(pixels / PIXELS_PER_STEP) * step);
      }}
      onDragStart={(event) => event.preventDefault()} // otherwise the selected text would be dragged
    />
  );
}

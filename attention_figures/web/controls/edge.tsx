// Renders the edge between valid keys and padding, to be dragged across columns. Its grip contains a
// native slider for keyboards and assistive technology; only the grip captures touch.
import { useRef } from "preact/hooks";
import { clamped } from "../core/format.ts";
import { focusByPointer } from "./pointer_focus.ts";

export function Edge(props: {
  name: string;
  label: string;
  title: string;
  value: number;
  max: number;
  /** Whether it is the figure's handle. */
  main?: boolean;
  format?: (value: number) => string;
  change: (value: number) => void;
}) {
  const { name, label, title, value, max, main, format = String, change } = props;
  const input = useRef<HTMLInputElement>(null);
  const moveTo = (to: number) => {
    const next = clamped(Math.round(to), 0, max);
    if (next !== value) change(next);
  };
  return (
    <div
      class="edge-handle"
      data-handle={main ? "" : undefined}
      title={title}
      style={{ left: `${(100 * value) / max}%` }}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.preventDefault();
        focusByPointer(input.current!);
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={({ currentTarget, pointerId, clientX }) => {
        if (!currentTarget.hasPointerCapture(pointerId)) return;
        const box = currentTarget.parentElement!.getBoundingClientRect();
        moveTo(((clientX - box.left) / box.width) * max);
      }}
    >
      <input
        ref={input}
        type="range"
        min={0}
        max={max}
        value={value}
        data-control={name}
        aria-label={label}
        aria-valuetext={format(value)}
        onInput={({ currentTarget }) => moveTo(Number(currentTarget.value))}
      />
      <span class="grip" aria-hidden="true">
        ⇔
      </span>
    </div>
  );
}

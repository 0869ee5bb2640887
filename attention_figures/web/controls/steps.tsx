// Renders the control of a figure that goes step by step: back, a slider, next.
import { useRef } from "preact/hooks";
import type { Translate } from "../core/strings.ts";
import { Slider } from "./slider.tsx";

export function Steps(props: {
  t: Translate;
  name: string;
  label: string;
  value: number;
  min?: number;
  max: number;
  format?: (value: number) => string;
  /** Before the names of the buttons. */
  prefix?: string;
  change: (value: number) => void;
}) {
  const { t, prefix = "", ...rest } = props;
  const { value, min = 0, max, change } = rest;
  const slider = useRef<HTMLDivElement>(null);
  const go = (to: number) => {
    change(to);
    // A disabled button loses the focus.
    if (to === min || to === max) slider.current?.querySelector("input")?.focus();
  };
  return (
    <div class="walk">
      <button
        type="button"
        data-control={`${prefix}back`}
        disabled={value === min}
        onClick={() => go(value - 1)}
      >
        {t("back")}
      </button>
      <div ref={slider}>
        <Slider {...rest} />
      </div>
      <button
        type="button"
        data-control={`${prefix}next`}
        disabled={value === max}
        onClick={() => go(value + 1)}
      >
        {t("next")}
      </button>
    </div>
  );
}

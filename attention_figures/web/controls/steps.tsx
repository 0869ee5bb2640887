// Renders the control of a figure that goes step by step: back, a slider, next.
import { useRef } from "preact/hooks";
import type { CodeNumber } from "../core/kind.ts";
import type { Translate } from "../core/strings.ts";
import { Slider } from "./slider.tsx";

/** A stored step in a line of code, as the number of training steps after which it was stored. */
export const stepNumber = (
  steps: readonly number[],
  step: number,
): CodeNumber<{ step: number }> => ({
  name: "code.step",
  value: steps[step],
  low: steps[0],
  high: steps[steps.length - 1],
  numbers: steps,
  change: (to) => ({ step: steps.indexOf(to) }),
});

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

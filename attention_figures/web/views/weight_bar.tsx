// One weight as a bar on the scale of all weights, from 0 to 1, and its number.
import type { CSSProperties } from "preact";
import type { Figure } from "../core/figure.ts";
import { formatNumber } from "../core/format.ts";
import { shareOf } from "../maths/weights.ts";

export function WeightBar(props: {
  figure: Figure;
  weight: number;
  at: [b: number, q: number, k: number];
  /** Of the number; its own, where there is little room. */
  format?: (x: number) => string;
  style?: CSSProperties;
  "data-pad"?: string;
  "data-masked"?: string;
}) {
  const { figure, weight, at, format = formatNumber, ...look } = props;
  const open = figure.revealed.value;
  return (
    <div class="weight-cell" {...look}>
      <span
        class="weight-bar"
        data-covered={open ? undefined : ""}
        data-length={open ? weight : undefined}
        style={open ? { height: shareOf(weight) } : undefined}
      />
      <output data-at={at.join()} data-tells>
        {open ? format(weight) : "?"}
      </output>
    </div>
  );
}

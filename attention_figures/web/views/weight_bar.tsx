// Renders a weight as a bar on the common scale from 0 to 1, with its number.
import type { CSSProperties } from "preact";
import type { Figure } from "../core/figure.ts";
import { formatNumber } from "../core/format.ts";
import { shareOf } from "../maths/weights.ts";
import "../styles/words.css";

export function WeightBar(props: {
  figure: Figure;
  weight: number;
  at: [b: number, q: number, k: number];
  /** The format of the number; default: two decimals. */
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

// One weight as a square whose colour is its square root: the same in every figure.
import type { CSSProperties } from "preact";
import type { Figure } from "../core/figure.ts";

const FLIP = 0.67; // from there on the other of black and white is the easier to read

export function WeightSquare(props: {
  figure: Figure;
  weight: number;
  at: [b: number, q: number, k: number];
  masked: boolean;
  text: string;
  style?: CSSProperties;
}) {
  const { figure, weight, at, masked, text, style } = props;
  const level = Math.sqrt(Math.max(0, weight));
  const colour = { "--level": level, color: level > FLIP ? "rgb(var(--contrast))" : undefined };
  return (
    <div
      class="weight-square"
      data-masked={masked ? "" : undefined}
      style={figure.open.value ? { ...style, ...colour } : style}
    >
      <span data-at={at.join()} data-tells>
        {figure.open.value ? text : "?"}
      </span>
    </div>
  );
}

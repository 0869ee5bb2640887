// One weight as a square whose colour is its square root: the same in every figure. One above 1, as
// dropout makes them, has the strongest colour.
import type { CSSProperties } from "preact";
import type { Figure } from "../core/figure.ts";
import { shadeOf } from "../maths/weights.ts";

const FLIP = 0.67; // from there on the other of black and white is the easier to read

export function WeightSquare(props: {
  figure: Figure;
  weight: number;
  at: [b: number, q: number, k: number];
  /** What that is called, if these are not the figure's attention_weights. */
  place?: string;
  masked: boolean;
  text: string;
  style?: CSSProperties;
}) {
  const { figure, weight, at, place = "data-at", masked, text, style } = props;
  const level = shadeOf(weight);
  const colour = { "--level": level, color: level > FLIP ? "rgb(var(--contrast))" : undefined };
  return (
    <div
      class="weight-square"
      data-masked={masked ? "" : undefined}
      style={figure.revealed.value ? { ...style, ...colour } : style}
    >
      <span {...{ [place]: at.join() }} data-tells>
        {figure.revealed.value ? text : "?"}
      </span>
    </div>
  );
}

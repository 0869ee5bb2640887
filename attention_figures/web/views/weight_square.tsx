// Renders a weight as a square coloured by its square root, on the same scale in every figure. Weights
// above 1 (after dropout) have the strongest colour.
import type { CSSProperties } from "preact";
import type { Figure } from "../core/figure.ts";
import { shadeOf } from "../maths/weights.ts";
import "../styles/words.css";

const FLIP = 0.67; // level above which white text is easier to read than black (or the reverse)

export function WeightSquare(props: {
  figure: Figure;
  weight: number;
  at: [b: number, q: number, k: number];
  /** The attribute instead of data-at, if these are not the figure's attention_weights. */
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

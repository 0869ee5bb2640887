// Renders what rows of words share: the probability of a word as a bar, with its percentage.
import type { Figure } from "../core/figure.ts";
import { percent } from "../core/format.ts";
import { shareOf } from "../maths/weights.ts";
import "../styles/word_rows.css";

export function Probability({ figure, share }: { figure: Figure; share: number }) {
  const open = figure.revealed.value;
  return (
    <span class="row-track">
      <span
        class="probability-bar"
        data-length={open ? share : 0}
        style={{ width: open ? shareOf(share) : 0 }}
      />
      <output data-tells>{open ? percent(share) : "?"}</output>
    </span>
  );
}

// Renders a word with its probability, on a bar of that length.
import type { Figure } from "../core/figure.ts";
import { percent } from "../core/format.ts";
import "../styles/decoder.css";

export function ShareRow({ figure, word, share }: { figure: Figure; word: string; share: number }) {
  const open = figure.revealed.value;
  return (
    <div class="row-track">
      <span
        class="vote-bar"
        data-length={open ? share : 0}
        style={{ width: open ? `${100 * share}%` : 0 }}
      />
      <output data-tells>{open ? `${word} ${percent(share)}` : "?"}</output>
    </div>
  );
}

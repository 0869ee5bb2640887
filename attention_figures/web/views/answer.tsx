// An answer that is written character by character, above the sentence that it is read from.
import type { Figure } from "../core/figure.ts";
import { shortNumber } from "../core/format.ts";
import { range, type Vector } from "../maths/tensor.ts";
import { shadeOf } from "../maths/weights.ts";

const DARK = 0.67; // a level from which on the other of black and white is the easier to read

/** What should be written, what is, and which character asks. `written`: empty as long as unknown. */
export function Answer(props: {
  figure: Figure<{ place: number }, object>;
  answer: string;
  written: string;
}) {
  const { figure, answer, written } = props;
  const { at, t } = figure;
  const open = figure.revealed.value && written !== "";
  const places = range(answer.length);
  return (
    <div class="answer-row" style={{ "--number": answer.length }}>
      <span class="role">{t("readingShould")}</span>
      {places.map((i) => (
        <button
          type="button"
          data-control={`place.${i}`}
          aria-label={`${t("readingPlace")} ${i}: ${answer[i]}`}
          aria-pressed={i === at.place}
          onClick={() => figure.set({ place: i })}
        >
          {answer[i]}
        </button>
      ))}
      <span class="role">{t("readingWrites")}</span>
      {places.map((i) => (
        <output data-tells data-wrong={open && written[i] !== answer[i] ? "" : undefined}>
          {open ? written[i] : "?"}
        </output>
      ))}
    </div>
  );
}

/** The tokens, each as dark as it is looked at. `weights`: empty as long as unknown. */
export function ReadTokens(props: {
  figure: Figure<{ place: number }, object>;
  /** Which row of the weights is shown. */
  row: number;
  tokens: readonly string[];
  weights: Vector;
  /** Whether a token says the character that asks. */
  says: (k: number) => boolean;
}) {
  const { figure, row, tokens, weights, says } = props;
  const open = figure.revealed.value && weights.length > 0;
  return (
    <>
      <div class="read-tokens">
        {tokens.map((token, k) => {
          const level = shadeOf(weights[k]);
          const look = {
            "--level": level,
            color: level > DARK ? "rgb(var(--contrast))" : undefined,
          };
          return (
            <span
              class="read-token"
              data-place={k}
              data-marked={open && says(k) ? "" : undefined}
              style={open ? look : undefined}
            >
              <b>{token}</b>
              <span data-at={`0,${row},${k}`} data-tells>
                {open ? shortNumber(weights[k]) : "?"}
              </span>
            </span>
          );
        })}
      </div>
      <p class="hint">{figure.t("readingHint")}</p>
    </>
  );
}

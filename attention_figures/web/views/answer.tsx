// Renders an answer, character by character, above the tokens of the sentence that it is read from.
import type { Figure } from "../core/figure.ts";
import { shortNumber } from "../core/format.ts";
import { range, type Vector } from "../maths/tensor.ts";
import { shadeOf } from "../maths/weights.ts";
import "../styles/reading.css";

const HINTS = ["readingNoSource", "readingHint", "readingHints"]; // without a framed token, with one, with more
const DARK = 0.67; // level above which white text is easier to read than black (or the reverse)

/** Shows the right answer, the model's, and the selected character. `written`: empty until known. */
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
    <div class="answer-row">
      <div class="answer-roles">
        <span class="role">{t("readingShould")}</span>
        <span class="role">{t("readingWrites")}</span>
      </div>
      <div class="answer-characters">
        {places.map((i) => (
          <div key={i}>
            <button
              type="button"
              data-control={`place.${i}`}
              aria-label={`${t("readingPlace")} ${i}: ${answer[i]}`}
              aria-pressed={i === at.place}
              onClick={() => figure.set({ place: i })}
            >
              {answer[i]}
            </button>
            <output data-tells data-wrong={open && written[i] !== answer[i] ? "" : undefined}>
              {open ? written[i] : "?"}
            </output>
          </div>
        ))}
      </div>
    </div>
  );
}

/** Shows the tokens, shaded by weight. `weights`: empty until known. */
export function ReadTokens(props: {
  figure: Figure<{ place: number }, object>;
  /** The row of the weights that is shown. */
  row: number;
  tokens: readonly string[];
  weights: Vector;
  /** Whether a token is the source of the selected character. */
  isSource: (k: number) => boolean;
}) {
  const { figure, row, tokens, weights, isSource } = props;
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
              data-marked={open && isSource(k) ? "" : undefined}
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
      <p class="hint" data-tells>
        {figure.t(HINTS[Math.min(tokens.filter((_, k) => isSource(k)).length, 2)])}
      </p>
    </>
  );
}

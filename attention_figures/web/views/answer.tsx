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
  const { at, words } = figure;
  const open = figure.open.value && written !== "";
  const places = range(answer.length);
  return (
    <div class="answer-row" style={{ "--number": answer.length }}>
      <span class="role">{words("readingShould")}</span>
      {places.map((t) => (
        <button
          type="button"
          data-control={`place.${t}`}
          aria-label={`${words("readingPlace")} ${t}: ${answer[t]}`}
          aria-pressed={t === at.place}
          onClick={() => figure.set({ place: t })}
        >
          {answer[t]}
        </button>
      ))}
      <span class="role">{words("readingWrites")}</span>
      {places.map((t) => (
        <output data-tells data-wrong={open && written[t] !== answer[t] ? "" : undefined}>
          {open ? written[t] : "?"}
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
  const open = figure.open.value && weights.length > 0;
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
      <p class="hint">{figure.words("readingHint")}</p>
    </>
  );
}

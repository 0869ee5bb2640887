// Lets a trained decoder write a sentence, and shows what each head reads: the next-word figure.
import {
  allowedTokens,
  DECODER_TRAITS,
  decoderProgram,
  Exchanges,
  passOver,
  Without,
  writtenAt,
  type DecoderState,
} from "../controls/decoder.tsx";
import { oneOf } from "../core/checks.ts";
import type { Figure } from "../core/figure.ts";
import { percent } from "../core/format.ts";
import { declare } from "../core/kind.ts";
import type { Translate } from "../core/strings.ts";
import { largest, range, type Tensor } from "../maths/tensor.ts";
import { HeadRows } from "../views/head_rows.tsx";
import { ShareRow } from "../views/share_row.tsx";

interface State extends DecoderState {
  step: number; // number of tokens written; the last of them asks
  handle: number;
  removable: string[];
  without: string;
}

interface Stages {
  written: Tensor; // (1, 1, N)
  attention_weights: Tensor; // (h, N, N)
  probabilities: Tensor; // (1, 1, V)
}

type At = Readonly<State & Stages>;
type Own = Figure<State, Stages>;
const SHOWN = 3; // next words

const passAt = (at: At) => passOver(at, at.written[0][0], at.without);
const wordAt = (at: At, i: number) => at.vocabulary[at.written[0][0][i]];
/** The most probable next words, the best first. */
const best = ({ probabilities: [[row]] }: At) =>
  range(row.length)
    .sort((a, b) => row[b] - row[a])
    .slice(0, SHOWN);

export default declare<State, Stages>({
  name: "next_word",
  state: {
    tokens: allowedTokens,
    step: oneOf(({ tokens }: State) => range(tokens.length).map((n) => n + 1)),
    without: oneOf(({ removable }: State) => ["nothing", ...removable]),
  },
  fixed: [...DECODER_TRAITS, "handle", "removable"],
  localised: ["vocabulary", "parameters"],
  stages: {
    written: (at) => [[writtenAt(at)]],
    attention_weights: (at) => passAt(at).attention_weights,
    probabilities: (at) => [[passAt(at).probabilities[at.step - 1]]],
  },
  View,
  sentence,
  code: (at) => ({
    parts: [
      "logits[0, ",
      {
        name: "code.step",
        value: at.step - 1,
        low: 0,
        high: at.tokens.length - 1,
        change: (step) => ({ step: step + 1 }),
      },
      "].argmax()",
    ],
    output: `tensor(${best(at)[0]})`,
  }),
  program: (at, t) =>
    decoderProgram(at, at.written[0][0], t, [
      `stages = forward_pass(model.state_dict(), written, model.num_heads, "${at.without}")`,
      'attention_weights = stages["attention_weights"]',
      `probabilities = stages["probabilities"][:, ${at.step - 1}:${at.step}]`,
      "written = torch.tensor(written)[None, None]",
    ]),
});

/** Describes what each head reads most, and the most probable next word. */
function sentence(at: At, t: Translate): string {
  const query = at.step - 1;
  const reads = at.attention_weights.map((rows, head) => {
    const key = largest(rows[query]);
    const share = percent(rows[query][key]);
    return t("headsReads", { head, word: wordAt(at, key), share });
  });
  const [next] = best(at);
  return [
    t("headsAsks", { query: wordAt(at, query), list: reads.join(t("headsComma")) }),
    t("nextWordIs", { word: at.vocabulary[next], share: percent(at.probabilities[0][0][next]) }),
  ].join(t("space"));
}

function View({ figure, figure: { at, t } }: { figure: Own }) {
  const shown = range(Math.min(at.step + 1, at.tokens.length)); // and the place of the next word
  const next = figure.revealed.value ? `→ ${at.vocabulary[best(at)[0]]}` : "…";
  const words = shown.map((i) => (i < at.step ? wordAt(at, i) : next));
  return (
    <>
      <Exchanges figure={figure} at={at} handle={at.removable.length ? undefined : at.handle} />
      <div class="decoder heads">
        <HeadRows
          figure={figure}
          words={words}
          query={at.step - 1}
          weights={at.attention_weights}
          title={(head) => t("headsHead", { head })}
          rows={{ wide: 23, narrow: 21 }}
        />
        <div class="next-words">
          <NextWords figure={figure} />
          {at.removable.length > 0 && (
            <div data-handle class="controls held">
              <Without
                t={t}
                value={at.without}
                removable={at.removable}
                change={(without) => figure.set({ without })}
              />
            </div>
          )}
        </div>
      </div>
    </>
  );
}

/** The most probable next words with their probabilities, and the button that writes one. */
function NextWords({ figure, figure: { at, t } }: { figure: Own }) {
  const [[row]] = at.probabilities;
  const done = at.step === at.tokens.length;
  return (
    <div class="next-list" role="group" aria-label={t("nextWord")}>
      <span class="role">{t("nextWord")}</span>
      {best(at).map((token, place) => (
        <ShareRow key={place} figure={figure} word={at.vocabulary[token]} share={row[token]} />
      ))}
      <div class="next-head controls">
        {at.step > 1 && !done && (
          <button
            type="button"
            data-control="back"
            aria-label={t("writeBack")}
            onClick={() => figure.set({ step: at.step - 1 })}
          >
            ←
          </button>
        )}
        <button
          type="button"
          data-control="write"
          onClick={() => figure.set({ step: done ? 1 : at.step + 1 })}
        >
          {t(done ? "writeAgain" : "writeNext")}
        </button>
      </div>
    </div>
  );
}

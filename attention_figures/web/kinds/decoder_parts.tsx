// Shows which words a decoder still gets right without one of its parts: the decoder-parts figure.
import {
  allowedTokens,
  DECODER_TRAITS,
  decoderProgram,
  Exchanges,
  partInWords,
  passOver,
  Without,
  writtenAt,
  type DecoderState,
} from "../controls/decoder.tsx";
import { oneOf } from "../core/checks.ts";
import type { Figure } from "../core/figure.ts";
import { percent, torchText } from "../core/format.ts";
import { declare } from "../core/kind.ts";
import type { Translate } from "../core/strings.ts";
import { largest, range, sum, type Tensor, type Vector } from "../maths/tensor.ts";
import { Probability } from "../views/word_rows.tsx";
import "../styles/heads.css";
import "../styles/word_rows.css";

/** A word that an earlier word determines. */
interface Determined {
  place: number;
  source: number;
  right: [source: number, right: Vector][]; // tokens
}

interface State extends DecoderState {
  determined: Determined[];
  removable: string[];
  without: string;
}

interface Stages {
  written: Tensor; // (1, 1, N), tokens, as in the next one
  guessed: Tensor; // (1, 1, N), after each word
  probabilities: Tensor; // (1, 1, D), of a right word
}

type At = Readonly<State & Stages>;
type Own = Figure<State, Stages>;

const rowsOf = (at: At) => passOver(at, at.written[0][0], at.without).probabilities;
const wordAt = (at: At, place: number) => at.vocabulary[at.written[0][0][place]];
const guessAt = (at: At, place: number) => at.guessed[0][0][place - 1];
const placesOf = (at: At) => range(at.tokens.length).slice(1);

const rightTokens = ({ right, source }: Determined, written: Vector) =>
  right.find(([token]) => token === written[source])![1];

/** Whether a word of this kind may stand at a place of the sentence. */
function isRight(at: At, place: number): boolean {
  const rule = at.determined.find((one) => one.place === place);
  const right = rule ? rightTokens(rule, at.written[0][0]) : at.swaps[place];
  return right.includes(guessAt(at, place));
}

/** Whether the word that was just read would be written once more. */
const isRepeated = (at: At, place: number) => guessAt(at, place) === at.written[0][0][place - 1];

/** The determined word of which the decoder is least sure. */
function leastSure(at: At) {
  const [[shares]] = at.probabilities;
  const i = shares.indexOf(Math.min(...shares));
  return { ...at.determined[i], share: shares[i] };
}

export default declare<State, Stages>({
  name: "decoder_parts",
  state: {
    tokens: allowedTokens,
    without: oneOf(({ removable }: State) => ["nothing", ...removable]),
  },
  fixed: [...DECODER_TRAITS, "determined", "removable"],
  localised: ["vocabulary", "parameters"],
  stages: {
    written: (at) => [[writtenAt(at)]],
    guessed: (at) => [[rowsOf(at).map(largest)]],
    probabilities: (at) => {
      const rows = rowsOf(at);
      const shareOf = (word: Determined) =>
        sum(rightTokens(word, at.written[0][0]).map((token) => rows[word.place - 1][token]));
      return [[at.determined.map(shareOf)]];
    },
  },
  View,
  sentence,
  code: ({ probabilities }) => ({
    parts: ["(probabilities[0, places - 1] * right).sum(-1)"],
    output: torchText(probabilities[0][0]),
  }),
  program: (at, t) =>
    decoderProgram(
      at,
      at.written[0][0],
      t,
      [
        `stages = forward_pass(model.state_dict(), written, model.num_heads, "${at.without}")`,
        'rows = stages["probabilities"][0]',
        "guessed = rows.argmax(dim=-1)[None, None]",
        "probabilities = torch.stack([",
        ...at.determined.map(
          (word) =>
            `    rows[${word.place - 1}, [${rightTokens(word, at.written[0][0]).join(", ")}]].sum(),`,
        ),
        "])[None, None]",
        "written = torch.tensor(written)[None, None]",
      ],
      { printed: "guessed" },
    ),
});

/** Describes the word of which the decoder is least sure, and words that it would repeat. */
function sentence(at: At, t: Translate): string {
  const { place, share } = leastSure(at);
  const said = {
    part: partInWords(at.without, t),
    word: wordAt(at, place),
    share: percent(share),
    guess: at.vocabulary[guessAt(at, place)],
  };
  if (at.without === "nothing") return t("partsNone", said);
  const again = placesOf(at).filter((i) => isRepeated(at, i));
  return [
    t(isRight(at, place) ? "partsStill" : "partsLeast", said),
    ...(again.length
      ? [
          t("partsRepeats", {
            repeated: again.length,
            places: at.tokens.length - 1,
            list: again.map((i) => at.vocabulary[guessAt(at, i)]).join(t("space") || "、"),
          }),
        ]
      : []),
  ].join(t("space"));
}

function View({ figure, figure: { at, t } }: { figure: Own }) {
  return (
    <>
      <div class="parts-controls">
        <div data-handle class="controls row-choices held">
          <Without
            t={t}
            value={at.without}
            removable={at.removable}
            change={(without) => figure.set({ without })}
          />
        </div>
        <Exchanges figure={figure} at={at} />
      </div>
      <div class="word-rows cut">
        <span class="role">{t("partsSentence")}</span>
        <span class="role">{t("partsGuess")}</span>
        <span class="role">{t("partsRight")}</span>
        {placesOf(at).map((place) => (
          <Row key={place} figure={figure} place={place} />
        ))}
      </div>
      <p class="rows-legend">
        <span data-tells>{t("partsMarks")}</span>
      </p>
    </>
  );
}

/** A word of the sentence, what would be written there, and how probable a right word is. */
function Row({ figure, figure: { at }, place }: { figure: Own; place: number }) {
  const rule = at.determined.findIndex((word) => word.place === place);
  return (
    <>
      <span class="row-word">{wordAt(at, place)}</span>
      <Guess figure={figure} place={place} />
      {rule < 0 ? <span /> : <Probability figure={figure} share={at.probabilities[0][0][rule]} />}
    </>
  );
}

function Guess({ figure, figure: { at }, place }: { figure: Own; place: number }) {
  const shown = figure.revealed.value;
  const wrong = shown && !isRight(at, place);
  const mark = wrong ? (isRepeated(at, place) ? "↳ " : "✗ ") : "";
  return (
    <output class="row-guess" data-tells data-wrong={wrong ? "" : undefined}>
      {shown ? `${mark}${at.vocabulary[guessAt(at, place)]}` : "?"}
    </output>
  );
}

// Shows how much of one query's attention falls on padding: the padding figure.
import { sameShape, validLengths } from "../core/checks.ts";
import type { Figure } from "../core/figure.ts";
import { percent, torchText } from "../core/format.ts";
import { declare } from "../core/kind.ts";
import type { Translate } from "../core/strings.ts";
import { Edge } from "../controls/edge.tsx";
import { NumberField } from "../controls/number.tsx";
import { lengthMask, maskedSoftmax, type Lengths } from "../maths/softmax.ts";
import { range, sum, type Tensor } from "../maths/tensor.ts";
import { floats, integers, program } from "../export/python.ts";
import { Arcs } from "../views/arcs.tsx";
import { WeightBar } from "../views/weight_bar.tsx";
import { dataMany } from "../views/data_many.ts";
import "../styles/words.css";

interface State {
  words: string[];
  query: number;
  /** How many places of padding stand before the words. */
  before: number;
  scores: Tensor; // (1, 1, K)
  valid_lens: Lengths; // (1,)
}

interface Stages {
  mask: Tensor;
  attention_weights: Tensor;
  padding_share: Tensor;
}

type At = Readonly<State & Stages>;
const HEIGHT = 64; // of the lines, in pixels

const length = ({ valid_lens }: At) => Number(valid_lens[0]);
/** Returns the word of a key, or undefined for padding. */
const wordOf = ({ words, before }: State, k: number): string | undefined => words[k - before];

export default declare<State, Stages>({
  name: "padding",
  state: {
    valid_lens: validLengths(({ scores }) => [1, 1, scores[0][0].length]),
    scores: sameShape(),
  },
  fixed: ["words", "query", "before"],
  localised: ["words"],
  settle: (next) => ({ ...next, valid_lens: [next.valid_lens].flat(2) as Lengths }),
  stages: {
    mask: ({ valid_lens, scores }) => lengthMask(valid_lens, 1, scores[0][0].length),
    attention_weights: ({ scores, valid_lens }) => maskedSoftmax(scores, valid_lens),
    padding_share: (at) => [
      [[sum(at.attention_weights[0][0].filter((_, k) => wordOf(at, k) === undefined))]],
    ],
  },
  View,
  sentence,
  code: (at) => ({
    parts: [
      "masked_softmax(X, torch.tensor([",
      {
        name: "code.valid_lens[0]",
        value: length(at),
        low: 0,
        high: at.scores[0][0].length,
        change: (n) => ({ valid_lens: [n] }),
      },
      "]))",
    ],
    output: torchText(at.attention_weights),
  }),
  program: ({ words: sentence, before, scores, valid_lens }, t) =>
    program(
      t,
      ["from attention_lib import length_mask, masked_softmax"],
      [
        floats("scores", scores),
        integers("valid_lens", valid_lens),
        "",
        "mask = length_mask(valid_lens, *scores.shape[1:])",
        "attention_weights = masked_softmax(scores, valid_lens)",
        ...(before
          ? [
              "padding = torch.ones(scores.shape[-1])",
              `padding[${before}:${before + sentence.length}] = 0`,
              "padding_share = (attention_weights * padding).sum(dim=-1, keepdim=True)",
            ]
          : [
              `padding_share = attention_weights[:, :, ${sentence.length}:].sum(dim=-1, keepdim=True)`,
            ]),
      ],
    ),
});

/** Describes the words by weight, then the share of the padding. */
function sentence(at: At, t: Translate): string {
  const weights = at.attention_weights[0][0];
  const query = at.words[at.query];
  const lost = at.padding_share[0][0][0];
  if (length(at) === 0) return t("readsNothing", { query });
  const words = range(at.words.length).map((i) => at.before + i);
  const order = words.filter((k) => weights[k] > 0);
  order.sort((a, b) => weights[b] - weights[a]);
  const shares = order.map((k) =>
    t("readsShare", { share: percent(weights[k]), word: wordOf(at, k)! }),
  );
  const list = shares.join(t("comma"));
  const rest = [
    lost > 0 ? t("paddingTakes", { share: percent(lost) }) : t("paddingGetsNothing"),
    length(at) < at.before + at.words.length ? t("wordsLost") : "",
  ];
  const read = order.length ? t("reads", { query, list }) : t("readsNoWord", { query });
  return [read, ...rest].filter(Boolean).join(t("space"));
}

function View({ figure }: { figure: Figure<State, Stages> }) {
  const { at, t, revealed } = figure;
  const scores = at.scores[0][0];
  const weights = at.attention_weights[0][0];
  const all = range(scores.length);
  const middle = (k: number) => (k + 0.5) / all.length;
  const isPad = (k: number) => wordOf(at, k) === undefined;
  const asks = at.before + at.query;
  const isOff = (k: number) => k >= length(at);
  const cell = (row: number, k: number) => ({
    style: { gridArea: `${row} / ${k + 2}` },
    "data-pad": isPad(k) ? "" : undefined,
    "data-masked": isOff(k) ? "" : undefined,
  });
  return (
    <div class="columns" data-many={dataMany(all.length)} style={{ "--number": all.length }}>
      <span class="role" style={{ gridRow: 1 }}>
        {t("query")}
      </span>
      <div class="query-word" style={{ gridArea: `1 / ${asks + 2}` }}>
        {at.words[at.query]}
      </div>
      <div class="across">
        <Arcs
          arcs={all.map((k) => ({
            from: middle(asks),
            to: middle(k),
            weight: weights[k],
            padding: isPad(k),
          }))}
          height={HEIGHT}
          open={revealed.value}
          label={t("attentionOf")}
        />
      </div>
      <span class="role" style={{ gridRow: 3 }}>
        {t("keys")}
      </span>
      {all.map((k) => (
        <div class="key-word" data-place={k} {...cell(3, k)}>
          {wordOf(at, k) ?? t("pad")}
        </div>
      ))}
      <span class="role" style={{ gridRow: 4 }}>
        {t("score")}
      </span>
      {all.map((k) => (
        <div class="number-cell" {...cell(4, k)}>
          {isOff(k) ? (
            "−∞"
          ) : (
            <NumberField
              figure={figure}
              name={`scores[0][0][${k}]`}
              value={scores[k]}
              change={(x) =>
                figure.set({ scores: [[scores.map((score, i) => (i === k ? x : score))]] })
              }
            />
          )}
        </div>
      ))}
      <span class="role" style={{ gridRow: 5 }}>
        {t("weight")}
      </span>
      {all.map((k) => (
        <WeightBar figure={figure} weight={weights[k]} at={[0, 0, k]} {...cell(5, k)} />
      ))}
      <div class="overlay">
        <Edge
          main
          name="valid_lens[0]"
          label="valid_lens[0]"
          title={t("dragEdge")}
          value={length(at)}
          max={all.length}
          change={(n) => figure.set({ valid_lens: [n] })}
        />
      </div>
    </div>
  );
}

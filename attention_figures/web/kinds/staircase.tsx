// Shows causal masking: every word reads the words up to itself, with a length per query to drag: the
// staircase figure.
import { Edge } from "../controls/edge.tsx";
import { sameShape, indexBelow, validLengths } from "../core/checks.ts";
import type { Figure } from "../core/figure.ts";
import { formatNumber, percent, torchText } from "../core/format.ts";
import { declare } from "../core/kind.ts";
import type { Translate } from "../core/strings.ts";
import { lengthMask, maskedSoftmax } from "../maths/softmax.ts";
import { range, type Matrix, type Tensor } from "../maths/tensor.ts";
import { floats, integers, program } from "../export/python.ts";
import { WeightSquare } from "../views/weight_square.tsx";
import { dataMany } from "../views/data_many.ts";
import "../styles/words.css";

interface State {
  words: string[];
  scores: Tensor; // (1, N, N)
  valid_lens: Matrix; // (1, N)
  row: number; // the query that the caption describes
}

interface Stages {
  mask: Tensor;
  attention_weights: Tensor;
}

type At = Readonly<State & Stages>;

export default declare<State, Stages>({
  name: "staircase",
  state: {
    valid_lens: (got, about) =>
      Array.isArray((got as unknown[])?.[0])
        ? validLengths<State>(({ words: { length } }) => [1, length, length])(got, about)
        : ["refusedForm"],
    scores: sameShape(),
  },
  fixed: ["words"],
  localised: ["words"],
  viewState: { row: { initial: 0, check: indexBelow<State>(({ words }) => words.length) } },
  stages: {
    mask: ({ valid_lens, words }) => lengthMask(valid_lens, words.length, words.length),
    attention_weights: ({ scores, valid_lens }) => maskedSoftmax(scores, valid_lens),
  },
  View,
  sentence,
  code: ({ valid_lens, words, attention_weights }) => ({
    parts: [
      "masked_softmax(X, torch.tensor([[",
      ...valid_lens[0].flatMap((value, q) => [
        ...(q ? [", "] : []),
        {
          name: `code.valid_lens[0][${q}]`,
          value,
          low: 0,
          high: words.length,
          change: (n: number) => ({ valid_lens: [valid_lens[0].with(q, n)], row: q }),
        },
      ]),
      "]]))",
    ],
    output: torchText(attention_weights),
  }),
  program: ({ scores, valid_lens }, t) =>
    program(
      t,
      ["from attention_lib import length_mask, masked_softmax"],
      [
        floats("scores", scores),
        integers("valid_lens", valid_lens),
        "",
        "mask = length_mask(valid_lens, *scores.shape[1:])",
        "attention_weights = masked_softmax(scores, valid_lens)",
      ],
    ),
});

/** Describes what the selected word reads, and what is masked. */
function sentence({ row, words, valid_lens, attention_weights }: At, t: Translate): string {
  const weights = attention_weights[0][row];
  const length = valid_lens[0][row];
  const query = words[row];
  if (length === 0) return t("readsNothing", { query });
  const order = range(length).sort((a, b) => weights[b] - weights[a]);
  const shares = order.map((k) => t("readsShare", { share: percent(weights[k]), word: words[k] }));
  const unseen = [...new Set(words.slice(length))].map((word) => t("quoted", { word }));
  return [
    t("reads", { query, list: shares.join(t("comma")) }),
    unseen.length ? t("unseen", { list: unseen.join(t("comma")) }) : "",
    length > row + 1 ? t("looksAhead", { query }) : "",
  ]
    .filter(Boolean)
    .join(t("space"));
}

function View({ figure }: { figure: Figure<State, Stages> }) {
  const { at, t } = figure;
  const size = at.words.length;
  const weights = at.attention_weights[0];
  return (
    <div class="columns stairs" data-many={dataMany(size)} style={{ "--number": size }}>
      <span class="role" style={{ gridRow: 1 }}>
        {t("queryByKey")}
      </span>
      {at.words.map((word, k) => (
        <div class="key-word" data-place={k} style={{ gridArea: `1 / ${k + 2}` }}>
          {word}
        </div>
      ))}
      {at.words.map((word, q) => (
        <>
          <button
            type="button"
            class="query-word"
            style={{ gridArea: `${q + 2} / 1` }}
            data-control={`row[${q}]`}
            aria-pressed={q === at.row}
            onClick={() => figure.set({ row: q })}
          >
            {word}
          </button>
          {weights[q].map((weight, k) => (
            <WeightSquare
              figure={figure}
              weight={weight}
              at={[0, q, k]}
              masked={k >= at.valid_lens[0][q]}
              text={formatNumber(weight)}
              style={{ gridArea: `${q + 2} / ${k + 2}` }}
            />
          ))}
          <div class="overlay" style={{ gridArea: `${q + 2} / 2 / auto / -1` }}>
            <Edge
              main={q === 0}
              name={`valid_lens[0][${q}]`}
              label={`valid_lens[0][${q}]`}
              title={t("dragEdge")}
              value={at.valid_lens[0][q]}
              max={size}
              change={(n) => figure.set({ valid_lens: [at.valid_lens[0].with(q, n)], row: q })}
            />
          </div>
        </>
      ))}
    </div>
  );
}

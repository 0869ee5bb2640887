// Shows how broadcasting adds every transformed query to every transformed key: the broadcasting figure.
import { NumberField } from "../controls/number.tsx";
import { Slider } from "../controls/slider.tsx";
import { sameShape, indexBelow } from "../core/checks.ts";
import type { Figure } from "../core/figure.ts";
import { formatNumber, percent, torchText } from "../core/format.ts";
import { declare } from "../core/kind.ts";
import { softmax } from "../maths/softmax.ts";
import { product, type Matrix, type Tensor } from "../maths/tensor.ts";
import { program, tensors } from "../export/python.ts";
import { keyName, Pairs, queryName, type PairState } from "../views/pairs.tsx";
import "../styles/words.css";
import "../styles/pairs.css";

/** Queries and keys are already transformed, W_q q and W_k k: (1, Q, H) and (1, K, H). */
interface State extends PairState {
  w_v: Matrix; // (1, H)
}

interface Stages {
  /** The sum of the selected pair, its tanh, and that times w_v: (1, 1, H). */
  pair: Tensor;
  hidden: Tensor;
  terms: Tensor;
  scores: Tensor;
  attention_weights: Tensor;
}

type At = Readonly<State & Stages>;

const VECTORS = { queries: "W_q(queries)", keys: "W_k(keys)" };

const added = (a: number[], b: number[]) => a.map((x, h) => x + b[h]);

export default declare<State, Stages>({
  name: "broadcasting",
  state: {
    queries: sameShape(),
    keys_: sameShape(),
    w_v: sameShape(),
    query: indexBelow(({ queries }: State) => queries[0].length),
    key: indexBelow(({ keys_ }: State) => keys_[0].length),
  },
  fixed: ["names", "query_names"],
  localised: ["names", "query_names"],
  stages: {
    pair: ({ queries, keys_, query, key }) => [[added(queries[0][query], keys_[0][key])]],
    hidden: ({ pair }) => [[pair[0][0].map(Math.tanh)]],
    terms: ({ hidden, w_v }) => [[hidden[0][0].map((x, h) => x * w_v[0][h])]],
    scores: ({ queries, keys_, w_v }) => [
      queries[0].map((q) => keys_[0].map((k) => product(w_v[0], added(q, k).map(Math.tanh)))),
    ],
    attention_weights: ({ scores }) => softmax(scores),
  },
  View,
  sentence: (at, t) =>
    t("pairScores", {
      query: queryName(at, at.query),
      key: keyName(at, at.key),
      score: formatNumber(at.scores[0][at.query][at.key]),
      share: percent(at.attention_weights[0][at.query][at.key]),
    }),
  code: (at) => ({
    parts: ["torch.tanh(W_q(queries).unsqueeze(2) + W_k(keys).unsqueeze(1)) @ w_v[0]"],
    output: torchText(at.scores),
  }),
  program: (at, t) =>
    program(
      t,
      [],
      [
        ...tensors(at, ["queries", "keys_", "w_v"]),
        `query, key = ${at.query}, ${at.key}`,
        "",
        "sums = queries.unsqueeze(2) + keys.unsqueeze(1)",
        "pair = sums[:, query, [key]]",
        "hidden = torch.tanh(pair)",
        "terms = hidden * w_v",
        "scores = torch.tanh(sums) @ w_v[0]",
        "attention_weights = torch.softmax(scores, dim=-1)",
      ],
    ),
  columns: ({ keys_ }) => ({
    keys: keys_[0].length,
    columns: keys_[0].length + keys_[0][0].length,
  }),
});

/** Describes the sum of the pair and its score. */
function shapes({ queries, keys_ }: At): string {
  const [numQueries, numKeys, size] = [queries[0].length, keys_[0].length, keys_[0][0].length];
  const sum = `(1, ${numQueries}, 1, ${size}) + (1, 1, ${numKeys}, ${size})`;
  return `${sum} → (1, ${numQueries}, ${numKeys}, ${size})`;
}

function View({ figure, figure: { at, t } }: { figure: Figure<State, Stages> }) {
  return (
    <>
      <div class="controls">
        <span data-handle class="held">
          <Slider
            name="query"
            label={t("query")}
            value={at.query}
            max={at.queries[0].length - 1}
            format={(q) => queryName(at, q)}
            change={(query) => figure.set({ query })}
          />
        </span>
        <Slider
          name="key"
          label={t("key")}
          value={at.key}
          max={at.keys_[0].length - 1}
          format={(k) => keyName(at, k)}
          change={(key) => figure.set({ key })}
        />
        <code class="shapes">{shapes(at)}</code>
      </div>
      <div class="pair-in-terms">
        <Pairs figure={figure} label="scores[0]" matrix={at.scores[0]} vectors={VECTORS} />
        <Terms figure={figure} />
      </div>
    </>
  );
}

/** Computes the pair's score from its two vectors, a column for each hidden unit. */
function Terms({ figure, figure: { at, t, revealed } }: { figure: Figure<State, Stages> }) {
  const unlessHidden = (x: number) => (revealed.value ? formatNumber(x) : "?");
  const [w_v] = at.w_v;
  const place = (row: number, col: number) => ({ style: { gridArea: `${row} / ${col}` } });
  const rows: [string, number[], boolean][] = [
    ["W_q q", at.queries[0][at.query], false],
    ["+ W_k k", at.keys_[0][at.key], false],
    [`= ${t("sum")}`, at.pair[0][0], true],
    ["tanh", at.hidden[0][0], true],
  ];
  return (
    <div class="columns terms" style={{ "--number": w_v.length + 1 }}>
      {rows.map(([name, numbers, reveals], i) => (
        <>
          <span class="role" style={{ gridRow: i + 1 }}>
            {name}
          </span>
          {numbers.map((x, h) => (
            <output
              class="number-cell"
              data-tells={reveals ? "" : undefined}
              {...place(i + 1, h + 2)}
            >
              {reveals ? unlessHidden(x) : formatNumber(x)}
            </output>
          ))}
        </>
      ))}
      <span class="role" style={{ gridRow: 5 }}>
        × w_v
      </span>
      {w_v.map((x, h) => (
        <div class="number-cell" {...place(5, h + 2)}>
          <NumberField
            figure={figure}
            name={`w_v[0][${h}]`}
            value={x}
            change={(value) => figure.set({ w_v: [w_v.with(h, value)] })}
          />
        </div>
      ))}
      <span class="role" style={{ gridRow: 6 }}>
        = {t("terms")}
      </span>
      {at.terms[0][0].map((x, h) => (
        <output class="number-cell" data-tells {...place(6, h + 2)}>
          {unlessHidden(x)}
        </output>
      ))}
      <output class="number-cell wide" data-tells {...place(6, w_v.length + 2)}>
        → {unlessHidden(at.scores[0][at.query][at.key])}
      </output>
    </div>
  );
}

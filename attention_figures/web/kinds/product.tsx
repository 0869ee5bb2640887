// Multiplies queries by keys and adds up the terms of one product as d grows: the product figure.
import { Slider } from "../controls/slider.tsx";
import { sameShape, indexBelow, oneOf } from "../core/checks.ts";
import type { Figure } from "../core/figure.ts";
import { formatNumber, percent, torchText } from "../core/format.ts";
import { declare } from "../core/kind.ts";
import { dot } from "../maths/scores.ts";
import { softmax } from "../maths/softmax.ts";
import { byRow, cumulativeSums, range, type Tensor } from "../maths/tensor.ts";
import { program, tensors } from "../export/python.ts";
import { NumberLine } from "../views/number_line.tsx";
import { keyName, Pairs, queryName, type PairState } from "../views/pairs.tsx";
import "../styles/pairs.css";

interface State extends PairState {
  /** The number of components that count. */
  d: number;
  /** Shows only the matrices. */
  compact: boolean;
  /** Whether the scores are the products divided by √d, or the products themselves. */
  scaled: boolean;
}

interface Stages {
  /** Of the selected pair: (1, 1, d). */
  terms: Tensor;
  partial_sums: Tensor;
  products: Tensor;
  scores: Tensor;
  attention_weights: Tensor;
}

type At = Readonly<State & Stages>;

const largest = ({ queries }: State) => queries[0][0].length;

/** All terms of the selected pair, including those that do not count. */
const termsOf = ({ queries, keys_, query, key }: State) =>
  queries[0][query].map((x, i) => x * keys_[0][key][i]);

export default declare<State, Stages>({
  name: "product",
  state: {
    queries: sameShape(),
    keys_: sameShape(),
    d: oneOf((state: State) => range(largest(state)).map((i) => i + 1)),
    query: indexBelow(({ queries }: State) => queries[0].length),
    key: indexBelow(({ keys_ }: State) => keys_[0].length),
  },
  fixed: ["names", "query_names", "compact", "scaled"],
  localised: ["names", "query_names", "compact", "scaled"],
  stages: {
    terms: (at) => [[termsOf(at).slice(0, at.d)]],
    partial_sums: ({ terms }) => byRow(terms, cumulativeSums),
    products: ({ queries, keys_, d }) =>
      dot(
        byRow(queries, (row) => row.slice(0, d)),
        keys_,
      ),
    scores: ({ products, d, scaled }) =>
      scaled ? byRow(products, (row) => row.map((x) => x / Math.sqrt(d))) : products,
    attention_weights: ({ scores }) => softmax(scores),
  },
  View,
  sentence: (at, t) =>
    t(at.scaled ? "termsAddUp" : "termsAddUpOnly", {
      d: at.d,
      query: queryName(at, at.query),
      key: keyName(at, at.key),
      sum: formatNumber(at.products[0][at.query][at.key]),
      scaled: formatNumber(at.scores[0][at.query][at.key]),
      share: percent(at.attention_weights[0][at.query][at.key]),
    }),
  code: (at) => ({
    parts: [
      "queries[..., :",
      {
        name: "code.d",
        value: at.d,
        low: 1,
        high: largest(at),
        change: (d) => ({ d }),
      },
      `] @ keys[..., :${at.d}].mT`,
    ],
    output: torchText(at.products),
  }),
  program: (at, t) =>
    program(
      t,
      [],
      [
        ...tensors(at, ["queries", "keys_"]),
        `d, query, key = ${at.d}, ${at.query}, ${at.key}`,
        "",
        "terms = queries[:, [query], :d] * keys[:, [key], :d]",
        "partial_sums = terms.cumsum(-1)",
        "products = queries[..., :d] @ keys[..., :d].mT",
        at.scaled ? "scores = products / d**0.5" : "scores = products",
        "attention_weights = torch.softmax(scores, dim=-1)",
      ],
    ),
  columns: ({ keys_ }) => ({
    keys: keys_[0].length,
    columns: keys_[0].length + keys_[0][0].length,
  }),
});

function View({ figure, figure: { at, t } }: { figure: Figure<State, Stages> }) {
  const most = largest(at);
  return (
    <>
      <div class="controls">
        {!at.compact && (
          <span data-handle class="held">
            <Slider name="d" value={at.d} min={1} max={most} change={(d) => figure.set({ d })} />
          </span>
        )}
        <span data-handle={at.compact ? "" : undefined} class={at.compact ? "held" : ""}>
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
      </div>
      <Pairs figure={figure} label="queries @ keys.T" matrix={at.products[0]} used={at.d}>
        {!at.compact && (
          <div class="adding-up" data-tells>
            <NumberLine
              label={t("termsOnLine")}
              domain={cumulativeSums(termsOf(at))}
              sums={at.partial_sums[0][0]}
              landmarks={landmarks(at, t("sum"))}
            />
          </div>
        )}
      </Pairs>
    </>
  );
}

function landmarks({ d, query, key, products, scores, scaled }: At, sum: string) {
  const [whole, part] = [products[0][query][key], scores[0][query][key]];
  return [
    { class: "whole", text: `${sum} ${formatNumber(whole)}`, value: whole },
    ...(scaled
      ? [{ class: "part", text: `${sum} / √${d} ${formatNumber(part)}`, value: part }]
      : []),
  ];
}

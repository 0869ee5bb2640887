// Plots the distribution of an output under dropout: the figure of dropout's spread.
import { ChanceSlider, draggedChance, isChance } from "../controls/dropping.tsx";
import { NumberField } from "../controls/number.tsx";
import { sameShape } from "../core/checks.ts";
import type { Figure } from "../core/figure.ts";
import { formatNumber, plainNumber, torchText } from "../core/format.ts";
import { declare } from "../core/kind.ts";
import type { Translate } from "../core/strings.ts";
import { axisOf } from "../maths/axis.ts";
import { allSums, standardError } from "../maths/dropout.ts";
import { softmax } from "../maths/softmax.ts";
import { byRow, pool, sum, type Tensor, type Vector } from "../maths/tensor.ts";
import { program, pythonFloat, remark, tensors } from "../export/python.ts";
import { Bars } from "../views/bars.tsx";
import {
  KeyGrid,
  queryName,
  resultCell,
  weightRow,
  type GridRow,
  type Names,
} from "../views/key_grid.tsx";
import { withNumber } from "../views/number_grid.tsx";
import { Plot } from "../views/plot.tsx";
import "../styles/dropout.css";

interface State extends Names {
  scores: Tensor; // (1, Q, K)
  values: Tensor; // (1, K, 1)
  p: number;
}

interface Stages {
  attention_weights: Tensor;
  eval_output: Tensor;
  output_std: Tensor;
}

type At = Readonly<State & Stages>;
type Props = { figure: Figure<State, Stages> };
const MOST_NAMED = 4; // rows that the caption names

const squares = (tensor: Tensor) => byRow(tensor, (row) => row.map((x) => x * x));

export default declare<State, Stages>({
  name: "dropout_spread",
  state: { scores: sameShape(), values: sameShape(), p: isChance },
  fixed: ["query_names", "key_names"],
  localised: ["query_names", "key_names"],
  stages: {
    attention_weights: ({ scores }) => softmax(scores),
    eval_output: ({ attention_weights, values }) => pool(attention_weights, values),
    output_std: (at) =>
      byRow(pool(squares(at.attention_weights), squares(at.values)), (row) =>
        row.map((x) => Math.sqrt(x) * standardError(at.p)),
      ),
  },
  View,
  sentence,
  code: ({ p, values, output_std }) => ({
    parts: [
      "(",
      draggedChance(p),
      " / (1 - ",
      draggedChance(p, "code.p[1]"),
      areOnes(values)
        ? ") * attention_weights**2).sum(-1).sqrt()"
        : ") * attention_weights**2 @ values**2).sqrt()",
    ],
    output: torchText(areOnes(values) ? output_std.map((rows) => rows.flat()) : output_std),
  }),
  program: (at, t) =>
    program(
      t,
      [],
      [
        ...tensors(at, ["scores", "values"]),
        `p = ${pythonFloat(at.p)}`,
        "",
        "attention_weights = torch.softmax(scores, dim=-1)",
        remark("eval_output = attention_weights @ values", t("withoutDropout")),
        "output_std = (p / (1 - p) * (attention_weights**2 @ values**2)).sqrt()",
      ],
    ),
  columns: ({ scores }) => ({ keys: scores[0][0].length, columns: scores[0][0].length + 2 }),
});

/** Describes the mean and the standard deviation of each row's output. */
function sentence(at: At, t: Translate): string {
  const rows = at.eval_output[0].slice(0, MOST_NAMED).map(([mean], q) =>
    t("meanAndStd", {
      row: queryName(at, q),
      mean: formatNumber(mean),
      std: formatNumber(at.output_std[0][q][0]),
    }),
  );
  return t(areOnes(at.values) ? "sumsSpread" : "outputsSpread", {
    list: rows.join(t("comma")),
  });
}

/** Whether all values are 1, so that a row's output is its sum. */
const areOnes = (values: Tensor) => values.flat(2).every((x) => x === 1);

function View({ figure }: Props) {
  return (
    <div>
      <div class="controls">
        <span data-handle class="held">
          <ChanceSlider figure={figure} />
        </span>
      </div>
      {!areOnes(figure.initialState.values as Tensor) && <Rows figure={figure} />}
      <Spread figure={figure} />
    </div>
  );
}

/** Shows the weights of each query, and below them the editable values. */
function Rows({ figure, figure: { at, t } }: Props) {
  const rows: GridRow[] = at.eval_output[0].map(([output], q) => ({
    ...weightRow(figure, q, queryName(at, q)),
    result: resultCell(figure, "eval_output", output),
  }));
  rows.push({
    name: t("value"),
    cell: (k, style) => (
      <div class="number-cell" style={style}>
        <NumberField
          figure={figure}
          name={`values[0][${k}][0]`}
          value={at.values[0][k][0]}
          change={(x) => figure.set({ values: withNumber(at.values, 0, k, 0, x) })}
        />
      </div>
    ),
  });
  return (
    <KeyGrid
      names={at}
      numKeys={at.scores[0][0].length}
      rows={rows}
      after="0.6rem 3.1rem"
      resultName={t("output")}
      look="bare"
    />
  );
}

const ROW = 66; // of one query
const CERTAIN = ROW - 26; // height of a bar of probability 1
const PROBABILITIES = [0, 0.5, 1]; // marked beside each row
const BAR = 5;
const PLACES = 60; // positions of bars
const LEAST = 0.5; // up to this p the axis does not change

/** Plots the distribution of each output: bars as high as the probability. */
function Spread({ figure: { at, t } }: Props) {
  const { p } = at;
  const terms = at.attention_weights[0].map((row) => row.map((x, k) => x * at.values[0][k][0]));
  const reach = terms.flatMap((row) => [1, -1].map((sign) => far(row, sign, Math.max(p, LEAST))));
  const domain: [number, number] = [Math.min(0, ...reach), Math.max(0, ...reach) || 1];
  const height = ROW * terms.length;
  const frame = { left: 26, right: 316, top: 6, bottom: height };
  const x = axisOf(domain, [frame.left, frame.right]);
  const step = (domain[1] - domain[0]) / PLACES;
  return (
    <div class="spread" data-tells>
      <Plot
        label={t(areOnes(at.values) ? "rowSums" : "output")}
        size={[330, height + 32]}
        frame={frame}
        x={x}
        name={t(areOnes(at.values) ? "rowSum" : "output")}
        beside={t("chanceAsHeight")}
      >
        {terms.map((row, q) => {
          const base = ROW * (q + 1) - 8;
          const chances = new Map<number, number>();
          for (const [total, chance] of allSums(row, p)) {
            const bin = Math.round(total / step);
            chances.set(bin, (chances.get(bin) ?? 0) + chance);
          }
          const bars = [...chances].map(([bin, chance]) => {
            const middle = x.place(bin * step);
            const end = base - chance * CERTAIN;
            return { from: middle - BAR / 2, to: middle + BAR / 2, end, value: chance };
          });
          const [mean, std] = [at.eval_output[0][q][0], at.output_std[0][q][0]];
          const text = `${formatNumber(mean)} ± ${formatNumber(std)}`;
          return (
            <g>
              <g class="axes" aria-hidden="true">
                {PROBABILITIES.map((chance) => (
                  <>
                    <path d={`M${frame.left} ${base - chance * CERTAIN}H${frame.right}`} />
                    <text x={frame.left - 6} y={base - chance * CERTAIN + 4} text-anchor="end">
                      {plainNumber(chance)}
                    </text>
                  </>
                ))}
              </g>
              <text x={frame.right} y={base - ROW + 20} text-anchor="end">
                {terms.length > 1
                  ? t("rowWeights", { name: queryName(at, q), weights: text })
                  : text}
              </text>
              <Bars class="weight" bars={bars} base={base} />
              <path class="stem" d={`M${x.place(mean)} ${base + 6}V${base - CERTAIN}`} />
              <path
                class="range"
                d={`M${x.place(mean - std)} ${base + 4}H${x.place(mean + std)}`}
              />
            </g>
          );
        })}
      </Plot>
    </div>
  );
}

/** The largest sum to one side, if all terms of the other sign are dropped. */
const far = (terms: Vector, sign: number, p: number) =>
  sum(terms.filter((x) => x * sign > 0)) / (1 - p);

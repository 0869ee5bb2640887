// Plots the gradients that reach each query through softmax, with and without √d.
import { draggedSize, scalingChecks, ScalingControls } from "../controls/scaling.tsx";
import type { Figure } from "../core/figure.ts";
import { formatNumber, torchText } from "../core/format.ts";
import { declare } from "../core/kind.ts";
import { axisOf, bentAxis, type Point } from "../maths/axis.ts";
import { scoresOf, sizesOf, type ScalingState } from "../maths/scaling.ts";
import { softmax } from "../maths/softmax.ts";
import { firstComponents, median, queryGradients } from "../maths/statistics.ts";
import { mean, type Matrix, type Tensor, type Vector } from "../maths/tensor.ts";
import { divisor, scalingProgram } from "../export/scaling.ts";
import { Curve } from "../views/curve.tsx";
import { Plot } from "../views/plot.tsx";
import "../styles/scaling.css";

interface Stages {
  scores: Tensor;
  attention_weights: Tensor;
  query_gradients: Tensor; // (1, 1, Q)
  mean_and_median: Tensor; // (1, 2, sizes)
}

type Props = { figure: Figure<ScalingState, Stages> };

const placeOf = (state: ScalingState) => sizesOf(state).indexOf(state.d);

/** Computes the gradients by the first d components, for each d. */
const gradientsOf = (state: ScalingState, scaled: boolean): Matrix =>
  sizesOf(state).map((d) =>
    queryGradients(
      firstComponents(state.queries, d),
      firstComponents(state.keys_, d),
      scaled ? 1 / Math.sqrt(d) : 1,
    ),
  );

export default declare<ScalingState, Stages>({
  name: "scaling_gradients",
  state: scalingChecks,
  fixed: [],
  stages: {
    scores: scoresOf,
    attention_weights: ({ scores }) => softmax(scores),
    query_gradients: (at) => [[gradientsOf(at, at.scaled)[placeOf(at)]]],
    mean_and_median: (at) => {
      const rows = gradientsOf(at, at.scaled);
      return [[rows.map(mean), rows.map(median)]];
    },
  },
  View,
  sentence: (at, t) => {
    const [own, middle] = at.mean_and_median[0].map((row) => formatNumber(row[placeOf(at)]));
    const numbers = { d: at.d, mean: own, median: middle };
    return t(at.scaled ? "gradientsDivided" : "gradientsUndivided", numbers);
  },
  code: (at) => ({
    parts: [
      "def weights(q):\n",
      `    return (q @ keys[0, :, :${at.d}].T${divisor(at)}).softmax(-1)\n`,
      "jacobians = vmap(jacrev(weights))(queries[0, :, :",
      draggedSize(at),
      "])\njacobians.norm(dim=(1, 2)).median()",
    ],
    output: torchText(at.mean_and_median[0][1][placeOf(at)]),
  }),
  program: (at, t) =>
    scalingProgram(at, t, (score) => [
      "attention_weights = torch.softmax(scores, dim=-1)",
      "",
      `# ${t("queryGradients")}`,
      `score_of = lambda query: ${score}(query[None, None], keys)[0, 0]`,
      "to_query = torch.func.jacrev(lambda query: torch.softmax(score_of(query), dim=-1))",
      "query_gradients = torch.linalg.matrix_norm(torch.func.vmap(to_query)(queries[0]))",
      "mean_and_median = torch.stack([query_gradients.mean(), query_gradients.quantile(0.5)])",
    ]),
  columns: ({ keys_ }) => ({ keys: keys_[0].length, columns: 2 * keys_[0].length }),
});

function View({ figure }: Props) {
  return (
    <div class="scaling">
      <ScalingControls figure={figure} />
      <QueryGradients figure={figure} />
    </div>
  );
}

const WIDE: Point = [330, 216];
const WIDE_FRAME = { left: 32, right: 272, top: 20, bottom: 182 };

/** Plots each query's gradient norm against d, with mean and median. */
function QueryGradients({ figure: { at, t } }: Props) {
  const { left, right, top, bottom } = WIDE_FRAME;
  const sizes = sizesOf(at);
  const most = Math.max(...gradientsOf(at, false).flat(), 1e-9);
  const x = bentAxis([1, Math.max(2, sizes.at(-1)!)], [left + 6, right], powers(sizes), Math.log2);
  const y = axisOf([0, 1.05 * most], [bottom, top]);
  const [means, medians] = at.mean_and_median[0];
  const [meanEnd, medianEnd] = endsApart(y.place(means.at(-1)!), y.place(medians.at(-1)!));
  return (
    <div class="alone" data-tells>
      <Plot
        label={t("queryGradients")}
        size={WIDE}
        frame={WIDE_FRAME}
        x={x}
        y={y}
        name="d"
        beside={t("queryGradients")}
      >
        {gradientsOf(at, at.scaled).map((row, i) =>
          row.map((norm, q) => (
            <circle
              key={`${i},${q}`}
              class={sizes[i] === at.d ? "one-query now" : "one-query"}
              r={sizes[i] === at.d ? 4 : 2.5}
              cx={x.place(sizes[i])}
              cy={y.place(norm)}
            />
          )),
        )}
        <Curve class="mean" points={means.map((m, i) => ({ x: sizes[i], y: m }))} x={x} y={y} />
        <Curve class="median" points={medians.map((m, i) => ({ x: sizes[i], y: m }))} x={x} y={y} />
        <text class="mean-name" x={right + 6} y={meanEnd}>
          {t("mean")}
        </text>
        <text class="median-name" x={right + 6} y={medianEnd}>
          {t("median")}
        </text>
      </Plot>
    </div>
  );
}

/** Places two labels beside the ends of their lines, a line of text apart. */
function endsApart(mean: number, median: number): Vector {
  const apart = Math.max(0, 14 - Math.abs(mean - median)) / 2;
  const sign = mean <= median ? -1 : 1; // the mean is above
  return [mean + sign * apart + 4, median - sign * apart + 4];
}

const powers = (sizes: number[]) => sizes.filter((d) => Number.isInteger(Math.log2(d)));

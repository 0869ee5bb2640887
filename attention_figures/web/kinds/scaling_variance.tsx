// Plots the distribution of dot products with and without √d, and a row of their softmax.
import { scalingChecks, ScalingControls } from "../controls/scaling.tsx";
import type { Figure } from "../core/figure.ts";
import { formatNumber, shortNumber } from "../core/format.ts";
import { declare } from "../core/kind.ts";
import { axisOf, type Point } from "../maths/axis.ts";
import {
  expectedDeviation,
  expectedVariance,
  largestSize,
  scoresOf,
  type ScalingState,
} from "../maths/scaling.ts";
import { softmax } from "../maths/softmax.ts";
import { histogram, meanAndVariance } from "../maths/statistics.ts";
import { range, type Tensor } from "../maths/tensor.ts";
import { codeOfVariance, scalingProgram } from "../export/scaling.ts";
import { Bars } from "../views/bars.tsx";
import { Curve } from "../views/curve.tsx";
import { lowerOnPhone, Plot } from "../views/plot.tsx";
import { WeightBar } from "../views/weight_bar.tsx";
import "../styles/words.css";
import "../styles/scaling.css";

interface State extends ScalingState {
  /** Names of the keys; may be empty. */
  names: string[];
}

interface Stages {
  scores: Tensor;
  mean_and_variance: Tensor; // (1, 1, 2)
  histogram: Tensor; // (1, 1, 33)
  attention_weights: Tensor;
}

type Props = { figure: Figure<State, Stages> };
const DEVIATIONS = 3; // shown to either side, of the widest spread
const CURVE = 96; // steps of the normal curve

const nameOf = ({ names }: State, k: number) => (names.length ? names[k] : `k${k}`);

export default declare<State, Stages>({
  name: "scaling_variance",
  state: scalingChecks,
  fixed: ["names"],
  localised: ["names"],
  stages: {
    scores: scoresOf,
    mean_and_variance: ({ scores }) => meanAndVariance(scores),
    histogram: (at) => histogram(at.scores, expectedDeviation(at)),
    attention_weights: ({ scores }) => softmax(scores),
  },
  View,
  sentence: (at, t) => {
    const [first] = at.attention_weights[0];
    const most = Math.max(...first);
    return t(at.scaled ? "dividedRowSays" : "undividedRowSays", {
      d: at.d,
      variance: formatNumber(at.mean_and_variance[0][0][1]),
      largest: formatNumber(most),
      key: nameOf(at, first.indexOf(most)),
    });
  },
  code: codeOfVariance,
  program: (at, t) =>
    scalingProgram(at, t, () => [
      "mean, variance = scores.mean(), scores.var()",
      "attention_weights = torch.softmax(scores, dim=-1)",
      "",
      `# ${t("barsOfScores")}`,
      `bars = torch.floor(scores / ${at.scaled ? "0.5" : `(${at.d} ** 0.5 / 2)`} + 0.5 + 1e-9).clamp(-16, 16)`,
      "histogram = torch.bincount((bars + 16).long().flatten(), minlength=33)",
    ]),
  columns: ({ keys_ }) => ({ keys: keys_[0].length, columns: 2 * keys_[0].length }),
});

function View({ figure }: Props) {
  return (
    <div class="scaling">
      <ScalingControls figure={figure} />
      <Spread figure={figure} />
      <Row figure={figure} />
    </div>
  );
}

/** Shows the first query's weights. */
function Row({ figure }: Props) {
  const { at, t } = figure;
  const [weights] = at.attention_weights[0];
  return (
    <div class="row-of-weights" role="group" aria-label={t("rowOfWeights")}>
      <span class="hint">{t("rowOfWeights")}</span>
      <div class="bars-of-weights" style={{ "--number": weights.length }}>
        {weights.map((weight, k) => (
          <WeightBar key={k} figure={figure} weight={weight} at={[0, 0, k]} format={shortNumber} />
        ))}
        {weights.map((_, k) => (
          <div key={k} class="key-word upright" data-place={k}>
            <span>{nameOf(at, k)}</span>
          </div>
        ))}
      </div>
    </div>
  );
}

const SIZE: Point = [330, 244];
const FRAME = { left: 34, right: 320, top: 34, bottom: 212 };

/** Density of the normal distribution with mean 0 and variance 1. */
const normal = (z: number) => Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);

/** Draws a histogram of scores on a fixed axis, with the expected normal curve. */
function Spread({ figure: { at, t } }: Props) {
  const [size, frame] = lowerOnPhone(SIZE, FRAME, 108);
  const [counts] = at.histogram[0];
  const number = at.queries[0].length * at.keys_[0].length;
  const widest = DEVIATIONS * Math.sqrt(largestSize(at));
  const highest = Math.max(number / 4, ...counts); // of a normal bar: a fifth of the scores
  const x = axisOf([-widest, widest], [frame.left, frame.right]);
  const y = axisOf([0, 1.05 * highest], [frame.bottom, frame.top]);
  const [own, middle] = [expectedDeviation(at), (counts.length - 1) / 2];
  const bars = counts.map((count, i) => ({
    from: x.place(((i - middle - 0.5) * own) / 2),
    to: x.place(((i - middle + 0.5) * own) / 2),
    end: y.place(count),
    value: count,
  }));
  const curve = range(CURVE + 1).map((i) => {
    const z = 8 * (i / CURVE) - 4; // in deviations
    return { x: z * own, y: (number * normal(z)) / 2 };
  });
  const [measuredMean, measured] = at.mean_and_variance[0][0];
  return (
    <div class="spread-of-scores">
      <div data-tells>
        <Plot
          label={t("spread")}
          size={size}
          frame={frame}
          x={x}
          y={y}
          name={t("score")}
          beside={t("count")}
        >
          <Bars class="spread" bars={bars} base={frame.bottom} />
          <Curve class="expected" points={curve} x={x} y={y} />
          <path class="curve expected" d={`M${frame.right - 20} 18h20`} />
          <text class="expected-name" x={frame.right - 26} y={22} text-anchor="end">
            {t("normalCurve", { variance: expectedVariance(at) })}
          </text>
        </Plot>
      </div>
      <dl>
        <dt>{t("mean")}</dt>
        <dd data-tells>{formatNumber(measuredMean)}</dd>
        <dd class="hint">{t("expected", { number: 0 })}</dd>
        <dt>{t("variance")}</dt>
        <dd data-tells>{formatNumber(measured)}</dd>
        <dd class="hint" data-tells>
          {t("expected", { number: expectedVariance(at) })}
        </dd>
      </dl>
    </div>
  );
}

// Averages dropped weights over more and more draws: the figure of dropout's mean.
import {
  areDraws,
  ChanceSlider,
  codeOfDropout,
  DrawSlider,
  isChance,
  Resample,
} from "../controls/dropping.tsx";
import { sameShape, oneOf } from "../core/checks.ts";
import type { Figure } from "../core/figure.ts";
import { formatNumber, torchText } from "../core/format.ts";
import { declare } from "../core/kind.ts";
import { axisOf, type Point } from "../maths/axis.ts";
import { weightDomain } from "../maths/domains.ts";
import { distances, dropout, runningMeans, standardError } from "../maths/dropout.ts";
import { softmax } from "../maths/softmax.ts";
import { range, type Tensor } from "../maths/tensor.ts";
import { draws, floats, program, pythonFloat, remark } from "../export/python.ts";
import { Curve } from "../views/curve.tsx";
import { keyName, queryName, type Names } from "../views/key_grid.tsx";
import { HeatmapPanel } from "../views/panel.tsx";
import { Plot } from "../views/plot.tsx";
import { weightScale } from "../views/scale.tsx";
import "../styles/dropout.css";

interface State extends Names {
  scores: Tensor; // (1, Q, K)
  draws: Tensor; // (N, Q, K)
  p: number;
  /** The number of draws in the mean. */
  draw: number;
}

interface Stages {
  attention_weights: Tensor;
  mean: Tensor;
  deviation: Tensor;
  standard_error: Tensor;
  /** Distances of the means of the first draw, of the first two, and so on. */
  distances: number[];
}

type At = Readonly<State & Stages>;
type Props = { figure: Figure<State, Stages> };

/** The mean of the first n draws. */
const meansOf = ({ attention_weights, draws, p }: At, n: number) =>
  runningMeans(dropout(attention_weights, draws.slice(0, n), p));

const largest = ({ attention_weights }: At) => Math.max(...attention_weights.flat(2));

export default declare<State, Stages>({
  name: "dropout_mean",
  state: {
    scores: sameShape(),
    draws: areDraws,
    p: isChance,
    draw: oneOf(({ draws }: State) => range(draws.length).map((n) => n + 1)),
  },
  fixed: ["query_names", "key_names"],
  localised: ["query_names", "key_names"],
  stages: {
    attention_weights: ({ scores }) => softmax(scores),
    mean: (at) => meansOf(at, at.draw).slice(-1),
    deviation: (at) => [[distances(at.mean, at.attention_weights)]],
    standard_error: (at) => [[[standardError(at.p, at.draw) * largest(at)]]],
    distances: (at) => distances(meansOf(at, at.draws.length), at.attention_weights),
  },
  View,
  sentence: (at, t) =>
    t("meanSays", {
      n: at.draw,
      far: formatNumber(at.deviation[0][0][0]),
      error: formatNumber(at.standard_error[0][0][0]),
    }),
  code: ({ p, mean }) => ({
    parts: [...codeOfDropout("attention_weights", p), ".mean(0)"],
    output: torchText(mean),
  }),
  program: (at, t) => {
    const [hundredths, divided] = draws(at.draws.slice(0, at.draw));
    return program(
      t,
      [],
      [
        floats("scores", at.scores),
        hundredths,
        remark(divided, t("upToDraw", { n: at.draw })),
        `p = ${pythonFloat(at.p)}`,
        "",
        "attention_weights = torch.softmax(scores, dim=-1)",
        "all_dropped = torch.where(draws >= p, attention_weights / (1 - p), 0.0)",
        remark("mean = all_dropped.mean(0, keepdim=True)", t("meanOfDraws", { n: at.draw })),
        remark("deviation = (mean - attention_weights).abs().max()", t("deviation")),
        `standard_error = (p / (1 - p) / ${at.draw}) ** 0.5 * attention_weights.amax()`,
      ],
    );
  },
  columns: ({ scores }) => ({ keys: scores[0][0].length, columns: scores[0][0].length + 2 }),
});

function View({ figure }: Props) {
  return (
    <div>
      <div class="controls">
        <span data-handle class="held">
          <DrawSlider figure={figure} />
        </span>
        <ChanceSlider figure={figure} />
        <Resample figure={figure} />
      </div>
      <div class="pair">
        <Mean figure={figure} />
        <Distance figure={figure} />
      </div>
    </div>
  );
}

const Mean = ({ figure, figure: { at, t } }: Props) => (
  <div class="mean-of-draws">
    <HeatmapPanel
      figure={figure}
      label={t("meanOfDraws", { n: "n" })}
      name={t("meanOfDraws", { n: at.draw })}
      matrix={at.mean[0]}
      scale={weightScale}
      heads={range(at.scores[0][0].length).map((k) => keyName(at, k))}
      sides={range(at.scores[0].length).map((q) => queryName(at, q))}
    />
  </div>
);

const SIZE: Point = [320, 190];
const FRAME = { left: 34, right: 308, top: 22, bottom: 158 };

/** Plots the distance of the mean from the stored weights against the number of draws. */
function Distance({ figure: { at, t } }: Props) {
  const x = axisOf([1, Math.max(2, at.draws.length)], [FRAME.left, FRAME.right]);
  const y = axisOf(weightDomain(at.distances), [FRAME.bottom, FRAME.top]);
  const [across, up] = [x.place(at.draw), y.place(at.distances[at.draw - 1])];
  const left = across > FRAME.right - 40;
  const expected = at.distances.map((_, i) => ({
    x: i + 1,
    y: Math.min(largest(at) * standardError(at.p, i + 1), y.domain[1]),
  }));
  const line = at.distances.map((far, i) => `${x.place(i + 1)} ${y.place(far)}`);
  return (
    <div data-tells>
      <Plot label={t("deviation")} size={SIZE} frame={FRAME} x={x} y={y} name={t("draw")}>
        <text class="name" x={FRAME.left} y={14}>
          {t("largestDeviation")}
        </text>
        <path class="curve distance" d={`M${line.join("L")}`} />
        <Curve class="truth" points={expected} x={x} y={y} />
        <circle class="now" r={5} cx={across} cy={up} />
        <text
          class="now"
          x={across + (left ? -9 : 9)}
          y={Math.max(up - 8, FRAME.top + 12)}
          text-anchor={left ? "end" : "start"}
        >
          {at.distances[at.draw - 1].toFixed(2)}
        </text>
      </Plot>
    </div>
  );
}

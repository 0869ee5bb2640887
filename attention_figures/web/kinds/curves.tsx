// Plots shares of several runs and seeds against a number such as the training step: the curves figure.
import { ListSlider } from "../controls/slider.tsx";
import { indexBelow } from "../core/checks.ts";
import type { Figure } from "../core/figure.ts";
import { percent } from "../core/format.ts";
import { declare } from "../core/kind.ts";
import { axisOf, type Point } from "../maths/axis.ts";
import { range, sum, type Tensor, type Vector } from "../maths/tensor.ts";
import { floats, program } from "../export/python.ts";
import { Curve } from "../views/curve.tsx";
import { Plot } from "../views/plot.tsx";
import "../styles/reading.css";

interface State {
  shares: Tensor; // (R, N, S)
  numbers: Vector;
  runs: string[];
  axis: string;
  about: string;
  point: number;
}

interface Stages {
  mean: Tensor; // (1, R, S)
  now: Tensor; // (1, R, N)
}

const SIZE: Point = [340, 230];
const FRAME = { left: 34, right: 326, top: 20, bottom: 192 };

export default declare<State, Stages>({
  name: "curves",
  state: { point: indexBelow(({ numbers }: State) => numbers.length) },
  fixed: ["shares", "numbers", "runs", "axis", "about"],
  localised: ["runs", "axis", "about"],
  stages: {
    mean: ({ shares }) => [
      shares.map((run) => run[0].map((_, s) => sum(run.map((seed) => seed[s])) / run.length)),
    ],
    now: ({ shares, point }) => [shares.map((run) => run.map((seed) => seed[point]))],
  },
  View,
  sentence: (at, t) =>
    t("curvesSays", {
      number: at.numbers[at.point],
      axis: at.axis,
      list: at.runs
        .map((run, r) => t("curvesShare", { run, share: percent(at.mean[0][r][at.point]) }))
        .join(t("comma")),
    }),
  program: ({ shares, point }, t) =>
    program(
      t,
      [],
      [
        floats("shares", shares),
        "",
        "mean = shares.mean(1)[None]",
        `now = shares[..., ${point}][None]`,
      ],
      "mean",
    ),
});

const LOOKS = ["of-run", "of-run second", "of-run third"];

function View({ figure, figure: { at, t } }: { figure: Figure<State, Stages> }) {
  const { left, right, top, bottom } = FRAME;
  const [first, last] = [at.numbers[0], at.numbers.at(-1)!];
  const even = at.numbers.length < 6; // if few, all are labelled
  const x = axisOf([first, Math.max(last, first + 1)], [left, right]);
  const along = even ? { ...x, ticks: at.numbers } : x;
  const y = axisOf([0, 1], [bottom, top]);
  const now = x.place(at.numbers[at.point]);
  return (
    <div class="curves">
      <div class="controls">
        <span data-handle class="held">
          <ListSlider
            name="point"
            label={at.axis}
            numbers={range(at.numbers.length)}
            value={at.point}
            format={(i) => String(at.numbers[i])}
            change={(point) => figure.set({ point })}
          />
        </span>
      </div>
      <Plot
        label={at.about}
        size={SIZE}
        frame={FRAME}
        x={along}
        y={y}
        name={at.axis}
        beside={at.about}
      >
        <path class="now-line" d={`M${now} ${top}V${bottom}`} />
        {at.shares.map((run, r) => (
          <g key={r} data-tells>
            {run.length > 1 &&
              run.map((seed, n) => (
                <Curve key={n} class="one-seed" points={pointsOf(at.numbers, seed)} x={x} y={y} />
              ))}
            <Curve
              class={LOOKS[r % LOOKS.length]}
              points={pointsOf(at.numbers, at.mean[0][r])}
              x={x}
              y={y}
            />
          </g>
        ))}
      </Plot>
      <p class="curve-names">
        {at.runs.map((run, r) => (
          <span key={r}>
            <svg viewBox="0 0 36 12" aria-hidden="true">
              <path class="read-line" data-nth={r} d="M0 6H36" />
            </svg>{" "}
            {run}{" "}
            <output data-tells>
              {figure.revealed.value ? percent(at.mean[0][r][at.point]) : "?"}
            </output>
          </span>
        ))}
      </p>
      <p class="hint">{t("curvesHint")}</p>
    </div>
  );
}

const pointsOf = (numbers: Vector, shares: Vector) => numbers.map((x, i) => ({ x, y: shares[i] }));

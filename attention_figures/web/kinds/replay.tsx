// Replays the attention weights of a training, and counts the queries that have found their key: the
// replay figure.
import { Segments } from "../controls/choice.tsx";
import { ListSlider } from "../controls/slider.tsx";
import { stepNumber } from "../controls/steps.tsx";
import { indexBelow } from "../core/checks.ts";
import type { Figure } from "../core/figure.ts";
import { formatNumber, shortNumber } from "../core/format.ts";
import { declare } from "../core/kind.ts";
import { axisOf, bentAxis, widthOf, type Point } from "../maths/axis.ts";
import { range, sum, type Matrix, type Tensor, type Vector } from "../maths/tensor.ts";
import { floats, program } from "../export/python.ts";
import { Curve } from "../views/curve.tsx";
import { HeatmapPanel } from "../views/panel.tsx";
import { lowerOnPhone, Plot } from "../views/plot.tsx";
import { weightScale } from "../views/scale.tsx";
import "../styles/replay.css";

interface State {
  weights: Tensor[]; // (R, S, K, K)
  steps: Vector;
  runs: string[];
  names: string[];
  query_names: string[];
  run: number;
  step: number;
  curve: "loss" | "found";
}

interface Stages {
  attention_weights: Tensor; // (1, K, K)
  loss: Tensor; // (1, R, S)
  found: Tensor;
  lost: Tensor;
}

const [FOUND, LOST] = [0.5, 0.001];

/** Computes a number for every step of every run. */
const measured = ({ weights }: State, measure: (rows: Matrix) => number): Tensor => [
  weights.map((run) => run.map(measure)),
];
const targetWeights = (rows: Matrix): Vector => rows.map((row, i) => row[i]);
const lossOf = (rows: Matrix) =>
  sum(rows.map((row, i) => sum(row.map((x, k) => (x - Number(i === k)) ** 2)))) / 2 / rows.length;

export default declare<State, Stages>({
  name: "replay",
  state: {
    run: indexBelow(({ runs }: State) => runs.length),
    step: indexBelow(({ steps }: State) => steps.length),
  },
  fixed: ["weights", "steps", "runs", "names", "query_names", "curve"],
  localised: ["runs", "names", "query_names"],
  stages: {
    attention_weights: ({ weights, run, step }) => [weights[run][step]],
    loss: (at) => measured(at, lossOf),
    found: (at) => measured(at, (rows) => targetWeights(rows).filter((x) => x > FOUND).length),
    lost: (at) => measured(at, (rows) => targetWeights(rows).filter((x) => x < LOST).length),
  },
  View,
  sentence: ({ steps, step, run, runs, found, lost, loss, weights, curve }, t) =>
    t(curve === "loss" ? "replaySays" : "alignedSays", {
      step: steps[step],
      run: runs[run],
      found: found[0][run][step],
      lost: lost[0][run][step],
      number: weights[0][0].length,
      loss: formatNumber(loss[0][run][step]),
    }),
  code: ({ run, step, steps, found }) => ({
    parts: [`(weights[${run}, steps.index(`, stepNumber(steps, step), ")].diagonal() > 0.5).sum()"],
    output: `tensor(${found[0][run][step]})`,
  }),
  program: ({ weights, run, step }, t) =>
    program(
      t,
      [],
      [
        floats("weights", weights),
        `run, step = ${run}, ${step}`,
        "",
        "attention_weights = weights[run, step][None]",
        "wanted = weights.diagonal(dim1=-2, dim2=-1)",
        "off = weights - torch.eye(wanted.shape[-1])",
        "loss = off.square().sum((-2, -1))[None] / 2 / wanted.shape[-1]",
        "found, lost = (wanted > 0.5).sum(-1)[None], (wanted < 0.001).sum(-1)[None]",
      ],
    ),
  columns: ({ weights }) => ({ keys: weights[0][0].length, columns: weights[0][0].length }),
});

function View({ figure, figure: { at, t } }: { figure: Figure<State, Stages> }) {
  const names = (own: string[]) => (own.length ? own : undefined);
  return (
    <div class="replay" data-named={at.names.length ? "" : undefined}>
      <div class="controls">
        <span data-handle class="held">
          <ListSlider
            name="step"
            label={t(at.curve === "loss" ? "trainingStep" : "trainingEpoch")}
            numbers={range(at.steps.length)}
            value={at.step}
            format={(i) => String(at.steps[i])}
            change={(step) => figure.set({ step })}
          />
        </span>
        {at.runs.length > 1 && (
          <Segments
            name="run"
            label={t(at.curve === "loss" ? "run" : "trainedHow")}
            value={String(at.run)}
            choices={range(at.runs.length).map(String)}
            format={(run) => at.runs[Number(run)]}
            change={(run) => figure.set({ run: Number(run) })}
          />
        )}
      </div>
      <HeatmapPanel
        figure={figure}
        label="attention_weights[0]"
        matrix={at.attention_weights[0]}
        scale={weightScale}
        example={0}
        format={shortNumber}
        heads={names(at.names)}
        sides={names(at.query_names)}
        marked={(query, key) => query === key}
      />
      <Losses figure={figure} />
    </div>
  );
}

const SIZE: Point = [320, 220];
const FRAME = { left: 34, right: 310, top: 18, bottom: 186 };

/** Plots the loss of each run by step, and marks the present step. */
function Losses({ figure: { at, t } }: { figure: Figure<State, Stages> }) {
  const [size, frame] = lowerOnPhone(SIZE, FRAME, 96);
  const { left, right, top, bottom } = frame;
  const last = at.steps.at(-1)!;
  const ticks = [0, 1, 10, 100, 1000, 10000].filter((tick) => tick <= last);
  const x = bentAxis([at.steps[0], Math.max(last, 1)], [left, right], ticks, Math.log1p);
  const rows = at[at.curve][0];
  const name = t(at.curve === "loss" ? "lossByStep" : "foundByStep");
  const y = axisOf([0, 1.1 * Math.max(...rows.flat(), 1e-9)], [bottom, top]);
  const now = at.steps[at.step];
  // The curves of found keys differ at the end: their labels are there, above the best curve.
  const ends = at.curve === "found";
  const spot = ends ? at.steps.length - 1 : Math.floor((at.steps.length - 1) / 2);
  const best = Math.max(...rows.map((row) => row[spot]));
  /** Places a label where it does not cross its curve. */
  const heightOf = (row: Vector, run: number) => {
    if (!ends) return y.place(row[spot]) - 6;
    const from = x.place(at.steps[spot]) - 8 - widthOf(at.runs[run]);
    const first = at.steps.findLastIndex((step) => x.place(step) <= from);
    const along = row.slice(Math.max(0, first));
    return row[spot] < best ? y.place(Math.min(...along)) + 16 : y.place(Math.max(...along)) - 6;
  };
  return (
    <div class="losses" data-tells>
      <Plot
        label={name}
        size={size}
        frame={frame}
        x={x}
        y={y}
        name={t(at.curve === "loss" ? "trainingStep" : "trainingEpoch")}
        beside={name}
      >
        {rows.map((row, run) => (
          <g key={run}>
            <Curve
              class="by-size"
              points={row.map((y, i) => ({ x: at.steps[i], y }))}
              x={x}
              y={y}
              chosen={run === at.run}
            />
            <text
              class="by-size-name"
              x={x.place(at.steps[spot]) - (ends ? 8 : 0)}
              y={heightOf(row, run)}
              text-anchor={ends ? "end" : undefined}
              data-chosen={run === at.run ? "" : undefined}
            >
              {at.runs[run]}
            </text>
          </g>
        ))}
        <circle class="now" r={5} cx={x.place(now)} cy={y.place(rows[at.run][at.step])} />
      </Plot>
      <p class="hint">{t(at.curve === "loss" ? "foundAndLost" : "foundMeans")}</p>
    </div>
  );
}

// Dropout on attention weights: each connection with its draw, and the mean over many draws.
import type { CSSProperties, VNode } from "preact";
import { Switch } from "../controls/choice.tsx";
import { NumberField } from "../controls/number.tsx";
import { ListSlider, Slider } from "../controls/slider.tsx";
import { alike, below, between, isTrue, oneOf } from "../core/checks.ts";
import type { Figure } from "../core/figure.ts";
import { formatNumber, percent, torchText } from "../core/format.ts";
import { declare, type CodeNumber } from "../core/kind.ts";
import type { Words } from "../core/words.ts";
import { axisOf, type Point } from "../maths/axis.ts";
import { weightDomain } from "../maths/domains.ts";
import { allSums, distances, dropout, kept, runningMeans } from "../maths/dropout.ts";
import { softmax } from "../maths/softmax.ts";
import { byRow, pool, range, rowSums, sum, type Tensor, type Vector } from "../maths/tensor.ts";
import { floats, integers, program, pythonFloat, remark, tensors } from "../share/python.ts";
import { Arcs } from "../views/arcs.tsx";
import { Bars } from "../views/bars.tsx";
import { Curve } from "../views/curve.tsx";
import { isSmall } from "../views/heatmap.tsx";
import { EditablePanel, withNumber } from "../views/number_grid.tsx";
import { HeatmapPanel } from "../views/panel.tsx";
import { Plot } from "../views/plot.tsx";
import { plainScale, symmetricScale, weightScale } from "../views/scale.tsx";
import { WeightSquare } from "../views/weight_square.tsx";

interface State {
  scores: Tensor; // (T, Q, K)
  values: Tensor; // (1, K, V)
  draws: Tensor; // (N, Q, K)
  p: number;
  training: boolean;
  /** Which of the draws is looked at, from 1. */
  draw: number;
  /** Of queries and of keys, if they have any. */
  query_names: string[];
  key_names: string[];
  /** Which of the scores is looked at. */
  step: number;
  /** What is shown. */
  parts: Part[];
}

const WHOLE = [
  ...(["p", "training", "draw", "resample"] as const),
  ...(["connections", "values", "mean", "distance"] as const),
];
type Part = (typeof WHOLE)[number] | "step" | "arcs" | "weights" | "ways" | "spread";

interface Stages {
  scores_now: Tensor;
  attention_weights: Tensor;
  /** The draw that is looked at; Python calls it draws, as the trait is called here. */
  draws_now: Tensor;
  kept: Tensor;
  dropped: Tensor;
  row_sums: Tensor;
  scores_dropped: Tensor;
  renormalised: Tensor;
  output: Tensor;
  eval_output: Tensor;
  mean: Tensor;
  deviation: Tensor;
  standard_error: Tensor;
  output_std: Tensor;
  /** Of the means of the first draw, of the first two, and so on. */
  distances: number[];
}

type At = Readonly<State & Stages>;
const MOST = 0.9;
const PS = range(19).map((i) => i / 20);
const TOLD = 4; // rows that a sentence names

/** What is dropped with: in evaluation mode nothing is. */
const chance = ({ p, training }: State) => (training ? p : 0);

const partsOf = ({ parts }: State): readonly Part[] => (parts.length ? parts : WHOLE);

const shows = (at: State, part: Part) => partsOf(at).includes(part);

/** Of weight 1, for the mean of so many draws. */
const standardError = (at: State, n: number) => Math.sqrt(chance(at) / (1 - chance(at)) / n);

const isHundredths = (x: number) => Math.abs(100 * x - Math.round(100 * x)) < 1e-9;

/** Of the first n draws. */
const meansOf = (at: At, n: number) =>
  runningMeans(dropout(at.attention_weights, at.draws.slice(0, n), chance(at)));

export default declare<State, Stages>({
  name: "dropout",
  state: {
    scores: alike(),
    values: alike(),
    draws: alike((x) => x >= 0 && x < 1 && isHundredths(x)),
    p: between(0, MOST),
    training: isTrue,
    draw: oneOf(({ draws }: State) => range(draws.length).map((n) => n + 1)),
    step: below(({ scores }: State) => scores.length),
  },
  fixed: ["query_names", "key_names", "parts"],
  spoken: ["query_names", "key_names"],
  stages: {
    scores_now: ({ scores, step }) => [scores[step]],
    attention_weights: ({ scores_now }) => softmax(scores_now),
    draws_now: ({ draws, draw }) => [draws[draw - 1]],
    kept: (at) => kept(at.draws_now, chance(at)),
    dropped: (at) => dropout(at.attention_weights, at.draws_now, chance(at)),
    row_sums: ({ dropped }) => rowSums(dropped),
    scores_dropped: (at) => softmax(dropout(at.scores_now, at.draws_now, chance(at))),
    renormalised: ({ dropped }) =>
      byRow(dropped, (row) => row.map((weight) => weight / (sum(row) || 1))),
    output: ({ dropped, values }) => pool(dropped, values),
    eval_output: ({ attention_weights, values }) => pool(attention_weights, values),
    mean: (at) => meansOf(at, at.draw).slice(-1),
    deviation: (at) => [[distances(at.mean, at.attention_weights)]],
    standard_error: (at) => [
      [[standardError(at, at.draw) * Math.max(...at.attention_weights.flat(2))]],
    ],
    output_std: (at) => {
      const squares = [at.attention_weights, at.values].map((x) =>
        byRow(x, (row) => row.map((y) => y * y)),
      );
      return byRow(pool(squares[0], squares[1]), (row) =>
        row.map((x) => Math.sqrt(x) * standardError(at, 1)),
      );
    },
    distances: (at) => distances(meansOf(at, at.draws.length), at.attention_weights),
  },
  View,
  sentence,
  code,
  program: (at, words) => {
    const hundredths = byRowOf(at.draws.slice(0, at.draw), (x) => Math.round(100 * x));
    const dropped = at.training
      ? "all_dropped = torch.where(draws >= p, attention_weights / (1 - p), 0.0)"
      : remark("all_dropped = attention_weights.expand(draws.shape)", words("evaluation"));
    return program(
      words,
      [],
      [
        floats("scores", at.scores_now),
        ...tensors(at, ["values"]),
        integers("hundredths", hundredths),
        remark("draws = hundredths.double() / 100", words("upToDraw", { n: at.draw })),
        `p = ${pythonFloat(at.p)}`,
        "",
        "attention_weights = torch.softmax(scores, dim=-1)",
        dropped,
        "dropped = all_dropped[-1:]",
        remark("row_sums = dropped.sum(-1, keepdim=True)", words("rowSums")),
        "renormalised = torch.where(row_sums == 0, 0.0, dropped / row_sums)",
        at.training
          ? "hit = torch.where(draws[-1:] >= p, scores / (1 - p), 0.0)"
          : remark("hit = scores", words("evaluation")),
        remark("scores_dropped = torch.softmax(hit, dim=-1)", words("dropScores")),
        "output = dropped @ values",
        remark("eval_output = attention_weights @ values", words("withoutDropout")),
        remark("mean = all_dropped.mean(0, keepdim=True)", words("meanOfDraws", { n: at.draw })),
        remark("deviation = (mean - attention_weights).abs().max()", words("deviation")),
        `odds = ${at.training ? "p / (1 - p)" : "0.0"}`,
        `standard_error = (odds / ${at.draw}) ** 0.5 * attention_weights.amax()`,
        "output_std = (odds * (attention_weights**2 @ values**2)).sqrt()",
      ],
    );
  },
  columns: ({ scores, values }) => {
    const keys = scores[0][0].length;
    return { keys, columns: keys + 2 * values[0][0].length };
  },
});

const byRowOf = (tensor: Tensor, f: (x: number) => number) =>
  byRow(tensor, (row) => row.map((x) => f(x)));

const dragged = (p: number, name = "code.p"): CodeNumber<State> => ({
  name,
  value: p,
  low: 0,
  high: MOST,
  step: 0.05,
  change: (value) => ({ p: value }),
});

const rowName = ({ query_names: names }: At, q: number) => names[q] ?? `q${q}`;
const keyName = ({ key_names: names }: At, k: number) => names[k] ?? `k${k}`;

function code(at: At) {
  const lines: Partial<Record<Part, [(string | CodeNumber<State>)[], Tensor]>> = {
    step: [["torch.softmax(scores, dim=-1)"], at.attention_weights],
    ways: [["torch.softmax(", ...dropping(at, "scores"), ", dim=-1)"], at.scores_dropped],
    spread: [
      ["(", dragged(at.p), " / (1 - ", dragged(at.p, "code.p[1]"), ")",
        " * attention_weights**2 @ values**2).sqrt()"],
      at.output_std,
    ],
    distance: [[...dropping(at, "attention_weights"), ".mean(0)"], at.mean],
    connections: [dropping(at, "attention_weights"), at.dropped],
  }; // prettier-ignore
  const order: Part[] = ["step", "ways", "spread", "connections", "distance"];
  const [parts, output] = lines[order.find((part) => shows(at, part)) ?? "connections"]!;
  return { parts, output: torchText(output) };
}

const dropping = (at: At, name: string) =>
  at.training
    ? ["torch.where(draws >= ", dragged(at.p), `, ${name} / (1 - `, dragged(at.p, "code.p[1]"), "), 0.0)"]
    : [`F.dropout(${name}, `, dragged(at.p), ", training=False)"]; // prettier-ignore

function sentence(at: At, say: Words): string {
  if (shows(at, "step")) return trained(at, say);
  if (shows(at, "spread")) return spread(at, say);
  if (!at.training) return say("evaluation");
  if (shows(at, "ways")) return ways(at, say);
  if (shows(at, "distance") && !shows(at, "connections"))
    return say("meanSays", {
      n: at.draw,
      far: formatNumber(at.deviation[0][0][0]),
      error: formatNumber(at.standard_error[0][0][0]),
    });
  const all = at.kept.flat(2);
  const sums = at.row_sums[0].flat();
  const lost = sums.flatMap((x, q) => (x === 0 ? [say("quoted", { word: rowName(at, q) })] : []));
  const told = sums.slice(0, TOLD).map((x) => `**${formatNumber(x)}**`);
  const list = told.join(say("comma")) + (sums.length > TOLD ? say("andMoreRows") : "");
  const counts = { dropped: all.length - sum(all), all: all.length, left: formatNumber(1 - at.p) };
  return [
    say("droppedNow", counts),
    say(sums.length > 1 ? "rowsSumTo" : "rowSumsTo", { list }),
    lost.length ? say("lostRows", { rows: lost.join(say("comma")) }) : "",
  ]
    .filter(Boolean)
    .join(say("space"));
}

/** What each query looks at most after a step of training. */
function trained(at: At, say: Words): string {
  const rows = at.attention_weights[0].slice(0, TOLD).map((row, q) => {
    const shares = row.map((weight) => percent(weight)).join(say("comma"));
    return say("rowHas", { row: rowName(at, q), shares });
  });
  const steps = { step: at.step, all: at.scores.length - 1 };
  return [say("storedStep", steps), ...rows].join(say("space"));
}

/** The mean and the standard deviation of what comes of each row. */
function spread(at: At, say: Words): string {
  const rows = at.eval_output[0].slice(0, TOLD).map(([mean], q) =>
    say("meanAndStd", {
      row: rowName(at, q),
      mean: formatNumber(mean),
      std: formatNumber(at.output_std[0][q][0]),
    }),
  );
  return say(isOfOnes(at) ? "sumsSpread" : "outputsSpread", { list: rows.join(say("comma")) });
}

/** What the first key that is dropped weighs, each way. */
function ways(at: At, say: Words): string {
  const k = at.kept[0][0].indexOf(0);
  const numbers = [at.scores_dropped, at.renormalised].map(([[row]]) => formatNumber(row[k] ?? 0));
  if (k < 0) return say("noneDropped");
  const rows = say("quoted", { word: rowName(at, 0) });
  const others = at.kept[0][0].some(Boolean) ? "" : say("lostRows", { rows });
  const told = say("waysSay", { key: keyName(at, k), scores: numbers[0] });
  return [told, others].filter(Boolean).join(say("space"));
}

const isOfOnes = ({ values }: State) => values.flat(2).every((x) => x === 1);

function View({ figure }: { figure: Figure<State, Stages> }) {
  const { at } = figure;
  const [{ length: rows }, { length: cols }] = [at.scores[0], at.scores[0][0]];
  const small = isSmall(rows, cols);
  const some = (["connections", "weights", "ways", "values"] as const).some((it) => shows(at, it));
  return (
    <div class="dropping" data-parts={at.parts.join(" ")}>
      <Controls figure={figure} />
      {some && (small ? <Connections figure={figure} /> : <Maps figure={figure} />)}
      {shows(at, "spread") && <Spread figure={figure} />}
      {(shows(at, "mean") || shows(at, "distance")) && (
        <div class="pair">
          {shows(at, "mean") && <Mean figure={figure} />}
          {shows(at, "distance") && <Distance figure={figure} />}
        </div>
      )}
    </div>
  );
}

/** As many random numbers, each cut off after two decimals. */
const anew = (draws: Tensor) => byRowOf(draws, () => Math.floor(100 * Math.random()) / 100);

/** The first of the controls, in the order of the parts, is the handle. */
function Controls({ figure, figure: { at, words } }: { figure: Figure<State, Stages> }) {
  const controls: Partial<Record<Part, VNode>> = {
    p: <ListSlider name="p" numbers={PS} value={at.p} change={(p) => figure.set({ p })} />,
    training: (
      <Switch
        name="training"
        label={words("trainingMode")}
        value={at.training}
        change={(training) => figure.set({ training })}
      />
    ),
    draw: (
      <Slider
        name="draw"
        value={at.draw}
        min={1}
        max={at.draws.length}
        change={(draw) => figure.set({ draw })}
      />
    ),
    step: (
      <Slider
        name="step"
        value={at.step}
        max={at.scores.length - 1}
        change={(step) => figure.set({ step })}
      />
    ),
    resample: (
      <button
        type="button"
        data-control="resample"
        onClick={() => figure.set({ draws: anew(at.draws) })}
      >
        {words("resample")}
      </button>
    ),
  };
  const [handle, ...others] = partsOf(at).filter((part) => part in controls);
  return (
    <div class="controls">
      {handle && (
        <span data-handle class="held">
          {controls[handle]}
        </span>
      )}
      {others.map((part) => controls[part])}
    </div>
  );
}

/** One row of squares of `Connections`: what they are called, and what they are. */
interface Line {
  name: string;
  weights: Vector;
  place: string;
  /** Whether what is dropped is hatched, and nothing else. */
  hatched?: boolean;
}

function linesOf({ at, words }: Figure<State, Stages>, q: number): Line[] {
  const row = (name: string, place: string, from: Tensor, hatched = false) => ({
    ...{ name, place, hatched, weights: from[0][q] },
  });
  if (!shows(at, "ways")) return [row(words("used"), "data-used-at", at.dropped, true)];
  return [
    row(words("dropWeights"), "data-used-at", at.dropped, true),
    row(words("dropRenormalised"), "data-renormalised-at", at.renormalised, true),
    row(words("dropScores"), "data-scores-at", at.scores_dropped),
  ];
}

const OUTPUTS = ["eval_output", "output"] as const;
const ARCS = 52; // their height, in pixels

/**
 * A row for each query, a column for each key: the weight that is stored, its draw on the way from 0
 * to 1, of which p is hatched, and the weight that is used. To the right what comes of the row.
 */
function Connections({ figure, figure: { at, words } }: { figure: Figure<State, Stages> }) {
  const [numQueries, numKeys] = [at.scores[0].length, at.scores[0][0].length];
  const [arcs, values, ways] = (["arcs", "values", "ways"] as const).map((it) => shows(at, it));
  const size = values ? at.values[0][0].length : 0;
  const used = shows(at, "weights") ? [] : linesOf(figure, 0);
  const place = (row: number, col: number) => ({ gridArea: `${row} / ${col}` });
  const [sums, outputs] = [numKeys + 2, numKeys + 3];
  const after = `${used.length ? "3.5rem" : "0.6rem"} ${size ? `repeat(${size}, 3.1rem)` : ""}`;
  const head = arcs ? 3 : 1;
  const perQuery = (ways ? 1 : 0) + 1 + (used.length ? 1 + used.length : 0);
  const below = head + 1 + perQuery * numQueries;
  return (
    <div
      class="connections"
      style={{ "--keys": numKeys, "--after": after }}
      data-bare={used.length ? undefined : ""}
      data-ways={ways ? "" : undefined}
    >
      {arcs && <Lines figure={figure} />}
      {range(numKeys).map((k) => (
        <span class={at.key_names.length ? "key-word" : "head"} style={place(head, k + 2)}>
          {keyName(at, k)}
        </span>
      ))}
      {used.length > 0 && (
        <span class="head" style={place(head, sums)}>
          {words("rowSum")}
        </span>
      )}
      {values && (
        <span class="head" style={{ gridArea: `${head} / ${outputs} / auto / -1` }}>
          {words("output")}
        </span>
      )}
      {at.attention_weights[0].map((row, q) => {
        const top = head + 1 + perQuery * q + (ways ? 1 : 0);
        return (
          <>
            {ways && (
              <span class="side" style={place(top - 1, 1)}>
                {words("score")}
              </span>
            )}
            <b class="side" style={place(top, 1)}>
              {arcs || ways ? words("weight") : rowName(at, q)}
            </b>
            {used.length > 0 && (
              <span class="side" style={place(top + 1, 1)}>
                {words("oneDraw")}
              </span>
            )}
            {row.map((weight, k) => (
              <>
                {ways && (
                  <span class="head" style={place(top - 1, k + 2)}>
                    {formatNumber(at.scores_now[0][q][k])}
                  </span>
                )}
                <WeightSquare
                  figure={figure}
                  weight={weight}
                  at={[0, q, k]}
                  masked={false}
                  text={formatNumber(weight)}
                  style={place(top, k + 2)}
                />
                {used.length > 0 && (
                  <Draw
                    x={at.draws_now[0][q][k]}
                    p={chance(at)}
                    gone={!at.kept[0][q][k]}
                    style={place(top + 1, k + 2)}
                  />
                )}
              </>
            ))}
            {used.length > 0 &&
              linesOf(figure, q).map((line, i) => (
                <>
                  <span class="side" style={place(top + 2 + i, 1)}>
                    {line.name}
                  </span>
                  {line.weights.map((weight, k) => (
                    <WeightSquare
                      figure={figure}
                      weight={weight}
                      at={[0, q, k]}
                      place={line.place}
                      masked={!!line.hatched && !at.kept[0][q][k]}
                      text={formatNumber(weight)}
                      style={place(top + 2 + i, k + 2)}
                    />
                  ))}
                  <Result
                    figure={figure}
                    name={i ? line.place : "row_sums"}
                    value={sum(line.weights)}
                    style={place(top + 2 + i, sums)}
                  />
                </>
              ))}
            {range(size).flatMap((v) =>
              (used.length ? OUTPUTS : OUTPUTS.slice(0, 1)).map((name, i) => (
                <Result
                  figure={figure}
                  name={name}
                  value={at[name][0][q][v]}
                  style={place(top + 2 * i, outputs + v)}
                />
              )),
            )}
          </>
        );
      })}
      {range(size).map((v) => (
        <>
          <span class="side" style={place(below + v, 1)}>
            {words("value")}
            {size > 1 && ` ${v}`}
          </span>
          {range(numKeys).map((k) => (
            <div class="number-cell" style={place(below + v, k + 2)}>
              <NumberField
                figure={figure}
                name={`values[0][${k}][${v}]`}
                value={at.values[0][k][v]}
                change={(x) => figure.set({ values: withNumber(at.values, 0, k, v, x) })}
              />
            </div>
          ))}
        </>
      ))}
    </div>
  );
}

/** From the query down to its keys, as thick as what is used; what is dropped is grey and dashed. */
function Lines({ figure: { at, words, open } }: { figure: Figure<State, Stages> }) {
  const numKeys = at.scores[0][0].length;
  const above = at.key_names.indexOf(rowName(at, 0));
  const place = above < 0 ? (numKeys - 1) / 2 : above;
  const middle = (k: number) => (k + 0.5) / numKeys;
  const column = above < 0 ? `2 / auto / ${numKeys + 2}` : `${above + 2}`;
  return (
    <>
      <span class="side" style={{ gridArea: "1 / 1" }}>
        {words("query")}
      </span>
      <div class="query-word" style={{ gridArea: `1 / ${column}` }}>
        {rowName(at, 0)}
      </div>
      <div class="lines" style={{ gridArea: `2 / 2 / auto / ${numKeys + 2}` }}>
        <Arcs
          arcs={range(numKeys).map((k) => {
            const [gone, used] = [!at.kept[0][0][k], at.dropped[0][0][k]];
            const weight = gone ? at.attention_weights[0][0][k] : used;
            return { from: middle(place), to: middle(k), weight, padding: gone };
          })}
          height={ARCS}
          open={open.value}
          label={words("attentionOf")}
        />
      </div>
    </>
  );
}

/** A draw on its way from 0 to 1; below p the weight is dropped. */
function Draw(props: { x: number; p: number; gone: boolean; style: CSSProperties }) {
  const { x, p, gone, style } = props;
  return (
    <div class="draw" data-masked={gone ? "" : undefined} style={style}>
      <i class="below" data-length={p} style={{ width: `${100 * p}%` }} />
      <i class="dot" style={{ left: `${100 * x}%` }} />
      <span>{x.toFixed(2)}</span>
    </div>
  );
}

/** What comes of a row. */
function Result(props: {
  figure: Figure<State, Stages>;
  name: string;
  value: number;
  style: CSSProperties;
}) {
  const { figure, name, value, style } = props;
  return (
    <output class="result" data-result={name} data-tells style={style}>
      {figure.open.value ? formatNumber(value) : "?"}
    </output>
  );
}

/** The same where there are too many for numbers. */
function Maps({ figure, figure: { at, words } }: { figure: Figure<State, Stages> }) {
  const values = symmetricScale("values", at.values);
  const map = { figure, example: 0, scale: weightScale };
  return (
    <>
      <div class="flow">
        <HeatmapPanel {...map} label="attention_weights[0]" matrix={at.attention_weights[0]} />
        <HeatmapPanel
          {...map}
          label="dropped[0]"
          matrix={at.dropped[0]}
          kept={at.kept[0]}
          place="data-used-at"
        />
      </div>
      <div class="tensors">
        <EditablePanel figure={figure} trait="values" b={0} scale={values} transposed />
        <HeatmapPanel
          figure={figure}
          label={words("rowSums")}
          matrix={at.row_sums[0]}
          scale={plainScale}
          heads={[""]}
          tells
        />
        <HeatmapPanel
          figure={figure}
          label="output[0]"
          matrix={at.output[0]}
          scale={values}
          tells
        />
      </div>
    </>
  );
}

const Mean = ({ figure, figure: { at, words } }: { figure: Figure<State, Stages> }) => (
  <div class="mean-of-draws">
    <HeatmapPanel
      figure={figure}
      label={words("meanOfDraws", { n: "n" })}
      name={words("meanOfDraws", { n: at.draw })}
      matrix={at.mean[0]}
      scale={weightScale}
      heads={range(at.scores[0][0].length).map((k) => keyName(at, k))}
      sides={range(at.scores[0].length).map((q) => rowName(at, q))}
    />
  </div>
);

const SIZE: Point = [320, 190];
const FRAME = { left: 34, right: 308, top: 22, bottom: 158 };

/** How far the mean is from the stored weights, after each number of draws. */
function Distance({ figure: { at, words } }: { figure: Figure<State, Stages> }) {
  const x = axisOf([1, Math.max(2, at.draws.length)], [FRAME.left, FRAME.right]);
  const y = axisOf(weightDomain(at.distances), [FRAME.bottom, FRAME.top]);
  const [across, up] = [x.place(at.draw), y.place(at.distances[at.draw - 1])];
  const left = across > FRAME.right - 40;
  const most = Math.max(...at.attention_weights.flat(2));
  const expected = at.distances.map((_, i) => ({
    x: i + 1,
    y: Math.min(most * standardError(at, i + 1), y.domain[1]),
  }));
  const line = at.distances.map((far, i) => `${x.place(i + 1)} ${y.place(far)}`);
  return (
    <div data-tells>
      <Plot label={words("deviation")} size={SIZE} frame={FRAME} x={x} y={y} name="draw">
        <text class="name" x={FRAME.left} y={14}>
          max |mean − attention_weights|
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

const ROW = 66; // of one query
const BAR = 5;
const PLACES = 60; // where bars can stand
const LEAST = 0.5; // up to this p the axis stands still

/** All that dropout can make of the first component of an output, each as likely as its bar is high. */
function Spread({ figure: { at, words } }: { figure: Figure<State, Stages> }) {
  const p = chance(at);
  const terms = at.attention_weights[0].map((row) => row.map((x, k) => x * at.values[0][k][0]));
  const reach = terms.flatMap((row) => [1, -1].map((sign) => far(row, sign, Math.max(p, LEAST))));
  const domain: [number, number] = [Math.min(0, ...reach), Math.max(0, ...reach) || 1];
  const height = ROW * terms.length;
  const frame = { left: 14, right: 316, top: 6, bottom: height };
  const x = axisOf(domain, [frame.left, frame.right]);
  const step = (domain[1] - domain[0]) / PLACES;
  return (
    <div class="spread" data-tells>
      <Plot
        label={words(isOfOnes(at) ? "rowSums" : "output")}
        size={[330, height + 32]}
        frame={frame}
        x={x}
        name={words(isOfOnes(at) ? "rowSum" : "output")}
        beside={words("chanceAsHeight")}
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
            const end = base - chance * (ROW - 26);
            return { from: middle - BAR / 2, to: middle + BAR / 2, end, value: chance };
          });
          const [mean, std] = [at.eval_output[0][q][0], at.output_std[0][q][0]];
          const text = `${formatNumber(mean)} ± ${formatNumber(std)}`;
          return (
            <g>
              <text x={frame.right} y={base - ROW + 20} text-anchor="end">
                {terms.length > 1
                  ? words("rowWeights", { name: rowName(at, q), weights: text })
                  : text}
              </text>
              <Bars class="weight" bars={bars} base={base} />
              <path class="stem" d={`M${x.place(mean)} ${base + 6}V${base - ROW + 26}`} />
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

/** How far to one side the terms reach if the others are dropped. */
const far = (terms: Vector, sign: number, p: number) =>
  sum(terms.filter((x) => x * sign > 0)) / (1 - p);

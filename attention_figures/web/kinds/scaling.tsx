// The scaling figure: what dividing by √d does to scores, weights and gradients.
import { Select, Switch } from "../controls/choice.tsx";
import { ListSlider } from "../controls/slider.tsx";
import { alike, below, isTrue, oneOf } from "../core/checks.ts";
import type { Figure } from "../core/figure.ts";
import { formatNumber, shortNumber, torchText } from "../core/format.ts";
import { declare, type CodeLine } from "../core/kind.ts";
import type { Words } from "../core/words.ts";
import { axisOf, bentAxis, type Point } from "../maths/axis.ts";
import { dot } from "../maths/scores.ts";
import { softmax } from "../maths/softmax.ts";
import {
  bySize,
  entropies,
  firstComponents,
  gradients,
  histogram,
  meanAndVariance,
  median,
  queryGradients,
  scoresBySize,
  sizesUpTo,
} from "../maths/statistics.ts";
import {
  byRow,
  cumulativeSums,
  mean,
  range,
  type Matrix,
  type Tensor,
  type Vector,
} from "../maths/tensor.ts";
import { floats, program, remark } from "../share/python.ts";
import { Bars } from "../views/bars.tsx";
import { Curve } from "../views/curve.tsx";
import { HeatmapPanel } from "../views/panel.tsx";
import { lowered, Plot } from "../views/plot.tsx";
import { weightScale } from "../views/scale.tsx";
import { WeightBar } from "../views/weight_bar.tsx";

interface State {
  queries: Tensor; // (1, Q, D)
  keys_: Tensor; // (1, K, D)
  d: number;
  scaled: boolean;
  /** What is drawn for every d: by its place among MEASURES. */
  measure: number;
  /** Of the keys, if they have any. */
  names: string[];
  /** What is shown; none: the spread of the scores and how it grows with d. */
  parts: Part[];
}

type Part = "spread" | "row" | "map" | "measure" | "walk" | "gradients";

interface Stages {
  scores: Tensor;
  mean_and_variance: Tensor; // (1, 1, 2)
  histogram: Tensor; // (1, 1, 33)
  attention_weights: Tensor;
  entropy: Tensor; // (1, 3, sizes): the sizes, without √d, with it
  gradient: Tensor; // likewise
  query_gradients: Tensor; // (1, 1, Q)
  mean_and_median: Tensor; // (1, 2, sizes)
}

type At = Readonly<State & Stages>;
const MEASURES = ["entropy", "gradient"] as const;
const DEFAULT_PARTS: Part[] = ["spread", "map", "measure"];
const DEVIATIONS = 3; // shown to either side, of the widest spread
const CURVE = 96; // steps of the normal curve

const largest = ({ queries }: State) => queries[0][0].length;
const numKeys = ({ keys_ }: State) => keys_[0].length;
const deviation = ({ d, scaled }: State) => (scaled ? 1 : Math.sqrt(d));
const variance = ({ d, scaled }: State) => (scaled ? 1 : d);

const placeOf = (state: State) => sizesUpTo(largest(state)).indexOf(state.d);
const shows = ({ parts }: State, part: Part) =>
  (parts.length ? parts : DEFAULT_PARTS).includes(part);

/** By their first components, for each d. */
const allQueryGradients = ({ queries, keys_ }: State, scaled: boolean): Matrix =>
  sizesUpTo(queries[0][0].length).map((d) =>
    queryGradients(
      firstComponents(queries, d),
      firstComponents(keys_, d),
      scaled ? 1 / Math.sqrt(d) : 1,
    ),
  );

export default declare<State, Stages>({
  name: "scaling",
  state: {
    queries: alike(),
    keys_: alike(),
    d: oneOf((state: State) => sizesUpTo(largest(state))),
    scaled: isTrue,
  },
  fixed: ["names", "parts"],
  spoken: ["names", "parts"], // no link depends on them
  choices: { measure: { start: 0, check: below(() => MEASURES.length) } },
  stages: {
    scores: ({ queries, keys_, d, scaled }) =>
      byRow(dot(firstComponents(queries, d), keys_), (row) =>
        row.map((x) => (scaled ? x / Math.sqrt(d) : x)),
      ),
    mean_and_variance: ({ scores }) => meanAndVariance(scores),
    histogram: (at) => histogram(at.scores, deviation(at)),
    attention_weights: ({ scores }) => softmax(scores),
    entropy: (at) =>
      bySize(sizesUpTo(largest(at)), scoresBySize(at.queries, at.keys_).map(entropies)),
    gradient: (at) =>
      bySize(sizesUpTo(largest(at)), scoresBySize(at.queries, at.keys_).map(gradients)),
    query_gradients: (at) => [[allQueryGradients(at, at.scaled)[placeOf(at)]]],
    mean_and_median: (at) => {
      const rows = allQueryGradients(at, at.scaled);
      return [[rows.map(mean), rows.map(median)]];
    },
  },
  View,
  sentence,
  code,
  program: scalingProgram,
  columns: (at) => ({ keys: numKeys(at), columns: 2 * numKeys(at) }),
});

function scalingProgram({ queries, keys_, d, scaled }: At, words: Words): string {
  const score = scaled ? "scaled_dot" : "dot";
  const width = scaled ? "0.5" : `(${d} ** 0.5 / 2)`;
  return program(
    words,
    [`from attention_lib.scores import ${score}`],
    [
      floats("queries", firstComponents(queries, d)),
      floats("keys", firstComponents(keys_, d)),
      "",
      `scores = ${score}(queries, keys)`,
      "mean, variance = scores.mean(), scores.var()",
      "attention_weights = torch.softmax(scores, dim=-1)",
      remark("entropy = torch.special.entr(attention_weights).sum(-1).mean()", words("entropy")),
      "",
      `# ${words("gradient")}`,
      "jacobians = torch.func.vmap(torch.func.jacrev(lambda row: torch.softmax(row, dim=-1)))",
      "gradient = torch.linalg.matrix_norm(jacobians(scores[0])).mean()",
      "",
      `# ${words("queryGradients")}`,
      `score_of = lambda query: ${score}(query[None, None], keys)[0, 0]`,
      "to_query = torch.func.jacrev(lambda query: torch.softmax(score_of(query), dim=-1))",
      "query_gradients = torch.linalg.matrix_norm(torch.func.vmap(to_query)(queries[0]))",
      "mean_and_median = torch.stack([query_gradients.mean(), query_gradients.quantile(0.5)])",
      "",
      `# ${words("barsOfScores")}`,
      `bars = torch.floor(scores / ${width} + 0.5 + 1e-9).clamp(-16, 16)`,
      "histogram = torch.bincount((bars + 16).long().flatten(), minlength=33)",
      "",
    ],
  );
}

/** What is seen of the parts that are shown; the scores' variance, if nothing else. */
/** What the sentence says last, or what all parts have in common. */
function code(at: At): CodeLine<State> {
  const d = {
    name: "code.d",
    value: at.d,
    low: 1,
    high: largest(at),
    numbers: sizesUpTo(largest(at)),
    change: (d: number) => ({ d }),
  };
  const divided = at.scaled ? ` / ${at.d} ** 0.5` : "";
  if (shows(at, "gradients"))
    return {
      parts: [
        "def weights(q):\n",
        `    return (q @ keys[0, :, :${at.d}].T${divided}).softmax(-1)\n`,
        "jacobians = vmap(jacrev(weights))(queries[0, :, :",
        d,
        "])\njacobians.norm(dim=(1, 2)).median()",
      ],
      output: torchText(at.mean_and_median[0][1][placeOf(at)]),
    };
  if (shows(at, "walk"))
    return {
      parts: [
        "sums = queries[0, 0, :",
        d,
        `] @ keys[0, :, :${at.d}].T${divided}\nsums.square().mean().sqrt()`,
      ],
      output: torchText(farFromZero(at)),
    };
  return {
    parts: ["(queries[..., :", d, `] @ keys[..., :${at.d}].mT${divided}).var()`],
    output: torchText(at.mean_and_variance[0][0][1]),
  };
}

/** Of the first query's sums, the root mean square. */
const farFromZero = ({ scores }: At) => Math.sqrt(mean(scores[0][0].map((x) => x * x)));

function sentence(at: At, say: Words): string {
  const place = placeOf(at);
  const told = (number: number) => formatNumber(number);
  if (shows(at, "gradients")) {
    const [means, medians] = at.mean_and_median[0];
    const numbers = { d: at.d, mean: told(means[place]), median: told(medians[place]) };
    return say(at.scaled ? "gradientsDivided" : "gradientsUndivided", numbers);
  }
  if (shows(at, "walk")) {
    const far = told(farFromZero(at));
    return say(at.scaled ? "walkDivided" : "walkUndivided", { d: at.d, far });
  }
  const weights = at.attention_weights[0];
  const [first] = weights;
  const most = Math.max(...first);
  const row = shows(at, "row");
  const ofRow = at.scaled ? "dividedRowSays" : "undividedRowSays";
  return say(row ? ofRow : at.scaled ? "dividedSays" : "undividedSays", {
    d: at.d,
    variance: told(at.mean_and_variance[0][0][1]),
    largest: told(row ? most : mean(weights.map((row) => Math.max(...row)))),
    key: nameOf(at, first.indexOf(most)),
  });
}

const nameOf = ({ names }: State, k: number) => (names.length ? names[k] : `k${k}`);

function View({ figure }: { figure: Figure<State, Stages> }) {
  const { at, words } = figure;
  const heads = at.names.length ? at.names : undefined;
  return (
    <div class="scaling">
      <div class="controls">
        <span data-handle class="held">
          <ListSlider
            name="d"
            numbers={sizesUpTo(largest(at))}
            value={at.d}
            change={(d) => figure.set({ d })}
          />
        </span>
        <Switch
          name="scaled"
          label={words("divideByRoot")}
          value={at.scaled}
          change={(scaled) => figure.set({ scaled })}
        />
      </div>
      {shows(at, "spread") && <Spread figure={figure} />}
      {shows(at, "row") && <Row figure={figure} />}
      {shows(at, "map") && (
        <HeatmapPanel
          figure={figure}
          label="attention_weights[0]"
          matrix={at.attention_weights[0]}
          scale={weightScale}
          example={0}
          format={shortNumber}
          heads={heads}
          sides={at.queries[0].length === numKeys(at) ? heads : undefined}
        />
      )}
      {shows(at, "measure") && <Measured figure={figure} />}
      {shows(at, "walk") && <Walk figure={figure} />}
      {shows(at, "gradients") && <QueryGradients figure={figure} />}
    </div>
  );
}

/** What the first query takes of each key. */
function Row({ figure }: { figure: Figure<State, Stages> }) {
  const { at, words } = figure;
  const [weights] = at.attention_weights[0];
  return (
    <div class="row-of-weights" role="group" aria-label={words("rowOfWeights")}>
      <span class="hint">{words("rowOfWeights")}</span>
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

const WIDE: Point = [330, 216];
const WIDE_FRAME = { left: 32, right: 272, top: 20, bottom: 182 };

/** The products of the first query with every key, as their terms add up: where √d comes from. */
function Walk({ figure: { at, words } }: { figure: Figure<State, Stages> }) {
  const { left, right, top, bottom } = WIDE_FRAME;
  const widest = DEVIATIONS * (at.scaled ? 1 : Math.sqrt(largest(at)));
  const x = axisOf([0, largest(at)], [left, right]);
  const y = axisOf([-widest, widest], [bottom, top]);
  const upTo = (i: number) => (at.scaled ? Math.sqrt(i) : 1);
  const [query] = at.queries[0];
  const paths = at.keys_[0].map((key) =>
    cumulativeSums(query.map((q, i) => q * key[i])).map((sum, i) => ({
      x: i + 1,
      y: sum / upTo(i + 1),
    })),
  );
  const root = range(largest(at)).map((i) => ({ x: i + 1, y: Math.sqrt(i + 1) / upTo(i + 1) }));
  const now = x.place(at.d);
  const bound = root[root.length - 1].y;
  return (
    <div class="alone" data-tells>
      <Plot
        label={words("walk")}
        size={WIDE}
        frame={WIDE_FRAME}
        x={x}
        y={y}
        name="d"
        beside={at.scaled ? "q·k / √d" : "q·k"}
      >
        {paths.map((points, k) => (
          <g key={k}>
            <Curve class="walk later" points={points.slice(at.d - 1)} x={x} y={y} />
            <Curve class="walk" points={points.slice(0, at.d)} x={x} y={y} />
          </g>
        ))}
        {[1, -1].map((sign) => (
          <g key={sign}>
            <Curve
              class="limit"
              points={root.map((point) => ({ x: point.x, y: sign * point.y }))}
              x={x}
              y={y}
            />
            <text class="expected-name" x={right + 5} y={y.place(sign * bound) + 4}>
              {`${sign < 0 ? "−" : "+"}${at.scaled ? "1" : "√d"}`}
            </text>
          </g>
        ))}
        <path class="now" d={`M${now} ${top}V${bottom}`} />
        {at.scores[0][0].map((sum, k) => (
          <circle key={k} class="walker" r={3} cx={now} cy={y.place(sum)} />
        ))}
      </Plot>
    </div>
  );
}

/** How much a small change of each query changes its weights, for every d, with mean and median. */
function QueryGradients({ figure: { at, words } }: { figure: Figure<State, Stages> }) {
  const { left, right, top, bottom } = WIDE_FRAME;
  const sizes = sizesUpTo(largest(at));
  const most = Math.max(...allQueryGradients(at, false).flat(), 1e-9);
  const x = bentAxis([1, Math.max(2, sizes.at(-1)!)], [left + 6, right], powers(sizes), Math.log2);
  const y = axisOf([0, 1.05 * most], [bottom, top]);
  const [means, medians] = at.mean_and_median[0];
  const [meanEnd, medianEnd] = endsApart(y.place(means.at(-1)!), y.place(medians.at(-1)!));
  return (
    <div class="alone" data-tells>
      <Plot
        label={words("queryGradients")}
        size={WIDE}
        frame={WIDE_FRAME}
        x={x}
        y={y}
        name="d"
        beside={words("queryGradients")}
      >
        {allQueryGradients(at, at.scaled).map((row, i) =>
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
          {words("mean")}
        </text>
        <text class="median-name" x={right + 6} y={medianEnd}>
          {words("median")}
        </text>
      </Plot>
    </div>
  );
}

/** Where two names stand beside the ends of their lines, a line of text apart. */
function endsApart(mean: number, median: number): Vector {
  const apart = Math.max(0, 14 - Math.abs(mean - median)) / 2;
  const sign = mean <= median ? -1 : 1; // the mean is above
  return [mean + sign * apart + 4, median - sign * apart + 4];
}

const SIZE: Point = [330, 244];
const FRAME = { left: 34, right: 320, top: 34, bottom: 212 };

/** Density of the normal distribution with mean 0 and variance 1. */
const normal = (z: number) => Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);

/** Bars of scores on an axis that stays, whatever d is, and the normal curve expected. */
function Spread({ figure: { at, words } }: { figure: Figure<State, Stages> }) {
  const [size, frame] = lowered(SIZE, FRAME, 108);
  const [counts] = at.histogram[0];
  const number = at.queries[0].length * numKeys(at);
  const widest = DEVIATIONS * Math.sqrt(largest(at));
  const highest = Math.max(number / 4, ...counts); // of a normal bar: a fifth of the scores
  const x = axisOf([-widest, widest], [frame.left, frame.right]);
  const y = axisOf([0, 1.05 * highest], [frame.bottom, frame.top]);
  const [own, middle] = [deviation(at), (counts.length - 1) / 2];
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
          label={words("spread")}
          size={size}
          frame={frame}
          x={x}
          y={y}
          name="scores"
          beside={words("count")}
        >
          <Bars class="spread" bars={bars} base={frame.bottom} />
          <Curve class="expected" points={curve} x={x} y={y} />
          <path class="curve expected" d={`M${frame.right - 20} 18h20`} />
          <text class="expected-name" x={frame.right - 26} y={22} text-anchor="end">
            {words("normalCurve", { variance: variance(at) })}
          </text>
        </Plot>
      </div>
      <dl>
        <dt>{words("mean")}</dt>
        <dd data-tells>{formatNumber(measuredMean)}</dd>
        <dd class="hint">{words("expected", { number: 0 })}</dd>
        <dt>{words("variance")}</dt>
        <dd data-tells>{formatNumber(measured)}</dd>
        <dd class="hint" data-tells>
          {words("expected", { number: variance(at) })}
        </dd>
      </dl>
    </div>
  );
}

const BY_SIZE: Point = [330, 180];
const BY_SIZE_FRAME = { left: 34, right: 320, top: 18, bottom: 148 };

/** A number of the weights for every d, with √d and without. */
function Measured({ figure }: { figure: Figure<State, Stages> }) {
  const { at, words } = figure;
  const name = MEASURES[at.measure];
  const [sizes, ...both] = at[name][0];
  const place = sizes.indexOf(at.d);
  const most = name === "entropy" ? Math.log(numKeys(at)) : Math.max(...both.flat());
  const { left, right, top, bottom } = BY_SIZE_FRAME;
  const x = bentAxis([1, Math.max(2, sizes.at(-1)!)], [left, right], powers(sizes), Math.log2);
  const y = axisOf([0, 1.2 * most || 1], [bottom, top]);
  // The falling line is named above a point in its middle, the level one below its end.
  const [half, last] = [Math.floor(sizes.length / 2), sizes.length - 1];
  const labels = [
    { text: "q·k", x: x.place(sizes[half]) + 8, y: y.place(both[0][half]) - 4 },
    { text: "q·k / √d", x: right, y: y.place(both[1][last]) + 18, end: true },
  ];
  const chosen = Number(at.scaled);
  return (
    <div class="measured">
      <Select
        name="measure"
        label={words("measure")}
        value={at.measure}
        choices={range(MEASURES.length)}
        say={(i) => words(MEASURES[i])}
        change={(measure) => figure.set({ measure })}
      />
      <div data-tells>
        <Plot
          label={words(name)}
          size={BY_SIZE}
          frame={BY_SIZE_FRAME}
          x={x}
          y={y}
          name="d"
          beside={words(name)}
        >
          {name === "entropy" && (
            <path class="curve limit" d={`M${left} ${y.place(most)}H${right}`} />
          )}
          {both.map((row, i) => (
            <Curve
              key={i}
              class="by-size"
              points={sizes.map((d, j) => ({ x: d, y: row[j] }))}
              x={x}
              y={y}
              chosen={i === chosen}
            />
          ))}
          {labels.map(({ text, end, ...at }, i) => (
            <text
              key={text}
              {...at}
              class="by-size-name"
              text-anchor={end ? "end" : undefined}
              data-chosen={i === chosen ? "" : undefined}
            >
              {text}
            </text>
          ))}
          <circle class="now" r={5} cx={x.place(sizes[place])} cy={y.place(both[chosen][place])} />
        </Plot>
      </div>
      <dl>
        <dt>{words(name)}</dt>
        <dd data-tells>{formatNumber(both[chosen][place])}</dd>
        <dd class="hint">
          {name === "entropy"
            ? words("atMost", { numKeys: numKeys(at), most: formatNumber(most) })
            : words("gradientMeaning")}
        </dd>
      </dl>
    </div>
  );
}

const powers = (sizes: number[]) => sizes.filter((d) => Number.isInteger(Math.log2(d)));

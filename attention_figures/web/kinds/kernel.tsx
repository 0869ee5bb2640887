// The kernel figure: the curve that weighted averages of the data draw, the weights at a query, and
// how wrong the curve is, for any width of the kernel.
import { useSignal } from "@preact/signals";
import { Select } from "../controls/choice.tsx";
import { Handles, type Handle } from "../controls/handles.tsx";
import { indexOfNearest, ListSlider, Slider } from "../controls/slider.tsx";
import { alike, between, oneOf } from "../core/checks.ts";
import type { Figure } from "../core/figure.ts";
import {
  clamped,
  formatNumber,
  LIMIT,
  percent,
  plainNumber,
  rounded,
  torchText,
} from "../core/format.ts";
import { declare } from "../core/kind.ts";
import type { Words } from "../core/words.ts";
import { axisOf, bentAxis, widthOf, type Axis, type Point } from "../maths/axis.ts";
import type { Interval } from "../maths/domains.ts";
import {
  evenQueries,
  isEmpty,
  kernelCurve,
  kernelErrors,
  kernelWeights,
  keysUsed,
  column,
  samples,
  WIDTHS,
  type KernelName,
} from "../maths/kernels.ts";
import {
  mean,
  pool,
  range,
  transpose,
  type Matrix,
  type Tensor,
  type Vector,
} from "../maths/tensor.ts";
import { shadeOf } from "../maths/weights.ts";
import { floats, program, pythonFloat, tensors } from "../share/python.ts";
import { Bars } from "../views/bars.tsx";
import { Curve } from "../views/curve.tsx";
import { Formula } from "../views/formula.tsx";
import { KeyMark, OutputTip, QueryMark } from "../views/marks.tsx";
import { EditablePanel, withRow } from "../views/number_grid.tsx";
import { HeatmapPanel } from "../views/panel.tsx";
import { stepOf } from "../views/plane.tsx";
import { lowered, Plot, useSteadyDomain, type Frame } from "../views/plot.tsx";
import { plainScale, symmetricScale, weightScale } from "../views/scale.tsx";

interface State {
  queries: Tensor; // (1, 1, 1)
  keys_: Tensor; // (1, K, 1)
  values: Tensor; // (1, K, 1)
  kernel: KernelName;
  w: number;
  /** Places and what is true there, if that is known. */
  truth: Matrix; // (T, 2)
  /** Of keys and of values. */
  units: string[];
  /** What is shown; none: all. */
  parts: Part[];
  /** w at each step of a training, through which the slider goes; none: through widths. */
  steps: Vector;
}

type Part = "kernel" | "w" | "training" | "errors" | "map" | "numbers";

interface Stages {
  keys: Tensor;
  attention_weights: Tensor;
  output: Tensor;
  even_queries: Tensor;
  even_weights: Tensor;
  even_outputs: Tensor;
  keys_used: Tensor; // (1, 1, 1), the mean of these queries
  error: Tensor; // (1, 1, 2 or 3)
  errors: Tensor; // (1, 3 or 4, widths): of each width
}

type At = Readonly<State & Stages>;
const ROWS = 17;
const WIDEST = 1000;
const SAMPLES = 161; // of the curve, besides the keys
const TOLD = 3; // keys that a sentence names
const KERNELS: Record<KernelName, string> = {
  gaussian: "exp(−½u²)",
  boxcar: "1 if |u| ≤ 1 else 0",
  epanechnikov: "max(0, 1 − u²)",
  triangular: "max(0, 1 − |u|)",
  linear: "w x · w x_i",
};
const NAMES = Object.keys(KERNELS) as KernelName[];

const shows = ({ parts }: At, part: Part) => !parts.length || parts.includes(part);
const names = ({ parts }: At, part: Part) => parts.includes(part);

/** What does not depend on where the query is. */
const data = ({ keys_, values, kernel }: At) =>
  [keys_[0].flat(), values[0].flat(), kernel] as const;

function weightsAt(at: At, queries: Vector): Tensor {
  const [keys, , kernel] = data(at);
  return [kernelWeights(queries, keys, kernel, at.w)];
}

function errorsAt(at: At, w: number): Vector {
  const [keys, values, kernel] = data(at);
  return kernelErrors(keys, values, at.truth, kernel, w);
}

export default declare<State, Stages>({
  name: "kernel",
  state: {
    queries: alike(),
    keys_: alike(),
    values: alike(),
    kernel: oneOf(NAMES),
    w: between(0, WIDEST),
  },
  fixed: ["truth", "units", "parts", "steps"],
  spoken: ["units", "parts", "steps"], // no link depends on them
  stages: {
    keys: ({ keys_ }) => keys_,
    attention_weights: (at) => weightsAt(at, at.queries[0].flat()),
    output: ({ attention_weights, values }) => pool(attention_weights, values),
    even_queries: ({ keys_ }) => [column(evenQueries(keys_[0].flat(), ROWS))],
    even_weights: (at) => weightsAt(at, at.even_queries[0].flat()),
    even_outputs: ({ even_weights, values }) => pool(even_weights, values),
    keys_used: ({ even_weights }) => [[[mean(even_weights[0].map(keysUsed))]]],
    error: (at) => [[errorsAt(at, at.w)]],
    errors: (at) => [transpose(WIDTHS.map((w) => [w, ...errorsAt(at, w)]))],
  },
  View,
  sentence,
  code: ({ kernel, w, output }) => ({
    parts: [
      `kernel_weights(queries.flatten(), keys.flatten(), ${kernel}, w=`,
      {
        name: "code.w",
        value: w,
        low: 0,
        high: WIDTHS.at(-1)!,
        numbers: WIDTHS,
        change: (value) => ({ w: value }),
      },
      ") @ values",
    ],
    output: torchText(output),
  }),
  program: (at, words) => {
    const weights = (queries: string, w = "w") =>
      `kernel_weights(${queries}, keys.flatten(), ${at.kernel}, ${w})[None]`;
    return program(
      words,
      [`from attention_lib.kernels import ${at.kernel}, kernel_weights`],
      [
        ...tensors(at, ["queries", "keys_", "values"]),
        ...(at.truth.length ? [floats("truth", at.truth)] : []),
        `w = ${pythonFloat(at.w)}`,
        "",
        `attention_weights = ${weights("queries.flatten()")}`,
        "output = attention_weights @ values",
        "",
        `# ${words("weightMap")}`,
        "low, high = keys.aminmax()",
        "even_queries = low + (high - low) * torch.arange(17) / 16",
        `even_weights = ${weights("even_queries")}`,
        "even_outputs = even_weights @ values",
        "squares = (even_weights**2).sum(-1)",
        "keys_used = torch.where(squares == 0, 0, 1 / squares).mean(-1)[:, None, None]",
        ...errorsProgram(at, words),
      ],
    );
  },
  columns: ({ keys_ }) => ({ keys: keys_[0].length, columns: keys_[0].length + 3 }),
});

/** The errors of this w and of those on the slider, as a program. */
const errorsProgram = ({ kernel, truth }: At, words: Words) => [
  "",
  `# ${words("errorsProgram")}`,
  "x, y = keys.flatten(), values.flatten()",
  "def mean_square(queries, x, y, expected, w):",
  `    weights = kernel_weights(queries, x, ${kernel}, w)`,
  "    squares = (weights @ y - expected) ** 2",
  "    return squares.where((weights != 0).any(-1), torch.inf).mean()",
  "def errors_of(w):",
  "    others = [torch.arange(len(x)) != i for i in range(len(x))]",
  "    out = [mean_square(x[~o], x[o], y[o], y[~o], w) for o in others]",
  "    all = [mean_square(x, x, y, y, w), sum(out) / len(x)]",
  ...(truth.length ? ["    all.append(mean_square(truth[:, 0], x, y, truth[:, 1], w))"] : []),
  "    return torch.stack(all)",
  "error = errors_of(w)[None, None]",
  `widths = [0] + [float(f"{10 ** (i / 10 - 1):.2g}") for i in range(31)]`,
  "rows = [torch.tensor([w, *errors_of(w)], dtype=torch.float64) for w in widths]",
  "errors = torch.stack(rows, dim=-1)[None]",
];

/** A place, if places have a unit. */
const keyName = ({ keys_, units }: At, k: number) =>
  units.length ? withUnit(plainNumber(keys_[0][k][0]), units[0]) : `k${k}`;
const queryName = ({ queries, units }: At) =>
  units.length ? withUnit(plainNumber(queries[0][0][0]), units[0]) : "q0";
const axisName = ({ units }: At) => units[0] ?? "keys";
/** The column of a training point, as short as it can be. */
const headOf = ({ keys_, units }: At, k: number, letter = "k") =>
  units.length ? plainNumber(keys_[0][k][0]) : `${letter}${k}`;

const withUnit = (text: string, unit?: string) => (unit ? `${text}\u202f${unit}` : text);

/** What the curve says at the query, by which keys, and how wrong it is. */
function sentence(at: At, say: Words): string {
  const [weights] = at.attention_weights[0];
  const x = withUnit(plainNumber(at.queries[0][0][0]), at.units[0]);
  const errors = shows(at, "errors")
    ? [say("errorsSay", { training: errorText(at, 0), out: errorText(at, 1) })]
    : [];
  const used = names(at, "map")
    ? [say("keysUsed", { number: formatNumber(at.keys_used[0][0][0]) })]
    : [];
  const more = [...errors, ...used];
  if (isEmpty(weights)) return [say("noReach", { x }), ...more].join(say("space"));
  const order = range(weights.length).filter((k) => weights[k] !== 0);
  order.sort((a, b) => Math.abs(weights[b]) - Math.abs(weights[a]));
  const shares = order
    .slice(0, TOLD)
    .map((k) => say("takesShare", { share: percent(weights[k]), key: keyName(at, k) }));
  const list = shares.join(say("comma")) + (order.length > TOLD ? say("andMore") : "");
  const output = withUnit(formatNumber(at.output[0][0][0]), at.units[1]);
  return [say("curveSays", { x, list, output }), ...more].join(say("space"));
}

const errorText = ({ error }: At, which: number) => formatNumber(error[0][0][which]);

function View({ figure }: { figure: Figure<State, Stages> }) {
  const { at } = figure;
  const focused = useSignal("");
  const follow = ({ type, target }: FocusEvent) => {
    const { control = "" } = (target as HTMLElement).dataset;
    focused.value = type === "focusin" ? control : "";
  };
  return (
    <div
      class="regression"
      data-parts={at.parts.length ? at.parts.join(" ") : undefined}
      onFocusIn={follow}
      onFocusOut={follow}
    >
      <Controls figure={figure} />
      {shows(at, "training") && <Training figure={figure} focused={focused.value} />}
      {shows(at, "errors") && <Errors figure={figure} />}
      {shows(at, "numbers") && <QueryNumbers figure={figure} />}
      {shows(at, "map") && <WeightMap figure={figure} />}
      <KeyNumbers figure={figure} />
    </div>
  );
}

type Props = { figure: Figure<State, Stages> };

/** Where the query is, and what comes of it. */
function QueryNumbers({ figure, figure: { at } }: Props) {
  return (
    <div class="tensors of-query">
      <EditablePanel
        figure={figure}
        trait="queries"
        b={0}
        scale={plainScale}
        heads={[""]}
        sides={[queryName(at)]}
      />
      <HeatmapPanel
        figure={figure}
        label="output[0]"
        matrix={at.output[0]}
        scale={symmetricScale("values", at.values)}
        heads={[""]}
        sides={[queryName(at)]}
        tells
      />
    </div>
  );
}

/** The data, and the weights, which stand below every picture. */
function KeyNumbers({ figure, figure: { at } }: Props) {
  const numKeys = at.keys_[0].length;
  const keys = range(numKeys).map((k) => headOf(at, k));
  return (
    <div class="tensors">
      {shows(at, "numbers") && (
        <>
          <EditablePanel
            figure={figure}
            trait="keys_"
            b={0}
            scale={plainScale}
            transposed
            heads={keys}
            sides={["x"]}
          />
          <EditablePanel
            figure={figure}
            trait="values"
            b={0}
            scale={symmetricScale("values", at.values)}
            transposed
            heads={range(numKeys).map((k) => headOf(at, k, "v"))}
            sides={["y"]}
          />
        </>
      )}
      <HeatmapPanel
        figure={figure}
        label="attention_weights[0]"
        matrix={at.attention_weights[0]}
        scale={weightScale}
        example={0}
        heads={keys}
        sides={[queryName(at)]}
      />
    </div>
  );
}

function Controls({ figure, figure: { at, words } }: Props) {
  const u = KERNELS[at.kernel].includes("u") ? ",  u = w (x − x_i)" : "";
  if (!shows(at, "kernel") && !shows(at, "w")) return null;
  return (
    <div class="controls">
      {shows(at, "kernel") && (
        <Select
          name="kernel"
          value={at.kernel}
          label={words("kernel")}
          choices={NAMES}
          say={(kernel) => words(`kernel_${kernel}`)}
          change={(kernel) => figure.set({ kernel })}
        />
      )}
      {shows(at, "w") && (
        <span data-handle={names(at, "w") ? "" : undefined} class={names(at, "w") ? "held" : ""}>
          <Width figure={figure} />
        </span>
      )}
      {shows(at, "kernel") && <Formula text={`K = ${KERNELS[at.kernel]}${u}`} />}
    </div>
  );
}

/** The width, among many or as a training changed it. */
function Width({ figure, figure: { at, start, words } }: Props) {
  const { steps, w } = at;
  if (!steps.length) {
    const own = start.w as number; // to which the slider leads back
    const numbers = [...new Set([...WIDTHS, own])].sort((a, b) => a - b);
    return <ListSlider name="w" numbers={numbers} value={w} change={(w) => figure.set({ w })} />;
  }
  return (
    <Slider
      name="w"
      label={words("trainingStep")}
      max={steps.length - 1}
      value={indexOfNearest(steps, w)}
      say={(step) => words("stepSays", { step, w: formatNumber(w) })}
      change={(step) => figure.set({ w: steps[step] })}
    />
  );
}

const SIZE: Point = [330, 256];
const FRAME = { left: 30, right: 320, top: 30, bottom: 220 };
const STRIP: Point = [330, 74];
const STRIP_FRAME = { left: 30, right: 320, top: 16, bottom: 70 };
const ACROSS: Interval = [FRAME.left, FRAME.right];
const BAR = 6; // width of a weight
const STEPS = 80; // of the arrow keys, across the whole plot
const BELOW = 31; // from the axis to the line of its name, where the hint stands clear of the data
const BOLD = 1.1; // times as wide as text that is not

/** The data, the curve through them, the query, and below the weights that it gives. */
function Training({ figure, focused }: { figure: Figure<State, Stages>; focused: string }) {
  const { at, words } = figure;
  const [query, output] = [at.queries[0][0][0], at.output[0][0][0]];
  const [keys, values, kernel] = data(at);
  const truth = at.truth;
  const across = useSteadyDomain([query, ...keys]);
  const upward = useSteadyDomain([...values, ...truth.map(([, y]) => y)]);
  const [size, frame] = lowered(SIZE, FRAME, 76);
  const x = axisOf(across.domain, ACROSS);
  const y = axisOf(upward.domain, [frame.bottom, frame.top]);
  const xs = samples(x.domain, keys, SAMPLES);
  const curve = kernelCurve(xs, keys, values, kernel, at.w);
  const [weights] = at.attention_weights[0];
  const some = !isEmpty(weights);
  const text = withUnit(`${words("output")} ${formatNumber(output)}`, at.units[1]);
  const left = x.place(query) + 12 + widthOf(text) > SIZE[0];
  const handles = handlesOf(figure, x, y, frame);
  const limited = (number: number) => clamped(rounded(number), -LIMIT, LIMIT);
  const move = (i: number, to: readonly [number, number]) => {
    const [a, b] = to.map(limited);
    if (i === 0) return figure.set({ queries: [[[a]]] });
    return figure.set({
      keys_: withRow(at.keys_, 0, i - 1, [a]),
      values: withRow(at.values, 0, i - 1, [b]),
    });
  };
  return (
    <div class="training">
      <Plot
        label={words("dataPlot")}
        size={size}
        frame={frame}
        x={x}
        y={y}
        name={axisName(at)}
        beside={at.units[1] ?? "values"}
      >
        {truth.length > 0 && (
          <Curve class="truth" points={truth.map(([a, b]) => ({ x: a, y: b }))} x={x} y={y} />
        )}
        <Curve
          class="outputs"
          points={xs.map((place, i) => ({ x: place, y: curve[i] }))}
          x={x}
          y={y}
        />
        <path
          class="stem"
          data-tells
          d={`M${x.place(query)} ${frame.bottom}V${some ? y.place(output) : frame.top}`}
        />
        <Handles
          handles={handles}
          focused={focused}
          title={words("dragPoint")}
          start={() => [across, upward].forEach(({ hold }) => hold(true))}
          move={(i, [a, b]) => move(i, [x.value(a), y.value(b)])}
          nudge={(i, [right, up]) => {
            const step = ({ domain: [low, high] }: Axis) => stepOf((high - low) / STEPS);
            const from = i === 0 ? [query, 0] : [keys[i - 1], values[i - 1]];
            move(i, [from[0] + right * step(x), from[1] + up * step(y)]);
          }}
          end={() => [across, upward].forEach(({ hold }) => hold(false))}
        />
        {some && (
          <g class="output" transform={`translate(${x.place(query)} ${y.place(output)})`}>
            <OutputTip />
            <text x={left ? -12 : 12} y={-12} text-anchor={left ? "end" : "start"}>
              {text}
            </text>
          </g>
        )}
      </Plot>
      <Strip figure={figure} x={x} />
      <Legend words={words} truth={truth.length > 0} />
    </div>
  );
}

/** The query on its axis, and the training points. */
function handlesOf(
  { at, words }: Figure<State, Stages>,
  x: Axis,
  y: Axis,
  { right, bottom }: Frame,
): Handle[] {
  const [query, [keys, values]] = [at.queries[0][0][0], data(at)];
  const place = x.place(query);
  const main = !names(at, "w");
  const hint = words("dragMe");
  const free = right - widthOf(` ${axisName(at)} `) - (BOLD * widthOf(hint)) / 2;
  return [
    {
      name: "queries[0][0]",
      label: `${words("query")} q0`,
      numbers: [query],
      place: [place, bottom],
      main,
      mark: (
        <QueryMark chosen main={main}>
          {main && (
            <text class="drag-me" x={Math.min(0, free - place)} y={BELOW} text-anchor="middle">
              {hint}
            </text>
          )}
        </QueryMark>
      ),
    },
    ...keys.map((key, k): Handle => {
      const turned = x.place(key) > right - 24;
      return {
        name: `keys[0][${k}] values[0][${k}]`,
        label: words("trainingPoint", { k }),
        numbers: [key, values[k]],
        place: [x.place(key), y.place(values[k])],
        mark: (
          <KeyMark weight={at.attention_weights[0][0][k]}>
            <text x={turned ? -12 : 12} y={-8} text-anchor={turned ? "end" : "start"}>
              {keyName(at, k)}
            </text>
          </KeyMark>
        ),
      };
    }),
  ];
}

/** Each weight as a bar where its key is, on the scale of all weights. */
function Strip({ figure: { at, words }, x }: { figure: Figure<State, Stages>; x: Axis }) {
  const weights = at.attention_weights[0][0];
  const lowest = Math.min(...weights) < 0 ? -1 : 0;
  const [size, frame] = lowered(STRIP, STRIP_FRAME, 14);
  const ticks = lowest ? [-1, 0, 1] : [0, 0.5, 1];
  const y = { ...axisOf([lowest, 1], [frame.bottom, frame.top]), ticks };
  const bars = at.keys_[0].map(([key], k) => {
    const middle = x.place(key);
    const [from, to] = [middle - BAR / 2, middle + BAR / 2];
    return { from, to, end: y.place(weights[k]), value: weights[k] };
  });
  return (
    <div class="strip" data-tells>
      <Plot
        label={words("queryWeights")}
        size={size}
        frame={frame}
        x={{ ...x, ticks: [] }}
        y={y}
        beside="attention_weights"
      >
        <Bars class="weight" bars={bars} base={y.place(0)} />
      </Plot>
    </div>
  );
}

const Legend = ({ words, truth }: { words: Words; truth: boolean }) => (
  <div class="legend">
    <span>
      <svg class="plot" viewBox="-11 -11 22 22" aria-hidden="true">
        <KeyMark weight={0} />
      </svg>
      {words("legendTraining")}
    </span>
    <span>
      <svg class="plot" viewBox="-11 -11 22 22" aria-hidden="true">
        <g class="key">
          <circle class="weight" r={9} />
        </g>
      </svg>
      {words("legendArea")}
    </span>
    {truth && (
      <span>
        <svg class="plot" viewBox="-11 -11 22 22" aria-hidden="true">
          <path class="curve truth" d="M-11 0H11" />
        </svg>
        {words("legendTruth")}
      </span>
    )}
  </div>
);

const ERRORS: Point = [330, 244];
const ERRORS_FRAME = { left: 30, right: 320, top: 18, bottom: 212 };
const ERROR_NAMES = ["trainingError", "leaveOneOut", "testError"];
const ERROR_LOOKS = ["training-error", "left-out", "test-error"];
const TENTH = 0.1; // below it, w is evenly spaced, and above it, its logarithm

/** How wrong the curve is, by w, and the w of now. */
function Errors({ figure: { at, words } }: { figure: Figure<State, Stages> }) {
  const [size, frame] = lowered(ERRORS, ERRORS_FRAME, 90);
  const [widths, ...errors] = at.errors[0];
  const x = bentAxis([0, WIDTHS.at(-1)!], [frame.left, frame.right], [0, 1, 10, 100], (w) =>
    w < TENTH ? w / TENTH : 1 + 10 * Math.log10(w / TENTH),
  );
  const y = axisOf([0, highest(errors)], [frame.bottom, frame.top]);
  const now = x.place(at.w);
  return (
    <div class="errors">
      <div data-tells>
        <Plot
          label={words("errorPlot")}
          size={size}
          frame={frame}
          x={x}
          y={y}
          name="w"
          beside={words("meanSquare")}
        >
          <path class="now" d={`M${now} ${frame.top}V${frame.bottom}`} />
          {errors.map((row, i) => (
            <Curve
              key={i}
              class={ERROR_LOOKS[i]}
              points={row.map((error, j) => ({ x: widths[j], y: error }))}
              x={x}
              y={y}
            />
          ))}
          {at.error[0][0].map((error, i) =>
            error <= y.domain[1] ? (
              <circle key={i} class={ERROR_LOOKS[i]} r={4} cx={now} cy={y.place(error)} />
            ) : null,
          )}
        </Plot>
      </div>
      <dl>
        {at.error[0][0].map((error, i) => (
          <div key={i}>
            <dt>
              <svg class="plot" viewBox="-11 -11 22 22" aria-hidden="true">
                <path class={`curve ${ERROR_LOOKS[i]}`} d="M-11 0H11" />
              </svg>
              {words(ERROR_NAMES[i])}
            </dt>
            <dd data-tells>{formatNumber(error)}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

/** Room for all of the training error, and for what of the others is not much larger. */
function highest([training, ...others]: Matrix): number {
  const most = Math.max(...training.filter(Number.isFinite), 0);
  const near = others.flat().filter((error) => error <= 1.5 * most);
  return 1.1 * Math.max(most, ...near) || 1;
}

const MAP: Point = [330, 252];
const MAP_FRAME = { left: 30, right: 320, top: 18, bottom: 220 };

/** The weights of many queries at once: a row for each query, the first at the bottom. */
function WeightMap({ figure: { at, words } }: { figure: Figure<State, Stages> }) {
  const [size, frame] = lowered(MAP, MAP_FRAME, 40);
  const { left, right, top, bottom } = frame;
  const queries = at.even_queries[0].flat();
  const numKeys = at.keys_[0].length;
  const [first, last] = [queries[0], queries[ROWS - 1]];
  const half = (last - first) / (ROWS - 1) / 2 || 0.5;
  const y = axisOf([first - half, last + half], [bottom, top]);
  const x = axisOf([-0.5, numKeys - 0.5], [left, right]);
  const whole = x.ticks.filter((tick) => Number.isInteger(tick) && tick >= 0 && tick < numKeys);
  const [width, height] = [(right - left) / numKeys, (bottom - top) / ROWS];
  const query = at.queries[0][0][0];
  const beyond = query > y.domain[1] ? "↑" : query < y.domain[0] ? "↓" : "";
  return (
    <div class="weight-map">
      <div data-tells>
        <Plot
          label={words("weightMap")}
          size={size}
          frame={frame}
          x={{ ...x, ticks: whole }}
          y={y}
          name="keys"
          beside="queries"
        >
          <g class="weights">
            {at.even_weights[0].map((row, q) =>
              row.map((weight, k) => (
                <rect
                  key={`${q},${k}`}
                  x={left + k * width}
                  y={bottom - (q + 1) * height}
                  width={width}
                  height={height}
                  fill-opacity={Math.abs(shadeOf(weight)).toFixed(3)}
                  data-negative={weight < 0 ? "" : undefined}
                />
              )),
            )}
          </g>
          {beyond ? (
            <text class="beyond" x={right} y={top - 5} text-anchor="end">
              {`${beyond} ${words("query")} ${plainNumber(query)}`}
            </text>
          ) : (
            <path class="stem" d={`M${left} ${y.place(query)}H${right}`} />
          )}
        </Plot>
      </div>
    </div>
  );
}

// Draws kernel regression: the data, the curve of their weighted averages, and the query.
import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { Handles, type Handle } from "../controls/handles.tsx";
import type { Figure } from "../core/figure.ts";
import { clamped, formatNumber, LIMIT, plainNumber, rounded } from "../core/format.ts";
import type { Translate } from "../core/strings.ts";
import { axisOf, widthOf, type Axis, type Point } from "../maths/axis.ts";
import type { Interval } from "../maths/domains.ts";
import { isEmpty, kernelCurve, samples } from "../maths/kernels.ts";
import { dataOf, type RegressionStages, type RegressionState } from "../maths/regression.ts";
import { range, type Matrix } from "../maths/tensor.ts";
import { Bars } from "./bars.tsx";
import { Curve } from "./curve.tsx";
import { axisName, keyName, queryName, withUnit } from "./curve_in_words.ts";
import { KeyMark, OutputTip, QueryMark } from "./marks.tsx";
import { withRow } from "./number_grid.tsx";
import { HeatmapPanel } from "./panel.tsx";
import { stepOf } from "./plane.tsx";
import { lowerOnPhone, Plot, useSteadyDomain, type Frame } from "./plot.tsx";
import { weightScale } from "./scale.tsx";
import "../styles/regression.css";

type RegressionFigure = Figure<RegressionState, RegressionStages>;

const SAMPLES = 161; // points of the curve, besides the keys
const SIZE: Point = [330, 256];
const FRAME = { left: 30, right: 320, top: 30, bottom: 220 };
const STRIP: Point = [330, 74];
const STRIP_FRAME = { left: 30, right: 320, top: 16, bottom: 70 };
const ACROSS: Interval = [FRAME.left, FRAME.right];
const BAR = 6; // width of a weight
const STEPS = 80; // of the arrow keys, across the whole plot
const BELOW = 31; // from the axis to its name, where the hint does not cover the data
const BOLD = 1.1; // width of bold text relative to regular text

/** Draws the data, the curve, the query and, below, its weights. */
export function Training(props: { figure: RegressionFigure; truth: Matrix; main: boolean }) {
  const { figure, truth, main } = props;
  const { at, t } = figure;
  const focused = useSignal("");
  const follow = ({ type, target }: FocusEvent) => {
    const { control = "" } = (target as HTMLElement).dataset;
    focused.value = type === "focusin" ? control : "";
  };
  const [query, output] = [at.queries[0][0][0], at.output[0][0][0]];
  const [keys, values, kernel] = dataOf(at);
  const across = useSteadyDomain([query, ...keys]);
  const upward = useSteadyDomain([...values, ...truth.map(([, y]) => y)]);
  const [size, frame] = lowerOnPhone(SIZE, FRAME, 76);
  const x = axisOf(across.domain, ACROSS);
  const y = axisOf(upward.domain, [frame.bottom, frame.top]);
  const xs = samples(x.domain, keys, SAMPLES);
  const curve = kernelCurve(xs, keys, values, kernel, at.w);
  const [weights] = at.attention_weights[0];
  const some = !isEmpty(weights);
  const text = withUnit(`${t("output")} ${formatNumber(output)}`, at.units[1]);
  const left = x.place(query) + 12 + widthOf(text) > SIZE[0];
  const handles = handlesOf(figure, main, x, y, frame);
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
    <div class="training" onFocusIn={follow} onFocusOut={follow}>
      <Plot
        label={t("dataPlot")}
        size={size}
        frame={frame}
        x={x}
        y={y}
        name={axisName(at, t)}
        beside={at.units[1] ?? t("value")}
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
          focused={focused.value}
          title={t("dragPoint")}
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
      <Legend t={t} truth={truth.length > 0} />
    </div>
  );
}

/** Renders handles for the query, on its axis, and for the training points. */
function handlesOf(
  { at, t }: RegressionFigure,
  main: boolean,
  x: Axis,
  y: Axis,
  { right, bottom }: Frame,
): Handle[] {
  const [query, [keys, values]] = [at.queries[0][0][0], dataOf(at)];
  const place = x.place(query);
  const hint = t("dragMe");
  const free = right - widthOf(` ${axisName(at, t)} `) - (BOLD * widthOf(hint)) / 2;
  return [
    {
      name: "queries[0][0]",
      label: `${t("query")} q0`,
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
        label: t("trainingPoint", { k }),
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

/** Draws each weight as a bar at its key, on the scale of all weights. */
function Strip({ figure: { at, t }, x }: { figure: RegressionFigure; x: Axis }) {
  const weights = at.attention_weights[0][0];
  const lowest = Math.min(...weights) < 0 ? -1 : 0;
  const [size, frame] = lowerOnPhone(STRIP, STRIP_FRAME, 14);
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
        label={t("queryWeights")}
        size={size}
        frame={frame}
        x={{ ...x, ticks: [] }}
        y={y}
        beside={t("weight")}
      >
        <Bars class="weight" bars={bars} base={y.place(0)} />
      </Plot>
    </div>
  );
}

const Legend = ({ t, truth }: { t: Translate; truth: boolean }) => (
  <div class="legend">
    <span>
      <svg class="plot" viewBox="-11 -11 22 22" aria-hidden="true">
        <KeyMark weight={0} />
      </svg>
      {t("legendTraining")}
    </span>
    <span>
      <svg class="plot" viewBox="-11 -11 22 22" aria-hidden="true">
        <g class="key">
          <circle class="weight" r={9} />
        </g>
      </svg>
      {t("legendArea")}
    </span>
    {truth && (
      <span>
        <svg class="plot" viewBox="-11 -11 22 22" aria-hidden="true">
          <path class="curve truth" d="M-11 0H11" />
        </svg>
        {t("legendTruth")}
      </span>
    )}
  </div>
);

/** Lists the weights at the query as numbers below the plot; on a phone the row scrolls to the largest. */
export function QueryWeights({ figure, figure: { at, revealed } }: { figure: RegressionFigure }) {
  const list = useRef<HTMLDivElement>(null);
  const [weights] = at.attention_weights[0];
  const largest = weights.indexOf(Math.max(...weights));
  useLayoutEffect(() => {
    if (revealed.value) scrollToKey(list.current!, largest); // its place would reveal the answer
  }, [revealed.value, weights]);
  return (
    <div class="tensors" ref={list}>
      <HeatmapPanel
        figure={figure}
        label="attention_weights[0]"
        matrix={at.attention_weights[0]}
        scale={weightScale}
        example={0}
        heads={range(at.keys_[0].length).map((k) => columnName(at, k))}
        sides={[queryName(at)]}
      />
    </div>
  );
}

const FADE = 40; // at the end of a row that goes on

/** Scrolls the row, and never the page, until a key's weight is within view. */
function scrollToKey({ firstElementChild: row }: HTMLElement, key: number) {
  const cell = row?.querySelectorAll("tbody td")[key]?.getBoundingClientRect();
  if (!row || !cell) return;
  const { left, right } = row.getBoundingClientRect();
  if (cell.left < left + FADE || cell.right > right - FADE)
    row.scrollLeft += (cell.left + cell.right - left - right) / 2;
}

/** The shortest heading of a training point's column. */
const columnName = ({ keys_, units }: RegressionState, k: number) =>
  units.length ? plainNumber(keys_[0][k][0]) : `k${k}`;

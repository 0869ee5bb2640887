// Averages values with weights by the distance of keys from a query in the plane: the look-up figure.
import { useSignal } from "@preact/signals";
import { Select } from "../controls/choice.tsx";
import { ListSlider } from "../controls/slider.tsx";
import { sameShape, indexBelow, between } from "../core/checks.ts";
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
import type { Translate } from "../core/strings.ts";
import { decades } from "../maths/domains.ts";
import { gaussian } from "../maths/scores.ts";
import { temperedSoftmax } from "../maths/softmax.ts";
import { columnMeans, pool, range, type Tensor } from "../maths/tensor.ts";
import { program, pythonFloat, remark, tensors } from "../export/python.ts";
import { ByKey } from "../views/by_key.tsx";
import { KeyMark, Link, QueryMark } from "../views/marks.tsx";
import { EditablePanel, withNumber, withRow } from "../views/number_grid.tsx";
import { Plane, type PlanePoint } from "../views/plane.tsx";
import { plainScale } from "../views/scale.tsx";
import { ValueLine } from "../views/value_line.tsx";
import "../styles/look_up.css";

interface State {
  queries: Tensor; // (1, Q, 2)
  keys_: Tensor; // (1, K, 2)
  values: Tensor; // (1, K, 1)
  temperature: number;
  /** Names of keys and of queries; may be empty. */
  names: string[];
  query_names: string[];
  /** The unit of the values. */
  unit: string;
  /** Leaves out the fields for coordinates. */
  compact: boolean;
  /** The query whose weights are drawn. */
  query: number;
}

interface Stages {
  keys: Tensor;
  scores: Tensor;
  attention_weights: Tensor;
  output: Tensor;
  mean: Tensor;
}

type At = Readonly<State & Stages>;
const HOTTEST = 1000;
const TEMPERATURES = [0, ...decades(0.01, HOTTEST)];
const MOST_NAMED = 4; // keys that the caption names

export default declare<State, Stages>({
  name: "pooling",
  state: {
    queries: sameShape(),
    keys_: sameShape(),
    values: sameShape(),
    temperature: between(0, HOTTEST),
  },
  fixed: ["names", "query_names", "unit", "compact"],
  localised: ["names", "query_names", "unit", "compact"],
  viewState: {
    query: { initial: 0, check: indexBelow(({ queries }: State) => queries[0].length) },
  },
  stages: {
    keys: ({ keys_ }) => keys_,
    scores: ({ queries, keys }) => gaussian(queries, keys),
    attention_weights: ({ scores, temperature }) => temperedSoftmax(scores, temperature),
    output: ({ attention_weights, values }) => pool(attention_weights, values),
    mean: ({ values }) => columnMeans(values),
  },
  View,
  sentence,
  code,
  program: (at, t) =>
    program(
      t,
      ["from attention_lib.scores import gaussian"],
      [
        ...tensors(at, ["queries", "keys_", "values"]),
        `temperature = ${pythonFloat(at.temperature)}`,
        "",
        "scores = gaussian(queries, keys)",
        remark("below = scores - scores.amax(-1, keepdim=True)", t("belowLargest")),
        ...(at.temperature > 0
          ? ["attention_weights = torch.softmax(below / temperature, dim=-1)"]
          : [
              remark("largest = (below >= -2.5e-9).double()", t("hardMaximum")),
              "attention_weights = largest / largest.sum(-1, keepdim=True)",
            ]),
        "output = attention_weights @ values",
        "mean = values.mean(1, keepdim=True)",
      ],
    ),
  columns: ({ keys_ }) => ({ keys: keys_[0].length, columns: keys_[0].length + 2 }),
});

const keyName = ({ names }: At, k: number) => names[k] ?? `k${k}`;
const queryName = ({ query_names: names }: At, q: number) => names[q] ?? `q${q}`;
const measured = ({ unit }: At, number: string) => (unit ? `${number}\u202f${unit}` : number);

/** Describes from which keys the selected query takes most, and its output. */
function sentence(at: At, t: Translate): string {
  const weights = at.attention_weights[0][at.query];
  const order = range(weights.length).filter((k) => weights[k] > 0);
  order.sort((a, b) => weights[b] - weights[a]);
  const shares = order
    .slice(0, MOST_NAMED)
    .map((k) => t("readsShare", { share: percent(weights[k]), word: keyName(at, k) }));
  const list = shares.join(t("comma")) + (order.length > MOST_NAMED ? t("andMore") : "");
  const output = measured(at, formatNumber(at.output[0][at.query][0]));
  return t("readsOutput", { query: queryName(at, at.query), list, output });
}

function code({ temperature, output, compact }: At) {
  // A compact figure has space for one line of output.
  const printed = compact ? torchText([output.flat(2)]) : torchText(output);
  // At temperature 0 this line would divide by 0; another line computes the limit.
  if (temperature === 0)
    return {
      parts: [
        "largest = (scores == scores.amax(-1, keepdim=True)).double()\n",
        `largest / largest.sum(-1, keepdim=True) @ values${compact ? "[0, :, 0]" : ""}`,
      ],
      output: printed,
    };
  const step = temperature < 0.1 ? 0.01 : temperature < 10 ? 0.1 : 1;
  return {
    parts: [
      "torch.softmax(gaussian(queries, keys) / ",
      {
        name: "code.temperature",
        value: temperature,
        low: step,
        high: HOTTEST,
        step,
        change: (value: number) => ({ temperature: value }),
      },
      `, dim=-1) @ values${compact ? "[0, :, 0]" : ""}`,
    ],
    output: printed,
  };
}

function View({ figure }: { figure: Figure<State, Stages> }) {
  const { at, t } = figure;
  const focused = useSignal("");
  const follow = ({ type, target }: FocusEvent) => {
    const { control = "" } = (target as HTMLElement).dataset;
    focused.value = type === "focusin" ? control : "";
  };
  return (
    <div
      class="look-up"
      data-compact={at.compact ? "" : undefined}
      onFocusIn={follow}
      onFocusOut={follow}
    >
      <Controls figure={figure} />
      <InThePlane figure={figure} focused={focused.value} />
      <ByKey
        figure={figure}
        keys={range(at.keys_[0].length).map((k) => keyName(at, k))}
        queries={range(at.queries[0].length).map((q) => queryName(at, q))}
        query={at.query}
        compact={at.compact}
      />
      {!at.compact && (
        <div class="input-queries">
          <EditablePanel
            figure={figure}
            trait="queries"
            b={0}
            scale={plainScale}
            heads={["x", "y"]}
            sides={range(at.queries[0].length).map((q) => queryName(at, q))}
          />
        </div>
      )}
      <div class="line-of-values">
        <ValueLine
          label={t("valueLine")}
          title={t("dragPoint")}
          name={t("value")}
          points={range(at.values[0].length).map((k) => ({
            name: `values[0][${k}]`,
            label: t("valueOf", { key: keyName(at, k) }),
            text: at.names[k] ?? `v${k}`,
          }))}
          values={at.values[0].map(([x]) => x)}
          weights={at.attention_weights[0][at.query]}
          averages={[
            {
              class: "mean",
              text: `${t("mean")} ${formatNumber(at.mean[0][0][0])}`,
              value: at.mean[0][0][0],
            },
            {
              class: "output",
              text: `${t("output")} ${measured(at, formatNumber(at.output[0][at.query][0]))}`,
              value: at.output[0][at.query][0],
            },
          ]}
          focused={focused.value}
          move={(k, to) =>
            figure.set({
              values: withNumber(at.values, 0, k, 0, clamped(rounded(to), -LIMIT, LIMIT)),
            })
          }
        />
      </div>
    </div>
  );
}

function Controls({ figure, figure: { at, t } }: { figure: Figure<State, Stages> }) {
  const queries = range(at.queries[0].length);
  return (
    <div class="controls">
      <div>
        <ListSlider
          name="temperature"
          label={t("temperatureName")}
          numbers={TEMPERATURES}
          value={at.temperature}
          change={(temperature) => figure.set({ temperature })}
        />{" "}
        {!at.compact && <span class="hint">{t("temperatureEnds")}</span>}
      </div>
      {queries.length > 1 && (
        <Select
          name="query"
          label={t("query")}
          value={at.query}
          choices={queries}
          format={(q) => queryName(at, q)}
          change={(query) => figure.set({ query })}
        />
      )}
    </div>
  );
}

function InThePlane(props: { figure: Figure<State, Stages>; focused: string }) {
  const { figure, focused } = props;
  const { at, t } = figure;
  const points: PlanePoint[] = [
    ...range(at.queries[0].length).map((q) => ({
      trait: "queries",
      row: q,
      name: `queries[0][${q}]`,
      label: `${t("query")} ${queryName(at, q)}`,
      text: queryName(at, q),
    })),
    ...range(at.keys_[0].length).map((k) => ({
      trait: "keys_",
      row: k,
      name: `keys[0][${k}]`,
      label: `${t("key")} ${keyName(at, k)}`,
      text: keyName(at, k),
      value: plainNumber(Number(at.values[0][k][0].toFixed(2))),
    })),
  ];
  return (
    <div class="in-the-plane">
      <Plane
        label={t("plane")}
        title={t("dragPoint")}
        hint={t("dragMe")}
        queries={at.queries[0]}
        keys={at.keys_[0]}
        points={points}
        weights={at.attention_weights[0][at.query]}
        chosen={at.query}
        focused={focused}
        choose={(query) => query !== at.query && figure.set({ query })}
        move={({ trait, row }, to) => {
          const point = to.map((x) => clamped(rounded(x), -LIMIT, LIMIT));
          const before = trait === "queries" ? at.queries : at.keys_;
          figure.set({ [trait]: withRow(before, 0, row, point) });
        }}
      />
      <Legend t={t} />
    </div>
  );
}

/** Explains the marks. */
const Legend = ({ t }: { t: Translate }) => (
  <div class="legend">
    <span>
      <svg class="plot" viewBox="-11 -11 22 22" aria-hidden="true">
        <QueryMark chosen />
      </svg>
      {t("query")}
    </span>
    <span>
      <svg class="plot" viewBox="-11 -11 22 22" aria-hidden="true">
        <KeyMark weight={0} />
      </svg>
      {t("legendKey")}
    </span>
    <span>
      <svg class="plot" viewBox="-11 -11 22 22" aria-hidden="true">
        <Link from={[-11, 0]} to={[11, 0]} weight={0.2} />
      </svg>
      {t("legendWeight")}
    </span>
  </div>
);

// Compares additive attention with and without its tanh: the tanh figure.
import { Switch } from "../controls/choice.tsx";
import { ListSlider, Slider } from "../controls/slider.tsx";
import { sameShape, indexBelow, between, isBoolean, oneOf } from "../core/checks.ts";
import type { Figure } from "../core/figure.ts";
import { formatNumber, percent, plainNumber, rounded, torchText } from "../core/format.ts";
import { declare, type CodeNumber } from "../core/kind.ts";
import type { Translate } from "../core/strings.ts";
import { axisOf, fitted, type Point } from "../maths/axis.ts";
import { additive, additiveSum } from "../maths/scores.ts";
import { softmax } from "../maths/softmax.ts";
import { range, sum, type Matrix, type Tensor } from "../maths/tensor.ts";
import { floats, program, pythonFloat, tensors } from "../export/python.ts";
import { Curve } from "../views/curve.tsx";
import { withNumber } from "../views/number_grid.tsx";
import { Plot, type Frame } from "../views/plot.tsx";
import { WeightSquare } from "../views/weight_square.tsx";
import "../styles/words.css";
import "../styles/tanh.css";

interface State {
  queries: Tensor; // (1, Q, d)
  keys_: Tensor; // (1, K, 1)
  W_q: Tensor; // (T, H, d)
  W_k: Tensor; // (T, H, 1)
  w_v: Tensor; // (T, 1, H)
  bent: boolean;
  query: number;
  num_hiddens: number;
  size: number;
  step: number;
  /** The trait that the handle moves. */
  handle: "bent" | "query" | "num_hiddens" | "size" | "step";
  names: string[];
  query_names: string[];
  reach: [number, number];
  moved: string;
  unit: string;
  axis: string;
  steps: number;
}

interface Stages {
  scores: Tensor; // (1, Q, K)
  attention_weights: Tensor; // (1, Q, K)
}

type At = Readonly<State & Stages>;
type Props = { figure: Figure<State, Stages> };

const LARGEST = 1000;
const SIZES = [0, 0.1, 0.2, 0.5, 1, 2, 5, 10, 100, LARGEST];
const NOTCHES = 30; // steps of the slider that moves a query
const ALIKE = 1e-9; // rows that differ by less are equal
const SIZE: Point = [330, 180];
const FRAME: Frame = { left: 26, right: 280, top: 20, bottom: 142 };
const POINTS = 160; // of a curve

const times = (tensor: Tensor, size: number) =>
  tensor.map((rows) => rows.map((row) => row.map((x) => size * x)));

/** The parameters of the units that count, at the present step. */
function parameters({
  W_q,
  W_k,
  w_v,
  step,
  num_hiddens,
}: Readonly<State>): [Matrix, Matrix, Matrix] {
  return [
    W_q[step].slice(0, num_hiddens),
    W_k[step].slice(0, num_hiddens),
    [w_v[step][0].slice(0, num_hiddens)],
  ];
}

export default declare<State, Stages>({
  name: "tanh",
  state: {
    bent: isBoolean,
    queries: sameShape(),
    keys_: sameShape(),
    query: indexBelow(({ queries }: State) => queries[0].length),
    num_hiddens: oneOf(({ W_q }: State) => range(W_q[0].length).map((h) => h + 1)),
    size: between(0, LARGEST),
    step: indexBelow(({ W_q }: State) => W_q.length),
  },
  fixed: [
    "W_q",
    "W_k",
    "w_v",
    "handle",
    "names",
    "query_names",
    "reach",
    "moved",
    "unit",
    "axis",
    "steps",
  ],
  localised: ["names", "query_names", "moved", "unit", "axis"],
  stages: {
    scores: (at) => {
      const [queries, keys] = [times(at.queries, at.size), times(at.keys_, at.size)];
      return (at.bent ? additive : additiveSum)(queries, keys, ...parameters(at));
    },
    attention_weights: ({ scores }) => softmax(scores),
  },
  View,
  sentence,
  code: (at) => ({
    parts: [...before(at), at.bent ? "sums.tanh()" : "sums", " @ w_v[0]).softmax(-1)"],
    output: torchText(at.attention_weights),
  }),
  program: (at, t) => {
    const [W_q, W_k, w_v] = parameters(at);
    return program(
      t,
      [],
      [
        ...tensors(at, ["queries", "keys_"]),
        floats("W_q", W_q),
        floats("W_k", W_k),
        floats("w_v", w_v),
        ...(at.size === 1
          ? []
          : [`queries, keys = ${pythonFloat(at.size)} * queries, ${pythonFloat(at.size)} * keys`]),
        "",
        "sums = (queries @ W_q.T).unsqueeze(2) + (keys @ W_k.T).unsqueeze(1)",
        `scores = ${at.bent ? "torch.tanh(sums)" : "sums"} @ w_v[0]`,
        "attention_weights = torch.softmax(scores, dim=-1)",
      ],
    );
  },
  columns: ({ keys_ }) => ({ keys: keys_[0].length, columns: keys_[0].length }),
});

/** The code line; the handle's number can be dragged there, too. */
function before(at: At): (string | CodeNumber<State>)[] {
  const end = "\n(";
  if (at.handle === "num_hiddens")
    return [
      "sums, w_v = sums[..., :",
      {
        name: "code.num_hiddens",
        value: at.num_hiddens,
        low: 1,
        high: at.W_q[0].length,
        change: (num_hiddens) => ({ num_hiddens }),
      },
      `], w_v[:, :${at.num_hiddens}]${end}`,
    ];
  if (at.handle === "size")
    return [
      "sums = ",
      {
        name: "code.size",
        value: at.size,
        low: 0,
        high: LARGEST,
        numbers: SIZES,
        change: (size) => ({ size }),
      },
      ` * sums${end}`,
    ];
  return [`sums = W_q(queries).unsqueeze(2) + W_k(keys).unsqueeze(1)${end}`];
}

/** A moved query is named after its value. */
const queryName = ({ handle, queries, query, query_names, unit }: At, q: number) =>
  handle === "query" && q === query && unit ? plainNumber(queries[0][q][0]) + unit : query_names[q];

/** Describes which key each query weighs most, or that all rows are equal. */
function sentence(at: At, t: Translate): string {
  const rows = at.attention_weights[0];
  const same = rows.every((row) => row.every((x, k) => Math.abs(x - rows[0][k]) < ALIKE));
  if (same && rows.length > 1) {
    const shares = rows[0].map((x, k) => t("readsShare", { share: percent(x), word: at.names[k] }));
    return t("rowsAlike", { list: shares.join(t("comma")) });
  }
  const list = rows.map((row, q) => {
    const query = queryName(at, q);
    const best = row.indexOf(Math.max(...row));
    if (row.every((x) => percent(x) === percent(row[best]))) {
      const [key, other] = at.names;
      const alike = { query, key, other, share: percent(row[best]), n: row.length };
      return t(row.length > 2 ? "givesAlike" : "givesTwoAlike", alike);
    }
    return t("mostTo", {
      query,
      key: at.names[best],
      share: percent(row[best]),
    });
  });
  return t("list", { list: list.join(t("semicolon")) });
}

/** With the handle "query" or "num_hiddens", the score is drawn as a curve over all keys. */
const isCurve = ({ handle }: Readonly<State>) => handle === "query" || handle === "num_hiddens";

function View({ figure }: Props) {
  const { at, t } = figure;
  const rows = at.attention_weights[0];
  const named = (query: string) => (isCurve(at) ? t("weight") : query);
  return (
    <div class="bending">
      <div class="controls">
        <Handle figure={figure} />
      </div>
      {isCurve(at) && <Curves figure={figure} />}
      <div class="columns stairs" style={{ "--number": at.names.length }}>
        <span class="role" style={{ gridRow: 1 }}>
          {isCurve(at) ? "" : t("queryByKey")}
        </span>
        {at.names.map((name, k) => (
          <div class="key-word" data-place={k} style={{ gridArea: `1 / ${k + 2}` }}>
            {name}
          </div>
        ))}
        {rows.map((row, q) => (
          <>
            <div class={isCurve(at) ? "role" : "query-word"} style={{ gridArea: `${q + 2} / 1` }}>
              {named(at.query_names[q])}
            </div>
            {row.map((weight, k) => (
              <WeightSquare
                figure={figure}
                weight={weight}
                at={[0, q, k]}
                masked={false}
                text={formatNumber(weight)}
                style={{ gridArea: `${q + 2} / ${k + 2}` }}
              />
            ))}
          </>
        ))}
      </div>
      {at.handle === "size" && (
        <output class="scale" data-tells>
          {figure.revealed.value ? bound(at, t) : "?"}
        </output>
      )}
    </div>
  );
}

/** Plots each unit's term and their sum, the score, against the key's number. */
function Curves({ figure, figure: { at, t } }: Props) {
  const most = sum(at.w_v[at.step][0].map(Math.abs));
  const keys = at.keys_[0].map(([key]) => key);
  const start = (figure.initialState as unknown as State).keys_[0].map(([key]) => key);
  const x = axisOf(fitted([...start, 0]), [FRAME.left, FRAME.right]);
  const y = axisOf([-most, most], [FRAME.bottom, FRAME.top]);
  const [low, high] = x.domain;
  const along = range(POINTS + 1).map((i) => low + (i / POINTS) * (high - low));
  const queries = [[at.queries[0][at.query].map((number) => at.size * number)]];
  const [W_q, W_k, w_v] = parameters(at);
  const score = at.bent ? additive : additiveSum;
  const drawn = (from: number, to: number) => {
    const places = [along.map((key) => [at.size * key])];
    const units: [Matrix, Matrix, Matrix] = [
      W_q.slice(from, to),
      W_k.slice(from, to),
      [w_v[0].slice(from, to)],
    ];
    const [[scores]] = score(queries, places, ...units);
    return along.map((key, i) => ({ x: key, y: scores[i] }));
  };
  const end = ([...points]: { y: number }[]) => y.place(points.at(-1)!.y) + 4;
  const units = range(w_v[0].length).map((h) => drawn(h, h + 1));
  const total = drawn(0, w_v[0].length);
  return (
    <Plot
      label={t("scoreOfKeys")}
      size={SIZE}
      frame={FRAME}
      x={x}
      y={y}
      name={at.axis}
      beside={t("score")}
    >
      {units.map((points, h) => (
        <>
          <Curve class="unit" points={points} x={x} y={y} />
          <text class="unit-name" x={FRAME.right + 6} y={end(points)}>
            {t("unit", { number: h })}
          </text>
        </>
      ))}
      <Curve class="sum" points={total} x={x} y={y} reveals />
      {keys.map((key, k) => (
        <>
          <path class="expected" d={`M${x.place(key)} ${FRAME.top}V${FRAME.bottom}`} />
          <g data-tells class="key">
            <circle cx={x.place(key)} cy={y.place(at.scores[0][at.query][k])} r={5} />
          </g>
          <g class="key">
            <text x={x.place(key)} y={FRAME.top - 6} text-anchor="middle">
              {at.names[k]}
            </text>
          </g>
        </>
      ))}
    </Plot>
  );
}

/** Shows the largest score and the upper bound of all scores. */
function bound(at: At, t: Translate): string {
  const largest = Math.max(...at.scores[0].flat().map(Math.abs));
  const most = sum(parameters(at)[2][0].map(Math.abs));
  const values = { largest: formatNumber(largest), most: formatNumber(most) };
  return t(at.bent ? "largestOfMost" : "largestScore", values);
}

/** Renders the handle's control and the switch for tanh. */
function Handle({ figure, figure: { at, t } }: Props) {
  const bent = (
    <Switch
      name="bent"
      label={t("withTanh")}
      value={at.bent}
      change={(isBent) => figure.set({ bent: isBent })}
    />
  );
  const query = (
    <ListSlider
      name={`queries[0][${at.query}][0]`}
      label={at.moved || t("query")}
      numbers={range(NOTCHES + 1).map((i) =>
        rounded(at.reach[0] + (i / NOTCHES) * (at.reach[1] - at.reach[0])),
      )}
      value={at.queries[0][at.query][0]}
      format={(x) => plainNumber(x) + at.unit}
      change={(x) => figure.set({ queries: withNumber(at.queries, 0, at.query, 0, x) })}
    />
  );
  const main = {
    bent,
    query,
    num_hiddens: (
      <Slider
        name="num_hiddens"
        value={at.num_hiddens}
        min={1}
        max={at.W_q[0].length}
        change={(num_hiddens) => figure.set({ num_hiddens })}
      />
    ),
    size: (
      <ListSlider
        name="size"
        label={t("timesLonger")}
        numbers={SIZES}
        value={at.size}
        change={(size) => figure.set({ size })}
      />
    ),
    step: (
      <Slider
        name="step"
        label={t("trainingStep")}
        value={at.step}
        max={at.W_q.length - 1}
        format={(step) => String(step * at.steps)}
        change={(step) => figure.set({ step })}
      />
    ),
  }[at.handle];
  return (
    <>
      <span data-handle class="held">
        {main}
      </span>
      {at.handle === "num_hiddens" && query}
    </>
  );
}

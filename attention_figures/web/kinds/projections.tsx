// Projects the words of a sentence onto directions for queries, keys and values: the projections figure.
import { sameShape, indexBelow } from "../core/checks.ts";
import type { Figure } from "../core/figure.ts";
import { clamped, formatNumber, LIMIT, percent, rounded, torchText } from "../core/format.ts";
import { declare, type CodeNumber } from "../core/kind.ts";
import type { Translate } from "../core/strings.ts";
import { Handles } from "../controls/handles.tsx";
import { axisOf, boxOf, labelPlaces, widthOf, type Point } from "../maths/axis.ts";
import { dot } from "../maths/scores.ts";
import { softmax } from "../maths/softmax.ts";
import {
  linear,
  pool,
  product,
  range,
  type Matrix,
  type Tensor,
  type Vector,
} from "../maths/tensor.ts";
import { program, tensors } from "../export/python.ts";
import { Grip, Link } from "../views/marks.tsx";
import { alongLine, axisNamesOf, BOLD, DragHint, handleBoxes } from "../views/plane.tsx";
import { Plot, smallerOnPhone, useSteadyDomain } from "../views/plot.tsx";
import { WeightSquare } from "../views/weight_square.tsx";
import { dataMany } from "../views/data_many.ts";
import "../styles/words.css";
import "../styles/look_up.css";
import "../styles/self_attention.css";

type Arrow = "W_q" | "W_k" | "W_v";

interface State {
  words: string[];
  x: Tensor; // (1, N, 2)
  W_q: Matrix; // (1, 2)
  W_k: Matrix;
  W_v: Matrix;
  /** The visible arrows; the first is the handle. */
  arrows: Arrow[];
  axes: string[];
  query: number;
}

interface Stages {
  queries: Tensor; // (1, N, 1)
  projected_keys: Tensor;
  values: Tensor;
  scores: Tensor; // (1, N, N)
  attention_weights: Tensor;
  output: Tensor; // (1, N, 1)
}

type At = Readonly<State & Stages>;
type Props = { figure: Figure<State, Stages> };

const STEP = 0.1; // of the arrow keys

const projected = (x: Tensor, weight: Matrix): Tensor => [linear(x[0], weight)];

export default declare<State, Stages>({
  name: "projections",
  state: {
    W_q: sameShape(),
    W_k: sameShape(),
    W_v: sameShape(),
    query: indexBelow(({ words }: State) => words.length),
  },
  fixed: ["words", "x", "arrows", "axes"],
  localised: ["words", "axes"],
  stages: {
    queries: ({ x, W_q }) => projected(x, W_q),
    projected_keys: ({ x, W_k }) => projected(x, W_k),
    values: ({ x, W_v }) => projected(x, W_v),
    scores: ({ queries, projected_keys }) => dot(queries, projected_keys),
    attention_weights: ({ scores }) => softmax(scores),
    output: ({ attention_weights, values }) => pool(attention_weights, values),
  },
  View,
  sentence,
  code: (at) => {
    const [main] = at.arrows;
    return {
      parts: [
        `${main} = torch.tensor([[`,
        coordinate(at, main, 0),
        ", ",
        coordinate(at, main, 1),
        "]])\n",
        main === "W_v"
          ? "(attention_weights @ (x @ W_v.T))[0, :, 0]"
          : `torch.softmax((x @ W_q.T) @ (x @ W_k.T).mT, dim=-1)[0, ${at.query}]`,
      ],
      output: torchText(
        main === "W_v" ? at.output[0].map(([x]) => x) : at.attention_weights[0][at.query],
      ),
    };
  },
  program: (at, t) =>
    program(
      t,
      [],
      [
        ...tensors(at, ["x", "W_q", "W_k", "W_v"]),
        "",
        "queries, projected_keys, values = x @ W_q.T, x @ W_k.T, x @ W_v.T",
        "scores = queries @ projected_keys.mT",
        "attention_weights = torch.softmax(scores, dim=-1)",
        "output = attention_weights @ values",
      ],
    ),
  columns: ({ words }) => ({ keys: words.length, columns: words.length }),
});

const coordinate = (at: At, arrow: Arrow, axis: number): CodeNumber<State> => ({
  name: `code.${arrow}[0][${axis}]`,
  value: at[arrow][0][axis],
  low: -LIMIT,
  high: LIMIT,
  step: STEP,
  change: (x) => ({ [arrow]: [at[arrow][0].with(axis, x)] }),
});

/** Describes what the selected word reads, and its output if values are shown. */
function sentence({ query, words, arrows, attention_weights, output }: At, t: Translate): string {
  const weights = attention_weights[0][query];
  const order = range(words.length).sort((a, b) => weights[b] - weights[a]);
  const shares = order.map((k) => t("readsShare", { share: percent(weights[k]), word: words[k] }));
  const reads = t("reads", { query: words[query], list: shares.join(t("comma")) });
  if (!arrows.includes("W_v")) return reads;
  return [reads, t("projectionsOutput", { output: formatNumber(output[0][query][0]) })].join(
    t("space"),
  );
}

function View({ figure }: Props) {
  return (
    <div class="look-up retrieval projecting">
      <InThePlane figure={figure} />
      <Attending figure={figure} />
    </div>
  );
}

const SIZE: Point = [320, 296];
const FRAME = { left: 28, right: 296, top: 6, bottom: 274 };
const LESS = 84; // height saved on a phone
const ROOM = 75; // for the hint beside the handle
const UP = -18; // of the hint, which is below the handle
const LOW = 60; // distance from the bottom within which the axis name is in the way

/** Projects a point onto the line through an arrow. */
function foot(point: Vector, arrow: Vector): Vector {
  const length = product(arrow, arrow);
  return arrow.map((x) => (length ? (x * product(point, arrow)) / length : 0));
}

/** The ends of the projections of all points on a line. */
function spanOf(feet: Vector[], placed: (point: Vector) => Point): string {
  const along = feet.map(placed).sort(([a, b], [c, d]) => a - c || b - d);
  return `${along[0]}L${along.at(-1)}`;
}

function InThePlane({ figure, figure: { at, t, revealed } }: Props) {
  const [main] = at.arrows;
  const tips = at.arrows.map((arrow) => at[arrow][0]);
  const { domain, hold } = useSteadyDomain([...at.x[0].flat(), ...tips.flat(), 0]);
  const [size, frame] = smallerOnPhone(SIZE, FRAME, LESS);
  const x = axisOf(domain, [frame.left, frame.right]);
  const y = axisOf(domain, [frame.bottom, frame.top]);
  const placed = ([a, b]: Vector): Point => [x.place(a), y.place(b)];
  const points = at.x[0].map(placed);
  const ends = tips.map(placed);
  const origin = placed([0, 0]);
  const texts = [...at.words, ...at.arrows]; // an arrow is named at any side of its end
  const axisNames = axisNamesOf(at.axes, frame);
  const [[across, down]] = ends;
  const turned = across > SIZE[0] - ROOM || down > frame.bottom - LOW;
  const labels = labelPlaces(
    [...points, ...ends],
    texts.map((text) => BOLD * widthOf(text)),
    size,
    ends.flatMap((end) => alongLine(origin, end)),
    [
      ...handleBoxes(ends[0], turned, widthOf(t("dragMe")), UP),
      ...axisNames.map(({ text, point, place }) => boxOf(point, place, widthOf(text))),
    ],
  );
  const from = points[at.query];
  const weights = at.attention_weights[0][at.query];
  const change = (i: number, to: Vector) =>
    figure.set({
      [at.arrows[i]]: [to.map((z) => rounded(clamped(z, -LIMIT, LIMIT)))],
    });
  const label = (i: number) => (
    <text x={labels[i].x} y={labels[i].y} text-anchor={labels[i].anchor}>
      {texts[i]}
    </text>
  );
  return (
    <div class="in-the-plane">
      <Plot label={t("projectionsPlane")} size={size} frame={frame} x={x} y={y}>
        {axisNames.map(({ text, point: [left, baseline], place }) => (
          <text key={text} class="axis-name" x={left} y={baseline} text-anchor={place.anchor}>
            {text}
          </text>
        ))}
        {at.arrows.map((arrow, i) => (
          <g key={arrow} class="projection" data-arrow={arrow}>
            {at.x[0].map((point, n) => {
              const [[a, b], [c, d]] = [points[n], placed(foot(point, tips[i]))];
              const seen = arrow === "W_q" ? n === at.query : true;
              return seen && <path key={n} class="foot" d={`M${a} ${b}L${c} ${d}`} />;
            })}
            <path
              class="line"
              d={`M${spanOf(
                at.x[0].map((point) => foot(point, tips[i])),
                placed,
              )}`}
            />
            <path class="shaft" d={`M${origin}L${ends[i]}`} />
          </g>
        ))}
        {points.map(([a, b], k) => (
          <Link
            key={k}
            data-tells=""
            from={from}
            to={[a, b]}
            weight={revealed.value ? weights[k] : 0}
          />
        ))}
        {points.map((point, n) => (
          <g
            key={n}
            class="word"
            data-chosen={n === at.query ? "" : undefined}
            transform={`translate(${point})`}
          >
            <circle r={4.5} />
            {label(n)}
          </g>
        ))}
        <Handles
          handles={at.arrows.map((arrow, i) => ({
            name: `${arrow}[0]`,
            label: arrow,
            numbers: tips[i],
            place: ends[i],
            main: arrow === main,
            mark: (
              <g class="key tip" data-arrow={arrow}>
                <Tip arrow={arrow} />
                {arrow === main && (
                  <>
                    <Grip />
                    <DragHint text={t("dragMe")} left={turned} up={UP} />
                  </>
                )}
                {label(at.words.length + i)}
              </g>
            ),
          }))}
          focused=""
          title={t("projectionsDrag")}
          start={() => hold(true)}
          move={(i, [a, b]) => change(i, [x.value(a), y.value(b)])}
          nudge={(i, [right, up]) => change(i, [tips[i][0] + right * STEP, tips[i][1] + up * STEP])}
          end={() => hold(false)}
        />
      </Plot>
    </div>
  );
}

/** Marks: round for queries, square for keys, a wedge for values, as in every figure. */
function Tip({ arrow }: { arrow: Arrow }) {
  if (arrow === "W_q") return <circle class="end" r={7} />;
  return <path class="end" d={arrow === "W_k" ? "M-6-6H6V6H-6Z" : "M0 7l7-13h-14Z"} />;
}

/** Lists every word's query, key and value as numbers, and its weights. */
function Attending({ figure, figure: { at, t, revealed } }: Props) {
  const size = at.words.length;
  const brings = at.arrows.includes("W_v");
  const row = (r: number, name: string, tensor: Tensor, role: string) => (
    <>
      <span class="role" style={{ gridArea: `${r} / 1 / auto / span 2` }}>
        {name}
      </span>
      {tensor[0].map(([x], k) => (
        <output class={`number-cell ${role}`} style={{ gridArea: `${r} / ${k + 3}` }}>
          {formatNumber(x)}
        </output>
      ))}
    </>
  );
  const first = brings ? 4 : 3;
  return (
    <div
      class="columns stairs"
      data-many={dataMany(size)}
      style={{ "--number": size + 1 + Number(brings) }}
    >
      <span class="role" style={{ gridArea: "1 / 1 / auto / span 2" }}>
        {t("queryByKey")}
      </span>
      {at.words.map((word, k) => (
        <div class="key-word" data-place={k} style={{ gridArea: `1 / ${k + 3}` }}>
          {word}
        </div>
      ))}
      {row(2, "W_k x", at.projected_keys, "key")}
      {brings && row(3, "W_v x", at.values, "value")}
      {brings && (
        <span class="role head" style={{ gridArea: `1 / ${size + 3}` }}>
          {t("output")}
        </span>
      )}
      {at.words.map((word, q) => (
        <>
          <button
            type="button"
            class="query-word"
            style={{ gridArea: `${q + first} / 1` }}
            data-control={`query[${q}]`}
            aria-pressed={q === at.query}
            onClick={() => figure.set({ query: q })}
          >
            {word}
          </button>
          <output class="number-cell query" style={{ gridArea: `${q + first} / 2` }}>
            {formatNumber(at.queries[0][q][0])}
          </output>
          {at.attention_weights[0][q].map((weight, k) => (
            <WeightSquare
              figure={figure}
              weight={weight}
              at={[0, q, k]}
              masked={false}
              text={formatNumber(weight)}
              style={{ gridArea: `${q + first} / ${k + 3}` }}
            />
          ))}
          {brings && (
            <output
              class="number-cell value"
              data-tells
              style={{ gridArea: `${q + first} / ${size + 3}` }}
            >
              {revealed.value ? formatNumber(at.output[0][q][0]) : "?"}
            </output>
          )}
        </>
      ))}
    </div>
  );
}

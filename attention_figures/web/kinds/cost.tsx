// Counts the multiplications of scores and the numbers kept for a backward pass: the cost figure.
import { ListSlider } from "../controls/slider.tsx";
import { oneOf } from "../core/checks.ts";
import type { Figure } from "../core/figure.ts";
import { declare } from "../core/kind.ts";
import { range, type Tensor, type Vector } from "../maths/tensor.ts";
import { program } from "../export/python.ts";
import "../styles/rows.css";

interface State {
  num_queries: number;
  num_keys: number;
  d: number;
  num_hiddens: number;
  /** The first of them is the handle. */
  sliders: (keyof typeof MOVED)[];
}

interface Stages {
  parameters: Tensor; // (1, 1, 5), like the next two
  multiplications: Tensor;
  kept: Tensor;
}

const SCORES = ["dot", "scaled_dot", "bilinear", "gaussian", "additive"];
const [DOT, ADDITIVE] = [0, 4];
const POWERS = range(13).map((n) => 2 ** n);
const FLOAT = 4; // bytes
const MIB = 2 ** 20;
/** What each slider moves. */
const MOVED = {
  num_queries: ["num_queries"],
  num_keys: ["num_keys"],
  d: ["d"],
  num_hiddens: ["num_hiddens"],
  length: ["num_queries", "num_keys"],
  size: ["d", "num_hiddens"],
} as const;

const power = oneOf(POWERS);

export default declare<State, Stages>({
  name: "cost",
  state: { num_queries: power, num_keys: power, d: power, num_hiddens: power },
  fixed: ["sliders"],
  localised: ["sliders"],
  stages: {
    parameters: ({ d, num_hiddens: H }) => [[[0, 0, d * d, 0, H * (2 * d + 1)]]],
    multiplications: ({ num_queries: Q, num_keys: K, d, num_hiddens: H }) => {
      const pairs = Q * K * d;
      return [[[pairs, Q * d + pairs, Q * d * d + pairs, pairs, ((Q + K) * d + Q * K) * H]]];
    },
    kept: ({ num_queries: Q, num_keys: K, d, num_hiddens: H, parameters }) => {
      const both = (Q + K) * d;
      const own = parameters[0][0][ADDITIVE];
      return [[[both, both, both + Q * d + d * d, 2 * Q * K * d, both + Q * K * H + own]]];
    },
  },
  View,
  sentence: (at, t) =>
    t("costSays", {
      dear: t(`score_${SCORES[ADDITIVE]}`),
      cheap: t(`score_${SCORES[DOT]}`),
      multiplications: times(at.multiplications[0][0]),
      kept: times(at.kept[0][0]),
    }),
  program: (at, t) =>
    program(
      t,
      [],
      [
        `Q, K, d, H = ${at.num_queries}, ${at.num_keys}, ${at.d}, ${at.num_hiddens}`,
        "both, pairs = (Q + K) * d, Q * K * d",
        "own = H * (2 * d + 1)",
        "parameters = torch.tensor([[[0, 0, d * d, 0, own]]])",
        "multiplications = torch.tensor(",
        "    [[[pairs, Q * d + pairs, Q * d * d + pairs, pairs, (both + Q * K) * H]]])",
        "kept = torch.tensor(",
        "    [[[both, both, both + Q * d + d * d, 2 * pairs, both + Q * K * H + own]]])",
      ],
      "multiplications",
    ),
});

/** How many times as much as the dot product the additive score needs. */
const times = (counts: Vector) => short(counts[ADDITIVE] / counts[DOT]);

/** Two digits of it, or all whole ones. */
const short = (x: number) =>
  x < 10 ? String(Number(x.toPrecision(2))) : Math.round(x).toLocaleString("en");

function View({ figure, figure: { at, t } }: { figure: Figure<State, Stages> }) {
  const [multiplications] = at.multiplications[0];
  const [kept] = at.kept[0];
  return (
    <>
      <div class="controls">
        {at.sliders.map((slider, i) => (
          <span key={slider} data-handle={i ? undefined : ""} class={i ? "" : "held"}>
            <ListSlider
              name={slider}
              label={t(`size_${slider}`)}
              numbers={POWERS}
              value={at[MOVED[slider][0]]}
              change={(n) => figure.set(Object.fromEntries(MOVED[slider].map((name) => [name, n])))}
            />
          </span>
        ))}
      </div>
      <div class="rows costs">
        <span class="row-head" />
        <span class="row-head">{t("multiplications")}</span>
        <span class="row-head">{t("keptForGradients")}</span>
        {SCORES.map((score, i) => (
          <>
            <span class="row-name">{t(`score_${score}`)}</span>
            <Cost figure={figure} all={multiplications} i={i} text={short(multiplications[i])} />
            <Cost figure={figure} all={kept} i={i} text={mebibytes(kept[i])} />
          </>
        ))}
      </div>
      <p class="hint">
        {t("costSizes", {
          Q: at.num_queries,
          K: at.num_keys,
          d: at.d,
          H: at.num_hiddens,
        })}
      </p>
    </>
  );
}

const mebibytes = (numbers: number) => {
  const size = (FLOAT * numbers) / MIB;
  return `${size < 10 ? size.toFixed(3) : short(size)} MiB`;
};

/** A number, and how it stands to the largest of its column. */
function Cost(props: { figure: Figure<State, Stages>; all: Vector; i: number; text: string }) {
  const { figure, all, i, text } = props;
  const share = figure.revealed.value ? all[i] / Math.max(...all) : 0;
  return (
    <span class="row-track">
      <span class="row-cost" data-length={share} style={{ width: `${100 * share}%` }} />
      <output data-tells>{figure.revealed.value ? text : "?"}</output>
    </span>
  );
}

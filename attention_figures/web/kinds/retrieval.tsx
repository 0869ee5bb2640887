// Shows which names in the plane get a query's weight, by a selectable score: the retrieval figure.
import { useSignal } from "@preact/signals";
import { Segments } from "../controls/choice.tsx";
import { sameShape, oneOf } from "../core/checks.ts";
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
import { declare, type CodeNumber } from "../core/kind.ts";
import type { Translate } from "../core/strings.ts";
import { additive, dot, gaussian } from "../maths/scores.ts";
import { softmax } from "../maths/softmax.ts";
import { range, type Matrix, type Tensor } from "../maths/tensor.ts";
import { program, remark, tensors } from "../export/python.ts";
import { withNumber, withRow } from "../views/number_grid.tsx";
import { Plane } from "../views/plane.tsx";
import { WeightBar } from "../views/weight_bar.tsx";
import "../styles/words.css";
import "../styles/look_up.css";

interface State {
  queries: Tensor; // (1, 1, 2)
  keys_: Tensor; // (1, K, 2)
  names: string[];
  axes: string[];
  score: Score;
}

interface Stages {
  keys: Tensor;
  scores: Tensor;
  attention_weights: Tensor;
}

type At = Readonly<State & Stages>;
type Score = keyof typeof SCORES;

const ONE: Matrix = [
  [1, 0],
  [0, 1],
];
/** By their names in Python: how they are computed, and as a line for q (2,) and keys (K, 2). */
const SCORES = {
  dot: { of: dot, line: "keys @ q" },
  gaussian: { of: gaussian, line: "-(keys - q).square().sum(-1) / 2" },
  additive: {
    of: (queries: Tensor, keys: Tensor) => additive(queries, keys, ONE, ONE, [[1, 1]]),
    line: "torch.tanh(keys + q).sum(-1)",
  },
};
const NAMES = Object.keys(SCORES) as Score[];

export default declare<State, Stages>({
  name: "retrieval",
  state: { queries: sameShape(), keys_: sameShape(), score: oneOf(NAMES) },
  fixed: ["names", "axes"],
  localised: ["names", "axes"],
  stages: {
    keys: ({ keys_ }) => keys_,
    scores: ({ queries, keys, score }) => SCORES[score].of(queries, keys),
    attention_weights: ({ scores }) => softmax(scores),
  },
  View,
  sentence,
  code: (at) => ({
    parts: [
      "q = torch.tensor([",
      coordinate(at, 0),
      ", ",
      coordinate(at, 1),
      `])\ntorch.softmax(${SCORES[at.score].line}, dim=-1)`,
    ],
    output: torchText(at.attention_weights[0][0]),
  }),
  program: (at, t) =>
    program(
      t,
      [`from attention_lib.scores import ${at.score}`],
      [
        ...tensors(at, ["queries", "keys_"]),
        "",
        ...(at.score === "additive"
          ? [
              remark("one = torch.eye(2, dtype=torch.float64)", t("nothingLearnt")),
              "scores = additive(queries, keys, one, one, torch.ones_like(one[:1]))",
            ]
          : [`scores = ${at.score}(queries, keys)`]),
        "attention_weights = torch.softmax(scores, dim=-1)",
      ],
    ),
});

const coordinate = ({ queries }: At, axis: number): CodeNumber<State> => ({
  name: `code.queries[0][0][${axis}]`,
  value: queries[0][0][axis],
  low: -LIMIT,
  high: LIMIT,
  step: 0.1,
  change: (x) => ({ queries: withNumber(queries, 0, 0, axis, x) }),
});

/** What is found, the most first. */
function sentence(at: At, t: Translate): string {
  const weights = at.attention_weights[0][0];
  const order = range(weights.length).sort((a, b) => weights[b] - weights[a]);
  const shares = order
    .slice(0, 3)
    .map((k) => t("readsShare", { share: percent(weights[k]), word: at.names[k] }));
  return t("finds", { list: shares.join(t("comma")) });
}

function View({ figure, figure: { at, t } }: { figure: Figure<State, Stages> }) {
  const focused = useSignal("");
  const follow = ({ type, target }: FocusEvent) => {
    const { control = "" } = (target as HTMLElement).dataset;
    focused.value = type === "focusin" ? control : "";
  };
  return (
    <div class="look-up retrieval" onFocusIn={follow} onFocusOut={follow}>
      <div class="controls">
        <Segments
          name="score"
          label={t("scoreBy")}
          value={at.score}
          choices={NAMES}
          format={(score) => t(`score_${score}`)}
          change={(score) => figure.set({ score })}
        />
      </div>
      <InThePlane figure={figure} focused={focused.value} />
      <ByName figure={figure} />
    </div>
  );
}

function InThePlane(props: { figure: Figure<State, Stages>; focused: string }) {
  const { figure, focused } = props;
  const { at, t } = figure;
  const query = t("query");
  return (
    <div class="in-the-plane">
      <Plane
        label={t("plane")}
        title={t("dragPoint")}
        hint={t("dragMe")}
        axes={at.axes}
        queries={at.queries[0]}
        keys={at.keys_[0]}
        points={[
          { trait: "queries", row: 0, name: "queries[0][0]", label: query, text: "" },
          ...at.names.map((name, row) => ({
            trait: "keys_",
            row,
            name: `keys[0][${row}]`,
            label: `${t("key")} ${name}`,
            text: name,
          })),
        ]}
        weights={at.attention_weights[0][0]}
        chosen={0}
        focused={focused}
        origin
        choose={() => {}}
        move={({ trait, row }, to) => {
          const point = to.map((x) => clamped(rounded(x), -LIMIT, LIMIT));
          const before = trait === "queries" ? at.queries : at.keys_;
          figure.set({ [trait]: withRow(before, 0, row, point) });
        }}
      />
    </div>
  );
}

/** One column for each key: its name, its score and its weight. */
function ByName({ figure, figure: { at, t } }: { figure: Figure<State, Stages> }) {
  const cell = (row: number, k: number) => ({
    style: { gridArea: `${row} / ${k - at.names.length - 1}` },
  });
  return (
    <div class="columns" style={{ "--number": at.names.length }}>
      <span class="role" style={{ gridRow: 1 }}>
        {t("weight")}
      </span>
      {at.names.map((_, k) => (
        <WeightBar
          figure={figure}
          weight={at.attention_weights[0][0][k]}
          at={[0, 0, k]}
          {...cell(1, k)}
        />
      ))}
      <span class="role" style={{ gridRow: 2 }}>
        {t("key")}
      </span>
      {at.names.map((name, k) => (
        <div class="key-word" data-place={k} {...cell(2, k)}>
          {name}
        </div>
      ))}
      <span class="role" style={{ gridRow: 3 }}>
        {t("score")}
      </span>
      {at.scores[0][0].map((score, k) => (
        <output class="number-cell wide" data-tells {...cell(3, k)}>
          {figure.revealed.value ? shortScore(score) : "?"}
        </output>
      ))}
    </div>
  );
}

const shortScore = (x: number) =>
  Math.abs(x) < 100 ? formatNumber(x) : plainNumber(Math.round(x));

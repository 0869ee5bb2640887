// Replays how training changes the regions in which each key wins, for two scores: the learned figure.
import { useSignal } from "@preact/signals";
import { Segments } from "../controls/choice.tsx";
import { Slider } from "../controls/slider.tsx";
import { sameShape, indexBelow, oneOf } from "../core/checks.ts";
import type { Figure } from "../core/figure.ts";
import { clamped, LIMIT, percent, rounded } from "../core/format.ts";
import { declare } from "../core/kind.ts";
import type { Translate } from "../core/strings.ts";
import { attentionScores, SCORES, type Parameters } from "../maths/scores.ts";
import { softmax } from "../maths/softmax.ts";
import { byRow, range, type Tensor } from "../maths/tensor.ts";
import { floats, program, tensors } from "../export/python.ts";
import { withRow } from "../views/number_grid.tsx";
import { HeatmapPanel } from "../views/panel.tsx";
import { Plane } from "../views/plane.tsx";
import { Regions } from "../views/regions.tsx";
import { weightScale } from "../views/scale.tsx";
import "../styles/comparison.css";

interface State {
  queries: Tensor; // (1, 1, 2)
  keys_: Tensor; // (1, K, 2)
  W: Tensor; // (T, 3, 3): of each stored step, like those below
  W_q: Tensor; // (T, H, 3)
  W_k: Tensor; // (T, H, 3)
  w_v: Tensor; // (T, 1, H)
  shares: Tensor; // (1, 2, T)
  steps: number[];
  /** Of the keys and, last, of the query. */
  names: string[];
  score: (typeof LEARNED)[number];
  step: number;
}

interface Stages {
  scores: Tensor; // (1, 1, K)
  attention_weights: Tensor; // (1, 1, K)
  share: Tensor; // (1, 1, 1)
}

type At = Readonly<State & Stages>;
type Props = { figure: Figure<State, Stages> };

const LEARNED = ["bilinear", "additive"] as const;

const withOne = (tensor: Tensor) => byRow(tensor, (row) => [...row, 1]);

const parametersOf = (at: Readonly<State>): Parameters => ({
  W: at.W[at.step],
  W_q: at.W_q[at.step],
  W_k: at.W_k[at.step],
  w_v: at.w_v[at.step],
});

const scoresOf = (at: Readonly<State>, queries: Tensor) =>
  attentionScores(at.score, withOne(queries), withOne(at.keys_), parametersOf(at));

export default declare<State, Stages>({
  name: "learned",
  state: {
    queries: sameShape(),
    keys_: sameShape(),
    score: oneOf(LEARNED),
    step: indexBelow(({ steps }: State) => steps.length),
  },
  fixed: ["W", "W_q", "W_k", "w_v", "shares", "steps", "names"],
  localised: ["names"],
  stages: {
    scores: (at) => scoresOf(at, at.queries),
    attention_weights: ({ scores }) => softmax(scores),
    share: ({ shares, score, step }) => [[[shares[0][LEARNED.indexOf(score)][step]]]],
  },
  View,
  sentence,
  program: (at, t) => {
    const own = SCORES[at.score].parameters;
    const parameters = parametersOf(at);
    return program(
      t,
      ["import torch.nn.functional as F", `from attention_lib.scores import ${at.score}`],
      [
        ...tensors(at, ["queries", "keys_"]),
        ...own.map((name) => floats(name, parameters[name])),
        floats("share", at.share),
        "",
        "queries, keys = (F.pad(x, (0, 1), value=1.0) for x in (queries, keys))",
        `scores = ${at.score}(queries, keys, ${own.join(", ")})`,
        "attention_weights = torch.softmax(scores, dim=-1)",
      ],
    );
  },
  columns: ({ keys_ }) => ({ keys: keys_[0].length, columns: keys_[0].length }),
});

function winnerOf({ scores: [[row]] }: At): number {
  return row.indexOf(Math.max(...row));
}

function sentence(at: At, t: Translate): string {
  const winner = winnerOf(at);
  return t("learnedSays", {
    steps: at.steps[at.step],
    score: t(`score_${at.score}`),
    share: percent(at.share[0][0][0]),
    key: at.names[winner],
    weight: percent(at.attention_weights[0][0][winner]),
  });
}

function View({ figure, figure: { at, t } }: Props) {
  const focused = useSignal("");
  const follow = ({ type, target }: FocusEvent) => {
    const { control = "" } = (target as HTMLElement).dataset;
    focused.value = type === "focusin" ? control : "";
  };
  const keys = range(at.keys_[0].length);
  const query = at.names[keys.length];
  const move = ({ trait, row }: { trait: string; row: number }, to: [number, number]) => {
    const point = to.map((number) => clamped(rounded(number), -LIMIT, LIMIT));
    const before = trait === "queries" ? at.queries : at.keys_;
    figure.set({ [trait]: withRow(before, 0, row, point) });
  };
  return (
    <div class="comparison" data-parts="regions" onFocusIn={follow} onFocusOut={follow}>
      <div class="controls">
        <span data-handle class="held">
          <Slider
            name="step"
            label={t("afterSteps")}
            max={at.steps.length - 1}
            value={at.step}
            format={(step) => String(at.steps[step])}
            change={(step) => figure.set({ step })}
          />
        </span>
        <Segments
          name="score"
          label={t("scoreBy")}
          value={at.score}
          choices={LEARNED}
          format={(score) => t(`score_${score}`)}
          change={(score) => figure.set({ score })}
        />
      </div>
      <div class="in-the-plane">
        <Plane
          label={t("plane")}
          title={t("dragPoint")}
          hint=""
          queries={at.queries[0]}
          keys={at.keys_[0]}
          points={[
            {
              trait: "queries",
              row: 0,
              name: "queries[0][0]",
              label: `${t("query")} ${query}`,
              text: query,
            },
            ...keys.map((k) => ({
              trait: "keys_",
              row: k,
              name: `keys[0][${k}]`,
              label: `${t("key")} ${at.names[k]}`,
              text: at.names[k],
            })),
          ]}
          weights={at.attention_weights[0][0]}
          chosen={0}
          main={-1}
          focused={focused.value}
          origin
          behind={(x, y, taken, lines) => (
            <Regions
              x={x}
              y={y}
              of={(points) => scoresOf(at, [points])[0]}
              about={JSON.stringify([at.score, at.step, at.keys_])}
              keys={at.keys_[0]}
              names={keys.map((k) => t("regionOf", { key: at.names[k] }))}
              short={at.names}
              winner={winnerOf(at)}
              taken={taken}
              lines={lines}
            />
          )}
          choose={() => {}}
          move={move}
        />
        <span class="hint" data-tells>
          {t("regionsAre", { score: t(`score_${at.score}`) })}
        </span>
      </div>
      <div class="by-score">
        <HeatmapPanel
          figure={figure}
          label="attention_weights[0]"
          matrix={at.attention_weights[0]}
          scale={weightScale}
          example={0}
          heads={at.names.slice(0, -1)}
          sides={[query]}
        />
      </div>
    </div>
  );
}

// Draws a query among keys in the plane, with a selectable scoring function: the score figure.
import { useSignal } from "@preact/signals";
import { Select } from "../controls/choice.tsx";
import { sameShape, oneOf } from "../core/checks.ts";
import type { Figure } from "../core/figure.ts";
import { clamped, formatNumber, LIMIT, percent, rounded, torchText } from "../core/format.ts";
import { declare, type CodeLine } from "../core/kind.ts";
import type { Translate } from "../core/strings.ts";
import {
  attentionScores,
  LIBRARY_SCORES,
  PARAMETERS,
  SCORES,
  type Parameters,
  type ScoreName,
} from "../maths/scores.ts";
import { softmax } from "../maths/softmax.ts";
import { pool, range, type Tensor } from "../maths/tensor.ts";
import { program, tensors } from "../export/python.ts";
import { ByKey } from "../views/by_key.tsx";
import { Contours } from "../views/contours.tsx";
import { Formula } from "../views/formula.tsx";
import { MatrixPanels } from "../views/matrix_panels.tsx";
import { EditablePanel, withNumber, withRow } from "../views/number_grid.tsx";
import { Plane, pointsAsked } from "../views/plane.tsx";
import { plainScale } from "../views/scale.tsx";
import "../styles/look_up.css";

interface State extends Parameters {
  queries: Tensor; // (1, 1, d)
  keys_: Tensor; // (1, K, d)
  values: Tensor; // (1, K, V)
  score: ScoreName;
  /** Names of keys and of the query; may be empty. */
  names: string[];
  query_name: string;
  /** What is more to the right, and what further up, if the axes have a meaning. */
  axes: string[];
  /** Only plane, scores and weights. */
  compact: boolean;
}

interface Stages {
  keys: Tensor;
  scores: Tensor;
  attention_weights: Tensor;
  output: Tensor;
}

type At = Readonly<State & Stages>;
type Props = { figure: Figure<State, Stages> };

/** The scores whose parameters the figure has. */
const choicesOf = (at: Readonly<State>): ScoreName[] =>
  LIBRARY_SCORES.filter((score) => SCORES[score].parameters.every((name) => at[name]));
const FEW = 8; // numbers of the keys that a line of code has room for

export default declare<State, Stages>({
  name: "score",
  state: {
    queries: sameShape(),
    keys_: sameShape(),
    values: sameShape(),
    ...Object.fromEntries(PARAMETERS.map((name) => [name, sameShape()])),
    score: oneOf(choicesOf),
  },
  fixed: ["names", "query_name", "axes", "compact"],
  localised: ["names", "query_name", "axes", "compact"],
  stages: {
    keys: ({ keys_ }) => keys_,
    scores: (at) => attentionScores(at.score, at.queries, at.keys, at),
    attention_weights: ({ scores }) => softmax(scores),
    output: ({ attention_weights, values }) => pool(attention_weights, values),
  },
  View,
  sentence,
  code,
  program: (at, t) => {
    const { parameters } = SCORES[at.score];
    return program(
      t,
      [`from attention_lib.scores import ${at.score}`],
      [
        ...tensors(at, ["queries", "keys_", "values", ...parameters]),
        "",
        `scores = ${at.score}(${["queries", "keys", ...parameters].join(", ")})`,
        "attention_weights = torch.softmax(scores, dim=-1)",
        "output = attention_weights @ values",
      ],
    );
  },
  columns: ({ keys_ }) => ({ keys: keys_[0].length, columns: keys_[0].length + 2 }),
});

const keyName = ({ names }: At, k: number) => names[k] ?? `k${k}`;
const queryName = ({ query_name: name }: At) => name || "q";

/** Which key fits best, and what it takes. */
function sentence(at: At, t: Translate): string {
  const [scores, weights] = [at.scores[0][0], at.attention_weights[0][0]];
  const best = Math.max(...scores);
  const first = scores.indexOf(best);
  // Alike for readers, who see both numbers rounded.
  const shown = (k: number) => formatNumber(scores[k]) + percent(weights[k]);
  const winners = range(scores.length).filter((k) => shown(k) === shown(first));
  const fit = {
    n: winners.length,
    keys: winners.map((k) => keyName(at, k)).join(t("comma")),
    score: formatNumber(best),
    share: percent(weights[first]),
  };
  const alike = winners.length === 1 ? 0 : winners.length < scores.length ? 1 : 2;
  if (at.compact) return t((["fitsBestOnly", "fitAlikeOnly", "allAlikeOnly"] as const)[alike], fit);
  const output = at.output[0][0].map(formatNumber).join(t("comma"));
  return t((["fitsBest", "fitAlike", "allAlike"] as const)[alike], {
    ...fit,
    output: at.output[0][0].length > 1 ? `(${output})` : output,
  });
}

function code(at: At): CodeLine<State> {
  const [numKeys, size] = [at.keys_[0].length, at.keys_[0][0].length];
  const number = (k: number, i: number) => ({
    name: `code.keys[0][${k}][${i}]`,
    value: at.keys_[0][k][i],
    low: -LIMIT,
    high: LIMIT,
    step: 0.1,
    change: (x: number) => ({ keys_: withNumber(at.keys_, 0, k, i, x) }),
  });
  const between = <T,>(items: T[][]) => items.flatMap((item, i) => (i ? [", ", ...item] : item));
  const row = (k: number) => ["[", ...between(range(size).map((i) => [number(k, i)])), "]"];
  const keys =
    numKeys * size > FEW
      ? ["keys"]
      : ["torch.tensor([[", ...between(range(numKeys).map(row)), "]])"];
  const parameters = SCORES[at.score].parameters.map((name) => `, ${name}`).join("");
  // In one line, where there is no room for several: the keys are seen above it.
  if (at.compact)
    return {
      parts: [`${at.score}(queries, keys${parameters}).softmax(dim=-1)`],
      output: torchText(at.attention_weights),
    };
  return {
    parts: [`${at.score}(queries, `, ...keys, `${parameters})`],
    output: torchText(at.scores),
  };
}

function View({ figure }: Props) {
  const { at } = figure;
  const focused = useSignal("");
  const follow = ({ type, target }: FocusEvent) => {
    const { control = "" } = (target as HTMLElement).dataset;
    focused.value = type === "focusin" ? control : "";
  };
  const size = at.queries[0][0].length;
  const keys = at.keys_[0].map((_, k) => keyName(at, k));
  return (
    <div
      class={size === 2 ? "look-up scoring" : "look-up scoring no-plane"}
      data-compact={at.compact ? "" : undefined}
      onFocusIn={follow}
      onFocusOut={follow}
    >
      <Controls figure={figure} />
      {size === 2 && <InThePlane figure={figure} focused={focused.value} />}
      <ByKey
        figure={figure}
        keys={keys}
        queries={[at.compact ? figure.t("weight") : queryName(at)]}
        query={0}
        scoresReveal
        compact={at.compact}
        withoutValues={at.compact}
      />
      {!at.compact && <Inputs figure={figure} />}
    </div>
  );
}

/** What is typed: the query, and what the score has learned. */
function Inputs({ figure, figure: { at } }: Props) {
  return (
    <>
      <div class="input-queries">
        <EditablePanel
          figure={figure}
          trait="queries"
          b={0}
          scale={plainScale}
          heads={at.queries[0][0].length === 2 ? ["x", "y"] : undefined}
          sides={[queryName(at)]}
        />
      </div>
      <div class="line-of-values">
        <MatrixPanels figure={figure} traits={SCORES[at.score].parameters} />
      </div>
    </>
  );
}

function Controls({ figure, figure: { at, t } }: Props) {
  const d = at.score === "scaled_dot" ? `, d = ${at.queries[0][0].length}` : "";
  return (
    <div class="controls">
      <Select
        name="score"
        label={t("scoreBy")}
        value={at.score}
        choices={choicesOf(at)}
        format={(score) => t(`score_${score}`)}
        change={(score) => figure.set({ score })}
      />
      <Formula text={`a(q, k) = ${SCORES[at.score].formula}${d}`} />
    </div>
  );
}

/** The query among contours of its score: what a key would get there. */
function InThePlane({ figure, focused }: Props & { focused: string }) {
  const { at, t } = figure;
  const [query] = at.queries[0];
  const start = figure.initialState as unknown as State;
  const elsewhere = start.keys_[0].findIndex((key) => String(key) !== String(start.queries[0][0]));
  return (
    <div class="in-the-plane">
      <Plane
        label={t("plane")}
        title={t("dragPoint")}
        hint={t("dragMe")}
        queries={at.queries[0]}
        keys={at.keys_[0]}
        points={[
          {
            trait: "queries",
            row: 0,
            name: "queries[0][0]",
            label: t("query"),
            text: queryName(at),
          },
          ...at.keys_[0].map((_, k) => ({
            trait: "keys_",
            row: k,
            name: `keys[0][${k}]`,
            label: `${t("key")} ${at.names[k] ?? k}`,
            text: keyName(at, k),
          })),
        ]}
        weights={at.attention_weights[0][0]}
        chosen={0}
        main={1 + Math.max(0, elsewhere)}
        focused={focused}
        origin
        reach={pointsAsked(figure)}
        axes={at.axes.length ? at.axes : undefined}
        behind={(x, y, taken, _lines, pixel) => (
          <Contours
            figure={figure}
            x={x}
            y={y}
            taken={taken}
            pixel={pixel}
            of={(points) => attentionScores(at.score, [[query]], [points], at)[0][0]}
            reveals={!at.compact} // it asks what follows from them
            about={JSON.stringify([
              at.score,
              query,
              SCORES[at.score].parameters.map((name) => at[name]),
            ])}
          />
        )}
        choose={() => {}}
        move={({ trait, row }, to) => {
          const point = to.map((x) => clamped(rounded(x), -LIMIT, LIMIT));
          const before = trait === "queries" ? at.queries : at.keys_;
          figure.set({ [trait]: withRow(before, 0, row, point) });
        }}
      />
      <p class="hint">{t("contoursAre")}</p>
    </div>
  );
}

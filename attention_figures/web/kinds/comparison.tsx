// Compares the weights that scoring functions give to the same query and keys: the comparison figure.
import { useSignal } from "@preact/signals";
import { Select } from "../controls/choice.tsx";
import { sameShape, indexBelow } from "../core/checks.ts";
import type { Figure } from "../core/figure.ts";
import { clamped, formatNumber, LIMIT, percent, rounded, torchText } from "../core/format.ts";
import { declare } from "../core/kind.ts";
import type { Translate } from "../core/strings.ts";
import {
  attentionScores,
  PARAMETERS,
  SCORES,
  type Parameters,
  type ScoreName,
} from "../maths/scores.ts";
import { softmax } from "../maths/softmax.ts";
import { range, type Tensor } from "../maths/tensor.ts";
import { program, remark, tensors } from "../export/python.ts";
import { Formula } from "../views/formula.tsx";
import { MatrixPanels } from "../views/matrix_panels.tsx";
import { EditablePanel, withRow } from "../views/number_grid.tsx";
import { HeatmapPanel } from "../views/panel.tsx";
import { Plane, pointsAsked } from "../views/plane.tsx";
import { Regions } from "../views/regions.tsx";
import { plainScale, weightScale } from "../views/scale.tsx";
import "../styles/comparison.css";

interface State extends Parameters {
  queries: Tensor; // (1, 1, 2)
  keys_: Tensor; // (1, K, 2)
  /** Which score's weights the plane shows, by its place. */
  score: number;
  /** Of the keys and, last, of the query; none: their numbers. */
  names: string[];
  /** The scores that there are; none: the usual six. */
  compared: ScoreName[];
  /** What is shown besides the plane; none: all. */
  parts: Part[];
}

type Part = "score" | "regions" | "weights" | "scores" | "numbers";

interface Stages {
  keys: Tensor;
  scores: Tensor; // (1, S, K): a row for each score
  attention_weights: Tensor;
}

type At = Readonly<State & Stages>;
type Props = { figure: Figure<State, Stages> };

const USUAL: ScoreName[] = ["dot", "scaled_dot", "bilinear", "additive", "gaussian", "sum"];

const comparedOf = ({ compared }: Readonly<State>) => (compared.length ? compared : USUAL);
const scoreOf = (at: Readonly<State>) => comparedOf(at)[at.score];
const shows = ({ parts }: Readonly<State>, part: Part) => !parts.length || parts.includes(part);
/** What a point is called: a key, or the query, which comes after them. */
const nameOf = ({ names, keys_ }: Readonly<State>, k: number) =>
  names.length ? names[k] : k < keys_[0].length ? `k${k}` : "q0";

export default declare<State, Stages>({
  name: "comparison",
  state: {
    queries: sameShape(),
    keys_: sameShape(),
    ...Object.fromEntries(PARAMETERS.map((name) => [name, sameShape()])),
  },
  fixed: ["names", "compared", "parts"],
  localised: ["names", "compared", "parts"],
  viewState: { score: { initial: 0, check: indexBelow((at: State) => comparedOf(at).length) } },
  stages: {
    keys: ({ keys_ }) => keys_,
    scores: (at) => [
      comparedOf(at).flatMap((score) => attentionScores(score, at.queries, at.keys, at)[0]),
    ],
    attention_weights: ({ scores }) => softmax(scores),
  },
  View,
  sentence,
  code: (at) => {
    const score = scoreOf(at);
    // the library has no function for the sum, which drops the tanh
    const call = score === "sum" ? "((queries @ W_q.T + keys @ W_k.T) @ w_v.T).mT" : callOf(score);
    return { parts: [`${call}.softmax(-1)`], output: torchText([[weightsOf(at)]]) };
  },
  program: comparisonProgram,
  columns: ({ keys_ }) => ({ keys: keys_[0].length, columns: 2 * keys_[0].length }),
});

const callOf = (score: ScoreName) =>
  `${score}(${["queries", "keys", ...SCORES[score].parameters].join(", ")})`;

function comparisonProgram(at: At, t: Translate): string {
  const compared = comparedOf(at);
  const used = new Set(compared.flatMap((score) => SCORES[score].parameters));
  const called = compared.filter((score) => score !== "sum").sort();
  const row = (score: ScoreName) =>
    score === "sum" ? remark("    hidden @ w_v[0],", t("withoutTanh")) : `    ${callOf(score)},`;
  return program(
    t,
    called.length ? [`from attention_lib.scores import ${called.join(", ")}`] : [],
    [
      ...tensors(at, ["queries", "keys_", ...PARAMETERS.filter((name) => used.has(name))]),
      "",
      ...(compared.includes("sum")
        ? ["hidden = (queries @ W_q.T).unsqueeze(2) + (keys @ W_k.T).unsqueeze(1)"]
        : []),
      "rows = [",
      ...compared.map(row),
      "]",
      "scores = torch.cat(rows, dim=1)",
      "attention_weights = torch.softmax(scores, dim=-1)",
    ],
  );
}

/** What a score is called where its formula or its code does not stand. */
const named = (score: ScoreName, t: Translate) => t(`score_${score}`);

const weightsOf = (at: At) => at.attention_weights[0][at.score];

function winnerOf(at: At): number {
  const scores = at.scores[0][at.score];
  return scores.indexOf(Math.max(...scores));
}

/** Which key wins by the chosen score, and which by the others. */
function sentence(at: At, t: Translate): string {
  const winner = winnerOf(at);
  const all = at.scores[0].map((row) => row.indexOf(Math.max(...row)));
  const compared = comparedOf(at);
  const alike = compared.filter((_, i) => i !== at.score && all[i] === winner);
  const share = percent(weightsOf(at)[winner]);
  const wins = t("keyWins", { score: named(scoreOf(at), t), key: nameOf(at, winner), share });
  if (compared.length === 1) return wins;
  const [other] = range(compared.length).filter((i) => i !== at.score);
  const others = alike.length
    ? t("alsoWins", { list: alike.map((name) => `*${named(name, t)}*`).join(t("comma")) })
    : compared.length === 2
      ? t("otherWins", { score: named(compared[other], t), key: nameOf(at, all[other]) })
      : t("winsNowhereElse");
  return [wins, others].join(t("space"));
}

function View({ figure }: Props) {
  const { at, t } = figure;
  const score = scoreOf(at);
  const focused = useSignal("");
  const follow = ({ type, target }: FocusEvent) => {
    const { control = "" } = (target as HTMLElement).dataset;
    focused.value = type === "focusin" ? control : "";
  };
  const keys = range(at.keys_[0].length).map((k) => nameOf(at, k));
  const compared = comparedOf(at);
  const chosen = compared.length > 1 ? at.score : undefined;
  const rows = { figure, heads: keys, sides: compared.map((name) => named(name, t)), chosen };
  return (
    <div
      class="comparison"
      data-parts={at.parts.length ? at.parts.join(" ") : undefined}
      onFocusIn={follow}
      onFocusOut={follow}
    >
      <div class="controls">
        {shows(at, "score") && compared.length > 1 && (
          <Select
            name="score"
            label={t("scoreBy")}
            value={at.score}
            choices={range(compared.length)}
            format={(i) => named(compared[i], t)}
            change={(i) => figure.set({ score: i })}
          />
        )}
        <span lang="en">
          <Formula text={`a(q, k) = ${SCORES[score].formula}`} />
        </span>
      </div>
      <InThePlane figure={figure} focused={focused.value} />
      <div class="by-score">
        {shows(at, "weights") && (
          <HeatmapPanel
            {...rows}
            label="attention_weights[0]"
            matrix={at.attention_weights[0]}
            scale={weightScale}
            example={0}
          />
        )}
        {shows(at, "scores") && (
          <HeatmapPanel
            {...rows}
            label="scores[0]"
            matrix={at.scores[0]}
            scale={plainScale}
            format={formatNumber}
          />
        )}
      </div>
      {shows(at, "numbers") && <Numbers figure={figure} keys={keys} />}
    </div>
  );
}

/** Points and parameters, to be typed. */
function Numbers({ figure, figure: { at }, keys }: Props & { keys: string[] }) {
  return (
    <>
      <div class="tensors">
        <EditablePanel
          figure={figure}
          trait="queries"
          b={0}
          scale={plainScale}
          transposed
          heads={[nameOf(at, keys.length)]}
          sides={["x", "y"]}
        />
        <EditablePanel
          figure={figure}
          trait="keys_"
          b={0}
          scale={plainScale}
          transposed
          heads={keys}
          sides={["x", "y"]}
        />
      </div>
      <MatrixPanels figure={figure} traits={SCORES[scoreOf(at)].parameters} />
    </>
  );
}

function InThePlane({ figure, focused }: Props & { focused: string }) {
  const { at, t } = figure;
  const score = scoreOf(at);
  const { keys } = at;
  const names = range(keys[0].length).map((k) => nameOf(at, k));
  const query = nameOf(at, keys[0].length);
  const wins = names.map((key) => t("regionOf", { key }));
  return (
    <div class="in-the-plane">
      <Plane
        label={t("plane")}
        title={t("dragPoint")}
        hint={t("dragMe")}
        queries={at.queries[0]}
        keys={keys[0]}
        points={[
          {
            trait: "queries",
            row: 0,
            name: "queries[0][0]",
            label: `${t("query")} ${query}`,
            text: query,
          },
          ...names.map((text, k) => ({
            trait: "keys_",
            row: k,
            name: `keys[0][${k}]`,
            label: `${t("key")} ${text}`,
            text,
          })),
        ]}
        weights={weightsOf(at)}
        chosen={0}
        focused={focused}
        origin
        reach={pointsAsked(figure)}
        behind={(x, y, taken, lines) =>
          shows(at, "regions") && (
            <Regions
              x={x}
              y={y}
              of={(points) => attentionScores(score, [points], keys, at)[0]}
              about={JSON.stringify([
                score,
                keys,
                SCORES[score].parameters.map((name) => at[name]),
              ])}
              keys={keys[0]}
              names={wins}
              short={names}
              winner={winnerOf(at)}
              taken={taken}
              lines={lines}
            />
          )
        }
        choose={() => {}}
        move={({ trait, row }, to) => {
          const point = to.map((number) => clamped(rounded(number), -LIMIT, LIMIT));
          const before = trait === "queries" ? at.queries : at.keys_;
          figure.set({ [trait]: withRow(before, 0, row, point) });
        }}
      />
      <span class="hint" data-tells>
        {t(shows(at, "regions") ? "regionsAre" : "linesAre", {
          score: named(score, t),
        })}
      </span>
    </div>
  );
}

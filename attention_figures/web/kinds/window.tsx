// Shows a sliding window, the two alignments of a causal mask, and ALiBi's distance penalty: the window
// figure.
import { Segments } from "../controls/choice.tsx";
import { Slider } from "../controls/slider.tsx";
import { sameShape, indexBelow, between, oneOf } from "../core/checks.ts";
import type { Figure } from "../core/figure.ts";
import { formatNumber, percent, torchText } from "../core/format.ts";
import { declare } from "../core/kind.ts";
import type { Translate } from "../core/strings.ts";
import { maskedScores, softmax } from "../maths/softmax.ts";
import { byRow, range, type Tensor } from "../maths/tensor.ts";
import { floats, program } from "../export/python.ts";
import { WeightSquare } from "../views/weight_square.tsx";
import { dataMany } from "../views/data_many.ts";
import "../styles/words.css";

interface State {
  words: string[];
  scores: Tensor; // (1, Q, N)
  width: number;
  slope: number;
  corner: (typeof CORNERS)[number];
  handle: "width" | "slope" | "corner";
  back: number; // the caption's query, counted back from the last row
}

interface Stages {
  mask: Tensor; // (1, Q, N), like those below
  biased_scores: Tensor;
  attention_weights: Tensor;
}

type At = Readonly<State & Stages>;

const CORNERS = ["upper", "lower"] as const;
const STEEPEST = 2;
const sizes = ({ scores }: Readonly<State>) => [scores[0].length, scores[0][0].length] as const;

/** The last word that a query may read: its own or, from the upper corner, counted from the first. */
function placeOf(at: Readonly<State>, q: number): number {
  const [numQueries, numKeys] = sizes(at);
  return at.corner === "lower" ? numKeys - numQueries + q : q;
}

const rowOf = (at: At) => sizes(at)[0] - 1 - at.back;
/** The torch expression for the selected word's weights from its masked scores. */
const weighed = (at: At) =>
  `scores.masked_fill(~mask, -torch.inf).softmax(dim=-1)[0, ${rowOf(at)}]`;
const ownWord = (at: Readonly<State>, q: number) => at.words.at(q - sizes(at)[0])!;

export default declare<State, Stages>({
  name: "window",
  state: {
    width: oneOf((state: State) => range(sizes(state)[1]).map((n) => n + 1)),
    slope: between(0, STEEPEST),
    corner: oneOf(CORNERS),
    scores: sameShape(),
  },
  fixed: ["words", "handle"],
  localised: ["words"],
  viewState: { back: { initial: 0, check: indexBelow<State>((state) => sizes(state)[0]) } },
  stages: {
    mask: (at) =>
      byRow(at.scores, (row, _, q) =>
        row.map((_, k) => {
          const distance = placeOf(at, q) - k;
          return Number(distance >= 0 && distance < at.width);
        }),
      ),
    biased_scores: (at) =>
      byRow(at.scores, (row, _, q) => row.map((x, k) => x - at.slope * (placeOf(at, q) - k))),
    attention_weights: ({ biased_scores, mask }) => softmax(maskedScores(biased_scores, mask)),
  },
  View,
  sentence,
  code: (at) => ({
    parts: {
      width: [
        "mask = (distance >= 0) & (distance < ",
        {
          name: "code.width",
          value: at.width,
          low: 1,
          high: at.words.length,
          change: (width: number) => ({ width }),
        },
        `)\n${weighed(at)}`,
      ],
      slope: [
        "scores -= ",
        {
          name: "code.slope",
          value: at.slope,
          low: 0,
          high: STEEPEST,
          step: 0.1,
          change: (slope: number) => ({ slope }),
        },
        ` * distance\n${weighed(at)}`,
      ],
      corner: [
        `causal_${at.corner}_${at.corner === "lower" ? "right" : "left"}(${sizes(at).join(", ")})`,
      ],
    }[at.handle],
    output: torchText(at.handle === "corner" ? at.mask[0] : at.attention_weights[0][rowOf(at)]),
  }),
  program: (at, t) => {
    const [numQueries, numKeys] = sizes(at);
    return program(
      t,
      [],
      [
        floats("scores", at.scores),
        "",
        `queries = torch.arange(${numQueries})[:, None] + ${placeOf(at, 0)}`,
        `distance = queries - torch.arange(${numKeys})`,
        `mask = ((distance >= 0) & (distance < ${at.width}))[None]`,
        `biased_scores = scores - ${at.slope} * distance.double()`,
        "attention_weights = biased_scores.masked_fill(~mask, -torch.inf).softmax(dim=-1)",
      ],
    );
  },
});

/** Describes what the selected word reads, by weight, and what is masked. */
function sentence(at: At, t: Translate): string {
  const row = rowOf(at);
  const weights = at.attention_weights[0][row];
  const query = ownWord(at, row);
  const seen = range(weights.length).filter((k) => at.mask[0][row][k]);
  seen.sort((a, b) => weights[b] - weights[a]);
  const shares = seen.map((k) =>
    t("readsShare", { share: percent(weights[k]), word: at.words[k] }),
  );
  const unseen = [...new Set(at.words.filter((_, k) => !at.mask[0][row][k]))];
  return [
    t("reads", { query, list: shares.join(t("comma")) }),
    unseen.length
      ? t("unseen", { list: unseen.map((word) => t("quoted", { word })).join(t("comma")) })
      : "",
  ]
    .filter(Boolean)
    .join(t("space"));
}

function View({ figure }: { figure: Figure<State, Stages> }) {
  const { at, t } = figure;
  const [numQueries, numKeys] = sizes(at);
  const controls = {
    corner: (
      <Segments
        name="corner"
        label={t("windowCorner")}
        value={at.corner}
        choices={CORNERS}
        format={(corner) => t(`windowCorner_${corner}`)}
        change={(corner) => figure.set({ corner })}
      />
    ),
    width: (
      <Slider
        name="width"
        label={t("windowWidth")}
        value={at.width}
        min={1}
        max={numKeys}
        change={(width) => figure.set({ width })}
      />
    ),
    slope: (
      <Slider
        name="slope"
        label={t("windowSlope")}
        value={at.slope}
        max={STEEPEST}
        step={0.1}
        change={(slope) => figure.set({ slope })}
      />
    ),
  };
  return (
    <>
      <div class="controls">
        <span data-handle class="held">
          {controls[at.handle]}
        </span>
        {at.handle !== "width" && controls.width}
      </div>
      <div class="columns stairs" data-many={dataMany(numKeys)} style={{ "--number": numKeys }}>
        <span class="role" style={{ gridRow: 1 }}>
          {t("queryByKey")}
        </span>
        {at.words.map((word, k) => (
          <div class="key-word" data-place={k} style={{ gridArea: `1 / ${k + 2}` }}>
            {word}
          </div>
        ))}
        {range(numQueries).map((q) => (
          <>
            <button
              type="button"
              class="query-word"
              style={{ gridArea: `${q + 2} / 1` }}
              data-control={`row[${q}]`}
              aria-pressed={q === rowOf(at)}
              onClick={() => figure.set({ back: numQueries - 1 - q })}
            >
              {ownWord(at, q)}
            </button>
            {range(numKeys).map((k) => (
              <WeightSquare
                figure={figure}
                weight={at.attention_weights[0][q][k]}
                at={[0, q, k]}
                masked={!at.mask[0][q][k]}
                text={formatNumber(at.attention_weights[0][q][k])}
                style={{ gridArea: `${q + 2} / ${k + 2}` }}
              />
            ))}
          </>
        ))}
      </div>
    </>
  );
}

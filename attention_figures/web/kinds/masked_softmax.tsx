// Steps through masked softmax, one stage after the other: the step figure.
import type { ComponentChildren } from "preact";
import { LengthControls } from "../controls/lengths.tsx";
import { Steps } from "../controls/steps.tsx";
import { sameShape, indexBelow, validLengths as areLengths } from "../core/checks.ts";
import type { Figure } from "../core/figure.ts";
import { declare } from "../core/kind.ts";
import {
  dividedBySum,
  exponentials,
  lengthMask,
  maskedScores,
  rowLengths,
  type Lengths,
} from "../maths/softmax.ts";
import { range, rowSums, type Tensor } from "../maths/tensor.ts";
import { floats, integers, program, remark } from "../export/python.ts";
import { EditablePanel } from "../views/number_grid.tsx";
import { HeatmapPanel, MaskedPanel, truth } from "../views/panel.tsx";
import { plainScale, symmetricScale, weightScale, type Scale } from "../views/scale.tsx";
import { weightsInWords } from "../views/weights_in_words.ts";
import "../styles/flow.css";

interface State {
  scores: Tensor;
  valid_lens: Lengths;
  step: number;
}

interface Stages {
  lengths: Tensor;
  mask: Tensor;
  masked_scores: Tensor;
  exponentials: Tensor;
  sums: Tensor;
  attention_weights: Tensor;
}

type At = Readonly<State & Stages>;
const LAST = 5;
const shape = ({ scores }: { scores: Tensor }) =>
  [scores.length, scores[0].length, scores[0][0].length] as const;

export default declare<State, Stages>({
  name: "masked_softmax",
  state: { scores: sameShape(), valid_lens: areLengths(shape), step: indexBelow(() => LAST + 1) },
  fixed: [],
  stages: {
    lengths: (at) => rowLengths(at.valid_lens, shape(at)[1]).map((row) => row.map((n) => [n])),
    mask: (at) => lengthMask(at.valid_lens, shape(at)[1], shape(at)[2]),
    masked_scores: ({ scores, mask }) => maskedScores(scores, mask),
    exponentials: ({ masked_scores }) => exponentials(masked_scores),
    sums: (at) => rowSums(at.exponentials),
    attention_weights: (at) => dividedBySum(at.exponentials, at.sums),
  },
  View,
  announcement: (at, t) => (at.step < LAST ? "" : weightsInWords(at.attention_weights, t)),
  program: ({ scores, valid_lens }, t) =>
    program(
      t,
      ["from attention_lib import length_mask, masked_softmax"],
      [
        floats("scores", scores),
        integers("valid_lens", valid_lens),
        "",
        "mask = length_mask(valid_lens, *scores.shape[1:]).expand(scores.shape)",
        remark("lengths = mask.sum(-1, keepdim=True)", t("lengths")),
        remark("masked_scores = scores.masked_fill(~mask, -torch.inf)", t("maskedScores")),
        remark("largest = masked_scores.amax(-1, keepdim=True).nan_to_num(neginf=0)", t("noKey")),
        remark("exponentials = torch.exp(masked_scores - largest)", t("exponentials")),
        "sums = exponentials.sum(-1, keepdim=True)",
        "attention_weights = masked_softmax(scores, valid_lens)",
      ],
    ),
  columns: ({ scores }) => {
    const keys = scores[0][0].length;
    return { keys, columns: 3 * keys + 1 };
  },
});

function View({ figure }: { figure: Figure<State, Stages> }) {
  const { at } = figure;
  const [batch, numQueries, numKeys] = shape(at);
  return (
    <>
      <div class="controls">
        <LengthControls figure={figure} numQueries={numQueries} numKeys={numKeys} />
      </div>
      <Walk figure={figure} />
      <div class="flow steps">
        {PANELS.map((Stage, i) => (
          <div
            key={i}
            class="stage"
            data-ahead={i > at.step ? "" : undefined}
            data-now={i === at.step ? "" : undefined}
          >
            {range(batch).map((b) => (
              <Stage key={b} figure={figure} b={b} />
            ))}
          </div>
        ))}
      </div>
    </>
  );
}

interface PanelProps {
  figure: Figure<State, Stages>;
  b: number;
}

/** Exponentials are at most 1, so a row's sum is at most the number of keys. */
const sumScale = ({ scores }: At): Scale => symmetricScale("weights", [[[scores[0][0].length]]]);

/** Renders the matrices of an example at each step. */
const PANELS: ((props: PanelProps) => ComponentChildren)[] = [
  ({ figure, b }) => (
    <EditablePanel
      figure={figure}
      trait="scores"
      b={b}
      scale={symmetricScale("scores", figure.at.scores)}
    />
  ),
  ({ figure, b }) => (
    <HeatmapPanel
      figure={figure}
      label={`${figure.t("lengths")}[${b}]`}
      matrix={figure.at.lengths[b]}
      scale={plainScale}
      heads={[""]}
      format={String}
    />
  ),
  ({ figure, b }) => (
    <MaskedPanel figure={figure} b={b} stage="mask" scale={plainScale} format={truth} bare />
  ),
  ({ figure, b }) => (
    <MaskedPanel
      figure={figure}
      b={b}
      label={`${figure.t("maskedScores")}[${b}]`}
      stage="masked_scores"
      scale={symmetricScale("scores", figure.at.masked_scores)}
      bare
    />
  ),
  ({ figure: { at, t }, figure, b }) => (
    <HeatmapPanel
      figure={figure}
      label={`${t("exponentials")}[${b}]`}
      matrix={at.exponentials[b].map((row, q) => [...row, ...at.sums[b][q]])}
      kept={at.mask[b].map((row) => [...row, 1])}
      scale={sumScale(at)}
      heads={[...range(shape(at)[2]).map(String), t("sum")]}
    />
  ),
  ({ figure, b }) => (
    <MaskedPanel figure={figure} b={b} stage="attention_weights" scale={weightScale} example={b} />
  ),
];

/** Renders the step controls, and a sentence on the present step. */
function Walk({ figure, figure: { at, t } }: { figure: Figure<State, Stages> }) {
  return (
    <div class="walk-bar">
      <Steps
        t={t}
        name="step"
        label={t("step")}
        value={at.step}
        max={LAST}
        change={(step) => figure.set({ step })}
      />
      <p class="sentence" aria-live="polite">
        {t(`stage${at.step}`)}
      </p>
    </div>
  );
}

// Shows which tokens a model attends to for each character that it writes, as training goes on: the
// reading figure.
import { Segments } from "../controls/choice.tsx";
import { ListSlider, Slider } from "../controls/slider.tsx";
import { stepNumber } from "../controls/steps.tsx";
import { indexBelow } from "../core/checks.ts";
import type { Figure } from "../core/figure.ts";
import { percent } from "../core/format.ts";
import { declare } from "../core/kind.ts";
import { range, type Tensor, type Vector } from "../maths/tensor.ts";
import { floats, integers, program } from "../export/python.ts";
import { Answer, ReadTokens } from "../views/answer.tsx";
import "../styles/reading.css";

interface State {
  weights: Tensor[]; // (R, S, T, K)
  written: string[][]; // (R, S), T characters each
  tokens: string[];
  answer: string;
  spans: [first: number, end: number][];
  steps: Vector;
  runs: string[];
  run: number;
  step: number;
  place: number;
  handle: "step" | "place";
}

interface Stages {
  attention_weights: Tensor; // (1, 1, K)
  correct: Tensor; // (1, R, S)
  aligned: Tensor;
}

type At = Readonly<State & Stages>;

const heaviest = (row: Vector) => row.indexOf(Math.max(...row));

/** Counts the characters that satisfy a condition, for each run and step. */
const counted = (at: At, holds: (t: number, r: number, s: number) => boolean): Tensor => [
  at.written.map((run, r) =>
    run.map((_, s) => range(at.answer.length).filter((t) => holds(t, r, s)).length),
  ),
];

export default declare<State, Stages>({
  name: "reading",
  state: {
    run: indexBelow(({ runs }: State) => runs.length),
    step: indexBelow(({ steps }: State) => steps.length),
    place: indexBelow(({ answer }: State) => answer.length),
  },
  fixed: ["weights", "written", "tokens", "answer", "spans", "steps", "runs", "handle"],
  localised: ["runs", "tokens"],
  stages: {
    attention_weights: ({ weights, run, step, place }) => [[weights[run][step][place]]],
    correct: (at) => counted(at, (t, r, s) => at.written[r][s][t] === at.answer[t]),
    aligned: (at) =>
      counted(at, (t, r, s) => {
        const key = heaviest(at.weights[r][s][t] as unknown as Vector);
        return key >= at.spans[t][0] && key < at.spans[t][1];
      }),
  },
  View,
  sentence: (at, t) => {
    const { run, step, place } = at;
    const row = at.attention_weights[0][0];
    return t("readingSays", {
      step: at.steps[step],
      run: at.runs[run],
      written: at.written[run][step],
      correct: at.correct[0][run][step],
      number: at.answer.length,
      place,
      character: at.written[run][step][place],
      token: at.tokens[heaviest(row)],
      share: percent(Math.max(...row)),
      digits: at.spans.filter(([first, end]) => end > first).length,
      aligned: at.aligned[0][run][step],
    });
  },
  code: ({ run, step, place, steps, answer, attention_weights }) => ({
    parts: [
      `weights[${run}, `,
      ...(steps.length > 1 ? ["steps.index(", stepNumber(steps, step), ")"] : [String(step)]),
      ", ",
      {
        name: "code.place",
        value: place,
        low: 0,
        high: answer.length - 1,
        change: (to) => ({ place: to }),
      },
      "].argmax()",
    ],
    output: `tensor(${heaviest(attention_weights[0][0])})`,
  }),
  program: (at, t) =>
    program(
      t,
      [],
      [
        floats("weights", at.weights),
        integers(
          "written",
          at.written.map((run) => run.map((text) => [...text].map((x) => x.charCodeAt(0)))),
        ),
        integers(
          "answer",
          [...at.answer].map((x) => x.charCodeAt(0)),
        ),
        integers("spans", at.spans),
        `run, step, place = ${at.run}, ${at.step}, ${at.place}`,
        "",
        "attention_weights = weights[run, step, place][None, None]",
        "correct = (written == answer).sum(-1)[None]",
        "first, end = spans.T",
        "heaviest = weights.argmax(dim=-1)",
        "aligned = ((heaviest >= first) & (heaviest < end)).sum(-1)[None]",
      ],
    ),
});

function View({ figure, figure: { at, t } }: { figure: Figure<State, Stages> }) {
  const written = at.written[at.run][at.step];
  const [first, end] = at.spans[at.place];
  return (
    <div class="reading">
      <div class="controls">
        {at.handle === "place" && (
          <span data-handle class="held">
            <Slider
              name="place"
              label={t("readingPlace")}
              max={at.answer.length - 1}
              value={at.place}
              format={(place) => at.answer[place]}
              change={(place) => figure.set({ place })}
            />
          </span>
        )}
        {at.steps.length > 1 && (
          <span data-handle={at.handle === "step" ? "" : undefined} class="held">
            <ListSlider
              name="step"
              label={t("trainingStep")}
              numbers={range(at.steps.length)}
              value={at.step}
              format={(i) => String(at.steps[i])}
              change={(step) => figure.set({ step })}
            />
          </span>
        )}
        {at.runs.length > 1 && (
          <Segments
            name="run"
            label={t("readingRun")}
            value={String(at.run)}
            choices={range(at.runs.length).map(String)}
            format={(run) => at.runs[Number(run)]}
            change={(run) => figure.set({ run: Number(run) })}
          />
        )}
      </div>
      <Answer figure={figure} answer={at.answer} written={written} />
      <ReadTokens
        figure={figure}
        row={0}
        tokens={at.tokens}
        weights={at.attention_weights[0][0]}
        isSource={(k) => k >= first && k < end}
      />
    </div>
  );
}

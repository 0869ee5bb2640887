// Shows the attention weights of a training, step by step.
import { Slider } from "../controls/slider.tsx";
import { sameShape, indexBelow } from "../core/checks.ts";
import type { Figure } from "../core/figure.ts";
import { percent, torchText } from "../core/format.ts";
import { declare } from "../core/kind.ts";
import { softmax } from "../maths/softmax.ts";
import { range, type Tensor } from "../maths/tensor.ts";
import { floats, program } from "../export/python.ts";
import { KeyGrid, queryName, weightRow, type Names } from "../views/key_grid.tsx";

interface State extends Names {
  scores: Tensor; // (T, Q, K)
  step: number;
}

interface Stages {
  attention_weights: Tensor;
}

const MOST_NAMED = 4; // rows that the caption names

export default declare<State, Stages>({
  name: "trained_weights",
  state: { scores: sameShape(), step: indexBelow(({ scores }: State) => scores.length) },
  fixed: ["query_names", "key_names"],
  localised: ["query_names", "key_names"],
  stages: { attention_weights: ({ scores, step }) => softmax([scores[step]]) },
  View,
  sentence: (at, t) => {
    const rows = at.attention_weights[0].slice(0, MOST_NAMED).map((row, q) => {
      const shares = row.map((weight) => percent(weight)).join(t("comma"));
      return t("rowHas", { row: queryName(at, q), shares });
    });
    const steps = { step: at.step, all: at.scores.length - 1 };
    return [t("storedStep", steps), ...rows].join(t("space"));
  },
  code: ({ attention_weights }) => ({
    parts: ["torch.softmax(scores, dim=-1)"],
    output: torchText(attention_weights),
  }),
  program: ({ scores, step }, t) =>
    program(
      t,
      [],
      [floats("scores", [scores[step]]), "", "attention_weights = torch.softmax(scores, dim=-1)"],
    ),
  columns: ({ scores }) => ({ keys: scores[0][0].length, columns: scores[0][0].length + 2 }),
});

function View({ figure, figure: { at } }: { figure: Figure<State, Stages> }) {
  const [{ length: numQueries }, { length: numKeys }] = [at.scores[0], at.scores[0][0]];
  return (
    <div>
      <div class="controls">
        <span data-handle class="held">
          <Slider
            name="step"
            label={figure.t("storedStepName")}
            value={at.step}
            max={at.scores.length - 1}
            change={(step) => figure.set({ step })}
          />
        </span>
      </div>
      <KeyGrid
        names={at}
        numKeys={numKeys}
        rows={range(numQueries).map((q) => weightRow(figure, q, queryName(at, q)))}
        after="0.6rem"
        look="bare"
      />
    </div>
  );
}

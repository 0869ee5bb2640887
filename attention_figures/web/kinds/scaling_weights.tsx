// Shows the weights of all queries, by dot products with and without √d.
import { scalingChecks, ScalingControls } from "../controls/scaling.tsx";
import type { Figure } from "../core/figure.ts";
import { formatNumber, shortNumber } from "../core/format.ts";
import { declare } from "../core/kind.ts";
import { scoresOf, type ScalingState } from "../maths/scaling.ts";
import { softmax } from "../maths/softmax.ts";
import { meanAndVariance } from "../maths/statistics.ts";
import { mean, type Tensor } from "../maths/tensor.ts";
import { codeOfVariance, scalingProgram } from "../export/scaling.ts";
import { HeatmapPanel } from "../views/panel.tsx";
import { weightScale } from "../views/scale.tsx";
import "../styles/scaling.css";

interface State extends ScalingState {
  /** Names of the keys; may be empty. */
  names: string[];
}

interface Stages {
  scores: Tensor;
  mean_and_variance: Tensor; // (1, 1, 2)
  attention_weights: Tensor;
}

export default declare<State, Stages>({
  name: "scaling_weights",
  state: scalingChecks,
  fixed: ["names"],
  localised: ["names"],
  stages: {
    scores: scoresOf,
    mean_and_variance: ({ scores }) => meanAndVariance(scores),
    attention_weights: ({ scores }) => softmax(scores),
  },
  View,
  sentence: (at, t) =>
    t(at.scaled ? "dividedSays" : "undividedSays", {
      d: at.d,
      variance: formatNumber(at.mean_and_variance[0][0][1]),
      largest: formatNumber(mean(at.attention_weights[0].map((row) => Math.max(...row)))),
    }),
  code: codeOfVariance,
  program: (at, t) =>
    scalingProgram(at, t, () => [
      "mean, variance = scores.mean(), scores.var()",
      "attention_weights = torch.softmax(scores, dim=-1)",
    ]),
  columns: ({ keys_ }) => ({ keys: keys_[0].length, columns: 2 * keys_[0].length }),
});

function View({ figure, figure: { at } }: { figure: Figure<State, Stages> }) {
  const heads = at.names.length ? at.names : undefined;
  return (
    <div class="scaling">
      <ScalingControls figure={figure} />
      <HeatmapPanel
        figure={figure}
        label="attention_weights[0]"
        matrix={at.attention_weights[0]}
        scale={weightScale}
        example={0}
        format={shortNumber}
        heads={heads}
        sides={at.queries[0].length === at.keys_[0].length ? heads : undefined}
      />
    </div>
  );
}

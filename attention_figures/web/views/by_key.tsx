// Renders keys, scores, weights, values and output in rows, with a column for each key.
import type { Figure } from "../core/figure.ts";
import { range, transpose, type Tensor } from "../maths/tensor.ts";
import { Heatmap } from "./heatmap.tsx";
import { NumberGrid, withNumber } from "./number_grid.tsx";
import { plainScale, symmetricScale, weightScale } from "./scale.tsx";
import "../styles/look_up.css";

/** The traits and stages of one example. */
interface At {
  keys_: Tensor;
  values: Tensor;
  scores: Tensor;
  attention_weights: Tensor;
  output: Tensor;
}

export function ByKey(props: {
  figure: Figure<At, object>;
  keys: readonly string[];
  queries: readonly string[];
  /** The query whose scores are shown. */
  query: number;
  /** Whether the scores would reveal an answer, too. */
  scoresReveal?: boolean;
  /** Whether keys and output are left out, because the figure shows them elsewhere. */
  compact?: boolean;
  /** Whether it ends with the weights. */
  withoutValues?: boolean;
}) {
  const { figure, keys, queries, query, scoresReveal, compact, withoutValues } = props;
  const { at, t } = figure;
  const none = keys.map(() => "");
  const valueSize = at.values[0][0].length;
  const axis = (i: number) => (at.keys_[0][0].length === 2 ? "xy"[i] : String(i));
  const outputs = queries.length / keys.length;
  return (
    <div class="by-key" style={{ "--outputs": Math.min(1, outputs) }}>
      {!compact && (
        <div class="row-keys">
          <NumberGrid
            figure={figure}
            label="keys[0].T"
            matrix={transpose(at.keys_[0])}
            scale={plainScale}
            heads={keys}
            sides={at.keys_[0][0].map((_, i) => `${t("key")} ${axis(i)}`)}
            name={(i, k) => `keys[0][${k}][${i}]`}
            change={(i, k, x) => figure.set({ keys_: withNumber(at.keys_, 0, k, i, x) })}
          />
        </div>
      )}
      <div class="row-scores">
        <Heatmap
          figure={figure}
          label="scores[0]"
          matrix={[at.scores[0][query]]}
          scale={symmetricScale("scores", at.scores)}
          heads={keys}
          sides={[t("score")]}
          reveals={scoresReveal}
        />
      </div>
      <div class="row-weights">
        <Heatmap
          figure={figure}
          label="attention_weights[0]"
          matrix={at.attention_weights[0]}
          scale={weightScale}
          example={0}
          heads={keys}
          sides={queries}
          chosen={queries.length > 1 ? query : undefined}
        />
      </div>
      {!withoutValues && (
        <div class="row-values">
          <NumberGrid
            figure={figure}
            label="values[0].T"
            matrix={transpose(at.values[0])}
            scale={symmetricScale("values", at.values)}
            heads={none}
            sides={range(valueSize).map((i) => (valueSize > 1 ? `${t("value")} ${i}` : t("value")))}
            name={(i, k) => `values[0][${k}][${i}]`}
            change={(i, k, x) => figure.set({ values: withNumber(at.values, 0, k, i, x) })}
          />
        </div>
      )}
      {!compact && (
        <div class="row-output">
          <Heatmap
            figure={figure}
            label="output[0].T"
            matrix={transpose(at.output[0])}
            scale={symmetricScale("values", at.values)}
            heads={queries}
            sides={range(valueSize).map((i) =>
              valueSize > 1 ? `${t("output")} ${i}` : t("output"),
            )}
            reveals
          />
        </div>
      )}
    </div>
  );
}

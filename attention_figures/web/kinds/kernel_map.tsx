// Draws a heatmap of the weights of many queries in kernel regression, for any width of the kernel.
import { isKernel, isWidth, WidthSlider } from "../controls/kernel.tsx";
import { sameShape } from "../core/checks.ts";
import type { Figure } from "../core/figure.ts";
import { formatNumber, plainNumber } from "../core/format.ts";
import { declare } from "../core/kind.ts";
import { axisOf, type Point } from "../maths/axis.ts";
import { column, evenQueries, keysUsed } from "../maths/kernels.ts";
import {
  regressionStages,
  weightsAt,
  type RegressionStages,
  type RegressionState,
} from "../maths/regression.ts";
import { mean, pool, type Tensor } from "../maths/tensor.ts";
import { shadeOf } from "../maths/weights.ts";
import { program } from "../export/python.ts";
import { codeOfOutput, importOf, regressionLines, weightsOf } from "../export/regression.ts";
import { curveInWords } from "../views/curve_in_words.ts";
import { lowerOnPhone, Plot } from "../views/plot.tsx";
import { QueryWeights } from "../views/regression.tsx";
import "../styles/regression.css";

interface Stages extends RegressionStages {
  even_queries: Tensor;
  even_weights: Tensor;
  even_outputs: Tensor;
  keys_used: Tensor; // (1, 1, 1), the mean of these queries
}

const ROWS = 17;

export default declare<RegressionState, Stages>({
  name: "kernel_map",
  state: {
    queries: sameShape(),
    keys_: sameShape(),
    values: sameShape(),
    kernel: isKernel,
    w: isWidth,
  },
  fixed: ["units"],
  localised: ["units"],
  stages: {
    ...regressionStages,
    even_queries: ({ keys_ }) => [column(evenQueries(keys_[0].flat(), ROWS))],
    even_weights: (at) => weightsAt(at, at.even_queries[0].flat()),
    even_outputs: ({ even_weights, values }) => pool(even_weights, values),
    keys_used: ({ even_weights }) => [[[mean(even_weights[0].map(keysUsed))]]],
  },
  View,
  sentence: (at, t) => {
    const used = t("keysUsed", { number: formatNumber(at.keys_used[0][0][0]) });
    return [curveInWords(at, t), used].join(t("space"));
  },
  code: codeOfOutput,
  program: (at, t) =>
    program(
      t,
      [importOf(at)],
      [
        ...regressionLines(at),
        "",
        `# ${t("weightMap")}`,
        "low, high = keys.aminmax()",
        "even_queries = low + (high - low) * torch.arange(17) / 16",
        `even_weights = ${weightsOf("even_queries", at)}`,
        "even_outputs = even_weights @ values",
        "squares = (even_weights**2).sum(-1)",
        "keys_used = torch.where(squares == 0, 0, 1 / squares).mean(-1)[:, None, None]",
      ],
    ),
  columns: ({ keys_ }) => ({ keys: keys_[0].length, columns: keys_[0].length + 3 }),
});

function View({ figure }: { figure: Figure<RegressionState, Stages> }) {
  return (
    <div class="regression">
      <div class="controls">
        <span data-handle class="held">
          <WidthSlider figure={figure} />
        </span>
      </div>
      <WeightMap figure={figure} />
      <QueryWeights figure={figure} />
    </div>
  );
}

const MAP: Point = [330, 252];
const MAP_FRAME = { left: 30, right: 320, top: 18, bottom: 220 };

/** Draws the weights: a row for each query, the first at the bottom. */
function WeightMap({ figure: { at, t } }: { figure: Figure<RegressionState, Stages> }) {
  const [size, frame] = lowerOnPhone(MAP, MAP_FRAME, 40);
  const { left, right, top, bottom } = frame;
  const queries = at.even_queries[0].flat();
  const numKeys = at.keys_[0].length;
  const [first, last] = [queries[0], queries[ROWS - 1]];
  const half = (last - first) / (ROWS - 1) / 2 || 0.5;
  const y = axisOf([first - half, last + half], [bottom, top]);
  const x = axisOf([-0.5, numKeys - 0.5], [left, right]);
  const whole = x.ticks.filter((tick) => Number.isInteger(tick) && tick >= 0 && tick < numKeys);
  const [width, height] = [(right - left) / numKeys, (bottom - top) / ROWS];
  const query = at.queries[0][0][0];
  const beyond = query > y.domain[1] ? "↑" : query < y.domain[0] ? "↓" : "";
  return (
    <div class="weight-map">
      <div data-tells>
        <Plot
          label={t("weightMap")}
          size={size}
          frame={frame}
          x={{ ...x, ticks: whole }}
          y={y}
          name={t("key")}
          beside={t("query")}
        >
          <g class="weights">
            {at.even_weights[0].map((row, q) =>
              row.map((weight, k) => (
                <rect
                  key={`${q},${k}`}
                  x={left + k * width}
                  y={bottom - (q + 1) * height}
                  width={width}
                  height={height}
                  fill-opacity={Math.abs(shadeOf(weight)).toFixed(3)}
                  data-negative={weight < 0 ? "" : undefined}
                />
              )),
            )}
          </g>
          {beyond ? (
            <text class="beyond" x={right} y={top - 5} text-anchor="end">
              {`${beyond} ${t("query")} ${plainNumber(query)}`}
            </text>
          ) : (
            <path class="stem" d={`M${left} ${y.place(query)}H${right}`} />
          )}
        </Plot>
      </div>
    </div>
  );
}

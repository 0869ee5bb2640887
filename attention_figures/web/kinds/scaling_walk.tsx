// Plots the partial sums of dot products, whose distance from 0 grows like √d.
import { draggedSize, scalingChecks, ScalingControls } from "../controls/scaling.tsx";
import type { Figure } from "../core/figure.ts";
import { formatNumber, torchText } from "../core/format.ts";
import { declare } from "../core/kind.ts";
import { axisOf, type Point } from "../maths/axis.ts";
import { largestSize, scoresOf, type ScalingState } from "../maths/scaling.ts";
import { cumulativeSums, mean, range, type Tensor } from "../maths/tensor.ts";
import { divisor, scalingProgram } from "../export/scaling.ts";
import { Curve } from "../views/curve.tsx";
import { Plot } from "../views/plot.tsx";
import "../styles/scaling.css";

interface Stages {
  scores: Tensor;
}

type Props = { figure: Figure<ScalingState, Stages> };
const DEVIATIONS = 3; // shown to either side, of the widest spread
const WIDE: Point = [330, 216];
const WIDE_FRAME = { left: 32, right: 272, top: 20, bottom: 182 };

/** The root mean square of the first query's sums. */
const farFromZero = ({ scores }: Stages) => Math.sqrt(mean(scores[0][0].map((x) => x * x)));

export default declare<ScalingState, Stages>({
  name: "scaling_walk",
  state: scalingChecks,
  fixed: [],
  stages: { scores: scoresOf },
  View,
  sentence: (at, t) =>
    t(at.scaled ? "walkDivided" : "walkUndivided", {
      d: at.d,
      far: formatNumber(farFromZero(at)),
    }),
  code: (at) => ({
    parts: [
      "sums = queries[0, 0, :",
      draggedSize(at),
      `] @ keys[0, :, :${at.d}].T${divisor(at)}\nsums.square().mean().sqrt()`,
    ],
    output: torchText(farFromZero(at)),
  }),
  program: (at, t) => scalingProgram(at, t, () => [], "scores"),
  columns: ({ keys_ }) => ({ keys: keys_[0].length, columns: 2 * keys_[0].length }),
});

function View({ figure }: Props) {
  return (
    <div class="scaling">
      <ScalingControls figure={figure} />
      <Walk figure={figure} />
    </div>
  );
}

/** Plots the partial sums of the first query's products with every key: the origin of √d. */
function Walk({ figure: { at, t } }: Props) {
  const { left, right, top, bottom } = WIDE_FRAME;
  const widest = DEVIATIONS * (at.scaled ? 1 : Math.sqrt(largestSize(at)));
  const x = axisOf([0, largestSize(at)], [left, right]);
  const y = axisOf([-widest, widest], [bottom, top]);
  const upTo = (i: number) => (at.scaled ? Math.sqrt(i) : 1);
  const [query] = at.queries[0];
  const paths = at.keys_[0].map((key) =>
    cumulativeSums(query.map((q, i) => q * key[i])).map((sum, i) => ({
      x: i + 1,
      y: sum / upTo(i + 1),
    })),
  );
  const root = range(largestSize(at)).map((i) => ({ x: i + 1, y: Math.sqrt(i + 1) / upTo(i + 1) }));
  const now = x.place(at.d);
  const bound = root[root.length - 1].y;
  return (
    <div class="alone" data-tells>
      <Plot
        label={t("walk")}
        size={WIDE}
        frame={WIDE_FRAME}
        x={x}
        y={y}
        name="d"
        beside={at.scaled ? "q·k / √d" : "q·k"}
      >
        {paths.map((points, k) => (
          <g key={k}>
            <Curve class="walk later" points={points.slice(at.d - 1)} x={x} y={y} />
            <Curve class="walk" points={points.slice(0, at.d)} x={x} y={y} />
          </g>
        ))}
        {[1, -1].map((sign) => (
          <g key={sign}>
            <Curve
              class="limit"
              points={root.map((point) => ({ x: point.x, y: sign * point.y }))}
              x={x}
              y={y}
            />
            <text class="expected-name" x={right + 5} y={y.place(sign * bound) + 4}>
              {`${sign < 0 ? "−" : "+"}${at.scaled ? "1" : "√d"}`}
            </text>
          </g>
        ))}
        <path class="now" d={`M${now} ${top}V${bottom}`} />
        {at.scores[0][0].map((sum, k) => (
          <circle key={k} class="walker" r={3} cx={now} cy={y.place(sum)} />
        ))}
      </Plot>
    </div>
  );
}

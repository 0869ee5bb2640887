// Plots the errors of kernel regression against the width of the kernel: the bandwidth figure.
import {
  isKernel,
  isWidth,
  KernelFormula,
  KernelSelect,
  WidthSlider,
} from "../controls/kernel.tsx";
import { indexOfNearest, Slider } from "../controls/slider.tsx";
import { sameShape } from "../core/checks.ts";
import type { Figure } from "../core/figure.ts";
import { formatNumber } from "../core/format.ts";
import { declare } from "../core/kind.ts";
import type { Translate } from "../core/strings.ts";
import { axisOf, bentAxis, type Point } from "../maths/axis.ts";
import { WIDTHS } from "../maths/kernels.ts";
import {
  errorsAt,
  regressionStages,
  type RegressionStages,
  type RegressionState,
} from "../maths/regression.ts";
import { transpose, type Matrix, type Tensor, type Vector } from "../maths/tensor.ts";
import { floats, program } from "../export/python.ts";
import { codeOfOutput, importOf, regressionLines } from "../export/regression.ts";
import { Curve } from "../views/curve.tsx";
import { curveInWords } from "../views/curve_in_words.ts";
import { lowerOnPhone, Plot } from "../views/plot.tsx";
import { QueryWeights, Training } from "../views/regression.tsx";
import "../styles/regression.css";

interface State extends RegressionState {
  /** Points and values of the true function, if it is known. */
  truth: Matrix; // (T, 2)
  /** w at each step of a training, for the slider; if empty, the slider selects a width. */
  steps: Vector;
  /** Whether the kernel can be selected. */
  choose_kernel: boolean;
  /** Whether the data and the curve are shown. */
  show_data: boolean;
}

interface Stages extends RegressionStages {
  error: Tensor; // (1, 1, 2 or 3)
  errors: Tensor; // (1, 3 or 4, widths): of each width
}

type At = Readonly<State & Stages>;
type Props = { figure: Figure<State, Stages> };

export default declare<State, Stages>({
  name: "bandwidth",
  state: {
    queries: sameShape(),
    keys_: sameShape(),
    values: sameShape(),
    kernel: isKernel,
    w: isWidth,
  },
  fixed: ["truth", "units", "steps", "choose_kernel", "show_data"],
  localised: ["units", "steps", "choose_kernel", "show_data"],
  stages: {
    ...regressionStages,
    error: (at) => [[errorsAt(at, at.w)]],
    errors: (at) => [transpose(WIDTHS.map((w) => [w, ...errorsAt(at, w)]))],
  },
  View,
  sentence: (at, t) => {
    const [training, out] = at.error[0][0].map(formatNumber);
    return [curveInWords(at, t), t("errorsSay", { training, out })].join(t("space"));
  },
  code: codeOfOutput,
  program: (at, t) => {
    const truth = at.truth.length ? [floats("truth", at.truth)] : [];
    const lines = [...regressionLines(at, truth), ...errorsProgram(at, t)];
    return program(t, [importOf(at)], lines);
  },
  columns: ({ keys_ }) => ({ keys: keys_[0].length, columns: keys_[0].length + 3 }),
});

/** Writes the program that computes the errors of this w and of the slider's widths. */
const errorsProgram = ({ kernel, truth }: At, t: Translate) => [
  "",
  `# ${t("errorsProgram")}`,
  "x, y = keys.flatten(), values.flatten()",
  "def mean_square(queries, x, y, expected, w):",
  `    weights = kernel_weights(queries, x, ${kernel}, w)`,
  "    squares = (weights @ y - expected) ** 2",
  "    return squares.where((weights != 0).any(-1), torch.inf).mean()",
  "def errors_of(w):",
  "    others = [torch.arange(len(x)) != i for i in range(len(x))]",
  "    out = [mean_square(x[~o], x[o], y[o], y[~o], w) for o in others]",
  "    all = [mean_square(x, x, y, y, w), sum(out) / len(x)]",
  ...(truth.length ? ["    all.append(mean_square(truth[:, 0], x, y, truth[:, 1], w))"] : []),
  "    return torch.stack(all)",
  "error = errors_of(w)[None, None]",
  `widths = [0] + [float(f"{10 ** (i / 10 - 1):.2g}") for i in range(31)]`,
  "rows = [torch.tensor([w, *errors_of(w)], dtype=torch.float64) for w in widths]",
  "errors = torch.stack(rows, dim=-1)[None]",
];

function View({ figure, figure: { at } }: Props) {
  return (
    <div class="regression">
      <div class="controls">
        {at.choose_kernel && <KernelSelect figure={figure} />}
        <span data-handle class="held">
          {at.steps.length ? <StepSlider figure={figure} /> : <WidthSlider figure={figure} />}
        </span>
        {at.choose_kernel && <KernelFormula kernel={at.kernel} />}
      </div>
      {at.show_data && <Training figure={figure} truth={at.truth} main={false} />}
      <Errors figure={figure} />
      <QueryWeights figure={figure} />
    </div>
  );
}

/** Replays the width as a training changed it. */
const StepSlider = ({ figure, figure: { at, t } }: Props) => (
  <Slider
    name="w"
    label={t("trainingStep")}
    max={at.steps.length - 1}
    value={indexOfNearest(at.steps, at.w)}
    format={(step) => t("stepSays", { step, w: formatNumber(at.w) })}
    change={(step) => figure.set({ w: at.steps[step] })}
  />
);

const ERRORS: Point = [330, 244];
const ERRORS_FRAME = { left: 30, right: 320, top: 18, bottom: 212 };
const ERROR_NAMES = ["trainingError", "leaveOneOut", "testError"];
const ERROR_LOOKS = ["training-error", "left-out", "test-error"];
const TENTH = 0.1; // below it, w is evenly spaced, and above it, its logarithm

/** Plots the errors against w, and marks the present w. */
function Errors({ figure: { at, t } }: Props) {
  const [size, frame] = lowerOnPhone(ERRORS, ERRORS_FRAME, 90);
  const [widths, ...errors] = at.errors[0];
  const x = bentAxis([0, WIDTHS.at(-1)!], [frame.left, frame.right], [0, 1, 10, 100], (w) =>
    w < TENTH ? w / TENTH : 1 + 10 * Math.log10(w / TENTH),
  );
  const y = axisOf([0, highest(errors)], [frame.bottom, frame.top]);
  const now = x.place(at.w);
  return (
    <div class="errors">
      <div data-tells>
        <Plot
          label={t("errorPlot")}
          size={size}
          frame={frame}
          x={x}
          y={y}
          name="w"
          beside={t("meanSquare")}
        >
          <path class="now" d={`M${now} ${frame.top}V${frame.bottom}`} />
          {errors.map((row, i) => (
            <Curve
              key={i}
              class={ERROR_LOOKS[i]}
              points={row.map((error, j) => ({ x: widths[j], y: error }))}
              x={x}
              y={y}
            />
          ))}
          {at.error[0][0].map((error, i) =>
            error <= y.domain[1] ? (
              <circle key={i} class={ERROR_LOOKS[i]} r={4} cx={now} cy={y.place(error)} />
            ) : null,
          )}
        </Plot>
      </div>
      <dl>
        {at.error[0][0].map((error, i) => (
          <div key={i}>
            <dt>
              <svg class="plot" viewBox="-11 -11 22 22" aria-hidden="true">
                <path class={`curve ${ERROR_LOOKS[i]}`} d="M-11 0H11" />
              </svg>
              {t(ERROR_NAMES[i])}
            </dt>
            <dd data-tells>{formatNumber(error)}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

/** The top of the axis: above all training errors, and other errors that are not much larger. */
function highest([training, ...others]: Matrix): number {
  const most = Math.max(...training.filter(Number.isFinite), 0);
  const near = others.flat().filter((error) => error <= 1.5 * most);
  return 1.1 * Math.max(most, ...near) || 1;
}

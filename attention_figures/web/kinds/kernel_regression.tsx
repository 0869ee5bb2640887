// Shows kernel regression as attention: the data, the curve, and the weights at a query.
import { isKernel, isWidth, KernelFormula, KernelSelect } from "../controls/kernel.tsx";
import { sameShape } from "../core/checks.ts";
import type { Figure } from "../core/figure.ts";
import { declare } from "../core/kind.ts";
import {
  regressionStages,
  type RegressionStages,
  type RegressionState,
} from "../maths/regression.ts";
import type { Matrix } from "../maths/tensor.ts";
import { program } from "../export/python.ts";
import { codeOfOutput, importOf, regressionLines } from "../export/regression.ts";
import { curveInWords } from "../views/curve_in_words.ts";
import { QueryWeights, Training } from "../views/regression.tsx";
import "../styles/regression.css";

interface State extends RegressionState {
  /** Points and values of the true function, if it is known. */
  truth: Matrix; // (T, 2)
  /** Whether the kernel can be selected. */
  choose_kernel: boolean;
}

export default declare<State, RegressionStages>({
  name: "kernel_regression",
  state: {
    queries: sameShape(),
    keys_: sameShape(),
    values: sameShape(),
    kernel: isKernel,
    w: isWidth,
  },
  fixed: ["truth", "units", "choose_kernel"],
  localised: ["units", "choose_kernel"],
  stages: regressionStages,
  View,
  sentence: curveInWords,
  code: codeOfOutput,
  program: (at, t) => program(t, [importOf(at)], regressionLines(at)),
  columns: ({ keys_ }) => ({ keys: keys_[0].length, columns: keys_[0].length + 3 }),
});

function View({ figure, figure: { at } }: { figure: Figure<State, RegressionStages> }) {
  return (
    <div class="regression">
      {at.choose_kernel && (
        <div class="controls">
          <KernelSelect figure={figure} />
          <KernelFormula kernel={at.kernel} />
        </div>
      )}
      <Training figure={figure} truth={at.truth} main />
      <QueryWeights figure={figure} />
    </div>
  );
}

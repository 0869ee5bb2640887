// Writes the Python code of kernel regression: the code line, and the start of a program.
import { torchText } from "../core/format.ts";
import type { CodeLine } from "../core/kind.ts";
import { WIDTHS } from "../maths/kernels.ts";
import type { Regression, RegressionState } from "../maths/regression.ts";
import { pythonFloat, tensors } from "./python.ts";

export const codeOfOutput = ({ kernel, w, output }: Regression): CodeLine<{ w: number }> => ({
  parts: [
    `kernel_weights(queries.ravel(), keys.ravel(), ${kernel}, w=`,
    {
      name: "code.w",
      value: w,
      low: 0,
      high: WIDTHS.at(-1)!,
      numbers: WIDTHS,
      change: (value) => ({ w: value }),
    },
    ") @ values",
  ],
  output: torchText(output),
});

export const importOf = ({ kernel }: RegressionState) =>
  `from attention_lib.kernels import ${kernel}, kernel_weights`;

export const weightsOf = (queries: string, { kernel }: RegressionState) =>
  `kernel_weights(${queries}, keys.ravel(), ${kernel}, w)[None]`;

/** Writes the lines for data, weights and output; `more`: further data. */
export const regressionLines = (at: RegressionState, more: string[] = []) => [
  ...tensors(at, ["queries", "keys_", "values"]),
  ...more,
  `w = ${pythonFloat(at.w)}`,
  "",
  `attention_weights = ${weightsOf("queries.ravel()", at)}`,
  "output = attention_weights @ values",
];

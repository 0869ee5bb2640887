// Writes the Python code of scaled dot products: the start of a program, and the variance of scores.
import { draggedSize } from "../controls/scaling.tsx";
import { torchText } from "../core/format.ts";
import type { CodeLine } from "../core/kind.ts";
import type { Translate } from "../core/strings.ts";
import type { ScalingState } from "../maths/scaling.ts";
import { firstComponents } from "../maths/statistics.ts";
import type { Tensor } from "../maths/tensor.ts";
import { floats, program } from "./python.ts";

const scoreOf = ({ scaled }: ScalingState) => (scaled ? "scaled_dot" : "dot");

/** The end of an expression that divides by √d, or not. */
export const divisor = ({ d, scaled }: ScalingState) => (scaled ? ` / ${d} ** 0.5` : "");

/** Writes a program that begins with queries, keys and scores. */
export const scalingProgram = (
  at: ScalingState,
  t: Translate,
  lines: (score: string) => string[],
  printed?: string,
) =>
  program(
    t,
    [`from attention_lib.scores import ${scoreOf(at)}`],
    [
      floats("queries", firstComponents(at.queries, at.d)),
      floats("keys", firstComponents(at.keys_, at.d)),
      "",
      `scores = ${scoreOf(at)}(queries, keys)`,
      ...lines(scoreOf(at)),
    ],
    printed,
  );

export const codeOfVariance = (
  at: ScalingState & { mean_and_variance: Tensor },
): CodeLine<ScalingState> => ({
  parts: ["(queries[..., :", draggedSize(at), `] @ keys[..., :${at.d}].mT${divisor(at)}).var()`],
  output: torchText(at.mean_and_variance[0][0][1]),
});

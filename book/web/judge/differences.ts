// Describes how a run of a reader's function differs from the solution, as engine/differences.py does.
import { isFloating } from "../torch/views.ts";
import type { Exercise, Text, Trial } from "./data.ts";
import { raised } from "./errors.ts";
import { close, type PythonError, type Run, type Seen } from "./running.ts";
import { refused, type Definition, type Parameter } from "./source.ts";
import { rounded, tuple, type Filler, type Words } from "./words.ts";

export interface Context {
  exercise: Exercise;
  definition: Definition;
  words: Words;
}

/** Describe the first difference: an error, no result, its type, a number. */
export function difference(context: Context, trial: Trial, own: Run, expected: Seen[]): string[] {
  const { exercise, definition, words } = context;
  const where = trial.case;
  if (own.error) {
    const { parameters } = definition;
    const names = parameters && refused(parameters, trial.arguments.length);
    const error = names == null ? own.error : argumentError(own.error, parameters!, trial);
    const [message, ...hints] = raised(error, where, exercise.hints, words);
    if (names == null) return [message!, ...hints];
    const given = exercise.names.slice(0, trial.arguments.length).join(", ");
    return [words.filled("ARGUMENTS", { names: given, own: names }), ...hints];
  }
  const [right, ...parts] = expected;
  if (isNothing(own)) return [words.filled("NOTHING", { case: where })];
  if (!own.output) return wrongKind(own, right!, words);
  const output = { whole: words.filled("OUTPUT"), of: words.filled("OF_OUTPUT") };
  if (!close(own.output, right!)) return [wrongTensor(own.output, right!, where, output, words)];
  const wrong = parts.findIndex((part, i) => !close(partsOf(own)[i]!, part));
  const name = exercise.parts[wrong]!;
  const part = { whole: words.filled("PART", { name }), of: words.filled("OF_PART", { name }) };
  return [wrongTensor(partsOf(own)[wrong]!, parts[wrong]!, where, part, words)];
}

/** Return the error that Python raises if arguments are missing, which hints know. */
function argumentError(error: PythonError, own: Parameter[], trial: Trial): PythonError {
  const missing = own
    .filter((one) => !one.stars && !one.isKeywordOnly)
    .slice(trial.arguments.length)
    .filter((one) => !one.isOptional)
    .map(({ name }) => `'${name}'`);
  if (!missing.length) return error;
  const [count, end] = [missing.length, missing.length > 1 ? "s" : ""];
  const names = missing.join(" and ");
  const message = `f() missing ${count} required positional argument${end}: ${names}`;
  return { ...error, message };
}

/** Whether the function returned nothing. */
export const isNothing = (run: Run) => !run.error && ["NoneType", "ellipsis"].includes(run.kind);

/** Return what came back beside the output, where several tensors are asked for. */
export const partsOf = (run: Run) => run.elements?.slice(1) ?? [];

function wrongKind(own: Run, right: Seen, words: Words): string[] {
  const message = words.filled("TYPE", { expected: tuple(right.shape), type: own.kind });
  return own.kind === "tuple" ? [message, words.filled("PARTS")] : [message];
}

function wrongTensor(
  own: Seen | null,
  expected: Seen,
  where: Text,
  { whole, of }: { whole: string; of: string },
  words: Words,
): string {
  const parts: Record<string, Filler> = { case: where, whole, expected: tuple(expected.shape) };
  if (!own) return words.filled("NOT_TENSOR", parts);
  if (String(own.shape) !== String(expected.shape))
    return words.filled("SHAPE", { ...parts, got: tuple(own.shape) });
  if (!isFloating(own.dtype)) {
    const [right, got] = [expected, own].map(({ dtype }) => `torch.${dtype}`);
    return words.filled("DTYPE", { expected: right!, got: got! });
  }
  if (!own.entries) return words.filled("NO_DATA", parts);
  return wrongEntry(own.entries, expected, where, of, words);
}

/** Name the first entry that is far off. */
function wrongEntry(
  own: Float64Array,
  expected: Seen,
  where: Text,
  of: string,
  words: Words,
): string {
  const distances = own.map((x, i) => {
    const distance = Math.abs(x - expected.entries![i]!);
    return Number.isNaN(distance) ? Infinity : distance;
  });
  const farthest = distances.reduce((a, b) => Math.max(a, b));
  const at = distances.findIndex((distance) => distance >= farthest / 2);
  const [a, b] = [expected.entries![at]!, own[at]!];
  let digits = digitsOf(a, 3) !== digitsOf(b, 3) ? 3 : 6;
  if (own.every(isWhole) && expected.entries!.every(isWhole)) digits = 0;
  return words.filled(Number.isFinite(b) ? "VALUE" : "NOT_FINITE", {
    ...{ case: where, of, index: `[${places(at, expected.shape).join(", ")}]` },
    ...{ expected: digitsOf(a, digits), got: digitsOf(b, digits) },
  });
}

const isWhole = (x: number) => Number.isInteger(x) || Math.abs(x) === Infinity;

function places(at: number, shape: readonly number[]): number[] {
  const found: number[] = [];
  for (let d = shape.length - 1; d >= 0; d--) {
    found.unshift(at % shape[d]!);
    at = Math.floor(at / shape[d]!);
  }
  return found;
}

/** Round a number; a large one keeps at most the seven digits of float32. */
const digitsOf = (x: number, digits: number) =>
  rounded(x, Math.abs(x) < 1e4 || digits > 3 ? digits : 0);

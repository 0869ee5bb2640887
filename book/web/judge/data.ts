// Types of the data that attention_course/exercises/engine/export.py writes for each exercise.

/** A text in English and in Chinese; empty if there is none. */
export type Text = [en: string, zh: string];
export type Lang = "en" | "zh";

/** A tensor: dtype, shape, entries in the order of memory, and strides if it is not contiguous. */
export type Stored = [dtype: string, shape: number[], entries: number[], strides?: number[]];

export interface Trial {
  /** The arguments with their sizes. */
  case: Text;
  /** Indices of tensors, and the source of any other value. */
  arguments: (number | string)[];
  /** Indices of tensors: the output of the solution, then its parts. */
  expected: number[];
}

/** The distinct runs of wrong functions on a case; the first one has the id OTHER. */
export interface Runs {
  /** The shapes of the output and of the parts. */
  shapes: number[][][];
  /** For each run the index of its shapes. */
  shape: number[];
  /** The fingerprints of all runs, one after the other. */
  prints: (number | string)[];
}

export interface Stage {
  trials: Trial[];
  /** For each wrong function the one or two mistakes in it. */
  mistakes: number[][];
  /** For each trial the ids of the wrong functions' runs. */
  wrong: number[][];
  runs: Runs[];
}

export interface Remark extends Trial {
  words: Text;
  /** Ids of runs. */
  variants: number[];
  runs: Runs;
}

export interface Exercise {
  /** Names of the arguments. */
  names: string[];
  /** The time limit. */
  seconds: number;
  /** Names of what a tuple has to hold beside the output. */
  parts: string[];
  /** The refusal of a result that is not such a tuple. */
  other: Text | [];
  /** The refusal of results that are not integers. */
  integers: Text | [];
  texts: Record<string, Text>;
  hints: [pattern: string, ...words: Text][];
  mistakes: [name: string, ...words: Text][];
  stages: Stage[];
  /** The first case in float64. */
  double: Trial;
  remarks: Remark[];
  /** Functions that a right answer must not call, and the refusal. */
  forbidden: [functions: string[], words: Text][];
  /** What the browser does not check; `later`: only a right answer would be checked for it. */
  unchecked: [words: Text, later: boolean][];
  tensors: Stored[];
}

export const [ERROR, RIGHT, OTHER] = [0, 1, 2];

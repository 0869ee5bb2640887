// Types of the JSON that attention_course/exercises/page writes into the page for each exercise.

/** Feedback on an answer: HTML for a puzzle, otherwise text with code between backticks. */
export interface Feedback {
  words: string;
  /** null if unanswered. */
  right: boolean | null;
}

interface FieldBase {
  label: string;
  /** Feedback if unanswered. */
  none: string;
}

export interface NumberField extends FieldBase {
  kind: "number";
  within: number;
  points: (Feedback & { value: number })[];
  others: string;
}

export interface ChoiceField extends FieldBase {
  kind: "choice";
  options: (Feedback & { text: string })[];
}

export interface PlaceField extends FieldBase {
  kind: "place";
  rows: string[];
  columns: string[];
  patterns: (Feedback & { places: number[] })[];
  others: string;
}

export type Field = NumberField | ChoiceField | PlaceField;

export interface Exercise {
  kind: "exercise";
  check: string;
  fields: Field[];
}

/** The code of an exercise that can be answered with code; book/site/source/stubs.py writes it. */
export interface Code {
  /** The function that the reader writes. */
  name: string;
  stub: string;
  /** The program of the puzzle, with a blank in each gap. */
  blanks: string;
}

export interface Puzzle {
  kind: "puzzle";
  check: string;
  intro: string;
  none: string;
  /** Fixed lines, and gaps: lists of lines to choose from. */
  parts: (string | string[])[];
  /** Labels of the gaps, in order. */
  labels: string[];
  said: Feedback[];
  /** Index into `said` for each combination of lines; the last gap changes fastest. */
  table: number[];
  code?: Code;
}

/** Whether a part of a puzzle's program is a gap. */
export const isGap = (part: string | string[]): part is string[] => typeof part !== "string";

// What an exercise of a notebook hands to its page: attention_course/exercises/page writes it.

/** What is said to an answer; of a puzzle it is HTML, else text with code between backticks. */
export interface Said {
  words: string;
  /** null where there is no answer yet. */
  right: boolean | null;
}

interface Asked {
  label: string;
  /** Said where nothing is answered yet. */
  none: string;
}

export interface NumberField extends Asked {
  kind: "number";
  within: number;
  points: (Said & { value: number })[];
  others: string;
}

export interface ChoiceField extends Asked {
  kind: "choice";
  options: (Said & { text: string })[];
}

export interface PlaceField extends Asked {
  kind: "place";
  rows: string[];
  columns: string[];
  patterns: (Said & { places: number[] })[];
  others: string;
}

export type Field = NumberField | ChoiceField | PlaceField;

export interface Paper {
  kind: "exercise";
  check: string;
  fields: Field[];
}

export interface Puzzle {
  kind: "puzzle";
  check: string;
  intro: string;
  none: string;
  /** Lines that stand, and lists of lines of which one is to be chosen. */
  parts: (string | string[])[];
  /** Of the gaps, in order. */
  labels: string[];
  said: Said[];
  /** For each filling the place of what is said; the last gap changes fastest. */
  table: number[];
}

/** Whether a part of a puzzle's program is lines to choose from. */
export const isGap = (part: string | string[]): part is string[] => typeof part !== "string";

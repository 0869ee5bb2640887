// Judges answers, by the same rules as attention_course/exercises/ask.py does for JupyterLab.
import { isAmbiguous, parseNumber } from "../../../attention_figures/web/core/format.ts";
import { isGap, type Field, type Puzzle, type Feedback } from "./state.ts";

/** The answer to a field: its text, option, or column of each row; null if unanswered. */
export type Answer = string | number | null | (number | null)[];

/** Commas that must separate thousands, because there are several or a point follows. */
const THOUSANDS = /(?<![\d,.])\d{1,3}(?:(?:,\d{3}){2,}|(?:,\d{3})+(?=\.))(?![\d,])/g;

const normalised = (text: string) =>
  text
    .normalize("NFKC")
    .replace(/\s/g, "")
    .replace(THOUSANDS, (found) => found.replaceAll(",", ""));

/** The number, or both numbers of a fraction, without a percent sign. */
const parts = (text: string) => normalised(text).replace(/%$/, "").split("/");

/** Whether a comma could separate decimals or thousands. */
export const isUnclear = (text: string) => parts(text).some(isAmbiguous);

/** Parses a number, fraction or percentage; null if it is invalid or ambiguous. */
export function parse(text: string): number | null {
  const [number, divisor = 1, ...more] = parts(text).map(parseNumber);
  if (number == null || !divisor || more.length) return null;
  return number / divisor / (normalised(text).endsWith("%") ? 100 : 1);
}

/** Returns the feedback on an answer; null if the field is not fully answered. */
export function judge(field: Field, answer: Answer): Feedback | null {
  const [others, right] = ["others" in field ? field.others : "", false];
  switch (field.kind) {
    case "number": {
      const value = parse(String(answer ?? ""));
      const { within } = field;
      const near = field.points.find((one) => Math.abs(one.value - value!) <= within * (1 + 1e-9));
      return value === null ? null : (near ?? { words: others, right });
    }
    case "choice":
      return typeof answer === "number" ? field.options[answer]! : null;
    case "place": {
      const places = Array.isArray(answer) ? answer : [];
      if (field.rows.some((_, row) => places[row] == null)) return null;
      const known = field.patterns.find((one) => one.places.every((c, row) => c === places[row]));
      return known ?? { words: others, right };
    }
  }
}

/** Returns the feedback that `check` gave on the program with these lines when the notebook ran. */
export function judgePuzzle(puzzle: Puzzle, places: (number | null)[]): Feedback | null {
  const sizes = puzzle.parts.filter(isGap).map((lines) => lines.length);
  let number = 0;
  for (const [gap, size] of sizes.entries()) {
    const place = places[gap];
    if (place == null) return null;
    number = number * size + place;
  }
  return puzzle.said[puzzle.table[number]!]!;
}

// What is said to an answer. The same as in attention_course/exercises/ask.py, for JupyterLab.
import { isAmbiguous, parseNumber } from "../../../attention_figures/web/core/format.ts";
import { isGap, type Field, type Puzzle, type Said } from "./state.ts";

/** Of a field: the text, the option, or the column of each row; null is none yet. */
export type Answer = string | number | null | (number | null)[];

/** Commas that cannot be decimal ones, because there are several or a point follows. */
const THOUSANDS = /(?<![\d,.])\d{1,3}(?:(?:,\d{3}){2,}|(?:,\d{3})+(?=\.))(?![\d,])/g;

const plainly = (text: string) =>
  text
    .normalize("NFKC")
    .replace(/\s/g, "")
    .replace(THOUSANDS, (found) => found.replaceAll(",", ""));

/** A number, or both numbers of a fraction, without a sign for percent. */
const parts = (text: string) => plainly(text).replace(/%$/, "").split("/");

/** Whether a comma may be one for decimals or one for thousands. */
export const isUnclear = (text: string) => parts(text).some(isAmbiguous);

/** Reads a number, a fraction or percent as people write it; null if it is none, or is unclear. */
export function parse(text: string): number | null {
  const [number, divisor = 1, ...more] = parts(text).map(parseNumber);
  if (number == null || !divisor || more.length) return null;
  return number / divisor / (plainly(text).endsWith("%") ? 100 : 1);
}

/** What there is to say of an answer; null if it is not one yet. */
export function judge(field: Field, answer: Answer): Said | null {
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

/** What `check` said, when the notebook ran, of the program with these lines. */
export function filled(puzzle: Puzzle, places: (number | null)[]): Said | null {
  const sizes = puzzle.parts.filter(isGap).map((lines) => lines.length);
  let number = 0;
  for (const [gap, size] of sizes.entries()) {
    const place = places[gap];
    if (place == null) return null;
    number = number * size + place;
  }
  return puzzle.said[puzzle.table[number]!]!;
}

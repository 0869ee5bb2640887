// What is said to an answer. The same as in attention_lib/exercises/ask.py, for JupyterLab.
import { isGap, type Field, type Puzzle, type Said } from "./state.ts";

/** Of a field: the text, the option, or the column of each row; null is none yet. */
export type Answer = string | number | null | (number | null)[];

const NUMBER = /^([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)(?:\/(\d+\.?\d*))?(%?)$/;
const SPACES = /\s|(?<=\d),(?=\d{3}(?!\d))/g; // and what separates thousands

/** Reads a number as people write it; null if it is none. */
export function parse(text: string): number | null {
  const plain = text.normalize("NFKC").replaceAll("−", "-").replace(SPACES, "");
  const [, number, divisor, percent] = NUMBER.exec(plain) ?? [];
  if (!number || (divisor && !Number(divisor))) return null;
  return Number(number) / Number(divisor ?? 1) / (percent ? 100 : 1);
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

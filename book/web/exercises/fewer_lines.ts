// Chooses the wrong line of a puzzle that disappears after failed checks.
import { isGap, type Puzzle } from "./state.ts";

/** A line of a gap. */
export interface Place {
  gap: number;
  line: number;
}

/** How many checks fail before a line disappears. */
export const PATIENCE = 2;

const same = (one: Place) => (other: Place) => one.gap === other.gap && one.line === other.line;

/** Whether a line has disappeared. */
export const isGone = (gone: Place[], gap: number, line: number) => gone.some(same({ gap, line }));

/** The lines of each gap in each filling, in the order of the puzzle's table. */
const fillings = (sizes: number[]): number[][] =>
  sizes.reduce<number[][]>(
    (all, size) => all.flatMap((one) => Array.from({ length: size }, (_, i) => [...one, i])),
    [[]],
  );

/** Returns a wrong line to take away; null if every gap has only its right line and another. */
export function lineToRemove(
  puzzle: Puzzle,
  chosen: (number | null)[],
  gone: Place[],
): Place | null {
  const sizes = puzzle.parts.filter(isGap).map(({ length }) => length);
  const right = fillings(sizes).filter((_, i) => puzzle.said[puzzle.table[i]!]!.right);
  const isRight = ({ gap, line }: Place) => right.some((filling) => filling[gap] === line);
  const left = sizes.map((size, gap) =>
    Array.from({ length: size }, (_, line) => ({ gap, line })).filter(
      (one) => !gone.some(same(one)),
    ),
  );
  const wrong = left
    .filter(({ length }) => length > 2)
    .flat()
    .filter((one) => !isRight(one));
  /** Lines of gaps that are filled wrongly come first, and among them those that are not chosen. */
  const rank = ({ gap, line }: Place) =>
    (isRight({ gap, line: chosen[gap]! }) ? 2 : 0) + (chosen[gap] === line ? 1 : 0);
  return wrong.sort((one, other) => rank(one) - rank(other))[0] ?? null;
}

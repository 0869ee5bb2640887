// Puts the items of a later attempt, and the options of each, into another order, so that the attempt does
// not measure whether a reader remembers places.
import type { Item } from "./items.ts";
import type { Draft } from "./record.ts";

export interface Ordered {
  item: Item;
  /** The places of its options in the page's data, in the order in which they are shown. */
  options: number[];
}

/** Returns whole numbers below n by a linear congruential generator (constants: Numerical Recipes). */
function randomBelow(seed: number): (n: number) => number {
  let state = seed;
  return (n) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * n); // from the high bits; the low ones repeat early
  };
}

/** Returns a shuffled copy (Fisher and Yates). */
function shuffled<T>(list: readonly T[], below: (n: number) => number): T[] {
  const copy = [...list];
  for (let i = copy.length - 1; i > 0; i--) {
    const j = below(i + 1);
    [copy[i], copy[j]] = [copy[j]!, copy[i]!];
  }
  return copy;
}

/** Returns the items as an attempt shows them: in the page's order without a seed, otherwise shuffled. */
export function inOrder(items: readonly Item[], seed: number | undefined): Ordered[] {
  const plain = items.map((item) => ({ item, options: item.options.map((_, i) => i) }));
  if (seed === undefined) return plain;
  const below = randomBelow(seed);
  return shuffled(plain, below).map(({ item, options }) => ({
    item,
    options: shuffled(options, below),
  }));
}

/** Returns the draft of an attempt after a result; one that is begun goes on. */
export const nextDraft = (draft: Draft | undefined, seed: number): Draft =>
  draft ?? { time: "after", answers: {}, seed };

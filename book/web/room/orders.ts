// Counts the guesses of both languages together. Options have the same order in both, except where words of
// a sentence are the options: for these questions ORDERS has the English option of each Chinese one, or null
// where the English sentence has no such word.
import type { Asked, Part } from "./messages.ts";

type Order = (number | null)[];

const X = null;
const LAST_SWAPPED = [0, 1, 3, 2]; // Mia lost her key; 小雨 丢了 钥匙 她
// prettier-ignore
const MONTH = [X, X, 0, X, 1, 6, 7, 8, 9, X, 5, X, 4, X, 2, X, 10, 15, 16, 17, 18, X, 14, X, 13, X, 11, X, 19];
const DAY = MONTH.map((english, i) => (i === 23 ? 14 : i === 22 ? X : english));

/** By the chapter's number, the figure, and the part. */
const ORDERS: Record<string, Order> = {
  "01 mia question": LAST_SWAPPED,
  "01 arrows question": LAST_SWAPPED,
  "02 mia question": [0, 1, 3, 2, X, X, 4],
  "03 mia observation": LAST_SWAPPED,
  "07 stored observation": LAST_SWAPPED,
  "08 mia question": LAST_SWAPPED,
  "09 looks question": [0, 1, 5, 4, 3],
  "09 mia question": [0, 1, X, X, 3],
  "10 asking question": LAST_SWAPPED,
  "10 averaged question": LAST_SWAPPED,
  "10 sink question": [0, 1, 2, 4, 3],
  "11 month question": MONTH,
  "11 zero question": DAY,
  "11 signed question": MONTH,
  "11 mia question": [0, X, X, X, 1, X],
  "13 parts-heads question": [X, 1, 3, 2],
};

/** The English option of each Chinese option; undefined if their order is the same. */
export const orderOf = (page: string, figure: string, part: Part): Order | undefined =>
  ORDERS[`${page.slice(0, 2)} ${figure} ${part}`];

/** Whether one language has options that the other one lacks; they are counted as one more option. */
export const hasOthers = (page: string, figure: string, part: Part) =>
  [...(orderOf(page, figure, part) ?? [])]
    .sort((a, b) => (a ?? -1) - (b ?? -1))
    .some((one, i) => one !== i);

/** Returns what the room counts for an option of a page in a language. */
export function toCounted(asked: Asked, option: number, lang: string): number {
  const order = asked.kind !== "number" && orderOf(asked.page, asked.figure, asked.part);
  if (!order || lang === asked.lang) return option;
  const found = asked.lang === "en" ? (order[option] ?? -1) : order.indexOf(option);
  return found < 0 ? asked.options - 1 : found;
}

/** Returns the option of a page in a language for what the room counts; null if it has no such one. */
export function fromCounted(asked: Asked, counted: number, lang: string): number | null {
  const order = asked.kind !== "number" && orderOf(asked.page, asked.figure, asked.part);
  if (!order || lang === asked.lang) return counted;
  if (asked.lang === "zh") return order[counted] ?? null;
  const found = order.indexOf(counted);
  return found < 0 ? null : found;
}

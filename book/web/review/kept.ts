// Keeps the review that has begun in sessionStorage, so that a reader who follows a link to a figure comes
// back to it. What is stored may be invalid, old, or of another edition.
import type { Answer } from "../exercises/judging.ts";
import type { Language } from "../strings/progress.ts";
import { FROM_REVIEW } from "./way_back.ts";
import { AT_A_TIME, VARIANTS } from "./schedule.ts";

/** A question: chapter, key of the family, variant. */
export type Asked = [string, string, number];

/** How far a review is. */
export interface Progress {
  /** The answers so far; null if the reader asked for the answer. */
  given: Answer[];
  /** Which question is on the screen; the result comes after the last. */
  place: number;
}

export interface Kept extends Progress {
  asked: Asked[];
}

const isBelow = (x: unknown, limit: number): x is number =>
  Number.isInteger(x) && (x as number) >= 0 && (x as number) < limit;
const isList = (x: unknown): x is unknown[] => Array.isArray(x) && x.length <= AT_A_TIME;
const isText = (x: unknown): x is string => typeof x === "string";

const isAsked = (x: unknown): x is Asked =>
  Array.isArray(x) && isText(x[0]) && isText(x[1]) && isBelow(x[2], VARIANTS);

/** Reads a stored review; null if it is not of this day, or not as a page would write it. */
export function parseKept(text: string | null, today: number): Kept | null {
  try {
    const { day, asked, given, place } = JSON.parse(text!);
    const isValid =
      day === today &&
      isList(asked) &&
      asked.length > 0 &&
      asked.every(isAsked) &&
      isList(given) &&
      isBelow(place, asked.length + 1) &&
      (given.length === place || given.length === place + 1) &&
      given.length <= asked.length;
    return isValid ? { asked, given: given as Answer[], place } : null;
  } catch {
    return null;
  }
}

const keyOf = (lang: Language) => `review:${lang}`;

export const readKept = (lang: Language, today: number): Kept | null =>
  parseKept(sessionStorage.getItem(keyOf(lang)), today);

export const keep = (lang: Language, day: number, kept: Kept) =>
  sessionStorage.setItem(keyOf(lang), JSON.stringify({ day, ...kept }));

export const forget = (lang: Language) => sessionStorage.removeItem(keyOf(lang));

/** Whether the reader came from a figure of the review, or with Back, Forward or a reload. */
export const hasReturned = (): boolean => {
  if (location.search === `?${FROM_REVIEW}`) return true;
  const [visit] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  return visit?.type !== "navigate";
};

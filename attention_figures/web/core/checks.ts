// What a trait may hold. A value that comes from a link, from a reader or from another widget is
// held to it; what is refused is said in words, and changes nothing.
import type { Lengths } from "../maths/softmax.ts";
import { LIMIT } from "./format.ts";

/** A word of a language, and what fills it. */
export type Refusal = readonly [word: string, values?: Record<string, unknown>];

/** Null where a value is allowed. `start` is what the page stores, `kept` what stays otherwise. */
export type Check<S = any> = (
  got: unknown,
  about: { start: any; kept: any; state: S },
) => Refusal | null;

const words = (nested: unknown) => (typeof nested === "string" ? nested : JSON.stringify(nested));

/** One of a list, which may depend on the rest of the state. */
export const oneOf =
  <S = any>(choices: readonly unknown[] | ((state: S) => readonly unknown[])): Check<S> =>
  (got, { kept, state }) => {
    const all = typeof choices === "function" ? choices(state) : choices;
    return all.includes(got) ? null : ["refusedChoice", { got: words(got), kept: words(kept) }];
  };

/** One of the whole numbers from 0 to n − 1. */
export const below = <S = any>(number: (state: S) => number): Check<S> =>
  oneOf((state: S) => Array.from({ length: number(state) }, (_, i) => i));

export const isTrue: Check = oneOf([true, false]);

/** A number from low to high. */
export const between =
  (low: number, high: number): Check =>
  (got, { kept }) =>
    typeof got === "number" && got >= low && got <= high
      ? null
      : ["refusedNumber", { low, high, kept }];

/** One line of so many characters at most. */
export const line =
  (limit: number): Check =>
  (got) =>
    typeof got === "string" && [...got].length <= limit && !/[\r\n]/.test(got)
      ? null
      : ["refusedLine", { limit }];

/** Numbers that a reader can enter, in lists of the same form as at the start. */
export const alike =
  (allows = (x: number) => Math.abs(x) <= LIMIT): Check =>
  (got, { start }) =>
    isAlike(got, start, allows) ? null : ["refusedForm"];

function isAlike(got: unknown, start: unknown, allows: (x: number) => boolean): boolean {
  if (typeof got !== typeof start || Array.isArray(got) !== Array.isArray(start)) return false;
  if (typeof start === "number") return got === start || allows(got as number);
  if (typeof start !== "object" || start === null) return got === start || typeof got === "string";
  if (got === null || String(Object.keys(got as object)) !== String(Object.keys(start)))
    return false;
  const [a, b] = [got, start] as Record<string, unknown>[];
  return Object.keys(start).every((key) => isAlike(a[key], b[key], allows));
}

/** Valid lengths for so many examples, queries and keys: (B,) or (B, Q). */
export const lengths =
  <S = any>(shape: (state: S) => readonly [number, number, number]): Check<S> =>
  (got, { kept, state }) => {
    const [batch, numQueries, numKeys] = shape(state);
    const good = areLengths(got, batch, numQueries, numKeys);
    return good ? null : ["refusedLengths", { numKeys, kept: words(kept) }];
  };

export function areLengths(
  got: unknown,
  batch: number,
  numQueries: number,
  numKeys: number,
): got is Lengths {
  const isLength = (n: unknown) => Number.isInteger(n) && Number(n) >= 0 && Number(n) <= numKeys;
  const isRow = (row: unknown, size: number, good: (x: unknown) => boolean) =>
    Array.isArray(row) && row.length === size && row.every(good);
  return (
    isRow(got, batch, isLength) || isRow(got, batch, (row) => isRow(row, numQueries, isLength))
  );
}

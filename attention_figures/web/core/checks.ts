// Validates the values of traits, from a reader, a URL or a linked widget. A refused value changes
// nothing, and the figure shows why.
import type { Lengths } from "../maths/softmax.ts";
import { LIMIT } from "./format.ts";

/** The key of an error message, and the values to interpolate. */
export type Refusal = readonly [key: string, values?: Record<string, unknown>];

/** Returns null if `got` is valid. `initial`: the stored value; `kept`: the present value. */
export type Check<S = any> = (
  got: unknown,
  about: { initial: any; kept: any; state: S },
) => Refusal | null;

const textOf = (nested: unknown) => (typeof nested === "string" ? nested : JSON.stringify(nested));

/** Requires one of a list, which may depend on the rest of the state. */
export const oneOf =
  <S = any>(choices: readonly unknown[] | ((state: S) => readonly unknown[])): Check<S> =>
  (got, { kept, state }) => {
    const all = typeof choices === "function" ? choices(state) : choices;
    return all.includes(got) ? null : ["refusedChoice", { got: textOf(got), kept: textOf(kept) }];
  };

/** Requires an integer from 0 to n − 1. */
export const indexBelow = <S = any>(number: (state: S) => number): Check<S> =>
  oneOf((state: S) => Array.from({ length: number(state) }, (_, i) => i));

export const isBoolean: Check = oneOf([true, false]);

/** Requires a number from low to high. */
export const between =
  (low: number, high: number): Check =>
  (got, { kept }) =>
    typeof got === "number" && got >= low && got <= high
      ? null
      : ["refusedNumber", { low, high, kept }];

/** Requires a line of at most `limit` characters. */
export const singleLine =
  (limit: number): Check =>
  (got) =>
    typeof got === "string" && [...got].length <= limit && !/[\r\n]/.test(got)
      ? null
      : ["refusedLine", { limit }];

/** Requires numbers that a reader can enter, in lists of the same shape as the initial value. */
export const sameShape =
  (allows = (x: number) => Math.abs(x) <= LIMIT): Check =>
  (got, { initial }) =>
    hasSameShape(got, initial, allows) ? null : ["refusedForm"];

function hasSameShape(got: unknown, initial: unknown, allows: (x: number) => boolean): boolean {
  if (typeof got !== typeof initial || Array.isArray(got) !== Array.isArray(initial)) return false;
  if (typeof initial === "number") return got === initial || allows(got as number);
  if (typeof initial !== "object" || initial === null)
    return got === initial || typeof got === "string";
  if (got === null || String(Object.keys(got as object)) !== String(Object.keys(initial)))
    return false;
  const [a, b] = [got, initial] as Record<string, unknown>[];
  return Object.keys(initial).every((key) => hasSameShape(a[key], b[key], allows));
}

/** Requires valid lengths for B examples, Q queries and K keys: (B,) or (B, Q). */
export const validLengths =
  <S = any>(shape: (state: S) => readonly [number, number, number]): Check<S> =>
  (got, { kept, state }) => {
    const [batch, numQueries, numKeys] = shape(state);
    const good = areLengths(got, batch, numQueries, numKeys);
    return good ? null : ["refusedLengths", { numKeys, kept: textOf(kept) }];
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

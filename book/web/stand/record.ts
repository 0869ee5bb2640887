// The record of "Where do I stand?": a result before the course, one after it, and answers not yet judged.
import type { Item } from "./items.ts";

export const TIMES = ["before", "after"] as const;
export type Time = (typeof TIMES)[number];
/**
 * Item → the chosen option, by its place in the page's data and not by where it was shown; null where the
 * reader says "I do not know".
 */
export type Answers = Record<string, number | null>;

/** Item → answer, for items whose answer a room has been told; undefined where the reader gave none. */
export type Told = Record<string, number | null | undefined>;

export interface Result {
  /** ISO 8601, of the moment when the reader asked for the result. */
  date: string;
  answers: Answers;
}

export type StandRecord = Partial<Record<Time, Result>> & {
  draft?: Draft;
};

/** An attempt that has no result yet. */
export interface Draft {
  time: Time;
  answers: Answers;
  /** Of a later attempt: what its items and options are shuffled by. */
  seed?: number;
}

/** What an answer shows. */
export type Outcome = "right" | "wrong" | "unknown";

const isObject = (x: unknown): x is Record<string, unknown> =>
  typeof x === "object" && x !== null && !Array.isArray(x);

const isTime = (x: unknown): x is Time => TIMES.includes(x as Time);

/** Keeps the answers that name an option of an item. */
function parseAnswers(stored: unknown, items: readonly Item[]): Answers {
  const found: Answers = {};
  if (!isObject(stored)) return found;
  for (const { key, options } of items) {
    const answer = Object.hasOwn(stored, key) ? stored[key] : undefined;
    if (answer === null || options[answer as number]) found[key] = answer as number | null;
  }
  return found;
}

/** Parses a stored record, dropping all that is invalid. */
export function parseRecord(text: string | null, items: readonly Item[]): StandRecord {
  let stored: unknown;
  try {
    stored = JSON.parse(text ?? "{}");
  } catch {
    return {};
  }
  const found: StandRecord = {};
  if (!isObject(stored)) return found;
  for (const time of TIMES) {
    const result = stored[time];
    if (!isObject(result) || Number.isNaN(Date.parse(String(result.date)))) continue;
    found[time] = { date: String(result.date), answers: parseAnswers(result.answers, items) };
  }
  const { draft } = stored;
  if (!isObject(draft) || !isTime(draft.time)) return found;
  found.draft = { time: draft.time, answers: parseAnswers(draft.answers, items) };
  if (Number.isSafeInteger(draft.seed)) found.draft.seed = draft.seed as number;
  return found;
}

export function outcome({ key, right }: Item, answers: Told): Outcome {
  const answer = answers[key] ?? null;
  return answer === null ? "unknown" : answer === right ? "right" : "wrong";
}

export const count = (items: readonly Item[], answers: Answers, wanted: Outcome): number =>
  items.filter((item) => outcome(item, answers) === wanted).length;

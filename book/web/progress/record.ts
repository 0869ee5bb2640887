// The progress record: by chapter, the figures that were moved, how questions, observations and exercises
// on paper were answered, in which ways a function was put together or written, and when to review what.

export const KINDS = ["figure", "question", "observation", "exercise", "puzzle"] as const;
export type Kind = (typeof KINDS)[number];
/** The kinds shown to readers. */
export const COUNTED = ["figure", "question", "exercise", "puzzle"] as const;
/** Right at the first guess, right later, wrong so far, or shown before any guess. */
export const RESULTS = ["right", "later", "wrong", "shown"] as const;
export type Result = (typeof RESULTS)[number];
/** How a function was made: from lines, from lines with blanks, or by oneself. */
export const WAYS = ["lines", "blanks", "own"] as const;
export type Way = (typeof WAYS)[number];

/** An answer so far, and the day of the first one. */
export interface Answer {
  is: Result;
  day: number;
}

/** When to review a family of questions: its interval, the day, and the variant that was asked last. */
export interface Review {
  box: number;
  due: number;
  last: number;
}

export interface ChapterRecord {
  figure: string[];
  question: Record<string, Answer>;
  observation: Record<string, Answer>;
  exercise: Record<string, Answer>;
  puzzle: Record<string, Way[]>;
  reviews: Record<string, Review>;
}
export type ProgressRecord = Record<string, Partial<ChapterRecord>>;
export type AnswerKind = "question" | "observation" | "exercise";

/** Days from one review to the next, by box. */
export const INTERVALS = [1, 3, 7, 21, 60] as const;
/** Bytes of a record: the limit of classroom/student.py. */
export const MAX_BYTES = 200_000;
const MAX_IDS = 200; // ids per kind: the book has fewer, so the rest is invalid

const isObject = (x: unknown): x is Record<string, unknown> =>
  typeof x === "object" && x !== null && !Array.isArray(x);
const isCount = (x: unknown, most = 1e6): x is number =>
  Number.isInteger(x) && Number(x) >= 0 && Number(x) <= most;
const isOneOf = (x: unknown, several: readonly string[]) => several.includes(x as string);
/** Whether this can be an id; the names that every object has, such as `constructor`, cannot. */
const isId = (x: unknown): x is string =>
  typeof x === "string" && /^[\w-]{1,80}$/.test(x) && !(x in {});

const answerIn = (x: unknown): Answer | null =>
  isObject(x) && isOneOf(x.is, RESULTS) && isCount(x.day)
    ? { is: x.is as Result, day: x.day }
    : null;
const waysIn = (x: unknown): Way[] | null => {
  const ways = Array.isArray(x) ? WAYS.filter((way) => x.includes(way)) : [];
  return ways.length ? ways : null;
};
const reviewIn = (x: unknown): Review | null =>
  isObject(x) && isCount(x.box, INTERVALS.length - 1) && isCount(x.due) && isCount(x.last, 99)
    ? { box: x.box, due: x.due, last: x.last }
    : null;
const READERS = {
  question: answerIn,
  observation: answerIn,
  exercise: answerIn,
  puzzle: waysIn,
  reviews: reviewIn,
} as const;

interface Found {
  record: ProgressRecord;
  /** Whether something is not as a page would write it. */
  damaged: boolean;
}

/** Reads a record, without all that is invalid. Chapters and ids that this book lacks are kept. */
export function readRecord(text: string | null): Found {
  const found: Found = { record: {}, damaged: false };
  const refuse = () => {
    found.damaged = true;
  };
  const chapterIn = (stored: Record<string, unknown>) => {
    const chapter: Partial<ChapterRecord> = {};
    const { figure } = stored;
    if (Array.isArray(figure)) {
      const ids = [...new Set<string>(figure.filter(isId))].slice(0, MAX_IDS);
      if (ids.length < figure.length) refuse();
      chapter.figure = ids;
    } else if (figure !== undefined) refuse();
    for (const [kind, read] of Object.entries(READERS)) {
      const given = stored[kind];
      if (given === undefined) continue;
      if (!isObject(given)) {
        refuse();
        continue;
      }
      const entries = Object.entries(given).map(([id, x]) => [id, read(x)] as const);
      const valid = entries.filter(([id, x]) => isId(id) && x !== null).slice(0, MAX_IDS);
      if (valid.length < entries.length) refuse();
      Object.assign(chapter, { [kind]: Object.fromEntries(valid) });
    }
    return chapter;
  };
  try {
    const stored: unknown = JSON.parse(text ?? "{}");
    if (!isObject(stored)) throw new TypeError("a record is an object");
    for (const [name, chapter] of Object.entries(stored))
      if (/^\d\d-[\w-]{1,60}$/.test(name) && isObject(chapter))
        found.record[name] = chapterIn(chapter);
      else refuse();
  } catch {
    refuse();
  }
  return found;
}

export const parseRecord = (text: string | null): ProgressRecord => readRecord(text).record;

/** Whether a question counts as answered: guessed, rightly or not. */
const isAnswered = (answer: Answer | undefined) => answer !== undefined && answer.is !== "shown";
const isRight = (answer: Answer | undefined) => answer?.is === "right" || answer?.is === "later";

/** Whether something is done: a figure tried, a question answered, an exercise or a puzzle solved. */
export function isDone(record: ProgressRecord, chapter: string, kind: Kind, id: string): boolean {
  const done = record[chapter] ?? {};
  switch (kind) {
    case "figure":
      return (done.figure?.includes(id) ?? false) || done.question?.[id] !== undefined;
    case "exercise":
      return isRight(done.exercise?.[id]);
    case "puzzle":
      return done.puzzle?.[id] !== undefined;
    default:
      return isAnswered(done[kind]?.[id]);
  }
}

/** How many of these questions were answered with a result, or of these puzzles were made in a way. */
export function countOf(
  record: ProgressRecord,
  chapter: string,
  which: { question: Result } | { puzzle: Way },
  ids: readonly string[],
): number {
  const { question = {}, puzzle = {} } = record[chapter] ?? {};
  const holds =
    "question" in which
      ? (id: string) => question[id]?.is === which.question
      : (id: string) => puzzle[id]?.includes(which.puzzle) ?? false;
  return ids.filter(holds).length;
}

const withEntry = <K extends keyof ChapterRecord>(
  record: ProgressRecord,
  chapter: string,
  kind: K,
  entries: ChapterRecord[K],
): ProgressRecord => ({ ...record, [chapter]: { ...record[chapter], [kind]: entries } });

export function addFigure(record: ProgressRecord, chapter: string, id: string): ProgressRecord {
  const ids = record[chapter]?.figure ?? [];
  return ids.includes(id) ? record : withEntry(record, chapter, "figure", [...ids, id]);
}

/** What an answer becomes after another try. */
const afterTry = (before: Result | undefined, now: "right" | "wrong" | "shown"): Result => {
  if (before === undefined) return now;
  if (before === "right" || before === "later") return before;
  return now === "right" ? "later" : now === "wrong" ? "wrong" : before;
};

export function addAnswer(
  record: ProgressRecord,
  at: { chapter: string; kind: AnswerKind; id: string; day: number },
  now: "right" | "wrong" | "shown",
): ProgressRecord {
  const answers = record[at.chapter]?.[at.kind] ?? {};
  const before = answers[at.id];
  const is = afterTry(before?.is, now);
  if (before?.is === is) return record;
  const answer = { is, day: before?.day ?? at.day };
  return withEntry(record, at.chapter, at.kind, { ...answers, [at.id]: answer });
}

export function addWay(
  record: ProgressRecord,
  chapter: string,
  id: string,
  way: Way,
): ProgressRecord {
  const solved = record[chapter]?.puzzle ?? {};
  const ways = solved[id] ?? [];
  if (ways.includes(way)) return record;
  const all = WAYS.filter((one) => one === way || ways.includes(one));
  return withEntry(record, chapter, "puzzle", { ...solved, [id]: all });
}

export const addReview = (
  record: ProgressRecord,
  chapter: string,
  family: string,
  review: Review,
): ProgressRecord =>
  withEntry(record, chapter, "reviews", { ...record[chapter]?.reviews, [family]: review });

/** Joins answers from two devices: the earlier one was the first guess; of the same day, the worse. */
function joinAnswers(one: Answer, other: Answer): Answer {
  const day = Math.min(one.day, other.day);
  const [first, second] = one.day <= other.day ? [one, other] : [other, one];
  const results = [first.is, second.is];
  if (first.is === "right" && (second.is === "right" || first.day < second.day))
    return { is: "right", day };
  if (results.includes("later") || results.includes("right")) return { is: "later", day };
  return { is: results.includes("wrong") ? "wrong" : "shown", day };
}

const joinWays = (one: Way[], other: Way[]) =>
  WAYS.filter((way) => one.includes(way) || other.includes(way));

/** The later of two reviews; of the same day, the one that comes back sooner. */
function joinReviews(one: Review, other: Review): Review {
  const day = ({ due, box }: Review) => due - INTERVALS[box]!;
  const later = day(one) - day(other) || other.box - one.box;
  return later >= 0 ? one : other;
}
const JOINS = {
  question: joinAnswers,
  observation: joinAnswers,
  exercise: joinAnswers,
  puzzle: joinWays,
  reviews: joinReviews,
} as const;

function joinEntries<T>(
  one: Record<string, T> | undefined,
  other: Record<string, T> | undefined,
  join: (a: T, b: T) => T,
): Record<string, T> {
  const both = { ...one };
  for (const [id, entry] of Object.entries(other ?? {}))
    both[id] = id in both ? join(both[id]!, entry) : entry;
  return both;
}

/** Joins two records of the same reader, in any order. */
export function merge(one: ProgressRecord, other: ProgressRecord): ProgressRecord {
  const both = { ...one };
  for (const [name, theirs] of Object.entries(other)) {
    const own = both[name] ?? {};
    const figure = [...new Set([...(own.figure ?? []), ...(theirs.figure ?? [])])];
    const joined: Record<string, unknown> = figure.length ? { figure } : {};
    for (const [kind, join] of Object.entries(JOINS)) {
      const [a, b] = [own, theirs].map((x) => x[kind as keyof typeof JOINS]);
      if (a ?? b) joined[kind] = joinEntries(a as never, b as never, join as never);
    }
    both[name] = joined as Partial<ChapterRecord>;
  }
  return both;
}

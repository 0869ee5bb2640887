// Decides which questions are due for review, from the progress record and the day.
import {
  INTERVALS,
  type Answer,
  type ChapterRecord,
  type ProgressRecord,
  type Review,
} from "../progress/record.ts";

/** A family of questions, in one of the chapters of this book. */
export interface Family {
  chapter: string;
  key: string;
  /** The figure, and the exercise on paper if there is one, that ask for the same idea. */
  figure: string;
  exercise: string;
}

/** The question of a figure that has no family: the review asks it again as it is. */
export const ownQuestion = (chapter: string, figure: string): Family => ({
  chapter,
  key: `own_${figure}`, // as in book/site/output/review.py; no family has an underscore
  figure,
  exercise: "",
});

export const AT_A_TIME = 5;
export const VARIANTS = 5;
const MISSED = 0; // the box after a miss
const SAMPLED = 2; // the box of a sample of what was known at once
const SAMPLE = 3; // every third one

/** A small number that is always the same for a text (FNV-1a). */
const hash = (text: string): number => {
  let h = 0x811c9dc5;
  for (const char of text) h = Math.imul(h ^ char.codePointAt(0)!, 0x01000193) >>> 0;
  return h;
};

const answersTo = ({ figure, exercise }: Family, chapter: Partial<ChapterRecord>): Answer[] =>
  [chapter.question?.[figure], chapter.observation?.[figure], chapter.exercise?.[exercise]].filter(
    (answer) => answer !== undefined,
  );

/** The review that a family waits for; null if the reader has not met it, or it is not in the sample. */
export function reviewOf(record: ProgressRecord, family: Family): Review | null {
  const chapter = record[family.chapter] ?? {};
  const stored = chapter.reviews?.[family.key];
  if (stored) return stored;
  const answers = answersTo(family, chapter);
  const missed = answers.filter(({ is }) => is !== "right");
  if (!answers.length) return null;
  const sampled = hash(`${family.chapter}/${family.key}`) % SAMPLE === 0;
  if (!missed.length && !sampled) return null;
  const box = missed.length ? MISSED : SAMPLED;
  const day = Math.min(...(missed.length ? missed : answers).map((answer) => answer.day));
  return { box, due: day + INTERVALS[box], last: VARIANTS - 1 };
}

/** Whether a review is due. One that is farther off than its interval is due, too: the clock was set back. */
export const isDue = ({ box, due }: Review, today: number): boolean =>
  due <= today || due - today > INTERVALS[box]! + 1;

export const dueFamilies = <F extends Family>(
  families: F[],
  record: ProgressRecord,
  today: number,
): F[] =>
  families.filter((family) => {
    const review = reviewOf(record, family);
    return review !== null && isDue(review, today);
  });

/** The day on which the next review is due, if none is due today; null if none is planned. */
export function nextDay(families: Family[], record: ProgressRecord, today: number): number | null {
  const reviews = families.map((family) => reviewOf(record, family)).filter((x) => x !== null);
  const days = reviews.map((review) => (isDue(review, today) ? today : review.due));
  return days.length ? Math.min(...days) : null;
}

/** Chooses the next few of the families that are due: the oldest first, mixed over chapters. */
export function chooseFamilies<F extends Family>(due: F[], record: ProgressRecord): F[] {
  const dayOf = (family: Family) => reviewOf(record, family)!.due;
  const oldest = [...due].sort((a, b) => dayOf(a) - dayOf(b));
  const chapters = [...new Set(oldest.map(({ chapter }) => chapter))];
  const turns = oldest.map((family) => {
    const own = oldest.filter(({ chapter }) => chapter === family.chapter);
    return [own.indexOf(family), chapters.indexOf(family.chapter)] as const;
  });
  return oldest
    .map((family, i) => ({ family, turn: turns[i]! }))
    .sort((a, b) => a.turn[0] - b.turn[0] || a.turn[1] - b.turn[1])
    .slice(0, AT_A_TIME)
    .map(({ family }) => family);
}

/** The variant to ask in a review: the one after the last. */
export const variantOf = ({ last }: Review): number => (last + 1) % VARIANTS;

/** What follows a review: the next interval if the answer was right, otherwise tomorrow. */
export function after(review: Review, right: boolean, today: number): Review {
  const box = right ? Math.min(review.box + 1, INTERVALS.length - 1) : MISSED;
  return { box, due: today + INTERVALS[box]!, last: variantOf(review) };
}

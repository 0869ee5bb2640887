// Where a reader is with the question of a figure: unanswered, then answered or skipped.
import { computed, signal } from "@preact/signals";
import { judged, type Question } from "./question.ts";

export type Status = "unanswered" | "answered" | "skipped";

export interface Remembered {
  status: Status;
  guess: number | null;
}

export type Asking = ReturnType<typeof askingOf>;

export function askingOf(question: Question | null) {
  const first = (question ? "unanswered" : "skipped") as Status;
  const status = signal<Status>(first);
  /** What is entered, or was. */
  const guess = signal<number | null>(null);
  const verdict = computed(() =>
    question && status.value === "answered" && guess.value !== null
      ? judged(question, guess.value)
      : null,
  );
  return {
    question,
    first,
    status,
    guess,
    verdict,
    /** Whether it waits for a guess. */
    waits: computed(() => status.value === "unanswered"),
    /** False if there is nothing to commit. */
    commit: () => {
      if (status.value !== "unanswered" || guess.value === null) return false;
      status.value = "answered";
      return true;
    },
    /** To ask to see. */
    skip: () => {
      if (status.value === "unanswered") status.value = "skipped";
    },
    reset: () => {
      guess.value = null;
      status.value = first;
    },
    read: (): Remembered => ({ status: status.value, guess: guess.value }),
    /** As it was remembered; anything may stand there. */
    restore: (was: unknown) => {
      const { status: then, guess: said } = Object(was) as Partial<Remembered>;
      if (!question || typeof then !== "string") return;
      const known = typeof said === "number" && isGuess(question, said);
      if (then === "answered" && !known) return;
      if (then !== "answered" && then !== "skipped") return;
      guess.value = known ? said : null;
      status.value = then;
    },
  };
}

const isGuess = (question: Question, x: number) =>
  Number.isFinite(x) && (question.type === "number" || question.options[x] !== undefined);

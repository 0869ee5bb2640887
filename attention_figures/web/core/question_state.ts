// Tracks the state of a question or observation: unanswered, then answered or skipped.
import { computed, signal } from "@preact/signals";
import { judge, type Question } from "./question.ts";

export type Status = "unanswered" | "answered" | "skipped";

export interface SavedAnswer {
  status: Status;
  guess: number | null;
}

export type QuestionState = ReturnType<typeof createQuestionState>;

export function createQuestionState(question: Question | null) {
  const initialStatus = (question ? "unanswered" : "skipped") as Status;
  const status = signal<Status>(initialStatus);
  /** The guess that is entered or committed. */
  const guess = signal<number | null>(null);
  const verdict = computed(() =>
    question && status.value === "answered" && guess.value !== null
      ? judge(question, guess.value)
      : null,
  );
  return {
    question,
    initialStatus,
    status,
    guess,
    verdict,
    /** Whether the question still waits for a guess. */
    pending: computed(() => status.value === "unanswered"),
    /** Returns false if there is no guess to commit. */
    commit: () => {
      if (status.value !== "unanswered" || guess.value === null) return false;
      status.value = "answered";
      return true;
    },
    /** Shows the answer without a guess. */
    skip: () => {
      if (status.value === "unanswered") status.value = "skipped";
    },
    reset: () => {
      guess.value = null;
      status.value = initialStatus;
    },
    read: (): SavedAnswer => ({ status: status.value, guess: guess.value }),
    /** Restores a saved answer; ignores an invalid one. */
    restore: (saved: unknown) => {
      const { status: savedStatus, guess: savedGuess } = Object(saved) as Partial<SavedAnswer>;
      if (!question || (savedStatus !== "answered" && savedStatus !== "skipped")) return;
      const valid = typeof savedGuess === "number" && isGuess(question, savedGuess);
      if (savedStatus === "answered" && !valid) return;
      guess.value = valid ? savedGuess : null;
      status.value = savedStatus;
    },
  };
}

const isGuess = (question: Question, x: number) =>
  Number.isFinite(x) && (question.type === "number" || question.options[x] !== undefined);

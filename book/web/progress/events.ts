// Dispatches and records `attention-progress` events of figures, questions, exercises and puzzles.
import { today } from "./day.ts";
import {
  addAnswer,
  addFigure,
  addWay,
  WAYS,
  type AnswerKind,
  type Kind,
  type Way,
} from "./record.ts";
import { update } from "./store.ts";

/** Detail of an `attention-progress` event: a figure moved, a question answered or shown, an exercise checked. */
export interface Step {
  kind: Kind | "shown";
  id: string;
  correct?: boolean;
  /** How the function of a puzzle was made. */
  way?: Way;
}

/** The chapter of this page, such as 04-masked-softmax; null elsewhere. */
export const chapter = (): string | null =>
  /(\d\d-[\w-]+)\.html$/.exec(decodeURIComponent(location.pathname))?.[1] ?? null;

export function dispatchStep(from: EventTarget, detail: Step) {
  from.dispatchEvent(new CustomEvent("attention-progress", { bubbles: true, detail }));
}

/** Records a step in a chapter. Of puzzles, only right answers count. */
function recordStep(chapter: string, { kind, id, correct, way = "lines" }: Partial<Step>) {
  if (typeof id !== "string") return;
  const answer = (kind: AnswerKind, now: "right" | "wrong" | "shown") =>
    update((record) => addAnswer(record, { chapter, kind, id, day: today() }, now));
  switch (kind) {
    case "figure":
      return update((record) => addFigure(record, chapter, id));
    case "shown":
      return answer("question", "shown");
    case "question":
    case "observation":
    case "exercise":
      return answer(kind, correct ? "right" : "wrong");
    case "puzzle":
      if (correct && WAYS.includes(way)) update((record) => addWay(record, chapter, id, way));
  }
}

/** Records the steps in this page's chapter. */
export function recordSteps() {
  const here = chapter();
  if (here === null) return;
  document.addEventListener("attention-progress", (event) =>
    recordStep(here, (event as CustomEvent<Partial<Step> | undefined>).detail ?? {}),
  );
}

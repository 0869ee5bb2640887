// Dispatches and records `attention-progress` events of figures, questions, exercises and puzzles.
import { KINDS, type Kind } from "./record.ts";
import { addToRecord } from "./store.ts";

/** Detail of an `attention-progress` event: a figure moved, a question answered or revealed, an exercise checked. */
export interface Step {
  kind: Kind;
  id: string;
  correct?: boolean;
}

/** The chapter of this page, such as 04-masked-softmax; null elsewhere. */
export const chapter = (): string | null =>
  /(\d\d-[\w-]+)\.html$/.exec(decodeURIComponent(location.pathname))?.[1] ?? null;

export function dispatchStep(from: EventTarget, detail: Step) {
  from.dispatchEvent(new CustomEvent("attention-progress", { bubbles: true, detail }));
}

/** Records the steps in this page's chapter: all steps with figures, exercises only if right. */
export function recordSteps() {
  const here = chapter();
  if (here === null) return;
  document.addEventListener("attention-progress", (event) => {
    const { kind, id, correct } = (event as CustomEvent<Partial<Step>>).detail ?? {};
    if (!kind || !KINDS.includes(kind) || typeof id !== "string") return;
    if (correct || (kind !== "exercise" && kind !== "puzzle")) addToRecord(here, kind, id);
  });
}

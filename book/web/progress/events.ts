// Figures, questions, exercises and puzzles tell of what a reader does in them.
import { KINDS, type Kind } from "./record.ts";
import { done } from "./store.ts";

/** What an `attention-progress` event says: a figure was moved, asked or shown, or an exercise done. */
export interface Step {
  kind: Kind;
  id: string;
  correct?: boolean;
}

/** The chapter of this page, such as 04-masked-softmax; null elsewhere. */
export const chapter = (): string | null =>
  /(\d\d-[\w-]+)\.html$/.exec(decodeURIComponent(location.pathname))?.[1] ?? null;

export function tell(from: EventTarget, detail: Step) {
  from.dispatchEvent(new CustomEvent("attention-progress", { bubbles: true, detail }));
}

/** Remembers each step in this page's chapter: all with figures, and exercises where it was right. */
export function listen() {
  const here = chapter();
  if (here === null) return;
  document.addEventListener("attention-progress", (event) => {
    const { kind, id, correct } = (event as CustomEvent<Partial<Step>>).detail ?? {};
    if (!kind || !KINDS.includes(kind) || typeof id !== "string") return;
    if (correct || (kind !== "exercise" && kind !== "puzzle")) done(here, kind, id);
  });
}

// Announces a change to screen readers, once the reader pauses or releases the handle.
import { useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Figure } from "./figure.ts";
import { hiddenNote } from "./kind.ts";
import { withoutMarkup } from "./markup.tsx";

const PAUSE = 500; // milliseconds

export function Announcer({ figure, root }: { figure: Figure; root: HTMLElement }) {
  const status = useRef<HTMLParagraphElement>(null);
  // Once the figure is hidden again, a screen reader must not find the last announcement.
  useSignalEffect(() => {
    const hidden = !figure.revealed.value;
    if (hidden && status.current) status.current.textContent = "";
  });
  useEffect(() => {
    let last = announcementOf(figure);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const announce = () => {
      const text = announcementOf(figure);
      if (text !== last && status.current) status.current.textContent = last = text;
    };
    const schedule = () => {
      clearTimeout(timer);
      timer = setTimeout(announce, PAUSE);
    };
    const events = ["input", "click", "keyup", "pointerup"];
    events.forEach((event) => root.addEventListener(event, schedule));
    return () => {
      clearTimeout(timer);
      events.forEach((event) => root.removeEventListener(event, schedule));
    };
  }, []);
  return <p class="unseen" role="status" translate={false} data-announced ref={status} />;
}

/** Describes the present state, without revealing what is hidden. */
export function announcementOf({ kind, at, t, revealed, questionState }: Figure): string {
  if (questionState.pending.peek()) return t("guessFirst");
  if (!revealed.value) return hiddenNote(kind, t);
  const describe = kind.announcement ?? kind.sentence;
  return describe ? withoutMarkup(describe(at, t)) : "";
}

// For those who listen: what a change made, once the reader pauses or lets the handle go.
import { useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Figure } from "./figure.ts";
import { unmarked } from "./marked.tsx";

const PAUSE = 500; // milliseconds

export function Announcer({ figure, root }: { figure: Figure; root: HTMLElement }) {
  const status = useRef<HTMLParagraphElement>(null);
  // What is covered again must not stay to be read until the next announcement.
  useSignalEffect(() => {
    const covered = !figure.open.value;
    if (covered && status.current) status.current.textContent = "";
  });
  useEffect(() => {
    let last = announced(figure);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const say = () => {
      const now = announced(figure);
      if (now !== last && status.current) status.current.textContent = last = now;
    };
    const soon = () => {
      clearTimeout(timer);
      timer = setTimeout(say, PAUSE);
    };
    const events = ["input", "click", "keyup", "pointerup"];
    events.forEach((event) => root.addEventListener(event, soon));
    return () => {
      clearTimeout(timer);
      events.forEach((event) => root.removeEventListener(event, soon));
    };
  }, []);
  return <p class="unseen" role="status" translate={false} data-announced ref={status} />;
}

/** What is told of the present state; nothing that is covered. */
export function announced({ kind, at, words, open, asking }: Figure): string {
  if (asking.waits.peek()) return words("guessFirst");
  if (!open.value) return words("weightsHidden");
  const say = kind.announcement ?? kind.sentence;
  return say ? unmarked(say(at, words)) : "";
}

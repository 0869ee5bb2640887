// Shows an exercise that is answered with code; code.js, which does so, is loaded when a reader needs it.
import { useEffect, useRef } from "preact/hooks";
import { useSignal } from "@preact/signals";
import type { Language } from "../strings/progress.ts";
import { t } from "../strings/ways.ts";
import { loadScript, loadSheet } from "./load_script.ts";
import type { Done } from "./views.tsx";
import type { Way } from "../progress/record.ts";

/** What code.js needs in order to show an exercise. */
export interface CodeTask {
  slug: string;
  way: Exclude<Way, "lines">;
  lang: Language;
  /** The function that the reader writes; with blanks, the program names it. */
  name: string;
  /** The code to start with. */
  start: string;
  /** Whether the editor opens at once. */
  opens: boolean;
  /** The label of the button. */
  check: string;
  done: Done;
  isSolved: boolean;
  /** Whether it starts in this way because another exercise was solved, and not because the reader chose it. */
  isRaised: boolean;
  /** Called when the reader first changes the code. */
  onBegin: () => void;
  /** Called with whether what was checked is right, and whether that counts. */
  onCheck: (right: boolean, counts: boolean) => void;
}

declare global {
  interface Window {
    /** Set by code.js: shows an exercise in an element; returns what removes it. */
    showCode?: (place: HTMLElement, task: CodeTask) => () => void;
  }
}

export function CodePlace({ task, lang }: { task: CodeTask; lang: Language }) {
  const place = useRef<HTMLDivElement>(null);
  const state = useSignal<"loading" | "notLoaded" | null>("loading");
  const close = useRef<(() => void) | null>(null);
  const load = () => {
    state.value = "loading";
    Promise.all([loadScript("code.js"), loadSheet("modules/code.css")]).then(
      () => {
        if (!place.current) return; // the reader has chosen another way meanwhile
        state.value = null;
        close.current = window.showCode!(place.current, task);
      },
      () => {
        state.value = "notLoaded";
      },
    );
  };
  useEffect(() => {
    load();
    return () => close.current?.();
  }, []);
  return (
    <>
      <div ref={place} class="code-place" />
      {state.value && <p role="status">{t(state.value, lang)}</p>}
      {state.value === "notLoaded" && (
        <p class="exercise-button">
          <button type="button" data-retry onClick={load}>
            {t("retry", lang)}
          </button>
        </p>
      )}
    </>
  );
}

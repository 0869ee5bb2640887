// Hydrates the exercises, puzzles and progress placeholders of a page.
import { render, type JSX } from "preact";
import { chapter, dispatchStep } from "../progress/events.ts";
import { has } from "../progress/record.ts";
import { record } from "../progress/store.ts";
import { BookProgress, ChapterProgress, type Chapter } from "../progress/views.tsx";
import { languageOf, t } from "../strings/progress.ts";
import type { Exercise, Puzzle } from "./state.ts";
import { ExerciseView, PuzzleView } from "./views.tsx";

const readState = (root: Element) =>
  JSON.parse(root.querySelector("script")?.textContent ?? "null");

function exercise(root: HTMLElement): JSX.Element {
  const state = readState(root) as Exercise | Puzzle;
  const slug = root.dataset.exercise!;
  const { kind } = state;
  const common = {
    slug,
    solved: has(record.value, chapter() ?? "", kind, slug),
    done: { now: t("done", languageOf(root)), before: t("before", languageOf(root)) },
    report: (correct: boolean) => dispatchStep(root, { kind, id: slug, correct }),
  };
  // The script of a room asks an exercise's choice itself: room/subject.ts.
  root.addEventListener("attention:asked", (event) => {
    (event as CustomEvent<{ exercise?: Exercise | Puzzle }>).detail.exercise = state;
  });
  if (state.kind === "puzzle") return <PuzzleView {...common} state={state} />;
  return <ExerciseView {...common} comma={t("comma", languageOf(root))} state={state} />;
}

function progress(root: HTMLElement): JSX.Element {
  const chapters = readState(root) as Chapter[];
  const lang = languageOf(root);
  if (root.dataset.progressOf === "book") return <BookProgress chapters={chapters} lang={lang} />;
  return <ChapterProgress chapter={chapters[0]!} lang={lang} />;
}

/** The exercises and progress placeholders that are not live yet. */
export const WAITING = ":is([data-exercise], [data-progress-of]):not([data-live], [data-static])";

/** Hydrates an exercise or a placeholder. If it fails, its static content stays. */
export function hydrate(root: HTMLElement) {
  try {
    const component = "exercise" in root.dataset ? exercise(root) : progress(root);
    root.replaceChildren();
    render(component, root);
    root.dataset.live = "";
  } catch (error) {
    root.dataset.static = "";
    reportError(error); // like an uncaught error, but the others are still hydrated
  }
}

// Hydrates the exercises, puzzles and the progress placeholder of a chapter.
import type { JSX } from "preact";
import { hydrateWith, readState, waiting } from "../hydrating.ts";
import { chapter, dispatchStep } from "../progress/events.ts";
import { isDone, type Way } from "../progress/record.ts";
import { record } from "../progress/store.ts";
import { ChapterProgress, type Chapter } from "../progress/views.tsx";
import { languageOf, t } from "../strings/progress.ts";
import type { Exercise, Puzzle } from "./state.ts";
import { ExerciseView, PuzzleView } from "./views.tsx";

function exercise(root: HTMLElement): JSX.Element {
  const state = readState(root) as Exercise | Puzzle;
  const slug = root.dataset.exercise!;
  const { kind } = state;
  const lang = languageOf(root);
  const common = {
    slug,
    lang,
    solved: isDone(record.value, chapter() ?? "", kind, slug),
    done: { now: t("done", lang), before: t("before", lang) },
    report: (correct: boolean, way?: Way) => dispatchStep(root, { kind, id: slug, correct, way }),
  };
  if (state.kind === "puzzle") return <PuzzleView {...common} state={state} />;
  return <ExerciseView {...common} comma={t("comma", lang)} state={state} />;
}

function progress(root: HTMLElement): JSX.Element {
  const [chapter] = readState(root) as Chapter[];
  return <ChapterProgress chapter={chapter!} lang={languageOf(root)} />;
}

export const WAITING = waiting('[data-exercise], [data-progress-of="chapter"]');

export const hydrate = (root: HTMLElement) =>
  hydrateWith(root, "exercise" in root.dataset ? exercise : progress);

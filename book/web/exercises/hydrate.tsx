// From what a notebook wrote into a page to what lives there.
import { render, type JSX } from "preact";
import { chapter, tell } from "../progress/events.ts";
import { has } from "../progress/record.ts";
import { record } from "../progress/store.ts";
import { BookProgress, ChapterProgress, type Chapter } from "../progress/views.tsx";
import { languageOf, said } from "../words.ts";
import type { Paper, Puzzle } from "./state.ts";
import { PaperView, PuzzleView } from "./views.tsx";

const data = (root: Element) => JSON.parse(root.querySelector("script")?.textContent ?? "null");

function live(root: HTMLElement): JSX.Element {
  const state = data(root) as Paper | Puzzle;
  const slug = root.dataset.exercise!;
  const { kind } = state;
  const common = {
    slug,
    solved: has(record.value, chapter() ?? "", kind, slug),
    done: { now: said("done", languageOf(root)), before: said("before", languageOf(root)) },
    report: (correct: boolean) => tell(root, { kind, id: slug, correct }),
  };
  if (state.kind === "puzzle") return <PuzzleView {...common} state={state} />;
  return <PaperView {...common} comma={said("comma", languageOf(root))} state={state} />;
}

function progress(root: HTMLElement): JSX.Element {
  const chapters = data(root) as Chapter[];
  const lang = languageOf(root);
  if (root.dataset.progressOf === "book") return <BookProgress chapters={chapters} lang={lang} />;
  return <ChapterProgress chapter={chapters[0]!} lang={lang} />;
}

const MADE: [string, (root: HTMLElement) => JSX.Element][] = [
  ["[data-exercise]:not([data-live])", live],
  ["[data-progress-of]:not([data-live])", progress],
];

/** Brings alive what is within `page`. What fails stays as it is for readers without JavaScript. */
export function hydrate(page: ParentNode) {
  for (const [selector, make] of MADE)
    for (const root of page.querySelectorAll<HTMLElement>(selector)) {
      try {
        const made = make(root);
        root.replaceChildren();
        render(made, root);
        root.dataset.live = "";
      } catch (error) {
        reportError(error); // as if nobody had caught it, but the others go on
      }
    }
}

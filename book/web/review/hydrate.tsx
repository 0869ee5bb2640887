// Hydrates the front page: the link to the first chapter, which leads to where a reader goes on, and the
// placeholder with the review above and the progress in all chapters below.
import { effect } from "@preact/signals";
import { render } from "preact";
import { hydrateWith, readState, waiting } from "../hydrating.ts";
import { BookProgress } from "../progress/book.tsx";
import { isDone } from "../progress/record.ts";
import { record } from "../progress/store.ts";
import type { Chapter } from "../progress/views.tsx";
import { languageOf } from "../strings/progress.ts";
import { t } from "../strings/review.ts";
import { ownQuestion } from "./schedule.ts";
import { Notice, Review, type ReviewFamily } from "./views.tsx";

/** A chapter with key, figure and exercise of each of its families of questions. */
type ReviewedChapter = Chapter & { review: [string, string, string][] };

export const WAITING = waiting('[data-progress-of="book"]');

/** The families of a chapter, and the own questions of the figures without one. */
const familiesOf = ({ slug, title, href, review, all }: ReviewedChapter): ReviewFamily[] => {
  const families = review.map(([key, figure, exercise]) => ({
    ...{ chapter: slug, key, figure, exercise },
  }));
  const covered = new Set(families.map(({ figure }) => figure));
  const others = (all.question ?? []).filter((figure) => !covered.has(figure));
  const own = others.map((figure) => ownQuestion(slug, figure));
  return [...families, ...own].map((family) => ({ ...family, title, href }));
};

/** Where a reader goes on: in the last chapter that was begun, or behind it if all its figures are done. */
function chapterToGoOn(chapters: Chapter[]): Chapter | undefined {
  const last = chapters.map(({ slug }) => slug in record.value).lastIndexOf(true);
  const begun = chapters[last];
  const isOpen = begun?.all.figure?.some((id) => !isDone(record.value, begun.slug, "figure", id));
  return begun && !isOpen ? (chapters[last + 1] ?? begun) : begun;
}

/** Lets the link to the first chapter lead on, and says beside it what a review takes. */
export function hydrateStart() {
  const root = document.querySelector<HTMLElement>(WAITING);
  const start = document.querySelector<HTMLAnchorElement>("article p > strong:first-child > a");
  if (!root || !start) return;
  const [chapters, lang] = [readState(root) as ReviewedChapter[], languageOf(root)];
  const { textContent } = start;
  effect(() => {
    const next = chapterToGoOn(chapters);
    start.setAttribute("href", (next ?? chapters[0]!).href);
    start.textContent = next ? t("goOn", lang, { n: parseInt(next.slug) }) : textContent;
  });
  const notice = document.createElement("span");
  notice.className = "review-notice";
  start.closest("p")!.append(" ", notice);
  const families = chapters.flatMap(familiesOf);
  render(<Notice families={families} lang={lang} href={`#${root.id}`} />, notice);
}

/** `base`: a file of `_static`, where the scripts of a review are. */
export const hydrateFront = (root: HTMLElement, base: string) =>
  hydrateWith(root, () => {
    const chapters = readState(root) as ReviewedChapter[];
    const lang = languageOf(root);
    const scripts = root.dataset.scripts!.split(" ").map((src) => new URL(src, base).href);
    return (
      <>
        <Review families={chapters.flatMap(familiesOf)} scripts={scripts} lang={lang} />
        <BookProgress chapters={chapters} lang={lang} />
      </>
    );
  });

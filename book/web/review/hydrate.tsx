// Hydrates the placeholder of the front page: the review above, the progress in all chapters below.
import { render } from "preact";
import { hydrateWith, readState, waiting } from "../hydrating.ts";
import { BookProgress } from "../progress/book.tsx";
import type { Chapter } from "../progress/views.tsx";
import { languageOf } from "../strings/progress.ts";
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

/** Says beside the link to the first chapter, where the page begins, what a review takes. */
export function addNotice() {
  const root = document.querySelector<HTMLElement>(WAITING);
  const start = document.querySelector("article p > strong:first-child > a");
  if (!root || !start) return;
  const families = (readState(root) as ReviewedChapter[]).flatMap(familiesOf);
  const notice = document.createElement("span");
  notice.className = "review-notice";
  start.closest("p")!.append(" ", notice);
  render(<Notice families={families} lang={languageOf(root)} href={`#${root.id}`} />, notice);
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

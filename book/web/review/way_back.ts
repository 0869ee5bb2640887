// Leads from a figure that the review links to back to the review.
import { languageOf } from "../strings/progress.ts";

/** The query of a link from the review to a figure, and of the link back. */
export const FROM_REVIEW = "review";

const WORDS = { en: "Back to review", zh: "回到复习" } as const;

/** Adds a link at the top of a page that the reader has come to from the review. */
export function addWayBack() {
  const bar = document.querySelector(".header-article-items__start");
  if (location.search !== `?${FROM_REVIEW}` || !bar) return;
  const lang = languageOf(document.documentElement);
  const link = document.createElement("a");
  link.className = "review-back";
  link.href = `index.html?${FROM_REVIEW}#${lang}-review`;
  link.textContent = WORDS[lang];
  bar.append(link);
}

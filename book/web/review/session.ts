// Types of a review that has begun, which connect the front page with the script that is loaded for it.
import type { Field } from "../exercises/state.ts";
import type { Language } from "../strings/progress.ts";
import type { Progress } from "./kept.ts";

export interface Table {
  columns: string[];
  /** Each begins with its name. */
  rows: string[][];
}

/** A variant of a question, as attention_course/review stores it. */
export interface Variant {
  text: string;
  table?: Table;
  field: Field;
  /** The right answer in words. */
  answer: string;
}

export interface Item {
  variant: Variant;
  /** Title of the chapter that it is from. */
  title: string;
  /** The section of its figure; empty if the figure stands before the first one. */
  section: string;
  /** Its figure. */
  href: string;
  /** Whether it is the question that the figure itself asks. */
  isOwn: boolean;
}

export interface Session {
  items: Item[];
  lang: Language;
  /** How far the review is, if it goes on. */
  begun: Progress;
  /** Whether the focus moves to the first item. */
  focuses: boolean;
  /** Called once for each item. */
  onAnswer: (item: number, right: boolean) => void;
  /** Called after each answer, and when the next item or the result is shown. */
  onStep: (now: Progress) => void;
}

declare global {
  interface Window {
    /** Chapter → family → variants, in `_static/review/LANG.js`. */
    reviewVariants?: Record<string, Record<string, Variant[]>>;
    /** Chapter → family → section of its figure, in the same file. */
    reviewSections?: Record<string, Record<string, string>>;
    /** Asks the items of a session within an element; in `review.js`. False if the answers do not fit. */
    beginReview?: (root: HTMLElement, session: Session) => boolean;
  }
}

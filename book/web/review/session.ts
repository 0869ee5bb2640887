// Types of a review that has begun, which connect the front page with the script that is loaded for it.
import type { Field } from "../exercises/state.ts";
import type { Language } from "../strings/progress.ts";

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
  /** Its figure. */
  href: string;
}

export interface Session {
  items: Item[];
  lang: Language;
  /** Called once for each item. */
  onAnswer: (item: number, right: boolean) => void;
  /** Called when the result is shown. */
  onEnd: () => void;
}

declare global {
  interface Window {
    /** Chapter → family → variants, in `_static/review/LANG.js`. */
    reviewVariants?: Record<string, Record<string, Variant[]>>;
    /** Asks the items of a session within an element; in `review.js`. */
    beginReview?: (root: HTMLElement, session: Session) => void;
  }
}

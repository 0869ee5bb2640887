// Loads the variants of all questions in a language, from a script: pages on a disk can load nothing else.
import type { Field } from "../exercises/state.ts";

export interface Table {
  columns: string[];
  /** Each begins with its name. */
  rows: string[][];
}

export interface Variant {
  text: string;
  table?: Table;
  field: Field;
  /** The right answer in words. */
  answer: string;
}

/** Chapter → family → variants. */
export type Variants = Record<string, Record<string, Variant[]>>;

declare global {
  interface Window {
    /** The variants that `_static/review/LANG.js` holds. */
    reviewVariants?: Variants;
  }
}

/** Loads the script, unless it is there. Rejects if it does not load. */
export const loadVariants = (src: string): Promise<Variants> =>
  new Promise((resolve, reject) => {
    if (window.reviewVariants) return resolve(window.reviewVariants);
    const script = document.createElement("script");
    const fail = () => reject(new Error(`${src} did not load`));
    script.onload = () => (window.reviewVariants ? resolve(window.reviewVariants) : fail());
    script.onerror = fail;
    script.src = src;
    document.head.append(script);
  });

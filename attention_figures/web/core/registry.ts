// The kinds of figures and the words that this page, or Jupyter, has loaded.
import type { Kind } from "./kind.ts";

/** Words of a language by their names: a file of `words`, or a part of one. */
export type Said = Readonly<Record<string, string>>;

export const kinds = new Map<string, Kind>();
export const words = new Map<string, Said>();

export function register(kind: Kind) {
  kinds.set(kind.name, kind);
}

export function speak(lang: string, said: Said) {
  words.set(lang, { ...words.get(lang), ...said });
}

// Holds the kinds of figures and the interface strings that the page, or Jupyter, has loaded.
import type { Kind } from "./kind.ts";

/** Interface strings of a language by key: a file of `strings`, or a part of one. */
export type Strings = Readonly<Record<string, string>>;

export const kinds = new Map<string, Kind>();
export const strings = new Map<string, Strings>();

export function register(kind: Kind) {
  kinds.set(kind.name, kind);
}

export function addStrings(lang: string, added: Strings) {
  strings.set(lang, { ...strings.get(lang), ...added });
}

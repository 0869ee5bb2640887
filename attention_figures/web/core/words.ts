// The words of a language, as a function that fills in what varies.
import { HAN } from "./han.ts";
import type { Said } from "./registry.ts";

// A space that a name of Latin letters or a number wants, and a Chinese name does not; `*` is markup.
const BETWEEN_CHINESE = new RegExp(`([${HAN}，。：；、”）]\\*{0,2}) (?=\\*{0,2}[${HAN}“（])`, "gu");

export type Words = (name: string, values?: Record<string, unknown>) => string;

export const wordsOf =
  (said: Said): Words =>
  (name, values = {}) => {
    if (!Object.hasOwn(said, name)) throw new Error(`no words for ${name}`);
    const filled = said[name].replace(/\{(\w+)\}/g, (_, key) => String(values[key]));
    return filled.replace(BETWEEN_CHINESE, "$1");
  };

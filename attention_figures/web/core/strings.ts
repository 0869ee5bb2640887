// Translates string keys: t("key", values) returns a language's string with values interpolated.
import { HAN } from "./han.ts";
import type { Strings } from "./registry.ts";

// A space around an interpolated value, which Latin letters and numbers need but Chinese does not;
// `*` is markup.
const BETWEEN_CHINESE = new RegExp(`([${HAN}，。：；、”）]\\*{0,2}) (?=\\*{0,2}[${HAN}“（])`, "gu");

export type Translate = (name: string, values?: Record<string, unknown>) => string;

export const translator =
  (strings: Strings): Translate =>
  (name, values = {}) => {
    if (!Object.hasOwn(strings, name)) throw new Error(`no string named ${name}`);
    const filled = strings[name].replace(/\{(\w+)\}/g, (_, key) => String(values[key]));
    return filled.replace(BETWEEN_CHINESE, "$1");
  };

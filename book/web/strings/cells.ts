// Interface strings of code cells, in the language of the page.
import en from "./cells_en.ts";
import zh from "./cells_zh.ts";

export interface Strings {
  starting: string;
  waiting: string;
  busy: string;
  running: (seconds: number) => string;
  interrupt: string;
  restart: string;
  again: string;
  retry: string;
  done: string;
  failed: (error: string) => string;
  interrupted: string;
  differs: string;
  failedAbove: string;
  restarted: string;
  died: string;
  gone: string;
  stopped: string;
  closed: string;
  notStarted: string;
  code: string;
  output: string;
  picture: string;
  wholeTraceback: string;
  leftOut: string;
  input: string;
  noWidget: string;
}

const byLanguage: Record<string, Strings> = { en, zh };

export const strings = byLanguage[document.documentElement.lang.slice(0, 2)] ?? en;

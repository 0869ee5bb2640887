// What cells that run say, in the language of the page.
import en from "./en.ts";
import zh from "./zh.ts";

export interface Words {
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

const all: Record<string, Words> = { en, zh };

export const words = all[document.documentElement.lang.slice(0, 2)] ?? en;

// Finds the blanks in a program.

const BLANK = /\b____\b/g; // the same as in book/site/source/stubs.py

/** How many blanks are still empty; comments do not count. */
export const countBlanks = (code: string): number =>
  code.replace(/#.*/g, "").match(BLANK)?.length ?? 0;

/** From where to where the first place to replace goes: a blank, or the end of a stub; else the end. */
export function firstToReplace(code: string): [number, number] {
  const found = /\b____\b/.exec(code) ?? /(# .*\n\s*)?\.\.\.$/.exec(code);
  return found ? [found.index, found.index + found[0].length] : [code.length, code.length];
}

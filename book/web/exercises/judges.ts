// Has a reader's code judged: by the page's kernel if it has one, otherwise in the browser.
import { judgeInBrowser, type CodeVerdict } from "./code.ts";
import type { CodeTask } from "./code_place.tsx";

/** A verdict, and who has given it. */
export interface Judged extends CodeVerdict {
  by: "browser" | "kernel";
  /** Whether the kernel could not be reached. */
  isInstead: boolean;
}

/** The function that a program defines last; with blanks, it may have another name than in the stub. */
export const definedIn = (program: string): string | undefined =>
  [...program.matchAll(/^def (\w+)/gm)].at(-1)?.[1];

/** Python code that prints the verdict of `check_source`, and leaves no name behind. */
export const askFor = (slug: string, source: string, name: string, lang: string): string => {
  const [about, code, f, language] = [slug, source, name, lang].map((text) => JSON.stringify(text)); // as in Python
  const exercises = '__import__("attention_course.exercises", fromlist=["check_source"])';
  const verdict = `${exercises}.check_source(${about}, ${code}, ${language}, name=${f})`;
  const shown = `(lambda said: {"html": said._repr_html_(), "passed": said.passed})(${verdict})`;
  return `__import__("builtins").print(__import__("json").dumps(${shown}))`;
};

async function judgeInKernel(code: string): Promise<Judged> {
  const printed = await window.askKernel!(code);
  const { html, passed } = JSON.parse(printed.trim().split("\n").at(-1)!) as CodeVerdict;
  return { html, passed, complete: true, unchecked: [], by: "kernel", isInstead: false };
}

/** @throws if the browser has to judge, and cannot. */
export async function judgeCode(task: CodeTask, source: string): Promise<Judged> {
  const { slug, lang } = task;
  const name = task.way === "own" ? task.name : (definedIn(task.start) ?? task.name);
  let isInstead = false;
  if (window.askKernel)
    try {
      return await judgeInKernel(askFor(slug, source, name, lang));
    } catch {
      isInstead = true;
    }
  const verdict = await judgeInBrowser(slug, source, name, lang);
  return { ...verdict, by: "browser", isInstead };
}

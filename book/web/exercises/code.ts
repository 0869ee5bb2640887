// Judges typed code in the browser: loads the engine and an exercise's data at the first call.
import type { Exercise, Lang } from "../judge/data.ts";

/** The verdict on a source text. */
export interface CodeVerdict {
  /** Paragraphs, as `Verdict._repr_html_` writes them. */
  html: string;
  /** Whether everything that was checked is right. */
  passed: boolean;
  /** Whether nothing was left unchecked. */
  complete: boolean;
  /** What the browser did not check, as phrases in the language, such as "gradients". */
  unchecked: string[];
}

declare global {
  /** The source of the worker; judge.js sets it. */
  var attentionJudge: string | undefined;
  /** The data of exercises; each script in the folder exercises adds one. */
  var attentionExercises: Record<string, Exercise> | undefined;
}
/** A hash of judge.js, which build.mjs fills in. */
declare const JUDGE_VERSION: string;

const own = (document.currentScript as HTMLScriptElement | null)?.src ?? location.href;
const scripts = new Map<string, Promise<void>>();
let spare: Worker | undefined;
let last: Promise<unknown> = Promise.resolve();

/**
 * Judges a source text, which defines the function `name`, in the browser, one call after another.
 *
 * @throws if the engine or the data of the exercise do not load.
 */
export function judgeInBrowser(
  slug: string,
  source: string,
  name: string,
  lang: Lang,
): Promise<CodeVerdict> {
  const judged = last.then(async () => {
    await Promise.all([load(`judge.js?v=${JUDGE_VERSION}`), load(`exercises/${slug}.js`)]);
    return ask({ exercise: attentionExercises![slug]!, source, name, lang });
  });
  last = judged.catch(() => {});
  return judged;
}

/** Load a classic script beside this one, which pages opened from disk can do too. */
function load(name: string): Promise<void> {
  const loading =
    scripts.get(name) ??
    new Promise<void>((resolve, reject) => {
      const script = document.createElement("script");
      script.src = new URL(name, own).href;
      script.onload = () => resolve();
      script.onerror = () => {
        scripts.delete(name); // so that the reader can try again
        script.remove();
        reject(new Error(`${name} did not load`));
      };
      document.head.append(script);
    });
  scripts.set(name, loading);
  return loading;
}

function start(): Worker {
  const url = URL.createObjectURL(new Blob([attentionJudge!], { type: "text/javascript" }));
  const worker = new Worker(url);
  URL.revokeObjectURL(url);
  return worker;
}

/** Ask a worker that has run no code before, and have the next one ready. */
function ask(question: { exercise: Exercise; source: string; name: string; lang: Lang }) {
  const worker = spare ?? start();
  spare = undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let late: CodeVerdict;
  return new Promise<CodeVerdict>((resolve, reject) => {
    worker.onerror = () => reject(new Error("the judge did not start"));
    worker.onmessage = ({ data }) => {
      if (data.verdict) resolve(data.verdict);
      if (data.failed) reject(new Error(data.failed));
      if (data.late) late = data.late;
      if (data.late) timer ??= setTimeout(() => resolve(late), 1000 * question.exercise.seconds);
    };
    worker.postMessage(question);
  }).finally(() => {
    clearTimeout(timer);
    worker.terminate();
    spare = start();
  });
}

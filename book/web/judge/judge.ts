// Makes a judge of an interpreter: from a source to a verdict.
import type { CodeVerdict } from "../exercises/code.ts";
import FILES from "python:torch";
import type { Exercise, Lang } from "./data.ts";
import { html, judge, type Judged } from "./judging.ts";
import { Runner, type MicroPython } from "./running.ts";

export interface Question {
  exercise: Exercise;
  source: string;
  name: string;
  lang: Lang;
}

/** Write a verdict for the page. */
export const written = ({ paragraphs, passed, unchecked }: Judged): CodeVerdict => {
  return { html: html(paragraphs), passed, complete: !unchecked.length, unchecked };
};

/** Return a function that judges one question after the other. */
export function makeJudge(mp: MicroPython) {
  const runner = new Runner(mp, FILES);
  return (question: Question, late: (verdict: CodeVerdict) => void = () => {}): CodeVerdict => {
    const { exercise, source, name, lang } = question;
    return written(judge(exercise, runner, source, name, lang, (one) => late(written(one))));
  };
}

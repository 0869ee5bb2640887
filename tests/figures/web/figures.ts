// Computes stages, numbers, programs and captions from stored states, without a page.
import { kinds, strings } from "kinds:all";
import { createFigure } from "web/core/figure.ts";
import type { Kind } from "web/core/kind.ts";
import { localModel } from "web/core/model.ts";
import type { Question } from "web/core/question.ts";
import { translator } from "web/core/strings.ts";
import { SCORES } from "web/maths/scores.ts";
import { numbersOf, numbersText } from "web/export/numbers.ts";
import "web/core/trained_models.ts";
import en from "../../../attention_course/dates/models/en.json";
import zh from "../../../attention_course/dates/models/zh.json";

interface State extends Record<string, unknown> {
  kind: string;
  lang: string;
}

globalThis.attentionModels = { "dates/en": en, "dates/zh": zh }; // as scripts register them on a page

/** Every stage. */
export const stages = (state: State) => kinds[state.kind].compute(state);

/** What only the view knows, at first. */
const choicesOf = (kind: Kind) =>
  Object.entries(kind.viewState ?? {}).map(([name, field]) => [name, field?.initial]);

/** The numbers that a reader can download. */
export function numbers(state: State): string {
  const kind = kinds[state.kind];
  const choices = choicesOf(kind);
  const changing = Object.keys(kind.state).map((name) => [name, state[name]]);
  const all = { ...Object.fromEntries(choices), ...state, ...stages(state) };
  const more = { ...stages(state), ...kind.numbers?.(all) };
  return numbersText(numbersOf(Object.fromEntries([...changing, ...choices]), more));
}

/** The program that a reader can copy. */
export function program(state: State): string {
  const kind = kinds[state.kind];
  return kind.program({ ...state, ...stages(state) }, translator(strings[state.lang]));
}

/** The caption of the figure. */
export function sentence(state: State): string | undefined {
  const kind = kinds[state.kind];
  const all = { ...Object.fromEntries(choicesOf(kind)), ...state, ...stages(state) };
  return kind.sentence?.(all, translator(strings[state.lang]));
}

/** Every score with the formula and the parameters that figures show. */
export const formulas = () =>
  Object.entries(SCORES).map(([score, { formula, parameters }]) => [score, formula, parameters]);

/** The state of a figure after its question was answered or skipped, or its handle was touched. */
export function revealed(state: State, question: Question, way: "guess" | "skip" | "touch") {
  const kind = kinds[state.kind];
  const figure = createFigure(kind, localModel(state), translator(strings[state.lang]), question);
  const start = figure.read();
  if (way === "guess") {
    figure.questionState.guess.value = question.answer;
    figure.commit();
  } else if (way === "skip") figure.skip();
  else figure.set({});
  const { status } = figure.questionState;
  const first = { start, now: figure.read(), status: status.value };
  const shown = {
    elsewhere: figure.movedAway.value,
    sentence: kind.sentence?.(figure.at, figure.t) ?? "",
    output: kind.code?.(figure.at)?.output ?? "",
  };
  figure.returnToQuestion();
  return { ...first, ...shown, returned: figure.read(), waits: figure.questionState.pending.value };
}

/** The choices of each kind that only the front end has. */
export const choices = () =>
  Object.entries(kinds).map(([name, kind]) => [name, Object.keys(kind.viewState ?? {})]);

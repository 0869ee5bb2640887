// Puts the verdict on an answer in a review together: what was said, what that is right for, and the answer.
import { judge, type Answer } from "../exercises/judging.ts";
import type { Feedback, Field } from "../exercises/state.ts";
import type { Language } from "../strings/progress.ts";
import { t } from "../strings/session.ts";
import type { Variant } from "./session.ts";

const repliesTo = (field: Field): Feedback[] => {
  if (field.kind === "number") return field.points;
  return field.kind === "choice" ? field.options : field.patterns;
};

/** The answer as it is quoted. */
function quoted(field: Field, answer: Answer, lang: Language): string {
  if (field.kind === "choice") return field.options[answer as number]!.text;
  if (field.kind === "number") return String(answer).trim();
  const places = answer as number[];
  const [colon, stop] = lang === "zh" ? ["：", "；"] : [": ", "; "]; // as in the answer
  return field.rows.map((row, i) => row + colon + field.columns[places[i]!]).join(stop);
}

const joined = (parts: string[], lang: Language) =>
  parts.filter(Boolean).join(lang === "zh" ? "" : " ");

/** The answer and why; `said` is null if the reader asked for it. */
export function verdictOn(
  { field, answer }: Variant,
  said: { guess: string; feedback: Feedback } | null,
  lang: Language,
): Feedback {
  const because = repliesTo(field).find(({ right }) => right)!.words;
  const reveal = [t("answerIs", lang, { answer }), because];
  if (!said) return { words: joined(reveal, lang), right: null };
  const { words, right } = said.feedback;
  const own = t("youSaid", lang, { guess: said.guess });
  const rest = right ? [t("youAreRight", lang), because] : [words ?? "", ...reveal];
  return { words: joined([own, ...rest], lang), right };
}

export const verdictOnAnswer = (
  variant: Variant,
  answer: Answer,
  feedback: Feedback,
  lang: Language,
) => verdictOn(variant, { guess: quoted(variant.field, answer, lang), feedback }, lang);

const isPlace = (x: unknown, among: unknown[]) => Number.isInteger(x) && (x as number) in among;

/** Whether a stored answer can be one to this field; null asks for the answer. */
export function fits(field: Field, given: unknown): given is Answer {
  if (given === null) return true;
  if (field.kind === "number") return typeof given === "string" && judge(field, given) !== null;
  if (field.kind === "choice") return isPlace(given, field.options);
  return Array.isArray(given) && field.rows.every((_, row) => isPlace(given[row], field.columns));
}

/** The verdict on a complete answer, or on none. */
export const verdictOnGiven = (variant: Variant, given: Answer, lang: Language) =>
  given === null
    ? verdictOn(variant, null, lang)
    : verdictOnAnswer(variant, given, judge(variant.field, given)!, lang);

/** All verdicts that can appear, to reserve space for the longest. */
export function allVerdicts(variant: Variant, lang: Language): string[] {
  const { field, answer } = variant;
  const guesses = field.kind === "choice" ? field.options.map(({ text }) => text) : [answer];
  const widest = guesses.reduce((a, b) => (a.length < b.length ? b : a));
  return [
    field.none,
    ...repliesTo(field).map((feedback, i) => {
      const guess = field.kind === "choice" ? field.options[i]!.text : widest;
      return verdictOn(variant, { guess, feedback }, lang).words;
    }),
  ];
}

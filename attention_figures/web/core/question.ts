// Judges a guess: the types of a question, as Python serialises it, and the verdict.
import { HAN } from "./han.ts";

const CHINESE = new RegExp(`[\\u3000-\\u303f${HAN}\\uff00-\\uffef]`, "u");

interface QuestionFields {
  /** The question; with *emphasis* and `code`. */
  text: string;
  /** The state that the question is about: traits that differ from the initial state. */
  at: Record<string, unknown>;
  /** The reason, shown after every verdict. */
  because: string;
}

export interface NumberQuestion extends QuestionFields {
  type: "number";
  answer: number;
  /** The largest error of a right guess. */
  tolerance: number;
  right: string;
  wrong: { answer: number; says: string }[];
  unit: string;
  decimals: number;
  /** Minimum, maximum and step of a slider; without them the guess is typed. */
  slider?: [number, number, number];
}

export interface ChoiceQuestion extends QuestionFields {
  /** A place can also be clicked in the picture. */
  type: "choice" | "place";
  options: string[];
  answer: number;
  right: string;
  /** A comment for each option; may be empty. */
  wrong: string[];
}

export type Question = NumberQuestion | ChoiceQuestion;

/** The verdict on a guess. */
export interface Verdict {
  right: boolean;
  guess: string;
  answer: string;
  /** The comment on this guess; may be empty. */
  says: string;
}

/** Judges a guess: a number, or the index of an option. */
export function judge(question: Question, guess: number): Verdict {
  const texts = {
    guess: quotedText(asTyped(question, guess), guess),
    answer: quotedText(question, question.answer),
  };
  if (question.type !== "number") {
    const right = guess === question.answer;
    return { right, ...texts, says: right ? question.right : (question.wrong[guess] ?? "") };
  }
  const near = (x: number) => isNear(question, guess, x);
  if (near(question.answer)) return { right: true, ...texts, says: question.right };
  const wrong = question.wrong
    .filter(({ answer }) => near(answer))
    .sort((a, b) => Math.abs(guess - a.answer) - Math.abs(guess - b.answer));
  return { right: false, ...texts, says: wrong[0]?.says ?? "" };
}

/** Whether a guess is within tolerance of a number or of its rounded text: 0.80 for 0.799997. */
export function isNear(
  { tolerance, decimals }: Pick<NumberQuestion, "tolerance" | "decimals">,
  guess: number,
  x: number,
): boolean {
  // as in exercises, with slack for binary rounding errors
  const slack = tolerance * (1 + 1e-9);
  return [x, Number(x.toFixed(decimals))].some((one) => Math.abs(guess - one) <= slack);
}

/** Repeats a typed guess with the decimals that the reader typed, at most two. */
function asTyped(question: Question, guess: number): Question {
  if (question.type !== "number" || question.slider) return question;
  const typed = String(guess).split(".")[1]?.length ?? 0;
  return { ...question, decimals: Math.max(question.decimals, Math.min(typed, 2)) };
}

/** Formats a guess or an answer. */
export function textOf(question: Question, x: number): string {
  if (question.type !== "number") return question.options[x];
  const text = x.toFixed(question.decimals).replace("-", "−");
  if (question.unit === "%") return `${text}%`;
  return question.unit ? `${text}\u202f${question.unit}` : text;
}

/** Formats a guess within a sentence; names of places and Chinese stand in quotation marks. */
export function quotedText(question: Question, x: number): string {
  const text = textOf(question, x);
  const isName = question.type === "place"; // The answer is “lost”.
  const isChinese = question.type === "choice" && CHINESE.test(text);
  return isName || isChinese ? `“${text}”` : text;
}

/** Returns every verdict that can appear, to reserve space for the longest. */
export function allVerdicts(question: Question): Verdict[] {
  const guesses =
    question.type === "number"
      ? [
          question.answer + question.tolerance,
          ...question.wrong.map(({ answer }) => answer),
          widest(question),
        ]
      : question.options.map((_, i) => i);
  return guesses.map((guess) => judge(question, guess));
}

/** A wrong guess of maximal length, without a comment. */
const widest = ({ answer, tolerance, slider }: NumberQuestion) =>
  slider ? slider[1] : -(Math.abs(answer) * 10 + 10 * tolerance + 8);

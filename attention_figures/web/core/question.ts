// A question as it travels from Python, and what is said to a guess.
import { HAN } from "./han.ts";

const CHINESE = new RegExp(`[\\u3000-\\u303f${HAN}\\uff00-\\uffef]`, "u");

interface Asked {
  /** What is asked; *words* and `code` stand out. */
  text: string;
  /** The state that it is about: traits that differ from the start. */
  at: Record<string, unknown>;
  /** Said after "it is …", whatever was guessed. */
  because: string;
}

export interface NumberQuestion extends Asked {
  type: "number";
  answer: number;
  /** How far off a guess may be. */
  tolerance: number;
  right: string;
  wrong: { answer: number; says: string }[];
  unit: string;
  decimals: number;
  /** Where a slider goes from, to, and in which steps; without them the guess is typed. */
  slider?: [number, number, number];
}

export interface ChoiceQuestion extends Asked {
  /** A place can be chosen in the picture, too. */
  type: "choice" | "place";
  options: string[];
  answer: number;
  right: string;
  /** For each option; nothing where there is nothing special to say. */
  wrong: string[];
}

export type Question = NumberQuestion | ChoiceQuestion;

/** What is said to a guess. */
export interface Verdict {
  right: boolean;
  guess: string;
  answer: string;
  /** To this very guess, if there is something to say. */
  says: string;
}

/** A guess as a number: what was typed, or the place in the list. */
export function judged(question: Question, guess: number): Verdict {
  const words = {
    guess: told(asTyped(question, guess), guess),
    answer: told(question, question.answer),
  };
  if (question.type !== "number") {
    const right = guess === question.answer;
    return { right, ...words, says: right ? question.right : (question.wrong[guess] ?? "") };
  }
  const near = (x: number) => isNear(question, guess, x);
  if (near(question.answer)) return { right: true, ...words, says: question.right };
  const wrong = question.wrong
    .filter(({ answer }) => near(answer))
    .sort((a, b) => Math.abs(guess - a.answer) - Math.abs(guess - b.answer));
  return { right: false, ...words, says: wrong[0]?.says ?? "" };
}

/** Whether a guess is near enough to a number, or to what a reader sees of it: 0.80 of 0.799997. */
export function isNear(
  { tolerance, decimals }: Pick<NumberQuestion, "tolerance" | "decimals">,
  guess: number,
  x: number,
): boolean {
  // as in exercises, what binary fractions are off by does not count
  const slack = tolerance * (1 + 1e-9);
  return [x, Number(x.toFixed(decimals))].some((one) => Math.abs(guess - one) <= slack);
}

/** With two decimals at most, a guess that was typed is told as it was typed. */
function asTyped(question: Question, guess: number): Question {
  if (question.type !== "number" || question.slider) return question;
  const typed = String(guess).split(".")[1]?.length ?? 0;
  return { ...question, decimals: Math.max(question.decimals, Math.min(typed, 2)) };
}

/** A guess or an answer, as readers read it. */
export function textOf(question: Question, x: number): string {
  if (question.type !== "number") return question.options[x];
  const text = x.toFixed(question.decimals).replace("-", "−");
  if (question.unit === "%") return `${text}%`;
  return question.unit ? `${text}\u202f${question.unit}` : text;
}

/** The same within a sentence, where Chinese words stand between marks: 你猜的是“也是 0”。 */
export function told(question: Question, x: number): string {
  const text = textOf(question, x);
  return question.type !== "number" && CHINESE.test(text) ? `“${text}”` : text;
}

/** All that may be said, so that there is room for the longest. */
export function everythingSaid(question: Question): Verdict[] {
  const guesses =
    question.type === "number"
      ? [
          question.answer + question.tolerance,
          ...question.wrong.map(({ answer }) => answer),
          widest(question),
        ]
      : question.options.map((_, i) => i);
  return guesses.map((guess) => judged(question, guess));
}

/** A guess as long as any, to which nothing special is said. */
const widest = ({ answer, tolerance, slider }: NumberQuestion) =>
  slider ? slider[1] : -(Math.abs(answer) * 10 + 10 * tolerance + 8);

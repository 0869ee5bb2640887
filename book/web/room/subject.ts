// Describes what a room is asked about: a figure with its question, or an item of "Where do I stand?".
import type { Figure } from "../../../attention_figures/web/core/figure.ts";
import { withoutMarkup } from "../../../attention_figures/web/core/markup.tsx";
import type { ChoiceQuestion, Question } from "../../../attention_figures/web/core/question.ts";
import type { Asked as AskedItem } from "../stand/items.ts";
import type { Asked, Part } from "./messages.ts";
import { hasOthers } from "./orders.ts";

export interface Subject {
  root: HTMLElement;
  name: string;
  part: Part;
  question: Question;
  /** Whether it shows the answer at the reveal, also without a guess. */
  shows: boolean;
  /** Whether the reader has answered or skipped it. */
  isAnswered(): boolean;
  /** Prepares it for a vote: its answer is hidden. */
  cover(): void;
  /** Shows a guess that can still change, such as a place in the picture. */
  preview(guess: number | null): void;
  /** Moves it to the answer, with the verdict on a guess. */
  reveal(guess: number | null): void;
}

const PARTS: Part[] = ["question", "observation", "item"];

const selector = (name: string, part: Part) =>
  part === "item" ? `fieldset[data-item="${name}"]` : `[data-figure="${name}"]`;

/** The element of the page that is asked about. */
export const elementOf = ({ figure, part }: Asked) =>
  document.querySelector<HTMLElement>(`article ${selector(figure, part)}`);

/** Live elements of the page that can be asked about. */
export const askable = () =>
  document.querySelectorAll<HTMLElement>(
    "article [data-figure][data-live], article fieldset[data-item]",
  );

/** Returns what can be asked about an element; empty if it is not live, or asks nothing. */
export const subjectsIn = (root: HTMLElement): Subject[] =>
  PARTS.map((part) => subjectOf(root, part)).filter((one) => one !== null);

/** Returns the subject of a part of an element; null if it is not live, or has no such part. */
export function subjectOf(root: HTMLElement, part: Part): Subject | null {
  const detail: { figure?: Figure; item?: AskedItem } = {};
  root.dispatchEvent(new CustomEvent("attention:asked", { detail }));
  const { figure, item } = detail;
  if (part === "item") return item ? itemSubject(root, item) : null;
  const asks = part === "question" ? figure?.questionState : figure?.observationState;
  if (!figure || !asks?.question) return null;
  const common = {
    root,
    name: figure.name,
    part,
    shows: part === "question",
    question: asks.question,
    isAnswered: () => !asks.pending.peek(),
    preview: (guess: number | null) => {
      if (asks.pending.peek()) asks.guess.value = guess;
    },
  };
  return { ...common, ...(part === "question" ? ofQuestion(figure) : ofObservation(figure)) };
}

const ofQuestion = (figure: Figure) => ({
  cover: () => {
    figure.reset();
    figure.hidden.value = false; // it is hidden by its question
  },
  reveal: (guess: number | null) => {
    figure.questionState.guess.value = guess;
    if (guess === null) figure.skip();
    else figure.commit();
    figure.hidden.value = false;
    figure.returnToQuestion(); // the lecturer may have moved it
  },
});

const ofObservation = (figure: Figure) => ({
  cover: () => {
    figure.questionState.skip();
    figure.observationState.reset();
  },
  reveal: (guess: number | null) => {
    const { observationState: asks } = figure;
    figure.hidden.value = false;
    figure.set({ ...asks.question!.at });
    asks.guess.value = guess;
    figure.commitObservation(); // nothing without a guess
  },
});

/** An item, with the option "I do not know" as on its page. */
function itemSubject(root: HTMLElement, item: AskedItem): Subject {
  const { key, text, options, right, unknown, hide, tell } = item;
  const says = options.map(({ said }) => said);
  const question: ChoiceQuestion = {
    type: "choice",
    text,
    at: {},
    because: "",
    options: [...options.map((option) => option.text), unknown],
    answer: right,
    right: says[right]!,
    wrong: [...says.map((said, i) => (i === right ? "" : said)), ""],
  };
  return {
    root,
    name: key,
    part: "item",
    shows: true,
    question,
    isAnswered: () => root.querySelector("[data-told]") !== null,
    cover: hide,
    preview: () => {},
    reveal: (guess) => tell(guess === null ? undefined : guess === options.length ? null : guess),
  };
}

/** Returns the message that asks the room about a subject; `others`: the label of further options. */
export function askedAbout(
  { name, part, question }: Subject,
  { page, lang }: { page: string; lang: string },
  others: string,
): Asked {
  const isNumber = question.type === "number";
  const texts = isNumber ? [] : question.options;
  const more = hasOthers(page, name, part) ? [others] : [];
  const labels = [...texts, ...more].map((text) => withoutMarkup(text).slice(0, 1000));
  return {
    page,
    figure: name,
    part,
    kind: question.type,
    options: labels.length,
    range: isNumber && question.slider ? [question.slider[0], question.slider[1]] : null,
    lang,
    title: withoutMarkup(question.text).slice(0, 1000),
    labels,
    right: rightGuesses(question),
  };
}

const rightGuesses = (question: Question): [number, number] => {
  const { answer } = question;
  if (question.type !== "number") return [answer, answer];
  const rounded = Number(answer.toFixed(question.decimals)); // as isNear
  return [
    Math.min(answer, rounded) - question.tolerance,
    Math.max(answer, rounded) + question.tolerance,
  ];
};

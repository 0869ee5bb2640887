// Describes what a room is asked about: a figure with its question, an exercise with one choice, or an item
// of "Where do I stand?".
import type { Figure } from "../../../attention_figures/web/core/figure.ts";
import { withoutMarkup } from "../../../attention_figures/web/core/markup.tsx";
import type { ChoiceQuestion, Question } from "../../../attention_figures/web/core/question.ts";
import type { Exercise, Puzzle } from "../exercises/state.ts";
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

const PARTS: Part[] = ["question", "observation", "exercise"];

const selector = (name: string, part: Part) =>
  part === "exercise"
    ? `:is([data-exercise="${name}"], fieldset[data-item="${name}"])`
    : `[data-figure="${name}"]`;

/** The element of the page that is asked about. */
export const elementOf = ({ figure, part }: Asked) =>
  document.querySelector<HTMLElement>(`article ${selector(figure, part)}`);

/** Live elements of the page that can be asked about. */
export const askable = () =>
  document.querySelectorAll<HTMLElement>(
    "article :is([data-figure], [data-exercise])[data-live], article [data-stand] fieldset[data-item]",
  );

/** Returns what can be asked about an element; empty if it is not live, or asks nothing. */
export const subjectsIn = (root: HTMLElement): Subject[] =>
  PARTS.map((part) => subjectOf(root, part)).filter((one) => one !== null);

/** Returns the subject of a part of an element; null if it is not live, or has no such part. */
export function subjectOf(root: HTMLElement, part: Part): Subject | null {
  const detail: { figure?: Figure; exercise?: Exercise | Puzzle; item?: AskedItem } = {};
  root.dispatchEvent(new CustomEvent("attention:asked", { detail }));
  const { figure, exercise, item } = detail;
  if (part === "exercise")
    return item ? itemSubject(root, item) : exercise ? exerciseSubject(root, exercise) : null;
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

/** The choice of an exercise that asks nothing else; its own page judges the answer. */
function exerciseSubject(root: HTMLElement, exercise: Exercise | Puzzle): Subject | null {
  const [field, ...others] = exercise.kind === "exercise" ? exercise.fields : [];
  if (field?.kind !== "choice" || others.length) return null;
  const answer = field.options.findIndex(({ right }) => right);
  const question: ChoiceQuestion = {
    type: "choice",
    text: field.label,
    at: {},
    because: "",
    options: field.options.map(({ text }) => text),
    answer,
    right: field.options[answer]?.words ?? "",
    wrong: field.options.map(({ words, right }) => (right ? "" : words)),
  };
  const choose = (guess: number) =>
    root.querySelectorAll<HTMLInputElement>("[data-choice]")[guess]?.click();
  return {
    root,
    name: root.dataset.exercise!,
    part: "exercise",
    shows: false,
    question,
    isAnswered: () => root.querySelector("[data-verdict]:not([data-verdict=''])") !== null,
    cover: () => {},
    preview: () => {},
    reveal: (guess) => {
      if (guess === null) return;
      choose(guess);
      // Preact renders the choice first.
      requestAnimationFrame(() => root.querySelector<HTMLElement>("[data-check]")?.click());
    },
  };
}

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
    part: "exercise",
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
  };
}

// Renders the control for a guess on a phone: large options, a slider, or a field for a number.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { isAmbiguous, parseNumber } from "../../../attention_figures/web/core/format.ts";
import { guessSlider } from "../../../attention_figures/web/core/guess_slider.ts";
import { Markup } from "../../../attention_figures/web/core/markup.tsx";
import {
  textOf,
  type ChoiceQuestion,
  type NumberQuestion,
} from "../../../attention_figures/web/core/question.ts";
import { languageOf, t as progressText } from "../strings/progress.ts";
import type { RoomStrings } from "../strings/room.ts";

interface Props<Q> {
  question: Q;
  own: number | null;
  onGuess: (guess: number) => void;
  /** Whether a tap on a place in the picture is a guess. */
  taps: boolean;
  t: RoomStrings;
}

export function GuessControl({ question, ...rest }: Props<ChoiceQuestion | NumberQuestion>) {
  if (question.type !== "number") return <Options question={question} {...rest} />;
  if (question.slider) return <Slider question={question} {...rest} />;
  return <Typed question={question} {...rest} />;
}

function Options({ question, own, onGuess, taps, t }: Props<ChoiceQuestion>) {
  const isPlace = question.type === "place";
  useEffect(() => (isPlace && taps ? choosePlaces(onGuess) : undefined), [question]);
  return (
    <>
      <fieldset class="room-options" data-places={isPlace ? "" : undefined}>
        <legend class="room-unseen">{t("yours")}</legend>
        {question.options.map((option, i) => (
          <label key={i}>
            <input
              type="radio"
              name="room-guess"
              data-room-guess={i}
              checked={own === i}
              onChange={() => onGuess(i)}
            />
            <span>
              <Markup text={option} />
            </span>
          </label>
        ))}
      </fieldset>
      {isPlace && taps && <p>{t("touch")}</p>}
    </>
  );
}

/** Takes taps on places of the picture, which is inert, so that its handles do not move. */
function choosePlaces(onGuess: (guess: number) => void) {
  const choose = ({ clientX: x, clientY: y }: MouseEvent) => {
    const touched = [...document.querySelectorAll<HTMLElement>("[data-room-covered] [data-place]")]
      .map((place) => ({ place, box: place.getBoundingClientRect() }))
      .filter(({ box }) => x >= box.left && x <= box.right && y >= box.top && y <= box.bottom)
      .sort((a, b) => a.box.width * a.box.height - b.box.width * b.box.height);
    if (touched[0]) onGuess(Number(touched[0].place.dataset.place));
  };
  document.addEventListener("click", choose);
  return () => document.removeEventListener("click", choose);
}

function Slider({ question, own, onGuess, t }: Props<NumberQuestion>) {
  const [low, high] = question.slider!;
  const moved = useSignal<number | null>(null);
  const shown = moved.value ?? own;
  const text = shown === null ? "…" : textOf(question, shown);
  const commit = (guess: number) => {
    onGuess(guess);
    moved.value = null;
  };
  return (
    <label class="room-slider" translate={false}>
      <output>{text}</output>
      <input
        type="range"
        {...guessSlider(question.slider!, shown, commit)}
        data-room-guess
        aria-label={t("yours")}
        aria-valuetext={text}
        onInput={({ currentTarget }) => (moved.value = Number(currentTarget.value))}
        onChange={({ currentTarget }) => commit(Number(currentTarget.value))} // when it is released
      />
      <span class="room-ends">
        <span>{textOf(question, low)}</span>
        <span>{textOf(question, high)}</span>
      </span>
    </label>
  );
}

function Typed({ question, own, onGuess, t }: Props<NumberQuestion>) {
  const typed = useSignal<string | null>(null);
  const refused = useSignal("");
  const commit = (event: Event) => {
    event.preventDefault();
    if (typed.value === null) return;
    const number = parseNumber(typed.value);
    refused.value =
      number !== null
        ? ""
        : isAmbiguous(typed.value)
          ? comma()
          : t("refused", { got: typed.value });
    if (number !== null) onGuess(number);
  };
  return (
    <form class="room-typed" onSubmit={commit}>
      <label>
        <input
          type="text"
          inputMode="decimal"
          autocomplete="off"
          size={8}
          data-room-guess
          aria-label={t("yours")}
          aria-invalid={refused.value !== ""}
          value={typed.value ?? (own === null ? "" : String(own))}
          onInput={({ currentTarget }) => {
            typed.value = currentTarget.value;
            refused.value = "";
          }}
        />
        {question.unit}
      </label>
      <button type="submit" data-room-send>
        {t("send")}
      </button>
      <span role="alert">{refused.value}</span>
    </form>
  );
}

const comma = () => progressText("comma", languageOf(document.documentElement));

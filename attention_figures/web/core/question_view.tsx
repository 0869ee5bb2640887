// Renders the question above a figure: the field for the guess, the buttons and the verdict.
import { useSignal, useSignalEffect } from "@preact/signals";
import { useRef } from "preact/hooks";
import type { Figure } from "./figure.ts";
import { isAmbiguous, parseNumber } from "./format.ts";
import { guessSlider } from "./guess_slider.ts";
import { Markup } from "./markup.tsx";
import { printing } from "./printing.ts";
import { allVerdicts, textOf, quotedText, type Question, type Verdict } from "./question.ts";
import type { Translate } from "./strings.ts";

export function QuestionView({ figure }: { figure: Figure }) {
  const { questionState, t } = figure;
  const question = questionState.question;
  if (!question) return null;
  return (
    <div class="ask" data-question>
      <p class="asked">
        <b>{t("guessFirst")}</b>
        {t("space")}
        <Markup text={question.text} />
      </p>
      {/* Guess and verdict replace each other; space is reserved for the longest verdict. */}
      <div class="turns" translate={false}>
        <div class="room" aria-hidden="true">
          {allVerdicts(question).map((verdict) => (
            <p>
              <VerdictText t={figure.t} question={question} verdict={verdict} />
              <MovedAwayNote figure={figure} />
            </p>
          ))}
        </div>
        <Guess figure={figure} question={question} />
        <VerdictLine figure={figure} question={question} />
      </div>
    </div>
  );
}

function Guess({ figure, question }: { figure: Figure; question: Question }) {
  const { questionState, t } = figure;
  const nothing = questionState.guess.value === null;
  return (
    <form
      class="guess"
      inert={!questionState.pending.value}
      onSubmit={(event) => {
        event.preventDefault();
        figure.commit();
      }}
    >
      {question.type === "number" ? (
        question.slider ? (
          <SliderGuess figure={figure} question={question} slider={question.slider} />
        ) : (
          <TypedGuess figure={figure} unit={question.unit} />
        )
      ) : (
        <select
          data-guess
          aria-label={t("yourGuess")}
          value={questionState.guess.value ?? ""}
          onChange={({ currentTarget: { value } }) =>
            (questionState.guess.value = value === "" ? null : Number(value))
          }
        >
          <option value="">{t(question.type === "place" ? "choosePlace" : "choose")}</option>
          {question.options.map((option, i) => (
            <option value={i}>{option}</option>
          ))}
        </select>
      )}
      <span class="ways">
        <button type="submit" class="first" data-commit disabled={nothing}>
          {t("commit")}
        </button>
        <button type="button" data-skip onClick={() => figure.skip()}>
          {t("showMe")}
        </button>
      </span>
    </form>
  );
}

function SliderGuess(props: {
  figure: Figure;
  question: Question;
  slider: [number, number, number];
}) {
  const { questionState, t } = props.figure;
  const guess = questionState.guess.value;
  const shown = guess === null ? "…" : textOf(props.question, guess);
  const setGuess = (x: number) => (questionState.guess.value = x);
  return (
    <label>
      <input
        type="range"
        {...guessSlider(props.slider, guess, setGuess)}
        data-guess
        aria-label={t("yourGuess")}
        aria-valuetext={shown}
        onInput={({ currentTarget }) => setGuess(Number(currentTarget.value))}
      />
      <output>{shown}</output>
    </label>
  );
}

function TypedGuess({ figure: { questionState, t }, unit }: { figure: Figure; unit: string }) {
  const refused = useSignal("");
  return (
    <>
      <label>
        <input
          type="text"
          inputMode="decimal"
          size={6}
          data-guess
          aria-label={t("yourGuess")}
          aria-invalid={refused.value !== ""}
          onInput={({ currentTarget: { value: got } }) => {
            questionState.guess.value = parseNumber(got);
            const wrong = got.trim() !== "" && questionState.guess.value === null;
            const why = isAmbiguous(got) ? "refusedComma" : "refusedGuess";
            refused.value = wrong ? t(why, { got }) : "";
          }}
        />
        {unit}
      </label>
      <span class="refused" role="alert">
        {refused}
      </span>
    </>
  );
}

/** The verdict is a live region and takes the focus from the button that disappears. */
function VerdictLine({ figure, question }: { figure: Figure; question: Question }) {
  const { questionState, t } = figure;
  const line = useRef<HTMLDivElement>(null);
  const before = useRef(questionState.pending.peek());
  useSignalEffect(() => {
    const pending = questionState.pending.value;
    const answered = before.current && !pending;
    before.current = pending;
    // An inert form has lost the focus already, or will.
    const focused = document.activeElement;
    const inForm = focused?.closest("form")?.nextSibling === line.current;
    if (answered && !printing.peek() && (focused === document.body || inForm))
      line.current?.focus({ preventScroll: true });
  });
  const verdict = questionState.verdict.value;
  const goBack = () => {
    figure.returnToQuestion();
    line.current?.focus({ preventScroll: true }); // the button is gone
  };
  return (
    // aria-atomic=false: the verdict is not read again when the reader leaves its state.
    <div
      class="verdict"
      data-verdict
      role="status"
      aria-atomic="false"
      tabIndex={-1}
      ref={line}
      data-elsewhere={!questionState.pending.value && figure.movedAway.value ? "" : undefined}
    >
      {!questionState.pending.value && (
        <p data-right={verdict?.right}>
          <VerdictText t={t} question={question} verdict={verdict} />
          {figure.movedAway.value && <MovedAwayNote figure={figure} goBack={goBack} />}
        </p>
      )}
    </div>
  );
}

/** States that the verdict is about another state than the one shown, with a button to return. */
function MovedAwayNote({ figure: { t }, goBack }: { figure: Figure; goBack?: () => void }) {
  return (
    <span class="elsewhere">
      {t("space")}
      <i>{t("askedElsewhere")}</i>{" "}
      <button type="button" data-return={goBack && ""} onClick={goBack}>
        {t("returnToQuestion")}
      </button>
    </span>
  );
}

/** Says what was guessed, what the guess would be right for, and only then the answer and why. */
export function VerdictText({ t, question, verdict, words = GUESS }: VerdictTextProps) {
  const answer = t("answerIs", { answer: quotedText(question, question.answer) });
  const exact = verdict?.guess === verdict?.answer;
  const parts = !verdict
    ? [answer]
    : [
        t(words.said, { guess: verdict.guess }),
        verdict.right && t(exact ? words.right : "youAreClose"),
        verdict.says,
        !(verdict.right && exact) && answer,
      ];
  return <Markup text={[...parts, question.because].filter(Boolean).join(t("space"))} />;
}

const GUESS = { said: "youSaid", right: "youAreRight" } as const;
export const SIGHT = { said: "youSaw", right: "youSawRight" } as const;

interface VerdictTextProps {
  t: Translate;
  question: Question;
  /** Null if the reader has not guessed. */
  verdict: Verdict | null;
  words?: typeof GUESS | typeof SIGHT;
}

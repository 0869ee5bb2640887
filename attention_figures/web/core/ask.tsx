// The question above a figure: a guess, a wish to see, and what is said to the guess.
import { useSignal, useSignalEffect } from "@preact/signals";
import { useRef } from "preact/hooks";
import type { Figure } from "./figure.ts";
import { isAmbiguous, parseNumber } from "./format.ts";
import { Marked } from "./marked.tsx";
import { printing } from "./printing.ts";
import { everythingSaid, textOf, told, type Question, type Verdict } from "./question.ts";

export function Ask({ figure }: { figure: Figure }) {
  const { asking, words } = figure;
  const question = asking.question;
  if (!question) return null;
  return (
    <div class="ask" data-question>
      <p class="asked">
        <b>{words("guessFirst")}</b>
        {words("space")}
        <Marked text={question.text} />
      </p>
      {/* Guess and verdict take turns in one room, which has the size of the largest. */}
      <div class="turns" translate={false}>
        <div class="room" aria-hidden="true">
          {everythingSaid(question).map((verdict) => (
            <p>
              <Said figure={figure} verdict={verdict} />
              <Elsewhere figure={figure} />
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
  const { asking, words } = figure;
  const nothing = asking.guess.value === null;
  return (
    <form
      class="guess"
      inert={!asking.waits.value}
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
          aria-label={words("yourGuess")}
          value={asking.guess.value ?? ""}
          onChange={({ currentTarget: { value } }) =>
            (asking.guess.value = value === "" ? null : Number(value))
          }
        >
          <option value="">{words(question.type === "place" ? "choosePlace" : "choose")}</option>
          {question.options.map((option, i) => (
            <option value={i}>{option}</option>
          ))}
        </select>
      )}
      <span class="ways">
        <button type="submit" class="first" data-commit disabled={nothing}>
          {words("commit")}
        </button>
        <button type="button" data-skip onClick={() => figure.skip()}>
          {words("showMe")}
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
  const { asking, words } = props.figure;
  const [low, high, step] = props.slider;
  const guess = asking.guess.value;
  const shown = guess === null ? "…" : textOf(props.question, guess);
  const take = (x: string) => (asking.guess.value = Number(x));
  return (
    <label>
      <input
        type="range"
        data-guess
        min={low}
        max={high}
        step={step}
        value={guess ?? (low + high) / 2}
        aria-label={words("yourGuess")}
        aria-valuetext={shown}
        onInput={({ currentTarget }) => take(currentTarget.value)}
        onClick={({ currentTarget }) => take(currentTarget.value)} // where it stands already
      />
      <output>{shown}</output>
    </label>
  );
}

function TypedGuess({ figure: { asking, words }, unit }: { figure: Figure; unit: string }) {
  const refused = useSignal("");
  return (
    <>
      <label>
        <input
          type="text"
          inputMode="decimal"
          size={6}
          data-guess
          aria-label={words("yourGuess")}
          aria-invalid={refused.value !== ""}
          onInput={({ currentTarget: { value: got } }) => {
            asking.guess.value = parseNumber(got);
            const wrong = got.trim() !== "" && asking.guess.value === null;
            const why = isAmbiguous(got) ? "refusedComma" : "refusedGuess";
            refused.value = wrong ? words(why, { got }) : "";
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

/** Read aloud when it comes; the focus goes there when the button that it was on goes away. */
function VerdictLine({ figure, question }: { figure: Figure; question: Question }) {
  const { asking, words } = figure;
  const said = useRef<HTMLDivElement>(null);
  const before = useRef(asking.waits.peek());
  useSignalEffect(() => {
    const waits = asking.waits.value;
    const left = before.current && !waits;
    before.current = waits;
    // What is inert has lost the focus already, or will.
    const at = document.activeElement;
    const goes = left && !printing.peek();
    if (goes && (at === document.body || at?.closest("form")?.nextSibling === said.current))
      said.current?.focus({ preventScroll: true });
  });
  const verdict = asking.verdict.value;
  const because = [words("itIs", { answer: told(question, question.answer) }), question.because];
  const goBack = () => {
    figure.returnToQuestion();
    said.current?.focus({ preventScroll: true }); // the button is gone
  };
  return (
    // Only what comes in is read: not the verdict again when the reader leaves its state.
    <div
      class="verdict"
      data-verdict
      role="status"
      aria-atomic="false"
      tabIndex={-1}
      ref={said}
      data-elsewhere={!asking.waits.value && figure.elsewhere.value ? "" : undefined}
    >
      {!asking.waits.value && (
        <p data-right={verdict?.right}>
          {verdict ? (
            <Said figure={figure} verdict={verdict} />
          ) : (
            <Marked text={because.join(words("space"))} />
          )}
          {figure.elsewhere.value && <Elsewhere figure={figure} goBack={goBack} />}
        </p>
      )}
    </div>
  );
}

/** Says that a verdict is about another state than is shown, and leads there. */
function Elsewhere({ figure: { words }, goBack }: { figure: Figure; goBack?: () => void }) {
  return (
    <span class="elsewhere">
      {words("space")}
      <i>{words("askedElsewhere")}</i>{" "}
      <button type="button" data-return={goBack && ""} onClick={goBack}>
        {words("returnToQuestion")}
      </button>
    </span>
  );
}

function Said({ figure, verdict }: { figure: Figure; verdict: Verdict }) {
  const question = figure.asking.question;
  const { guess, answer } = verdict;
  const close = guess === answer ? "youWereRight" : "youWereClose";
  const parts = [
    figure.words(verdict.right ? close : "youSaid", { guess, answer }),
    verdict.says,
    question?.because,
  ];
  return <Marked text={parts.filter(Boolean).join(figure.words("space"))} />;
}

// Renders one question of a review: its text and numbers, the field, the verdict and the next step.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { Control } from "../exercises/controls.tsx";
import { isUnclear, judge, type Answer } from "../exercises/judging.ts";
import type { Feedback } from "../exercises/state.ts";
import { Verdict, withCode } from "../exercises/verdict.tsx";
import { t as common, type Language } from "../strings/progress.ts";
import { t } from "../strings/session.ts";
import type { Item, Table } from "./session.ts";
import { allVerdicts, verdictOnGiven } from "./verdicts.ts";

interface Props {
  item: Item;
  lang: Language;
  /** Which question of the review this is, such as "Question 1 of 5". */
  place: string;
  /** The answer, if it was given before; null if the reader asked for it. */
  given?: Answer | undefined;
  focuses: boolean;
  /** Called once, with the answer, null if it was asked for, and whether it was right. */
  onAnswer: (given: Answer, right: boolean) => void;
  /** The label of the button below the verdict. */
  next: string;
  onNext: () => void;
}

/** Focuses an element when it appears, so that a keyboard and a screen reader go on there. */
export function useFocus<T extends HTMLElement>(focuses: boolean) {
  const element = useRef<T>(null);
  useEffect(() => {
    if (!focuses) return;
    element.current!.focus({ preventScroll: true });
    element.current!.parentElement!.scrollIntoView({ block: "nearest" }); // with the buttons
  }, []);
  return element;
}

export function ReviewItem({ item, lang, place, given, focuses, ...on }: Props) {
  const { variant, title, href, isOwn } = item;
  const { field } = variant;
  const said = given === undefined ? null : verdictOnGiven(variant, given, lang);
  const answer = useSignal<Answer>(given ?? null);
  const verdict = useSignal<Feedback | null>(said);
  const result = useSignal<boolean | null>(said && said.right === true);
  const heading = useFocus<HTMLParagraphElement>(focuses);
  const below = useRef<HTMLDivElement>(null);

  const finish = (given: Answer) => {
    verdict.value = verdictOnGiven(variant, given, lang);
    result.value = verdict.value.right === true;
    on.onAnswer(given, result.value);
    below.current?.focus({ preventScroll: true }); // the buttons are gone
  };
  const check = () => {
    if (judge(field, answer.value)) return finish(answer.value);
    const unclear = field.kind === "number" && isUnclear(String(answer.value ?? ""));
    verdict.value = { words: unclear ? common("comma", lang) : field.none, right: null };
  };
  const done = result.value !== null;
  return (
    <form
      class="attention-exercise"
      data-review-item
      onSubmit={(event) => {
        event.preventDefault();
        if (!done) check();
      }}
    >
      <p class="review-place" ref={heading} tabIndex={-1}>
        <b>{place}</b>{" "}
        <span class="review-from">
          {t("from", lang)} <cite>{title}</cite>
        </span>
      </p>
      <p>
        {withCode(variant.text)}
        {variant.text && lang === "en" && " "}
        {isOwn && !done && (
          <a class="review-from" href={href}>
            {t("look", lang)}
          </a>
        )}
      </p>
      {variant.table && <Numbers table={variant.table} />}
      <fieldset disabled={done}>
        <Control
          field={field}
          id="review"
          answer={answer.value}
          onAnswer={(given) => {
            answer.value = given;
            verdict.value = null;
          }}
        />
      </fieldset>
      {!done && (
        <p class="exercise-button">
          <button type="submit" data-check>
            {t("check", lang)}
          </button>{" "}
          <button type="button" data-show onClick={() => finish(null)}>
            {t("show", lang)}
          </button>
        </p>
      )}
      <div ref={below} tabIndex={-1} class="review-verdict">
        <Verdict said={verdict.value} possible={allVerdicts(variant, lang)} />
      </div>
      {done && (
        <p class="exercise-button">
          <button type="button" data-next onClick={on.onNext}>
            {on.next}
          </button>{" "}
          {(isOwn || !result.value) && <a href={href}>{t("figure", lang)}</a>}
        </p>
      )}
    </form>
  );
}

function Numbers({ table: { columns, rows } }: { table: Table }) {
  return (
    <div class="answer-scroll review-numbers">
      <table>
        <thead>
          <tr>
            <td />
            {columns.map((name) => (
              <th key={name} scope="col">
                {withCode(name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, ...cells]) => (
            <tr key={name}>
              <th scope="row">{withCode(name!)}</th>
              {cells.map((cell, i) => (
                <td key={i}>{withCode(cell)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

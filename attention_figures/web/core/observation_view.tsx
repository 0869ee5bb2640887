// Renders the question about what the reader saw, below a figure that has been moved.
import { useRef } from "preact/hooks";
import { useSignalEffect } from "@preact/signals";
import type { Figure } from "./figure.ts";
import { Markup } from "./markup.tsx";
import { SIGHT, VerdictText } from "./question_view.tsx";

/** Says, once the guess is answered, that this question follows when the figure is moved. */
export function ObservationNote({ figure }: { figure: Figure }) {
  const { observationState, questionState, touched, t } = figure;
  const isOpen = observationState.status.value === "unanswered";
  if (!isOpen || touched.value || questionState.pending.value) return null;
  return (
    <span data-observes-later>
      <b>{t("whatDidYouSee")}</b>
      {t("space")}
      {t("moveToSee")}
    </span>
  );
}

export function ObservationView({ figure }: { figure: Figure }) {
  const { observationState, questionState, touched, t } = figure;
  const { question: observation, guess, verdict, status } = observationState;
  const line = useRef<HTMLParagraphElement>(null);
  useSignalEffect(() => {
    // The button that had the focus is gone.
    if (verdict.value && document.activeElement === document.body)
      line.current?.focus({ preventScroll: true });
  });
  if (!observation || status.value === "skipped" || questionState.pending.value) return null;
  if (status.value === "unanswered" && !touched.value) return null;
  return (
    <div class="observation" data-observation>
      <p>
        <b>{t("whatDidYouSee")}</b>
        {t("space")}
        <Markup text={observation.text} />
      </p>
      {status.value === "unanswered" && (
        <form
          class="guess"
          onSubmit={(event) => {
            event.preventDefault();
            figure.commitObservation();
          }}
        >
          <select
            data-observed
            aria-label={t("whatDidYouSee")}
            value={guess.value ?? ""}
            onChange={({ currentTarget: { value } }) =>
              (guess.value = value === "" ? null : Number(value))
            }
          >
            <option value="">{t("chooseSeen")}</option>
            {observation.type !== "number" &&
              observation.options.map((option, i) => <option value={i}>{option}</option>)}
          </select>
          <span class="ways">
            <button type="submit" data-observe disabled={guess.value === null}>
              {t("tellSeen")}
            </button>
            <button type="button" data-unobserved onClick={observationState.skip}>
              {t("skipSeen")}
            </button>
          </span>
        </form>
      )}
      <p role="status" tabIndex={-1} ref={line} data-observation-verdict={verdict.value && ""}>
        {verdict.value && (
          <VerdictText t={t} question={observation} verdict={verdict.value} words={SIGHT} />
        )}
      </p>
    </div>
  );
}

// Renders the review on the front page: how many questions are due, and a button that asks five of them.
import { signal, useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { dateOf, today } from "../progress/day.ts";
import { addReview } from "../progress/record.ts";
import { isPersistent, record, update } from "../progress/store.ts";
import type { Language } from "../strings/progress.ts";
import { t } from "../strings/review.ts";
import { loadScript } from "./load_script.ts";
import {
  after,
  AT_A_TIME,
  chooseFamilies,
  dueFamilies,
  nextDay,
  reviewOf,
  variantOf,
  type Family,
} from "./schedule.ts";
import "./session.ts";

/** A family of questions with the chapter that a miss links to. */
export interface ReviewFamily extends Family {
  title: string;
  href: string;
}

interface Props {
  families: ReviewFamily[];
  /** The scripts that a review needs. */
  scripts: string[];
  lang: Language;
}

const day = signal(today()); // of this visit, which may last until tomorrow
addEventListener("visibilitychange", () => {
  day.value = today();
});

/** The items to ask now: the next variant of each family. */
const chooseItems = (families: ReviewFamily[]) =>
  chooseFamilies(dueFamilies(families, record.value, today()), record.value).flatMap((family) => {
    const { chapter, key, title, href, figure } = family;
    const variants = window.reviewVariants![chapter]?.[key];
    const variant = variants?.[variantOf(reviewOf(record.value, family)!)];
    return variant ? [{ family, variant, title, href: `${href}#figure-${figure}` }] : [];
  });

const storeResult = (family: Family, right: boolean) =>
  update((before) => {
    const review = reviewOf(before, family); // null: cleared in another tab
    if (!review) return before;
    return addReview(before, family.chapter, family.key, after(review, right, today()));
  });

export function Review({ families, scripts, lang }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const status = useSignal<"" | "loading" | "failed" | "asking" | "finished">("");
  const due = dueFamilies(families, record.value, day.value).length;
  const n = Math.min(due, AT_A_TIME);

  const ask = () => {
    status.value = "asking";
    const items = chooseItems(families);
    window.beginReview!(place.current!, {
      items,
      lang,
      onAnswer: (i, right) => storeResult(items[i]!.family, right),
      onEnd: () => (status.value = "finished"),
    });
  };
  const begin = () => {
    status.value = "loading";
    Promise.all(scripts.map(loadScript)).then(ask, () => (status.value = "failed"));
  };
  const [before, behind] = t(due === 1 ? "dueOne" : "due", lang).split("{n}");
  const button = status.value === "finished" ? "more" : n === 1 ? "beginOne" : "begin";
  return (
    <section class="review" aria-label={t("title", lang)} translate={false}>
      <p>
        {before}
        <b data-review-due>{due}</b>
        {behind}
        {due === 0 && <Next families={families} lang={lang} />}
      </p>
      {!isPersistent.value && <p class="progress-kept">{t("forgotten", lang)}</p>}
      <div ref={place} />
      <p>
        {due > 0 && status.value !== "asking" && (
          <button type="button" data-review-begin onClick={begin}>
            {t(button, lang, { n })}
          </button>
        )}{" "}
        <span role="status">
          {(status.value === "loading" || status.value === "failed") && t(status.value, lang)}
        </span>
      </p>
    </section>
  );
}

/** Says when the next question is due, or how to get one. */
function Next({ families, lang }: { families: Family[]; lang: Language }) {
  const next = nextDay(families, record.value, day.value);
  const space = lang === "zh" ? "" : " ";
  if (next === null) return space + t("nothing", lang);
  const date = new Intl.DateTimeFormat(lang, { month: "long", day: "numeric" });
  const when =
    next <= day.value + 1
      ? t("tomorrow", lang)
      : t("on", lang, { date: date.format(dateOf(next)) });
  return space + t("next", lang, { when });
}

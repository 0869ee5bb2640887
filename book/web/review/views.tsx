// Renders the review on the front page: a button that asks five questions, and how many are due.
import { signal, useSignal, useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { dateOf, today } from "../progress/day.ts";
import { addReview } from "../progress/record.ts";
import { isPersistent, record, update } from "../progress/store.ts";
import type { Language } from "../strings/progress.ts";
import { t } from "../strings/review.ts";
import { forget, hasReturned, keep, readKept, type Asked, type Kept } from "./kept.ts";
import { FROM_REVIEW } from "./way_back.ts";
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

interface NoticeProps extends Pick<Props, "families" | "lang"> {
  /** The place of the review. */
  href: string;
}

const day = signal(today()); // of this visit, which may last until tomorrow
addEventListener("visibilitychange", () => {
  day.value = today();
});

/** Whether the link at the top of the page was followed, which the review has not answered yet. */
const isCalled = signal(false);

/** What to ask now: the next variant of each family. */
const choose = (families: ReviewFamily[]): Asked[] =>
  chooseFamilies(dueFamilies(families, record.value, today()), record.value).map((family) => {
    const { chapter, key } = family;
    return [chapter, key, variantOf(reviewOf(record.value, family)!)];
  });

/** The question with its family; none if the course lacks it, or the progress was cleared. */
function itemOf(families: ReviewFamily[], [chapter, key, i]: Asked) {
  const family = families.find((one) => one.chapter === chapter && one.key === key);
  const variants = window.reviewVariants![chapter]?.[key] ?? [];
  const variant = variants[i % variants.length]; // a figure's own question is the only one
  if (!family || !variant || !reviewOf(record.value, family)) return [];
  const { title, href, figure } = family;
  const section = window.reviewSections![chapter]![key]!;
  const place = { title, section, href: `${href}?${FROM_REVIEW}#figure-${figure}` };
  return [{ family, variant, ...place, isOwn: variants.length === 1 }];
}

const storeResult = (family: Family, right: boolean) =>
  update((before) => {
    const review = reviewOf(before, family); // null: cleared in another tab
    if (!review) return before;
    return addReview(before, family.chapter, family.key, after(review, right, today()));
  });

const dueNow = (families: Family[]) => dueFamilies(families, record.value, day.value).length;

/** Says what a review takes. */
const beginWith = (n: number, lang: Language) => t(n === 1 ? "beginOne" : "begin", lang, { n });

/** A link that begins the review, if a question is due: what it takes, and how many are due. */
export function Notice({ families, lang, href }: NoticeProps) {
  const due = dueNow(families);
  if (due === 0) return null;
  const call = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return; // another tab or window
    event.preventDefault(); // following a link takes the focus from the question
    document.querySelector(href)!.scrollIntoView(); // which hydrates the review
    isCalled.value = true;
  };
  return (
    <a href={href} onClick={call}>
      {beginWith(Math.min(due, AT_A_TIME), lang)}
      {due > AT_A_TIME && t("ofDue", lang, { due })}
    </a>
  );
}

const dueKey = (due: number) =>
  due === 0 ? "dueNone" : due === 1 ? "dueOne" : due > AT_A_TIME ? "dueMany" : "due";

export function Review({ families, scripts, lang }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const status = useSignal<"" | "loading" | "failed" | "asking" | "finished">("");
  const due = dueNow(families);
  const n = Math.min(due, AT_A_TIME);

  /** Whether the questions can be asked. */
  const ask = ({ asked, ...begun }: Kept, focuses: boolean): boolean => {
    const items = asked.flatMap((one) => itemOf(families, one));
    const statusAt = (i: number) => (i < asked.length ? "asking" : "finished");
    if (items.length < asked.length) return false;
    const isBegun = window.beginReview!(place.current!, {
      items,
      lang,
      begun,
      focuses,
      onAnswer: (i, right) => storeResult(items[i]!.family, right),
      onStep: (now) => {
        keep(lang, today(), { asked, ...now });
        status.value = statusAt(now.place);
      },
    });
    if (isBegun) status.value = statusAt(begun.place);
    return isBegun;
  };
  const load = (then: () => void) => {
    status.value = "loading";
    Promise.all(scripts.map(loadScript)).then(then, () => (status.value = "failed"));
  };
  const begin = () =>
    load(() => {
      const asked = choose(families).filter((one) => itemOf(families, one).length);
      const fresh = { asked, given: [], place: 0 };
      keep(lang, today(), fresh);
      ask(fresh, true);
    });
  /** Goes on with the review that was left; its result is shown once more to those who come back. */
  const goOn = () => {
    const kept = readKept(lang, today());
    const isFinished = kept?.place === kept?.asked.length;
    if (!kept || (isFinished && !hasReturned())) return forget(lang);
    load(() => {
      const isNear = Math.abs(place.current!.getBoundingClientRect().top) < innerHeight;
      if (ask(kept, isNear && hasReturned())) return;
      forget(lang);
      status.value = "";
    });
  };
  useEffect(goOn, []);
  useSignalEffect(() => {
    if (!isCalled.value || status.value === "loading") return;
    isCalled.value = false;
    if (status.value !== "asking") return begin();
    place.current!.querySelector<HTMLElement>(".review-place")!.focus();
  });
  const [before, behind] = t(dueKey(due), lang).split("{n}");
  return (
    <section class="review" aria-label={t("title", lang)} translate={false}>
      {!isPersistent.value && <p class="progress-kept">{t("forgotten", lang)}</p>}
      <div ref={place} />
      <p>
        {due > 0 && status.value !== "asking" && (
          <button type="button" data-review-begin onClick={begin}>
            {status.value === "finished" ? t("more", lang, { n }) : beginWith(n, lang)}
          </button>
        )}{" "}
        <span role="status">
          {(status.value === "loading" || status.value === "failed") && t(status.value, lang)}
        </span>
      </p>
      <p>
        {before}
        <b data-review-due>{due}</b>
        {behind}
        {due === 0 && <Next families={families} lang={lang} />}
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

// Renders the review on the front page: how many questions are due, five of them in turn, and the result.
import { signal, useSignal } from "@preact/signals";
import { dateOf, today } from "../progress/day.ts";
import { addReview } from "../progress/record.ts";
import { isPersistent, record, update } from "../progress/store.ts";
import type { Language } from "../strings/progress.ts";
import { t } from "../strings/review.ts";
import { ReviewItem, useFocus } from "./item.tsx";
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
import { loadVariants, type Variant, type Variants } from "./variants.ts";

/** A family of questions with the chapter that a miss links to. */
export interface ReviewFamily extends Family {
  title: string;
  href: string;
}

interface Asked {
  family: ReviewFamily;
  variant: Variant;
  /** null until it is answered. */
  right: boolean | null;
}

interface Props {
  families: ReviewFamily[];
  src: string;
  lang: Language;
}

const day = signal(today()); // of this visit, which may last until tomorrow
addEventListener("visibilitychange", () => {
  day.value = today();
});

const linkOf = ({ href, figure }: ReviewFamily) => `${href}#figure-${figure}`;

function store({ chapter, key }: Family, families: Family[], right: boolean) {
  const family = families.find((one) => one.chapter === chapter && one.key === key)!;
  update((before) => {
    const review = reviewOf(before, family);
    return review ? addReview(before, chapter, key, after(review, right, today())) : before; // cleared in another tab
  });
}

export function Review({ families, src, lang }: Props) {
  const asked = useSignal<Asked[] | null>(null);
  const place = useSignal(0);
  const status = useSignal<"" | "loading" | "failed">("");
  const due = dueFamilies(families, record.value, day.value);

  const beginWith = (variants: Variants) => {
    status.value = "";
    place.value = 0;
    const now = dueFamilies(families, record.value, today());
    asked.value = (chooseFamilies(now, record.value) as ReviewFamily[]).flatMap((family) => {
      const own = variants[family.chapter]?.[family.key];
      const variant = own?.[variantOf(reviewOf(record.value, family)!) % own.length];
      return variant ? [{ family, variant, right: null }] : [];
    });
  };
  const begin = () => {
    status.value = "loading";
    loadVariants(src).then(beginWith, () => (status.value = "failed"));
  };
  const onAnswer = (right: boolean) => {
    const items = asked.value!;
    asked.value = items.map((one, i) => (i === place.value ? { ...one, right } : one));
    store(items[place.value]!.family, families, right);
  };

  const items = asked.value;
  const item = items?.[place.value];
  return (
    <section class="review" aria-label={t("title", lang)} translate={false}>
      <p>
        <b data-review-due>{due.length}</b> {t(due.length === 1 ? "dueOne" : "due", lang)}
        {due.length === 0 && <Next families={families} lang={lang} />}
      </p>
      {!isPersistent.value && <p class="progress-kept">{t("forgotten", lang)}</p>}
      {item && (
        <ReviewItem
          key={place.value}
          variant={item.variant}
          lang={lang}
          place={t("item", lang, { i: place.value + 1, n: items.length })}
          title={item.family.title}
          href={linkOf(item.family)}
          onAnswer={onAnswer}
          next={{
            text: t(place.value + 1 < items.length ? "continue" : "finish", lang),
            go: () => place.value++,
          }}
        />
      )}
      {items && !item && <Result items={items} lang={lang} />}
      <p>
        {due.length > 0 && !item && (
          <button type="button" data-review-begin onClick={begin}>
            {t(items ? "more" : "begin", lang, { n: Math.min(due.length, AT_A_TIME) })}
          </button>
        )}{" "}
        <span role="status">{status.value && t(status.value, lang)}</span>
      </p>
    </section>
  );
}

/** Says when the next question is due, or how to get one. */
function Next({ families, lang }: { families: Family[]; lang: Language }) {
  const next = nextDay(families, record.value, day.value);
  if (next === null) return <> {t("nothing", lang)}</>;
  const date = new Intl.DateTimeFormat(lang, { month: "long", day: "numeric" });
  const when =
    next <= day.value + 1
      ? t("tomorrow", lang)
      : t("on", lang, { date: date.format(dateOf(next)) });
  return (
    <>
      {lang === "zh" ? "" : " "}
      {t("next", lang, { when })}
    </>
  );
}

function Result({ items, lang }: { items: Asked[]; lang: Language }) {
  const heading = useFocus<HTMLParagraphElement>();
  const missed = items.filter(({ right }) => !right);
  const counts = { right: items.length - missed.length, n: items.length };
  return (
    <div class="attention-exercise" data-review-result>
      <p ref={heading} tabIndex={-1}>
        <b>{t("result", lang, counts)}</b> {missed.length > 0 && t("missed", lang)}
      </p>
      {missed.length > 0 && (
        <ul>
          {missed.map(({ family }) => (
            <li key={linkOf(family)}>
              <a href={linkOf(family)}>{family.title}</a>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

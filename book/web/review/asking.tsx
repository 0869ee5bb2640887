// Asks the questions of a review one after the other, and shows the result.
import { useSignal } from "@preact/signals";
import { render } from "preact";
import { t } from "../strings/session.ts";
import { ReviewItem, useFocus } from "./item.tsx";
import type { Item, Session } from "./session.ts";

/** Replaces what a review before left in the element. */
export function beginReview(root: HTMLElement, session: Session) {
  render(null, root);
  render(<Asking session={session} />, root);
}

function Asking({ session: { items, lang, onAnswer, onEnd } }: { session: Session }) {
  const place = useSignal(0);
  const missed = useSignal<Item[]>([]);
  const item = items[place.value];
  if (!item) return <Result missed={missed.value} n={items.length} lang={lang} />;
  const isLast = place.value + 1 === items.length;
  return (
    <ReviewItem
      key={place.value}
      item={item}
      lang={lang}
      place={t("item", lang, { i: place.value + 1, n: items.length })}
      onAnswer={(right) => {
        if (!right) missed.value = [...missed.value, item];
        onAnswer(place.value, right);
      }}
      next={t(isLast ? "finish" : "next", lang)}
      onNext={() => {
        place.value++;
        if (isLast) onEnd();
      }}
    />
  );
}

function Result({ missed, n, lang }: { missed: Item[]; n: number; lang: Session["lang"] }) {
  const heading = useFocus<HTMLParagraphElement>();
  return (
    <div class="attention-exercise" data-review-result>
      <p ref={heading} tabIndex={-1}>
        <b>{t("result", lang, { right: n - missed.length, n })}</b>
        {lang === "zh" ? "" : " "}
        {missed.length > 0 && t("missed", lang)}
      </p>
      {missed.length > 0 && (
        <ul>
          {missed.map(({ href, title, variant }) => (
            <li key={href}>
              <a href={href}>{title}</a>
              <br />
              <span class="review-from">{variant.field.label}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

// Asks the questions of a review one after the other, and shows the result.
import { useSignal } from "@preact/signals";
import { render } from "preact";
import { withCode } from "../exercises/verdict.tsx";
import { t } from "../strings/session.ts";
import { ReviewItem, useFocus } from "./item.tsx";
import type { Progress } from "./kept.ts";
import type { Item, Session } from "./session.ts";
import { fits, verdictOnGiven } from "./verdicts.ts";

/** Replaces what a review before left in the element. */
export function beginReview(root: HTMLElement, session: Session): boolean {
  const { items, begun } = session;
  if (!begun.given.every((given, i) => fits(items[i]!.variant.field, given))) return false;
  render(null, root);
  render(<Asking session={session} />, root);
  return true;
}

interface Props {
  session: Session;
}

function Asking({ session: { items, lang, begun, onAnswer, onStep, ...session } }: Props) {
  const now = useSignal(begun);
  const { given, place } = now.value;
  const item = items[place];
  const focuses = session.focuses || place !== begun.place;
  const step = (next: Progress) => {
    now.value = next;
    onStep(next);
  };
  if (!item) {
    const missed = items.filter(
      ({ variant }, i) => !verdictOnGiven(variant, given[i]!, lang).right,
    );
    return <Result {...{ missed, n: items.length, lang, focuses }} />;
  }
  const isLast = place + 1 === items.length;
  return (
    <ReviewItem
      key={place}
      item={item}
      lang={lang}
      place={t("item", lang, { i: place + 1, n: items.length })}
      given={given[place]}
      focuses={focuses}
      onAnswer={(answer, right) => {
        onAnswer(place, right);
        step({ given: [...given, answer], place });
      }}
      next={t(isLast ? "finish" : "next", lang)}
      onNext={() => step({ given: now.value.given, place: place + 1 })}
    />
  );
}

interface ResultProps {
  missed: Item[];
  n: number;
  lang: Session["lang"];
  focuses: boolean;
}

function Result({ missed, n, lang, focuses }: ResultProps) {
  const heading = useFocus<HTMLParagraphElement>(focuses);
  return (
    <div class="attention-exercise" data-review-result>
      <p ref={heading} tabIndex={-1}>
        <b>{t("result", lang, { right: n - missed.length, n })}</b>
        {lang === "zh" ? "" : " "}
        {missed.length > 0 && t("missed", lang)}
      </p>
      {missed.length > 0 && (
        <ul>
          {missed.map(({ href, title, section, variant }, i) => (
            <li key={i}>
              <a href={href}>{section ? t("place", lang, { title, section }) : title}</a>
              <br />
              <span class="review-from">{withCode(variant.field.label)}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

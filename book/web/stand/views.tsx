// Renders "Where do I stand?": the questions without a verdict, and then the result.
import { useSignal, type ReadonlySignal } from "@preact/signals";
import type { ComponentChild, ComponentChildren, JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { withCode } from "../exercises/verdict.tsx";
import type { Language } from "../strings/progress.ts";
import { t, type StringKey } from "../strings/stand.ts";
import { asJson, asText, download, longDate } from "./export.ts";
import type { Item, Link, Questionnaire } from "./items.ts";
import { inOrder, nextDraft } from "./order.ts";
import {
  count,
  outcome,
  TIMES,
  type Answers,
  type Draft,
  type Result,
  type Time,
  type Told,
} from "./record.ts";
import type { Store } from "./store.ts";

interface Props {
  questionnaire: Questionnaire;
  store: Store;
  lang: Language;
  /** The items of which a room has been told the answer, each with the reader's own, if there is one. */
  told: ReadonlySignal<Told>;
}

/** Renders a string with bold parts between ** and with {name} replaced by elements. */
function filled(text: string, parts: Record<string, ComponentChild> = {}): ComponentChildren {
  const inner = (piece: string) =>
    piece.split(/(\{\w+\})/).map((word) => parts[word.slice(1, -1)] ?? withCode(word));
  return text
    .split("**")
    .map((piece, i) => (i % 2 ? <strong>{inner(piece)}</strong> : inner(piece)));
}

const joined = (elements: JSX.Element[], lang: Language): ComponentChild[] =>
  elements.flatMap((element, i) => (i ? [lang === "zh" ? "、" : ", ", element] : [element]));

/** Whether the page belongs to a room: a lecturer's, or a phone that follows one. */
const isInRoom = () => {
  const { lecturer, room } = document.documentElement.dataset;
  return lecturer !== undefined || room !== undefined;
};

const anchorOf = (i: number) => `stand-${i + 1}`;

/** Links to items on this page by their numbers. */
const numbers = (places: number[], lang: Language) =>
  joined(
    places.map((i) => <a href={`#${anchorOf(i)}`}>{i + 1}</a>),
    lang,
  );

function Radios<T extends string | number>(props: {
  name: string;
  options: { value: T; label: ComponentChildren }[];
  chosen: T | undefined;
  choose: (value: T) => void;
}) {
  return (
    <>
      {props.options.map(({ value, label }) => (
        <label key={value} class="answer-option">
          <input
            type="radio"
            name={props.name}
            data-choice={`${props.name}:${value}`}
            checked={props.chosen === value}
            onChange={() => props.choose(value)}
          />
          <span>{label}</span>
        </label>
      ))}
    </>
  );
}

const UNKNOWN = -1; // stands for null in the radios

function Question(props: {
  item: Item;
  /** The options in the order to show. */
  order: number[];
  i: number;
  answer: number | null | undefined;
  choose: (answer: number | null) => void;
  children: ComponentChildren;
  lang: Language;
}) {
  const { item, order, i, answer, choose, children, lang } = props;
  const options = order.map((value) => ({ value, label: withCode(item.options[value]!.text) }));
  return (
    <fieldset id={anchorOf(i)} class="stand-item" data-item={item.key} tabIndex={-1}>
      <legend>
        <span class="stand-number">{i + 1}.</span> {withCode(item.text)}
      </legend>
      {children || (
        <Radios
          name={item.key}
          options={[...options, { value: UNKNOWN, label: t("unknown", lang) }]}
          chosen={answer === null ? UNKNOWN : answer}
          choose={(value) => choose(value === UNKNOWN ? null : value)}
        />
      )}
    </fieldset>
  );
}

function Questions({
  questionnaire: { items, links },
  store,
  lang,
  told,
  finish,
}: Props & { finish: (time: Time) => void }) {
  const { record, update } = store;
  const warned = useSignal(false);
  const begun: Draft = record.value.draft ?? {
    time: record.value.before ? "after" : "before",
    answers: {},
  };
  const { time, answers, seed } = begun;
  const keep = (draft: Partial<Draft>) =>
    update({ ...record.value, draft: { ...begun, ...draft } });
  // A room is asked the items by their places, which are the same for everyone.
  const ordered = inOrder(items, isInRoom() ? undefined : seed);
  const open = ordered.flatMap(({ item: { key } }, i) => (key in answers ? [] : [i]));
  const submit = () => {
    if (open.length && !warned.value) {
      warned.value = true;
      return;
    }
    const { draft: _, ...others } = record.value;
    update({ ...others, [time]: { date: new Date().toISOString(), answers } });
    finish(time);
  };
  const times = TIMES.map((value) => ({ value, label: t(value, lang) }));
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <fieldset class="stand-time">
        <legend>{t("time", lang)}</legend>
        <Radios
          name="time"
          options={times}
          chosen={time}
          choose={(value) => keep({ time: value })}
        />
      </fieldset>
      {ordered.map(({ item, options }, i) => (
        <Question
          key={item.key}
          {...{ item, i, lang }}
          order={options}
          answer={answers[item.key]}
          choose={(answer) => keep({ answers: { ...answers, [item.key]: answer } })}
        >
          {item.key in told.value && (
            <div
              class="stand-judged"
              role="status"
              data-told
              data-outcome={outcome(item, told.value)}
            >
              <Judgement {...{ item, links, lang }} answer={told.value[item.key]} none="" />
            </div>
          )}
        </Question>
      ))}
      <p role="status" translate={false}>
        {t("answered", lang, { done: items.length - open.length, all: items.length })}{" "}
        {warned.value && open.length > 0 && filled(t("open", lang), { links: numbers(open, lang) })}
      </p>
      <p class="stand-buttons">
        <button type="submit" data-finish>
          {t("finish", lang)}
        </button>
      </p>
    </form>
  );
}

const linked = (link: Link | undefined): ComponentChild =>
  link && <a href={link.href}>{link.title}</a>;

/** What an answer means, and the right one; `none`: what it says where there is no answer. */
function Judgement(props: {
  item: Item;
  answer: number | null | undefined;
  none: string;
  /** Whether a miss shows the answer, and not only where to read. */
  tells?: boolean;
  links: Map<string, Link>;
  lang: Language;
}) {
  const { item, answer, none, tells = true, links, lang } = props;
  const chosen = item.options[answer ?? -1];
  const right = item.options[item.right]!;
  const between = lang === "zh" ? "" : " ";
  const more = filled(t("treated", lang), { link: linked(links.get(item.treated)) });
  if (!tells && chosen !== right)
    return (
      <>
        <p class="stand-said">
          {chosen
            ? filled(t("notRight", lang, { option: chosen.text }))
            : answer === null
              ? filled(t("youDoNotKnow", lang))
              : none}
        </p>
        <p>{more}</p>
      </>
    );
  return (
    <>
      {(answer !== undefined || none) && (
        <p class="stand-said">
          {chosen
            ? [filled(t("youSaid", lang, { option: chosen.text })), between, withCode(chosen.said)]
            : answer === null
              ? filled(t("youDoNotKnow", lang))
              : none}
          {chosen?.source && [
            between,
            filled(t("source", lang), { link: linked(links.get(chosen.source)) }),
          ]}
        </p>
      )}
      {chosen !== right && (
        <p>
          {filled(t("answerIs", lang, { option: right.text }))}
          {between}
          {withCode(right.said)}
          {between}
          {more}
        </p>
      )}
    </>
  );
}

function Judged(props: {
  item: Item;
  i: number;
  answers: Answers;
  tells: boolean;
  links: Map<string, Link>;
  lang: Language;
}) {
  const { item, i, answers, tells, links, lang } = props;
  return (
    <li
      id={anchorOf(i)}
      class="stand-judged"
      data-item={item.key}
      data-outcome={outcome(item, answers)}
    >
      <p>{withCode(item.text)}</p>
      <Judgement
        {...{ item, tells, links, lang }}
        answer={answers[item.key]}
        none={t("youLeftOut", lang)}
      />
    </li>
  );
}

/** A line with the date, the count and what was left out. */
function Score({
  items,
  time,
  result,
  lang,
}: {
  items: Item[];
  time: Time;
  result: Result;
  lang: Language;
}) {
  const { date, answers } = result;
  const unknown = count(items, answers, "unknown");
  const between = lang === "zh" ? "" : " ";
  return (
    <p data-score={time}>
      {t("taken", lang, { time: t(time, lang), date: longDate(date, lang) })}
      {between}
      <strong>
        {t("score", lang, { right: count(items, answers, "right"), all: items.length })}
      </strong>
      {unknown > 0 && between + t("leftOut", lang, { unknown })}
    </p>
  );
}

/** What is right after the course and was not before it, and the other way round. */
function Changes({
  items,
  before,
  after,
  lang,
}: {
  items: Item[];
  before: Answers;
  after: Answers;
  lang: Language;
}) {
  const rightOnlyIn = (one: Answers, other: Answers) =>
    items.flatMap((item, i) =>
      outcome(item, one) === "right" && outcome(item, other) !== "right" ? [i] : [],
    );
  const changes: [StringKey, number[]][] = [
    ["learnt", rightOnlyIn(after, before)],
    ["lost", rightOnlyIn(before, after)],
  ];
  return (
    <>
      {changes.map(
        ([key, places]) =>
          places.length > 0 && (
            <p key={key} data-change={key}>
              {filled(t(key, lang), { links: numbers(places, lang) })}
            </p>
          ),
      )}
    </>
  );
}

/** The sections that treat what was missed, chapter by chapter, each with its questions. */
function Reading({
  questionnaire: { items, links },
  answers,
  lang,
}: {
  questionnaire: Questionnaire;
  answers: Answers;
  lang: Language;
}) {
  const missed = new Map<string, number[]>();
  items.forEach((item, i) => {
    if (outcome(item, answers) !== "right")
      missed.set(item.treated, [...(missed.get(item.treated) ?? []), i]);
  });
  const hrefOf = (anchor: string) => links.get(anchor)?.href ?? "";
  const sections = [...missed].sort(([a], [b]) => (hrefOf(a) < hrefOf(b) ? -1 : 1));
  if (!sections.length) return <p>{t("allRight", lang)}</p>;
  return (
    <ul class="stand-reading">
      {sections.map(([anchor, places]) => (
        <li key={anchor}>
          {linked(links.get(anchor))}
          {filled(t("questions", lang), { links: numbers(places, lang) })}
        </li>
      ))}
    </ul>
  );
}

function ResultView(props: Props & { time: Time; show: (time: Time | null) => void }) {
  const { questionnaire, store, lang, time, show } = props;
  const { items, links } = questionnaire;
  const { record } = store;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const taken = TIMES.filter((one) => record.value[one]);
  const { before, after } = record.value;
  const { answers } = record.value[time]!;
  const asked = useSignal(false);
  const tells = asked.value || after !== undefined;
  const hides = !tells && count(items, answers, "right") < items.length;
  const each = useRef<HTMLHeadingElement>(null);
  const showAnswers = () => {
    asked.value = true;
    each.current?.focus(); // the button goes
  };
  const chance = items.reduce((sum, { options }) => sum + 1 / options.length, 0);
  const title = document.querySelector("h1")?.firstChild?.textContent ?? "";
  const again = () => {
    store.update({
      ...record.value,
      draft: nextDraft(record.value.draft, Date.now()),
    });
    show(null);
  };
  const saveText = () =>
    download(
      asText(questionnaire, record.value, { time, tells, title, lang }),
      "text/plain",
      `stand-${time}.txt`,
    );
  return (
    <>
      <h3 ref={heading} tabIndex={-1} id="stand-result">
        {t("result", lang)}
      </h3>
      {taken.map((one) => (
        <Score key={one} {...{ items, lang }} time={one} result={record.value[one]!} />
      ))}
      <p>{t("chance", lang, { chance: Math.round(chance) })}</p>
      {before && after && (
        <Changes {...{ items, lang }} before={before.answers} after={after.answers} />
      )}
      {taken.length > 1 && (
        <fieldset class="stand-time">
          <legend>{t("shown", lang)}</legend>
          <Radios
            name="time"
            options={taken.map((value) => ({ value, label: t(value, lang) }))}
            chosen={time}
            choose={show}
          />
        </fieldset>
      )}
      <p class="stand-buttons">
        <button type="button" data-print onClick={() => print()}>
          {t("print", lang)}
        </button>
        <button type="button" data-export="text" onClick={saveText}>
          {t("text", lang)}
        </button>
        <button
          type="button"
          data-export="json"
          onClick={() =>
            download(asJson(questionnaire, record.value), "application/json", "stand.json")
          }
        >
          {t("json", lang)}
        </button>
        <button type="button" data-again onClick={again}>
          {t("again", lang)}
        </button>
      </p>
      <h4>{t("read", lang)}</h4>
      <Reading {...{ questionnaire, answers, lang }} />
      <h4 ref={each} tabIndex={-1}>
        {t("each", lang)}
      </h4>
      {hides && (
        <>
          <p>{t("hidden", lang)}</p>
          <p class="stand-buttons">
            <button type="button" data-answers onClick={showAnswers}>
              {t("showAnswers", lang)}
            </button>
          </p>
        </>
      )}
      <ol class="stand-judgement">
        {items.map((item, i) => (
          <Judged key={item.key} {...{ item, i, answers, tells, links, lang }} />
        ))}
      </ol>
    </>
  );
}

export function Stand(props: Props) {
  const { store, lang } = props;
  const { record, isPersistent } = store;
  const { before, after, draft } = record.value;
  // A lecturer opens the page to put the questions to a room, and not to see the own result.
  const asks =
    (draft && Object.keys(draft.answers).length > 0) ||
    "lecturer" in document.documentElement.dataset;
  const shown = useSignal<Time | null>(asks ? null : after ? "after" : before ? "before" : null);
  const message = useSignal("");
  const time = shown.value && record.value[shown.value] ? shown.value : null;
  const clear = () => {
    if (!confirm(t("sure", lang))) return;
    store.clear();
    shown.value = null;
    message.value = t("cleared", lang);
  };
  const show = (next: Time | null) => (shown.value = next);
  return (
    <>
      {time ? (
        <ResultView {...props} {...{ time, show }} />
      ) : (
        <Questions {...props} finish={show} />
      )}
      <p class="progress-kept" translate={false}>
        {t(isPersistent.value ? "kept" : "forgotten", lang)}
      </p>
      <p class="stand-buttons">
        {Object.keys(record.value).length > 0 && (
          <button type="button" data-clear onClick={clear}>
            {t("clear", lang)}
          </button>
        )}{" "}
        <span role="status" translate={false}>
          {message.value}
        </span>
      </p>
    </>
  );
}

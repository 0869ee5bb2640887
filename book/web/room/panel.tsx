// Renders the lecturer's panel: the room's address, the vote that is open, and the distributions.
import { useSignal, type ReadonlySignal } from "@preact/signals";
import { useLayoutEffect } from "preact/hooks";
import { Markup } from "../../../attention_figures/web/core/markup.tsx";
import { quotedText } from "../../../attention_figures/web/core/question.ts";
import type { Language } from "../strings/progress.ts";
import type { RoomStrings } from "../strings/room.ts";
import type { Asked, Asking, LecturerState, Round } from "./messages.ts";
import type { Subject } from "./subject.ts";
import {
  countsIn,
  lastSentence,
  pairsIn,
  rightShares,
  rowsOf,
  sizeOf,
  totalOf,
  type Row,
} from "./tally.ts";

export interface Context {
  state: ReadonlySignal<LecturerState | null>;
  isUp: ReadonlySignal<boolean>;
  isFirst: ReadonlySignal<boolean>;
  /** The screen of the question that is asked; null if it is on another page. */
  screen: ReadonlySignal<{ number: number; isShown: boolean } | null>;
  message: ReadonlySignal<string>;
  t: RoomStrings;
  lang: Language;
  /** Such as /room/lecturer/. */
  place: string;
  act: {
    /** Goes to the question that is asked. */
    go: () => void;
    ask: (subject: Subject) => void;
    close: () => void;
    again: () => void;
    reveal: () => void;
    end: () => void;
    hands: (counts: unknown) => void;
    forget: () => void;
    code: () => void;
  };
  asked: () => Subject | null;
  onScreen: () => Subject[];
  /** The screen of the question in words. */
  where: () => string;
}

const MANY = 9; // options; more are places in the picture
const FEW = 6; // rows with their labels above the bars
const LOCAL = /^https?:\/\/(127\.|localhost|\[::1\])/;
const withoutScheme = (address: string) => address.replace(/^http:\/\//, "");

/** The page of a question, at the place where a lecture begins. */
export const addressOf = ({ page, figure, part }: Asked, lang: Language) =>
  // The anchor of an item is its number; a lecture that begins on its page goes there.
  `/book/${lang}/${page}.html${part === "item" ? "" : `#figure-${figure}`}`;

export function Panel(context: Context) {
  const { state, isUp, isFirst, screen, message, t } = context;
  const now = state.value;
  // On other screens, a button in the bar leads to the question.
  const asking = screen.value?.isShown ? (now?.asking ?? null) : null;
  const isShown = Boolean(now && (asking || isFirst.value)) || message.value !== "" || !isUp.value;
  useLayoutEffect(() => {
    document.documentElement.toggleAttribute("data-room-panel", isShown);
  }, [isShown]);
  if (!isShown) return null;
  return (
    <section class="room-panel" aria-label={t("room")} translate={false} data-phase={now?.phase}>
      {message.value && (
        <p class="room-message" role="status">
          {message.value}
        </p>
      )}
      {!isUp.value && (
        <p class="room-message" role="status">
          {t("offline")}
        </p>
      )}
      {now && asking && <Vote {...context} now={now} asking={asking} />}
      {now && isFirst.value && <Join {...context} now={now} />}
    </section>
  );
}

/** Leads from other screens to the question that is asked. */
export function Elsewhere({ state, screen, t, act, where }: Context) {
  const now = state.value;
  if (!now?.asking || screen.value?.isShown) return null;
  const { guessed, present, phase, asking } = now;
  const key = phase === "open" ? "openThere" : "closedThere";
  return (
    <button type="button" data-room="go" title={asking.question.title} onClick={act.go}>
      {t(key, { where: where(), guessed, present })}
    </button>
  );
}

/** Says on a page that is no lecture (any more) that a vote waits, such as after a reload. */
export function Waiting(props: {
  state: ReadonlySignal<LecturerState | null>;
  inLecture: ReadonlySignal<boolean>;
  t: RoomStrings;
  lang: Language;
  page: string | undefined;
}) {
  const { state, inLecture, t, lang, page } = props;
  const now = state.value;
  if (inLecture.value || !now?.asking || now.phase !== "open") return null;
  const { question } = now.asking;
  return (
    <p class="room-waits" role="status" translate={false}>
      {question.page === page ? (
        t("returns")
      ) : (
        <>
          {t("openOnPage")} <a href={addressOf(question, lang)}>{t("elsewhere")}</a>
        </>
      )}
    </p>
  );
}

function Join({ now, t, place }: Context & { now: LecturerState }) {
  return (
    <div class="room-join">
      <h2>{t("join")}</h2>
      <Address now={now} t={t} place={place} />
      <p>{t("joinHow")}</p>
      <p data-room-joined>{t("joined", { present: now.present })}</p>
    </div>
  );
}

function Address({ now, t, place }: { now: LecturerState; t: RoomStrings; place: string }) {
  return (
    <>
      <img src={`${place}code.svg`} alt="" />
      <p class="room-address" data-room-address>
        {withoutScheme(now.address)}
      </p>
      {LOCAL.test(now.address) && (
        <p class="room-local">
          {t("onlyHere")} <code>make lecture LECTURE="--ip=0.0.0.0 --trusted-room"</code>
        </p>
      )}
    </>
  );
}

function Vote(props: Context & { now: LecturerState; asking: Asking }) {
  const { now, asking, act, t, asked, lang, onScreen } = props;
  const { phase, round } = now;
  const subject = asked();
  // What is counted are the options of the page on which it was asked.
  const question = lang === asking.question.lang ? (subject?.question ?? null) : null;
  const seen = onScreen().find(({ part }) => part === "observation");
  const { part } = asking.question;
  const button = (name: string, text: string, onClick: () => void, first = false) => (
    <button type="button" data-room={name} class={first ? "first" : undefined} onClick={onClick}>
      {text}
    </button>
  );
  return (
    <>
      <p class="room-count" data-room-count>
        {phase === "open" ? (
          <>
            <b>{t("of", { guessed: now.guessed, present: now.present })}</b>{" "}
            <span>{t("haveGuessed")}</span>
          </>
        ) : (
          <>
            <b>{sizeOf(totalOf(asking.rounds[round - 1]!))}</b> <span>{t("guesses")}</span>
          </>
        )}
      </p>
      <div class="room-buttons">
        {phase === "open" && button("close", t("close"), act.close, true)}
        {phase === "closed" && round === 1 && button("again", t("voteAgain"), act.again)}
        {phase === "closed" && button("reveal", t("reveal"), act.reveal, true)}
        {phase === "revealed" &&
          seen &&
          asking.question.part === "question" &&
          button("ask-seen", t("askSeen"), () => act.ask(seen))}
        {phase === "revealed" && button("end", t("done"), act.end, true)}
        {subject && (phase === "revealed" || (phase === "closed" && round === 2)) && (
          <Anew key={`${now.vote} ${phase}`} t={t} start={() => act.ask(subject)} />
        )}
      </div>
      {round === 2 && phase === "open" && <p class="room-round">{t("second")}</p>}
      <p class="room-asked" data-room-asks>
        <Markup text={lastSentence(subject?.question.text ?? asking.question.title ?? "")} />
      </p>
      {phase === "open" && part !== "item" && asking.question.options <= MANY && (
        <Choices labels={labelsOf(asking, question)} />
      )}
      {phase !== "open" && <Distribution asking={asking} question={question} phase={phase} t={t} />}
      {phase === "revealed" && subject && question && (
        <Answer question={question} rounds={asking.rounds} says={!subject.shows} t={t} />
      )}
      {phase !== "revealed" && <Hands key={now.vote} {...props} question={question} />}
    </>
  );
}

/** Asks the same question again, after a second press: the distributions leave the screen. */
function Anew({ t, start }: { t: RoomStrings; start: () => void }) {
  const isAsked = useSignal(false);
  const toggle = () => (isAsked.value = !isAsked.value);
  if (!isAsked.value)
    return (
      <button type="button" data-room="anew" onClick={toggle}>
        {t("anew")}
      </button>
    );
  return (
    <p role="status">
      {t("anewHow")}{" "}
      <button type="button" data-room="anew-start" onClick={start}>
        {t("anewStart")}
      </button>{" "}
      <button type="button" data-room="anew-cancel" onClick={toggle}>
        {t("cancel")}
      </button>
    </p>
  );
}

type OptionalQuestion = Subject["question"] | null;

const labelsOf = ({ question: asked }: Asking, question: OptionalQuestion): string[] =>
  (asked.labels ?? []).map((label, i) =>
    question && question.type !== "number" ? (question.options[i] ?? label) : label,
  );

/** The options, for those in the room without a phone. */
const Choices = ({ labels }: { labels: string[] }) => (
  <ul class="room-choices">
    {labels.map((label, i) => (
      <li key={i}>
        <Markup text={label} />
      </li>
    ))}
  </ul>
);

function Distribution(props: {
  asking: Asking;
  question: OptionalQuestion;
  phase: string;
  t: RoomStrings;
}) {
  const { asking, question, phase, t } = props;
  const explained = useSignal(false);
  const isRevealed = phase === "revealed";
  const words = { more: (x: string) => t("more", { x }), less: (x: string) => t("less", { x }) };
  const rows = rowsOf(asking.question, question, asking.rounds, words);
  const sizes = asking.rounds.map((round) => sizeOf(totalOf(round)));
  const says = isRevealed || explained.value;
  const isCompact = asking.question.kind === "number" || rows.length > FEW;
  const known = question && question.type !== "number" ? question.options.length : Infinity;
  const isShown = ({ counts, isAnswer }: Row, i: number) =>
    counts.some(Boolean) ||
    (isRevealed && isAnswer) ||
    asking.question.kind === "number" ||
    (!isCompact && i < known); // an option of the other language
  return (
    <div class="room-distribution">
      {asking.rounds.length === 2 && (
        <p class="room-legend">
          <i data-vote="0" /> {t("first")} <i data-vote="1" /> {t("second")}
        </p>
      )}
      <ol>
        {rows.filter(isShown).map((row, i) => (
          <li
            key={i}
            data-compact={isCompact ? "" : undefined}
            data-room-row
            data-answer={isRevealed && row.isAnswer ? "" : undefined}
          >
            <span class="room-label">
              {isRevealed && row.isAnswer && "✓ "}
              <Markup text={row.label} />
            </span>
            {row.counts.map((count, i) => (
              <Bar key={i} vote={i} of={asking.rounds.length} {...{ count, size: sizes[i]! }} />
            ))}
            {says && <Meanings row={row} />}
          </li>
        ))}
      </ol>
      {!isRevealed && rows.some(({ says }) => says.length > 0) && (
        <button
          type="button"
          data-room="meanings"
          aria-pressed={explained.value}
          onClick={() => (explained.value = !explained.value)}
        >
          {t("meanings")}
        </button>
      )}
    </div>
  );
}

function Meanings({ row }: { row: Row }) {
  if (!row.counts.some(Boolean)) return null;
  return (
    <>
      {row.says.map((text) => (
        <small key={text} data-room-says>
          <Markup text={text} />
        </small>
      ))}
    </>
  );
}

/** One vote's bar; the first of two is hatched. */
function Bar(props: { vote: number; of: number; count: number; size: number }) {
  const { vote, of, count, size } = props;
  const share = count / (size || 1);
  return (
    <span class="room-bar" data-vote={of === 1 ? 1 : vote} data-count={count}>
      <i style={{ width: `${100 * share}%` }} />
      <b>{count}</b>
      <span>{Math.round(100 * share)}%</span>
    </span>
  );
}

function Answer(props: {
  question: Subject["question"];
  rounds: Round[];
  says: boolean;
  t: RoomStrings;
}) {
  const { question, rounds, says, t } = props;
  const shares = rightShares(question, rounds).map((share) => (share === null ? "–" : `${share}%`));
  return (
    <>
      <p class="room-right" data-room-right>
        {t("rightShare", { shares: shares.join(" → ") })}
      </p>
      {says && (
        <p>
          <Markup
            text={`${t("answerIs", { answer: quotedText(question, question.answer) })} ${question.because || question.right}`}
          />
        </p>
      )}
    </>
  );
}

/** Takes the counts of a show of hands. */
function Hands(props: Context & { asking: Asking; question: OptionalQuestion }) {
  const { asking, question, act, t } = props;
  const isNumber = asking.question.kind === "number";
  const now = asking.rounds[asking.rounds.length - 1]!.hands;
  const texts = useSignal<string[]>(
    isNumber
      ? [(now as [number, number][]).map(([x, count]) => `${x}: ${count}`).join(", ")]
      : Array.from({ length: asking.question.options }, (_, i) => String(now[i] || "")),
  );
  const refused = useSignal(false);
  const labels = labelsOf(asking, question);
  const submit = (event: Event) => {
    event.preventDefault();
    const counts = isNumber ? pairsIn(texts.value[0]!) : countsIn(texts.value);
    refused.value = counts === null;
    if (counts) act.hands(counts);
  };
  return (
    <details class="room-hands">
      <summary>{t("hands")}</summary>
      <form onSubmit={submit}>
        {texts.value.map((text, i) => (
          <label key={i}>
            <span>
              {isNumber ? t("handsNumbers") : <Markup text={labels[i] ?? String(i + 1)} />}
            </span>
            <input
              type="text"
              inputMode={isNumber ? "text" : "numeric"}
              autocomplete="off"
              data-room-hands={i}
              value={text}
              onInput={({ currentTarget: { value } }) => {
                texts.value = texts.value.map((one, k) => (k === i ? value : one));
              }}
            />
          </label>
        ))}
        <button type="submit" data-room="hands">
          {t("count")}
        </button>{" "}
        <span role="alert">{refused.value ? t("unreadable") : ""}</span>
      </form>
    </details>
  );
}

/** The room's address in full size, and what is left to do after class. */
export function CodeDialog({ state, t, place, act }: Context) {
  const now = state.value;
  return (
    <dialog class="lecture-dialog room-code" data-key="q" aria-label={t("code")}>
      {now && (
        <>
          <Address now={now} t={t} place={place} />
          <p>{t("joinHow")}</p>
        </>
      )}
      <form method="dialog">
        <a href={`${place}answers.csv`} download data-room="csv">
          {t("csv")}
        </a>{" "}
        <button type="button" data-room="forget" onClick={act.forget}>
          {t("forget")}
        </button>{" "}
        <button>{t("closeDialog")}</button>
      </form>
    </dialog>
  );
}

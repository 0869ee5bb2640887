// The page of a phone: shows the question that the room is asked, takes a guess, and then gives the reader
// the verdict and the figure. It is a page of the book of which only the figure is visible.
import { signal } from "@preact/signals";
import { render, type ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Markup } from "../../../attention_figures/web/core/markup.tsx";
import { judge, type Question } from "../../../attention_figures/web/core/question.ts";
import type { Language } from "../strings/progress.ts";
import { roomStrings, type RoomStrings } from "../strings/room.ts";
import { GuessControl } from "./guess.tsx";
import { placeOf, type Phase, type PhoneState, type Refused } from "./messages.ts";
import { fromCounted, toCounted } from "./orders.ts";
import { connect, type Link } from "./socket.ts";
import { readStored, store } from "./storage.ts";
import { elementOf, subjectOf, type Subject } from "./subject.ts";

const GUESSES = "room-guesses"; // in localStorage: the own guess in each vote of the question
const LANGUAGE = "language"; // as in scripts/language.ts
const PATH = "data-room-path"; // marks what room.css shows of the page

declare global {
  interface Window {
    hydrateFigures?: (page: ParentNode) => void; // attention_figures/web/core/page.ts
  }
}

interface Guess {
  /** What the room counts, in either language. */
  counted: number;
  /** The option on the page on which it was chosen, and that page's language. */
  option: number | null;
  lang: string;
  /** Whether the server has said that it has this guess. */
  isIn?: boolean;
  /** Whether it has an earlier guess in the same vote. */
  wasIn?: boolean;
}

const page = document.documentElement;
const here = placeOf(location.pathname);

const languageOf = (tags: readonly string[]): Language => {
  const known = tags.map((tag) => tag.slice(0, 2)).find((tag) => tag === "zh" || tag === "en");
  return (known ?? "en") as Language;
};

/** Waits until a script has made an element live. */
const whenLive = (root: HTMLElement) =>
  new Promise<void>((resolve) => {
    const check = () => root.hasAttribute("data-live") && (watcher.disconnect(), resolve());
    const watcher = new MutationObserver(check);
    watcher.observe(root, { attributes: true });
    check();
  });

export function beginPhone(place: string) {
  const state = signal<PhoneState | null>(null);
  const isUp = signal(false);
  const refusal = signal("");
  const subject = signal<Subject | null>(null);
  const guesses = signal(readStored<Record<string, Guess>>(GUESSES) ?? {});
  const lang = signal<Language>(
    here
      ? languageOf([here.lang])
      : languageOf([localStorage.getItem(LANGUAGE) ?? "", ...navigator.languages]),
  );
  let revealed = ""; // the vote whose answer the figure shows
  let covered = ""; // the asking for which the figure was covered
  let unsent = false; // the server has not confirmed the latest guess
  let link: Link;

  /** The guess in a vote as an option of this page, or a number. */
  const guessIn = ({ question }: PhoneState, vote: string): number | null => {
    const own = guesses.value[vote];
    if (!own || !question) return null;
    return own.lang === lang.value ? own.option : fromCounted(question, own.counted, lang.value);
  };
  /** The vote of this question in which the reader has last guessed. */
  const lastVote = ({ vote }: PhoneState): string => {
    const [id] = vote?.split(".") ?? [""];
    return guesses.value[`${id}.2`] ? `${id}.2` : `${id}.1`;
  };
  const ownGuess = (now: PhoneState) => guessIn(now, lastVote(now));
  /** Says that a guess in a closed vote came late; null if it was counted. */
  const lateText = (now: PhoneState, vote: string, question: Question, t: RoomStrings) => {
    const own = guesses.value[vote];
    const guess = guessIn(now, vote);
    if (!own || own.isIn || guess === null) return null;
    return t(own.wasIn ? "lateChange" : "late", { guess: quotedIn(question, guess) });
  };
  const keep = (vote: string, guess: Guess) => {
    const [id] = vote.split(".");
    const sameQuestion = Object.entries(guesses.value).filter(([of]) => of.startsWith(`${id}.`));
    guesses.value = { ...Object.fromEntries(sameQuestion), [vote]: guess };
    store(GUESSES, guesses.value);
  };
  const send = ({ vote }: PhoneState) => {
    const own = vote && guesses.value[vote];
    if (own) link.say({ type: "guess", vote, guess: own.counted });
  };
  const guess = (x: number) => {
    const now = state.value;
    if (now?.phase !== "open" || !now.vote || !now.question) return;
    unsent = true;
    const counted = toCounted(now.question, x, lang.value);
    const before = guesses.value[now.vote];
    const wasIn = Boolean(before?.isIn || before?.wasIn);
    keep(now.vote, { counted, option: x, lang: lang.value, isIn: false, wasIn });
    subject.value?.preview(x);
    send(now);
  };

  const showPath = (root: HTMLElement | null) => {
    for (const node of document.querySelectorAll(`[${PATH}]`)) node.removeAttribute(PATH);
    if (!root) return;
    root.setAttribute(PATH, "asked");
    for (let node = root.parentElement; node && node !== document.body; node = node.parentElement)
      node.setAttribute(PATH, "");
  };

  /** Finds and shows the figure that is asked about; hides the page without one. */
  const show = async (now: PhoneState) => {
    const { question, vote } = now;
    if (!question || !vote) {
      if (revealed) return; // the reader goes on with the figure
      showPath(null);
      subject.value = null;
      return;
    }
    const stand = document.querySelector<HTMLElement>("[data-stand]");
    if (stand) await whenLive(stand); // its items are not there before
    const root = elementOf(question);
    if (!root || state.value?.vote !== vote) return;
    showPath(root);
    const [id] = vote.split(".") as [string];
    if (covered !== id) {
      root.inert = true;
      scrollTo(0, 0);
    }
    if (question.part !== "item") window.hydrateFigures?.(root.parentNode!);
    if (!stand) await whenLive(root);
    if (state.value?.vote !== vote) return; // the next message has come meanwhile
    const found = subjectOf(root, question.part);
    if (!found) return;
    if (covered !== id) {
      covered = id;
      revealed = "";
      found.cover();
    }
    subject.value = found;
    const { phase } = state.value;
    // What they saw is asked after moving, so the figure can be moved while it is asked.
    const moves = phase !== "revealed" && question.part === "observation";
    root.toggleAttribute("data-room-moves", moves);
    root.toggleAttribute("data-room-covered", phase !== "revealed" && !moves);
    root.inert = phase !== "revealed" && !moves;
    if (phase !== "revealed") return found.preview(guessIn(now, vote));
    if (revealed === vote) return;
    revealed = vote;
    found.reveal(ownGuess(now));
    const seen =
      question.part === "observation" ? "[data-observation]" : "[data-verdict], [data-told]";
    requestAnimationFrame(() => {
      if (question.part === "question") scrollTo(0, 0);
      else root.querySelector(seen)?.scrollIntoView({ block: "center" });
    });
  };

  const adopt = (next: PhoneState) => {
    const { question, vote, phase, mine } = next;
    if (question && question.page !== here?.page) {
      const path = `/book/${lang.value}/${question.page}.html`;
      if (location.pathname !== path) return location.replace(`${path}?room`);
    }
    const isNews = vote !== state.value?.vote;
    if (isNews) unsent = false;
    state.value = next;
    if (phase === "open" && vote) {
      const own = guesses.value[vote]?.counted;
      if (mine === own) unsent = false;
      if (mine !== null && !unsent) {
        // Another tab may have guessed.
        const same = mine === own && guesses.value[vote];
        keep(vote, { ...(same || { counted: mine, option: null, lang: "" }), isIn: true });
      } else if (own !== undefined && mine !== own) {
        keep(vote, { ...guesses.value[vote]!, isIn: false, wasIn: mine !== null });
        send(next);
      }
    }
    void show(next);
  };

  link = connect(
    place,
    (message: PhoneState | Refused) => {
      if (message.type === "state") {
        refusal.value = "";
        adopt(message);
      } else if (message.code === "late") {
        unsent = false;
        link.say({ type: "hello" });
      } else refusal.value = message.code;
    },
    (up) => (isUp.value = up),
    () => void fetch(place.slice(0, -1), { cache: "no-store" }).catch(() => {}), // renews the cookie
  );

  const top = document.createElement("div");
  top.className = "in-room";
  document.body.prepend(top);
  page.toggleAttribute("data-in-room", true);

  function Top() {
    const t = roomStrings(lang.value);
    const other = lang.value === "en" ? "zh" : "en";
    const tag = other === "zh" ? "zh-CN" : "en";
    page.lang = lang.value === "zh" ? "zh-CN" : "en";
    const change = (event: Event) => {
      localStorage.setItem(LANGUAGE, tag);
      if (here) return;
      event.preventDefault();
      lang.value = other;
    };
    const href = here ? `${location.pathname.replace(/\/book\/\w+/, `/book/${other}`)}?room` : "#";
    return (
      <header>
        <h1>{t("room")}</h1>
        <span data-room-link={isUp.value ? "up" : "down"}>
          {t(refusal.value === "full" ? "full" : isUp.value ? "connected" : "connecting")}
        </span>
        {/* Not a[hreflang], which scripts/language.ts would change. */}
        <a href={href} lang={tag} data-room-language onClick={change}>
          {other === "zh" ? "中文" : "English"}
        </a>
      </header>
    );
  }

  function Panel() {
    const t = roomStrings(lang.value);
    const now = state.value;
    const heading = useRef<HTMLHeadingElement>(null);
    const asks = subject.value;
    const vote = asks && now?.phase === "open" ? now.vote : null;
    useEffect(() => {
      if (vote) heading.current?.focus({ preventScroll: true });
    }, [vote]);
    if (!asks || !now || now.phase === "idle" || !now.question)
      return revealed && asks ? null : (
        <Part label={t("room")} data-room-phase="idle">
          <p class="room-large">{t("waiting")}</p>
          <p>{t("stay")}</p>
        </Part>
      );
    const { phase, round } = now;
    const { question, part } = asks;
    // The verdict is on the latest guess of either vote; until then each vote has its own.
    const of = phase === "revealed" ? lastVote(now) : now.vote!;
    const own = guessIn(now, of);
    const late = phase === "open" ? null : lateText(now, of, question, t);
    if (phase === "revealed")
      return (
        <Part label={t("room")} data-room-phase={phase}>
          <p role="status">{t(part === "item" ? "over" : "yoursNow")}</p>
          {late && <p data-room-late>{late}</p>}
        </Part>
      );
    const call = round === 2 ? "again" : part === "observation" ? "saw" : "guess";
    return (
      <Part label={t("room")} data-room-phase={phase} data-room-round={round}>
        <h2 tabIndex={-1} ref={heading}>
          {t(call)}
        </h2>
        <p class="room-question">
          <Markup text={question.text} />
        </p>
        {phase === "open" ? (
          <GuessControl
            key={now.vote}
            question={question}
            own={guessIn(now, now.vote!)}
            onGuess={guess}
            taps={part !== "observation"}
            t={t}
          />
        ) : (
          <p class="room-large" data-room-own data-room-late={late && ""}>
            {late ??
              (own === null ? t("closed") : t("closedWith", { guess: quotedIn(question, own) }))}
          </p>
        )}
        <p role="status" data-room-status>
          {phase === "open" ? t(statusOf(now)) : t("wait")}
        </p>
      </Part>
    );
  }

  const statusOf = ({ vote, mine }: PhoneState) => {
    const own = guesses.value[vote!]?.counted;
    if (own === undefined) return "notYet";
    return isUp.value && mine === own ? "sent" : "sending";
  };

  render(
    <>
      <Top />
      <Panel />
    </>,
    top,
  );
}

interface PartProps {
  label: string;
  children: ComponentChildren;
  "data-room-phase": Phase;
  "data-room-round"?: number;
}

/** The main part of the server's own page, and a region beside the main part of a page of the book. */
const Part = ({ label, ...props }: PartProps) =>
  here ? (
    <section class="room-part" aria-label={label} {...props} />
  ) : (
    <main class="room-part" {...props} />
  );

/** A guess within a sentence, without a second full stop. */
const quotedIn = (question: Question, guess: number) =>
  judge(question, guess).guess.replace(/[.。]$/, "");

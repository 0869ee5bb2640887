// The lecturer's side of a room: keys of lecture mode ask what the figure or item on the screen
// asks, and a panel beside it shows how many have guessed, the distributions, and the room's address.
import { effect, signal } from "@preact/signals";
import { render } from "preact";
import { languageOf } from "../strings/progress.ts";
import { roomStrings } from "../strings/room.ts";
import { forgetKept, keep, restoring } from "./kept.ts";
import { placeOf, type Count, type LecturerState, type Phase, type Refused } from "./messages.ts";
import { addressOf, CodeDialog, Elsewhere, Panel, Waiting } from "./panel.tsx";
import { connect } from "./socket.ts";
import { askable, askedAbout, elementOf, subjectOf, subjectsIn, type Subject } from "./subject.ts";

const page = document.documentElement;
const FIELD = "input:not([type=radio], [type=range], [type=checkbox]), select, textarea";

const isVisible = (element: Element) => element.getClientRects().length > 0;

export function beginLecturer(place: string) {
  const here = placeOf(location.pathname);
  const lang = languageOf(page);
  const t = roomStrings(lang);
  const state = signal<LecturerState | null>(null);
  const isUp = signal(false);
  const isFirst = signal(false); // the lecture's first screen
  /** The screen of the question that is asked; null if it is on another page. */
  const screen = signal<{ number: number; isShown: boolean } | null>(null);
  const inLecture = signal(false);
  const message = signal("");
  let bar: HTMLElement | null = null;
  let begins = false; // a lecture has begun, and the state is not known yet
  let givenTo = ""; // the run of the server that has got back what this browser keeps
  let handled = ""; // the vote and phase that the figure shows

  /** What the figure or item on the screen asks; its question first. */
  const onScreen = (): Subject[] => {
    const visible = [...askable()].filter(isVisible);
    return visible.map(subjectsIn).find((subjects) => subjects.length > 0) ?? [];
  };
  /** The subject that the room is asked about, if it is on this page. */
  const asked = (): Subject | null => {
    const question = state.value?.asking?.question;
    if (!question || question.page !== here?.page) return null;
    const root = elementOf(question);
    return root && subjectOf(root, question.part);
  };

  /** Finds the screen of the question that is asked. */
  const locate = () => {
    const question = state.value?.asking?.question;
    const root = question && question.page === here?.page ? elementOf(question) : null;
    const detail: { screen?: number } = {};
    root?.dispatchEvent(new CustomEvent("attention:screen", { detail })); // lecture.ts answers
    screen.value =
      root && detail.screen ? { number: detail.screen, isShown: isVisible(root) } : null;
  };
  const where = () => (screen.value ? t("screen", { n: screen.value.number }) : t("otherPage"));
  const isElsewhere = () => state.value?.asking && !screen.value?.isShown;
  /** Goes to the question that is asked, on this page or another one. */
  const go = () => {
    const question = state.value?.asking?.question;
    if (!question) return;
    const root = question.page === here?.page && elementOf(question);
    if (!root) return location.assign(addressOf(question, lang));
    history.replaceState(history.state, "", `#${root.id}`);
    dispatchEvent(new HashChangeEvent("hashchange")); // lecture.ts goes there
  };

  // The speaker's window shows how the vote goes, also before the room sees it.
  effect(() => {
    const { phase = "idle", asking, guessed = 0, present = 0 } = state.value ?? {};
    const key = phase === "open" ? "votes" : phase === "closed" ? "voted" : "told";
    page.dataset.roomVote = asking ? t(key, { guessed, present }) : "";
  });

  const act = {
    go,
    ask: (subject: Subject) => {
      message.value = "";
      link.say({ type: "open", question: askedAbout(subject, here!, t("others")) });
    },
    close: () => void link.say({ type: "close" }),
    again: () => void link.say({ type: "again" }),
    reveal: () => void link.say({ type: "reveal" }),
    end: () => void link.say({ type: "end" }),
    hands: (counts: unknown) => void link.say({ type: "hands", counts }),
    forget: () => {
      if (!confirm(t("sure"))) return;
      forgetKept();
      link.say({ type: "forget" });
    },
    code: () => bar?.querySelector<HTMLDialogElement>(".room-code")?.showModal(),
  };

  /** Opens the vote on what is on the screen, closes it, or opens it again. */
  const vote = () => {
    const { phase = "idle", round = 0 } = state.value ?? {};
    locate();
    if (phase === "open") {
      if (!isElsewhere()) return act.close();
      return void (message.value = t("openElsewhere", { where: where() }));
    }
    const [first, ...others] = onScreen();
    // Nothing that is on the screen is thrown away: the panel has buttons for what comes next.
    if (phase !== "idle" && !isElsewhere()) {
      if (phase === "closed" && round === 1) return act.again();
      return void (message.value = t(phase === "closed" ? "twoVotes" : "answered"));
    }
    if (!first || !here) return void (message.value = t("nothing"));
    const next = first.isAnswered() ? others.find((one) => !one.isAnswered()) : first;
    act.ask(next ?? first);
  };

  /** Hides the figure for a new vote, and moves it to the answer at the end. */
  const follow = ({ vote, phase, asking }: LecturerState) => {
    const root = asked()?.root;
    // After a reload, the lecture goes on at the question that is asked.
    if (begins && root && !isVisible(root)) go();
    begins = false;
    locate();
    for (const other of document.querySelectorAll("[data-room-asked]"))
      if (other !== root) other.removeAttribute("data-room-asked");
    const part = asking?.question.part;
    const shows = part === "observation" || phase !== "revealed" ? part : "";
    root?.setAttribute("data-room-asked", shows ?? "");
    const now = `${asking?.id} ${phase === "revealed"}`;
    if (!vote || now === handled) return;
    const subject = asked();
    if (!subject) return;
    const isReload = !handled && phase !== "open";
    handled = now;
    if (phase === "revealed") subject.reveal(null);
    else if (!isReload) subject.cover();
  };

  const link = connect(
    place,
    (said: LecturerState | Count | Refused) => {
      if (said.type === "count") {
        if (state.value) state.value = { ...state.value, ...said, type: "state" };
      } else if (said.type === "state") {
        const restore = said.run === givenTo ? null : restoring(said);
        givenTo = said.run;
        if (restore) return void link.say(restore);
        keep(said);
        message.value = "";
        state.value = said;
        follow(said);
      } else {
        console.warn("The room refused a command:", said);
        if (!state.value) link.say({ type: "hello" }); // after what was given back was refused
      }
    },
    (up) => (isUp.value = up),
  );

  /** Adds the panel, a button and the keys to the bar of a lecture that begins. */
  const open = (found: HTMLElement) => {
    bar = found;
    const button = document.createElement("button");
    Object.assign(button, { type: "button", className: "room-ask", title: `${t("ask")} (V)` });
    button.textContent = t("ask");
    button.addEventListener("click", vote);
    bar.querySelector("[data-act=keys]")?.before(button);
    const rows = [
      ["V", t("keyVote")],
      ["Q", t("keyCode")],
    ].flatMap(([key, meaning]) => {
      const term = document.createElement("dt");
      term.append(Object.assign(document.createElement("kbd"), { textContent: key }));
      return [term, Object.assign(document.createElement("dd"), { textContent: meaning })];
    });
    bar.querySelector(".lecture-keys dl")?.append(...rows);
    const host = document.createElement("div");
    host.className = "room-host";
    bar.append(host);
    const context = {
      ...{ state, isUp, isFirst, screen, message, t, lang, place, act, asked, onScreen, where },
    };
    render(
      <>
        <Panel {...context} />
        <Elsewhere {...context} />
        <CodeDialog {...context} />
      </>,
      host,
    );
    const update = () => {
      isFirst.value = found.hasAttribute("data-first");
      locate();
    };
    new MutationObserver(() => {
      update();
      message.value = "";
    }).observe(found, { attributes: true });
    update();
    begins = true;
    if (state.value) follow(state.value);
  };
  new MutationObserver(() => {
    const found = document.querySelector<HTMLElement>(".lecture-bar");
    if (found === bar) return;
    bar = null;
    page.removeAttribute("data-room-panel");
    inLecture.value = found !== null;
    if (found) open(found);
  }).observe(document.body, { childList: true });

  const keys: Record<string, () => void> = { v: vote, q: act.code };
  const onKey = (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey, repeat, target, defaultPrevented } = event;
    const phase: Phase = state.value?.phase ?? "idle";
    if (!bar || ctrlKey || metaKey || altKey || defaultPrevented || page.dataset.blank) return;
    if (bar.querySelector("dialog[open]") || (target as Element).closest?.(FIELD)) return;
    const name = key.toLowerCase();
    // R reveals the figure to the room and on the screen at once, once the vote is closed.
    if (name === "r") locate();
    const isVote = name === "r" && (phase === "open" || phase === "closed");
    const reveals = isVote && !isElsewhere();
    if (isVote && !reveals) {
      const text = phase === "open" ? "openElsewhere" : "closedElsewhere";
      message.value = t(text, { where: where() });
      if (phase === "closed") return; // R also opens the next answer on this screen
    }
    if (!keys[name] && !isVote) return;
    event.preventDefault();
    event.stopPropagation();
    if (repeat) return;
    if (!isVote) keys[name]!();
    else if (phase === "closed") act.reveal();
    else if (reveals) message.value = t("closeFirst");
  };
  document.addEventListener("keydown", onKey, true); // before the keys of lecture mode

  const notice = document.createElement("div");
  document.body.append(notice);
  render(<Waiting {...{ state, inLecture, t, lang }} page={here?.page} />, notice);
}

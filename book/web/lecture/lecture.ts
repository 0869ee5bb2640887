// Lecture mode: shows one screen at a time, in parts if it does not fit or has steps.
import { forgetNumber, keyListener, type Actions } from "./keys.ts";
import type { Part } from "./parts.ts";
import {
  FIGURE,
  exitFullScreen,
  onScreen,
  page,
  currentBlock,
  showBlocks,
  savePage,
  stage,
  enterFullScreen,
  applyLayout,
} from "./screen.ts";
import { screenOf, sections, slides, type Screen, type Slide } from "./screens.ts";
import { speaker, textOf } from "./speaker.ts";

/** Actions within the current screen; all others choose the screen. */
const SCREEN_ACTIONS: Actions = {
  hide: () => onScreen("[data-control=hide]").forEach((toggle) => toggle.click()),
  reveal: () => {
    const hidden = onScreen("[data-hidden] [data-control=hide]");
    const closed = onScreen("details:not([open], .share) > summary");
    hidden.concat(hidden.length ? [] : closed.slice(0, 1)).forEach((answer) => answer.click());
  },
  theme: () => {
    const { theme } = page.dataset;
    const toggle = document.querySelector<HTMLElement>(".theme-switch-button")!;
    // One of the theme's three modes follows the system, which may look like the current one.
    for (let i = 0; i < 3 && page.dataset.theme === theme; i++) toggle.click();
  },
};

/** Starts lecture mode; returns a function that ends it, after which `onEnd` is called. */
export function begin(onEnd: () => void): () => void {
  const template = document.querySelector<HTMLTemplateElement>("#lecture-bar")!;
  const bar = template.content.firstElementChild!.cloneNode(true) as HTMLElement;
  const keys = bar.querySelector<HTMLDialogElement>(".lecture-keys")!;
  const list = bar.querySelector<HTMLDialogElement>(".lecture-screens")!;
  const status = bar.querySelector<HTMLElement>("[role=status]")!;
  const count = bar.querySelector<HTMLElement>(".lecture-count")!;
  const note = bar.querySelector<HTMLElement>(".lecture-note")!;
  const marked = slides();
  const all = marked.length ? marked : sections();
  const notes = speaker(
    all.map(({ heading }) => heading),
    (to) => open(to, () => 0),
  );
  const place = currentBlock();
  const restore = savePage();
  let [screen, part, shape] = [0, 0, ""];
  let parts: Part[] = [];

  /** The sizes that the parts were computed for. A figure keeps its size while it fits the screen. */
  const currentShape = () => {
    const { clientWidth, clientHeight, scrollHeight } = stage;
    const inner = parts[part].alone
      ? scrollHeight > clientHeight + 1
      : all[screen].heading.parentElement?.offsetHeight;
    return [clientWidth, clientHeight, inner].join();
  };

  const show = () => {
    const { blocks, layout, top } = parts[part];
    const { heading } = all[screen];
    applyLayout(layout);
    showBlocks(heading, blocks);
    if (parts.length > 1 && !marked.length)
      heading.dataset.screen = `${part + 1} / ${parts.length}`;
    stage.scrollTop = top;
    shape = currentShape();
    note.textContent = "";
    updateStatus();
    if (!marked.length) return;
    const [slide, after] = [marked[screen], marked[screen + 1] as Slide | undefined];
    const next = parts[part + 1]
      ? { heading, blocks: slide.steps[part + 1] ?? [] }
      : after && { heading: after.heading, blocks: after.steps[0] };
    notes.show({ slide, number: screen, blocks, next });
  };

  const updateStatus = () => {
    const numbers: Record<string, number> = {
      screen: screen + 1,
      screens: all.length,
      part: part + 1,
      parts: parts.length,
    };
    const { sections, parts: many, screens, steps } = status.dataset;
    const [one, further] = marked.length ? [screens, steps] : [sections, many];
    status.textContent = [one, parts.length > 1 ? further : ""]
      .join(" ")
      .replace(/\{(\w+)\}/g, (_, name) => String(numbers[name]));
    count.textContent = `${screen + 1} / ${all.length}`;
    const done = (screen + (part + 1) / parts.length) / all.length;
    bar.style.setProperty("--done", String(done));
    bar.toggleAttribute("data-first", screen + part === 0);
    bar.toggleAttribute("data-last", done === 1);
    if (!document.activeElement?.checkVisibility({ visibilityProperty: true })) bar.focus();
  };

  const open = (to: number, choose: (parts: Part[]) => number) => {
    screen = to;
    parts = all[screen].parts();
    part = Math.max(0, choose(parts));
    show();
  };

  /** Shows the part with an element; if several steps of a slide have it, prefers the current one. */
  const goTo = (place: Element) => {
    const [before, shown] = [screen, part];
    const holds = (block: Node) => block.contains(place) || place.contains(block);
    const isThere = ({ blocks }: Part) => blocks.some(holds);
    open(screenOf(all, place), (parts) => {
      const stays = marked.length && screen === before && parts[shown] && isThere(parts[shown]);
      return stays ? shown : parts.findIndex(isThere);
    });
  };

  /** Hides all figures; if all are hidden, reveals those without an unanswered question. */
  const hideAll = () => {
    const detail = stage.querySelector(`${FIGURE}[data-live]:not([data-hidden])`) !== null;
    document.dispatchEvent(new CustomEvent("attention:hide", { detail })); // to every figure
    const { covered, uncovered, waiting } = note.dataset;
    const asks = stage.querySelector('[data-asked="unanswered"]');
    note.textContent = (detail ? covered : asks ? waiting : uncovered) ?? "";
  };

  const here = () => (part && parts[part].first) || all[screen].start;

  const move = (by: number) => {
    if (parts[part + by]) {
      part += by;
      show();
    } else if (all[screen + by]) open(screen + by, ({ length }) => (by > 0 ? 0 : length - 1));
  };

  /** Toggles a blank screen, so that the room looks at the lecturer. */
  const blank = (colour: string) => () => {
    if (page.dataset.blank === colour) return actions.unblank();
    page.dataset.blank = colour;
    note.textContent = note.dataset.blank!;
  };

  const actions: Actions = {
    ...SCREEN_ACTIONS,
    black: blank("black"),
    white: blank("white"),
    unblank: () => {
      delete page.dataset.blank;
      note.textContent = "";
    },
    pause: notes.pause,
    jump: () => {
      forgetNumber(list);
      list.showModal();
      list.querySelectorAll("button")[screen].focus();
    },
    next: () => move(1),
    back: () => move(-1),
    first: () => open(0, () => 0),
    last: () => open(all.length - 1, ({ length }) => length - 1),
    hideAll,
    keys: () => keys.showModal(),
    notes: () => {
      if (marked.length && !notes.open()) note.textContent = note.dataset.blocked!;
    },
    leave: () => {
      const target = here();
      lectureEnd.abort();
      delete page.dataset.blank;
      observer.disconnect();
      notes.close();
      bar.remove();
      restore(target === start ? null : target);
      exitFullScreen();
      onEnd();
    },
  };

  /** Shows a fold that opens, which may be split across screens; folds in figures stay put. */
  const followFold = ({ target }: Event) => {
    const fold = target as Element;
    if (!fold.closest(FIGURE)) goTo(fold);
  };

  /** Fits a changed screen again. A drawing that grows after each layout gets smaller step by step. */
  const refit = () => {
    const { layout } = parts[part];
    if (shape !== currentShape()) goTo(here());
    else if (layout.reading && stage.scrollHeight > stage.clientHeight + 1) {
      layout.size *= 0.95;
      show();
    }
  };
  const observer = new ResizeObserver(refit);
  const lectureEnd = new AbortController();
  const { signal } = lectureEnd;
  document.addEventListener("keydown", keyListener(actions, bar, [stage, bar]), { signal });
  bar.addEventListener("click", ({ target }) => {
    const chosen = target instanceof Element && target.closest<HTMLElement>("[data-act]");
    if (chosen) actions[chosen.dataset.act!]();
  });
  document.addEventListener("click", () => page.dataset.blank && actions.unblank(), { signal });
  const follow = () => {
    const [name] = location.hash.slice(1).split(/:|%3A/); // a figure's state may follow the id
    const target = document.getElementById(name);
    if (target) goTo(target);
  };
  stage.addEventListener("toggle", followFold, { signal, capture: true }); // toggle does not bubble
  addEventListener("hashchange", follow, { signal });
  // The script of a room asks for the number of the screen that shows an element.
  const tellScreen = ({ target, detail }: Event & { detail?: { screen?: number } }) => {
    detail!.screen = screenOf(all, target as Element) + 1;
  };
  stage.addEventListener("attention:screen", tellScreen, { signal, capture: true });
  addEventListener("pagehide", notes.close, { signal });
  // Opening the speaker's window exits full screen; the lecture goes on.
  enterFullScreen(signal, () => notes.isOpen() || actions.leave());

  list.querySelector("ol")!.append(
    ...all.map(({ heading, label }: Screen, i) => {
      const choice = Object.assign(document.createElement("button"), { type: "button" });
      choice.dataset.screenNumber = String(i + 1);
      choice.textContent = textOf(label ?? heading);
      choice.addEventListener("click", () => {
        list.close();
        open(i, () => 0);
      });
      const item = document.createElement("li");
      item.append(choice);
      return item;
    }),
  );
  if (!stage.querySelector(FIGURE)) bar.querySelector("[data-act=hideAll]")!.remove();
  if (!marked.length) bar.querySelector("[data-act=notes]")!.remove();
  document.body.prepend(bar);
  goTo(place);
  const start = here();
  bar.focus();
  for (const box of [stage, ...all.map(({ heading }) => heading.parentElement)])
    if (box) observer.observe(box);
  return actions.leave;
}

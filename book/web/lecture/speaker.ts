// The speaker's window: notes, current screen, next screen and clock.
import { formatTime, startClock } from "./clock.ts";
import { page, stage } from "./screen.ts";
import type { Slide } from "./screens.ts";

const OMITTED = "script, .cell-bar, .no-kernel, .headerlink, .share";
const FIELD = "input, select";

/** The blocks on the screen, and the next ones. */
export interface Shown {
  slide: Slide;
  number: number;
  blocks: HTMLElement[];
  next: { heading: HTMLElement; blocks: HTMLElement[] } | undefined;
}

/** Creates the speaker's window; `all`: headings of the screens, `jump`: shows a screen. */
export const speaker = (all: HTMLElement[], jump: (screen: number) => void) => {
  const clock = startClock();
  let popup: Window | null = null;
  let shown: Shown | undefined;
  let ticking = 0;
  let stale = false; // the blocks on the screen have changed
  const watcher = new MutationObserver(() => (stale = true));

  const isOpen = () => popup !== null && !popup.closed;
  const part = <E extends HTMLElement>(name: string) =>
    popup!.document.querySelector<E>(`[data-part="${name}"]`)!;
  const put = (name: string, ...content: (Node | string)[]) =>
    part(name).replaceChildren(...content);

  const tick = () => {
    if (!isOpen()) return stop();
    const now = new Date();
    const [spent, left] = [clock.spent(), 60 * clock.planned() - clock.spent()];
    put("time", `${now.getHours()}:${String(now.getMinutes()).padStart(2, "0")}`);
    put("elapsed", formatTime(spent));
    put("left", clock.planned() ? (left < 0 ? "−" : "") + formatTime(Math.abs(left)) : "");
    part("clock").toggleAttribute("data-late", clock.planned() > 0 && left < 0);
    part("pause").setAttribute("aria-pressed", String(clock.paused()));
    put("vote", page.dataset.roomVote ?? ""); // from room/lecturer.tsx
    part("blank").hidden = !page.dataset.blank;
    if (stale && shown) put("now", ...shown.blocks.map(copy));
    stale = false;
  };
  const stop = () => {
    clearInterval(ticking);
    watcher.disconnect();
  };

  const fill = () => {
    if (!shown || !isOpen()) return;
    const { slide, number, blocks, next } = shown;
    put("heading", textOf(slide.heading));
    put("notes", ...slide.notes.map(copy));
    put("now", ...blocks.map(copy));
    put("next-heading", next ? textOf(next.heading) : "");
    put("next", ...(next?.blocks.map(copy) ?? []));
    part<HTMLSelectElement>("jump").selectedIndex = number;
    tick();
  };

  const listen = () => {
    popup!.addEventListener("keydown", (event) => {
      if (event.key.toLowerCase() === "g") part("jump").focus();
      else forwardKey(event);
    });
    const jumps = part<HTMLSelectElement>("jump");
    const names = all.map((heading, i) => `${i + 1}  ${textOf(heading)}`);
    jumps.append(
      ...names.map((name) =>
        Object.assign(popup!.document.createElement("option"), { text: name }),
      ),
    );
    jumps.addEventListener("change", () => jump(jumps.selectedIndex));
    const field = part<HTMLInputElement>("planned");
    field.value = String(clock.planned() || "");
    field.addEventListener("input", () => {
      clock.plan(field.value);
      tick();
    });
    part("pause").addEventListener("click", pause);
  };
  const pause = () => {
    clock.pause();
    if (isOpen()) tick();
  };

  return {
    isOpen,
    pause,
    /** Returns false if the browser blocked the window. */
    open: () => {
      if (isOpen()) popup!.focus();
      else popup = window.open("", "", "popup,width=1200,height=800");
      if (popup?.document.querySelector("[data-part]")) return true;
      if (!popup) return false;
      setUpDocument(popup.document);
      listen();
      watcher.observe(stage, { subtree: true, childList: true, attributes: true });
      ticking = window.setInterval(tick, 1000);
      fill();
      return true;
    },
    show: (now: Shown) => {
      shown = now;
      fill();
    },
    close: () => popup?.close(),
  };
};

/** Forwards keys to the page, except in fields. */
const forwardKey = (event: KeyboardEvent) => {
  const { key, shiftKey, ctrlKey, metaKey, altKey } = event;
  const target = event.target as HTMLElement;
  if (ctrlKey || metaKey || altKey || key === "Tab") return;
  if (target.matches(FIELD) || (target.matches("button") && /^( |Enter)$/.test(key))) return;
  event.preventDefault();
  const same = { key, shiftKey, bubbles: true, cancelable: true };
  document.body.dispatchEvent(new KeyboardEvent("keydown", same));
};

/** Gives the window the page's language, theme, style sheets and template. */
const setUpDocument = (to: Document) => {
  const template = document.querySelector<HTMLTemplateElement>("#lecture-speaker")!;
  to.documentElement.lang = page.lang;
  to.documentElement.dataset.theme = page.dataset.theme;
  to.title = template.title;
  const sheets = document.querySelectorAll<HTMLLinkElement>("link[rel=stylesheet]");
  for (const { href, media } of sheets) {
    const sheet = to.createElement("link");
    to.head.append(Object.assign(sheet, { rel: "stylesheet", href, media }));
  }
  to.body.className = "lecture-speaker";
  to.body.append(to.importNode(template.content, true));
};

/** A block as it layouts now, for nobody to use. */
const copy = (block: HTMLElement) => {
  const clone = block.cloneNode(true) as HTMLElement;
  const fields = block.querySelectorAll<HTMLInputElement>(FIELD);
  clone.querySelectorAll<HTMLInputElement>(FIELD).forEach((field, i) => {
    field.value = fields[i].value; // cloneNode does not copy values
  });
  const drawings = block.querySelectorAll("canvas");
  clone.querySelectorAll("canvas").forEach((drawing, i) => {
    if (drawings[i].width * drawings[i].height)
      drawing.getContext("2d")!.drawImage(drawings[i], 0, 0); // nor canvas content
  });
  clone.querySelectorAll(OMITTED).forEach((node) => node.remove());
  for (const node of [clone, ...clone.querySelectorAll<HTMLElement>("*")])
    node.removeAttribute("id");
  clone.querySelectorAll("details").forEach((fold) => (fold.open = true));
  clone.inert = true;
  return clone;
};

/** The text of a heading. */
export const textOf = (heading: HTMLElement) => copy(heading).textContent!.trim();

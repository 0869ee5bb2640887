// The speaker's window: what to say, what comes next, and the time.
import { page } from "./screen.ts";
import type { Slide } from "./screens.ts";

const GONE = "script, .cell-bar, .no-kernel, .headerlink";

export const speaker = () => {
  const begun = Date.now();
  let own: Window | null = null;
  let shown: [Slide, Slide | undefined] | undefined;
  let ticking = 0;

  const isOpen = () => own !== null && !own.closed;
  const put = (part: string, ...content: (Node | string)[]) =>
    own!.document.querySelector(`[data-part="${part}"]`)!.replaceChildren(...content);

  const tick = () => {
    if (!isOpen()) return clearInterval(ticking);
    const [now, seconds] = [new Date(), Math.floor((Date.now() - begun) / 1000)];
    put("time", `${now.getHours()}:${twoDigits(now.getMinutes())}`);
    put("elapsed", `${Math.floor(seconds / 60)}:${twoDigits(seconds % 60)}`);
  };

  const fill = () => {
    if (!shown || !isOpen()) return;
    const [slide, next] = shown;
    put("heading", textOf(slide.heading));
    put("notes", ...slide.notes.map(copy));
    put("next-heading", next ? textOf(next.heading) : "");
    put("next", ...(next?.steps.flat().map(copy) ?? []));
  };

  return {
    isOpen,
    /** Returns whether the browser let it. */
    open: () => {
      if (isOpen()) own!.focus();
      else own = window.open("", "", "popup,width=1000,height=700");
      if (own?.document.querySelector("[data-part]")) return true;
      if (!own) return false;
      furnish(own.document);
      own.addEventListener("keydown", passOn);
      ticking = window.setInterval(tick, 1000);
      tick();
      fill();
      return true;
    },
    show: (slide: Slide, next: Slide | undefined) => {
      shown = [slide, next];
      fill();
    },
    close: () => own?.close(),
  };
};

/** A key does there what it does on the screen. */
const passOn = (event: KeyboardEvent) => {
  const { key, shiftKey, ctrlKey, metaKey, altKey } = event;
  if (ctrlKey || metaKey || altKey) return;
  event.preventDefault();
  const same = { key, shiftKey, bubbles: true, cancelable: true };
  document.body.dispatchEvent(new KeyboardEvent("keydown", same));
};

const twoDigits = (x: number) => String(x).padStart(2, "0");

/** It has the page's language, theme and style sheets. */
const furnish = (to: Document) => {
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

/** A block as it looks now, for nobody to use. */
const copy = (block: HTMLElement) => {
  const still = block.cloneNode(true) as HTMLElement;
  still.querySelectorAll(GONE).forEach((node) => node.remove());
  for (const node of [still, ...still.querySelectorAll<HTMLElement>("*")])
    node.removeAttribute("id");
  still.querySelectorAll("details").forEach((fold) => (fold.open = true));
  still.inert = true;
  return still;
};

const textOf = (heading: HTMLElement) => copy(heading).textContent!.trim();

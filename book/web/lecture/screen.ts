// Shows blocks of the page on the lecture screen. No element is moved or copied: attributes mark what is
// on the screen, and lecture.css hides the rest.

export const page = document.documentElement;
export const stage = document.querySelector("article")!;

export const FIGURE = "[data-figure]";

export const isVisible = (element: Element) => element.getClientRects().length > 0;

export const hasFigure = (element: Element) => element.querySelector(FIGURE) !== null;

/** The visible elements that match a selector. */
export const onScreen = (selector: string) =>
  [...stage.querySelectorAll<HTMLElement>(selector)].filter(isVisible);

/** Shows blocks of a section on the screen. */
export const showBlocks = (heading: HTMLElement, blocks: HTMLElement[]) => {
  clearScreen();
  page.dataset.lecture = blocks.length === 1 && hasFigure(blocks[0]) ? "figure" : "text";
  for (const block of [heading, ...blocks]) {
    let node: HTMLElement | null = block;
    for (; node && node !== heading.parentElement; node = node.parentElement) {
      node.dataset.onScreen = block === blocks.at(-1) ? "last" : "";
      node.toggleAttribute("data-parted", node !== block);
    }
  }
};

/** The type size, and attributes that lecture.css uses to change the layout. */
export interface Layout {
  size: number;
  /** Question, sentence and line of code are beside the drawing, with this % of the width. */
  beside?: number;
  /** Only the question is beside the drawing; sentence and line of code are below it. */
  under?: boolean;
  /** Letters in figures and code are large enough for a room. */
  legible?: boolean;
  /** The smallest letters of a drawing, and of its question, in % of the screen's height. */
  letters?: number;
  reading?: number;
  /** How much wider than on the page a plot may be. */
  plot?: number;
  /** Words in column headings do not break. */
  whole?: boolean;
  /** Long lines of code wrap. */
  wraps?: boolean;
}
const LAYOUT_FLAGS = ["beside", "under", "legible", "whole", "wraps"] as const;

export const applyLayout = (layout: Layout) => {
  const { size, beside = 0, letters = 0, reading = 0, plot = 1 } = layout;
  const properties = {
    size: String(size),
    beside: `${beside}%`,
    letters: `${letters}vh`,
    reading: `${reading}vh`,
    plot: String(plot),
  };
  for (const [name, value] of Object.entries(properties))
    page.style.setProperty(`--lecture-${name}`, value);
  for (const name of LAYOUT_FLAGS) page.toggleAttribute(`data-${name}`, Boolean(layout[name]));
};

const clearScreen = () => {
  for (const name of ["data-on-screen", "data-parted", "data-screen"])
    stage.querySelectorAll(`[${name}]`).forEach((node) => node.removeAttribute(name));
};

/** The title while it is visible; otherwise the block at a quarter of the viewport's height. */
export const currentBlock = (): Element => {
  const title = stage.querySelector("h1");
  if (title && title.getBoundingClientRect().top >= 0) return title;
  const reaches = (block: Element) => block.getBoundingClientRect().bottom > innerHeight / 4;
  const blocks = onScreen("section > :not(section)");
  const place = blocks.find(reaches) ?? blocks.at(-1) ?? stage;
  return (place.matches(".cell") && [...place.children].find(reaches)) || place;
};

/** Saves scroll position, focus and folds; returns a function that restores them, or scrolls to an element. */
export const savePage = () => {
  const style = page.getAttribute("style");
  const { scrollX, scrollY } = window;
  const focus = document.activeElement as HTMLElement | null;
  const answers = [...stage.querySelectorAll("details")];
  const opened = answers.map(({ open }) => open);
  return (place: Element | null) => {
    clearScreen();
    page.removeAttribute("data-lecture");
    for (const name of LAYOUT_FLAGS) page.removeAttribute(`data-${name}`);
    page.setAttribute("style", style ?? ""); // Chromium keeps an attribute that only scripts have set
    if (style === null) page.removeAttribute("style");
    answers.forEach((answer, i) => (answer.open = opened[i]));
    const fold = answers.find((answer) => !answer.open && answer.contains(place));
    if (place) (fold ?? place).scrollIntoView();
    else scrollTo(scrollX, scrollY);
    if (focus === document.body) (document.activeElement as HTMLElement).blur();
    else focus?.focus({ preventScroll: true });
  };
};

// Full screen. The requests are asynchronous, and another lecture may begin meanwhile.
let exited = Promise.resolve(); // resolves when the previous lecture has left full screen
let over: AbortSignal | undefined;

export const exitFullScreen = () => {
  if (document.fullscreenElement) exited = document.exitFullscreen().catch(() => {});
};

/** Requests full screen; if it is denied, the window is used. `signal` aborts when the lecture ends. */
export const enterFullScreen = (signal: AbortSignal, onLost: () => void) => {
  let full = false; // an event of the previous lecture's exit may come only now
  const onChange = () => {
    if (document.fullscreenElement) full = true;
    else if (full) onLost();
  };
  over = signal;
  document.addEventListener("fullscreenchange", onChange, { signal });
  const enter = async () => {
    await exited;
    if (!signal.aborted) await page.requestFullscreen?.();
    if (over?.aborted) exitFullScreen(); // the lecture ended meanwhile
  };
  enter().catch(() => {});
};

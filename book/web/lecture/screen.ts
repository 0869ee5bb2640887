// What stands on the screen of a lecture. Nothing on the page is moved or copied: attributes say what
// is on the screen, and lecture.css does the rest.

export const page = document.documentElement;
export const stage = document.querySelector("article")!;

export const FIGURE = "[data-figure]";

export const isSeen = (element: Element) => element.getClientRects().length > 0;

export const hasFigure = (element: Element) => element.querySelector(FIGURE) !== null;

/** What is on the screen and answers to a selector. */
export const onScreen = (selector: string) =>
  [...stage.querySelectorAll<HTMLElement>(selector)].filter(isSeen);

/** Puts blocks of a section on the screen, in the section's own place. */
export const put = (heading: HTMLElement, blocks: HTMLElement[]) => {
  tidy();
  page.dataset.lecture = blocks.length === 1 && hasFigure(blocks[0]) ? "figure" : "text";
  for (const block of [heading, ...blocks]) {
    let node: HTMLElement | null = block;
    for (; node && node !== heading.parentElement; node = node.parentElement) {
      node.dataset.onScreen = block === blocks.at(-1) ? "last" : "";
      node.toggleAttribute("data-parted", node !== block);
    }
  }
};

/** How large the type is, and the attributes with which lecture.css changes what is around it. */
export interface Look {
  size: number;
  /** What is said about a figure stands beside its drawing, with so many % of the width. */
  beside?: number;
  /** No letters of a figure or of code are smaller than a room can read. */
  legible?: boolean;
  /** Words in the heads of columns are not broken. */
  whole?: boolean;
  /** Lines of code that are too long are. */
  wraps?: boolean;
}
const LOOKS = ["beside", "legible", "whole", "wraps"] as const;

export const wear = (look: Look) => {
  page.style.setProperty("--lecture-size", String(look.size));
  page.style.setProperty("--lecture-beside", `${look.beside ?? 0}%`);
  for (const name of LOOKS) page.toggleAttribute(`data-${name}`, Boolean(look[name]));
};

const tidy = () => {
  for (const name of ["data-on-screen", "data-parted", "data-screen"])
    stage.querySelectorAll(`[${name}]`).forEach((node) => node.removeAttribute(name));
};

/** The title, as long as it is seen; then the block that crosses a line a quarter down the window. */
export const placeOfReader = (): Element => {
  const title = stage.querySelector("h1");
  if (title && title.getBoundingClientRect().top >= 0) return title;
  const reaches = (block: Element) => block.getBoundingClientRect().bottom > innerHeight / 4;
  const blocks = onScreen("section > :not(section)");
  const place = blocks.find(reaches) ?? blocks.at(-1) ?? stage;
  return (place.matches(".cell") && [...place.children].find(reaches)) || place;
};

/** Remembers how the page is, and returns what makes it so again, or shows a place of it. */
export const remember = () => {
  const style = page.getAttribute("style");
  const { scrollX, scrollY } = window;
  const focus = document.activeElement as HTMLElement | null;
  const answers = [...stage.querySelectorAll("details")];
  const opened = answers.map(({ open }) => open);
  return (place: Element | null) => {
    tidy();
    page.removeAttribute("data-lecture");
    for (const name of LOOKS) page.removeAttribute(`data-${name}`);
    page.setAttribute("style", style ?? ""); // Chromium keeps one that scripts alone have set
    if (style === null) page.removeAttribute("style");
    answers.forEach((answer, i) => (answer.open = opened[i]));
    const fold = answers.find((answer) => !answer.open && answer.contains(place));
    if (place) (fold ?? place).scrollIntoView();
    else scrollTo(scrollX, scrollY);
    if (focus === document.body) (document.activeElement as HTMLElement).blur();
    else focus?.focus({ preventScroll: true });
  };
};

// The whole screen. Browsers take their time, and another lecture may begin meanwhile.
let given = Promise.resolve(); // when the lecture before has given it back
let over: AbortSignal | undefined;

export const giveWholeScreenBack = () => {
  if (document.fullscreenElement) given = document.exitFullscreen().catch(() => {});
};

/** Whoever may not have it has the window; `signal`: that the lecture is over. */
export const takeWholeScreen = (signal: AbortSignal, onLost: () => void) => {
  let full = false; // that the lecture before gave it back may be told only now
  const onChange = () => {
    if (document.fullscreenElement) full = true;
    else if (full) onLost();
  };
  over = signal;
  document.addEventListener("fullscreenchange", onChange, { signal });
  const taken = async () => {
    await given;
    if (!signal.aborted) await page.requestFullscreen?.();
    if (over?.aborted) giveWholeScreenBack(); // it came too late
  };
  taken().catch(() => {});
};

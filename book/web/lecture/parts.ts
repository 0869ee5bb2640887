// How a section is cut into parts that fit the screen.
import { FIGURE, hasFigure, isSeen, page, put, stage, wear, type Look } from "./screen.ts";

/** What one screen shows; `first`: what is new there, `top`: how far it is scrolled. */
export interface Part {
  blocks: HTMLElement[];
  first: HTMLElement | undefined;
  look: Look;
  top: number;
  alone: boolean;
}

interface Box {
  top: number;
  bottom: number;
  alone: boolean;
  leads: boolean;
}

const LONG = ".cell, .cell_output, .docstring, .admonition, blockquote, dl, ol, ul";
const FIGURE_SIZES = [
  1.6, 1.45, 1.3, 1.2, 1.1, 1, 0.92, 0.85, 0.78, 0.72, 0.66, 0.62, 0.58, 0.54, 0.5, 0.46,
];
const TEXT_SIZES = [1, 0.9, 0.8]; // below 1 for what would not fit
const SLIDE_SIZES = [1.45, 1.3, 1.15, ...TEXT_SIZES, 0.72, 0.64]; // little is text
type Ways = Omit<Look, "size">[];
/** What a figure has besides, the best first; % of the width are for what stands beside a drawing. */
const FIGURE_WAYS: Ways[] = [{ legible: true, whole: true }, { whole: true }, {}].map((wish) =>
  [undefined, 27, 38].map((beside) => ({ ...wish, beside })),
);
const TEXT_WAYS: Ways[] = [
  [{ legible: true }],
  [{ legible: true, wraps: true }],
  [{ wraps: true }],
];
const HEADS = `${FIGURE} :is(thead th, .key-word, .grown-head)`;
const LEAST_TEXT = 14; // px, of a heading beside large letters in a figure
const [NARROW, LEAST] = [900, 16]; // px: on a small screen no figure is smaller than on its page

/** What a section shows on one screen after the other. */
export const partsOf = (heading: HTMLElement): Part[] => {
  const children = [...heading.parentElement!.children] as HTMLElement[];
  const rest = children
    .slice(children.indexOf(heading) + 1)
    .filter((child) => !child.matches("section"));
  wear({ size: 1 });
  put(heading, rest);
  stage.scrollTop = 0;
  const room = bottom() - (rest.find(isSeen) ?? heading).getBoundingClientRect().top;
  const blocks = rest.flatMap((child) => blocksIn(child, room));
  const ranges = split(blocks.map(boxOf), room);
  return (ranges.length ? ranges : [[0, 0]]).flatMap(([first, end]) => {
    const shown = blocks.slice(first, end);
    wear({ size: 1 });
    put(heading, shown);
    const alone = shown.some(hasFigure);
    const look = fill(shown, room, alone ? figureSizes() : TEXT_SIZES, alone);
    return screenfuls(excess(shown), room).map((top) => {
      return { blocks: shown, first: shown[0], look, top, alone };
    });
  });
};

/** What a slide shows, with one step more each time; nothing moves when that comes. */
export const partsOfSlide = (heading: HTMLElement, steps: HTMLElement[][]): Part[] => {
  const all = steps.flat();
  wear({ size: 1 });
  put(heading, all);
  stage.scrollTop = 0;
  const room = bottom() - (all.find(isSeen) ?? heading).getBoundingClientRect().top;
  const alone = all.some(hasFigure);
  const look = fill(all, room, alone ? figureSizes() : SLIDE_SIZES, true);
  const parts = steps.map((step, i) => {
    return { blocks: steps.slice(0, i + 1).flat(), first: step[0], look, top: 0, alone };
  });
  const [, ...tops] = screenfuls(excess(all), room); // on a small screen the last may be too long
  return [...parts, ...tops.map((top) => ({ ...parts[parts.length - 1], top }))];
};

/** The blocks that a screen may begin with. */
const blocksIn = (element: HTMLElement, room: number): HTMLElement[] => {
  const high = element.getBoundingClientRect().height > room;
  if (element.matches(LONG) && (high || (element.matches(".cell") && hasFigure(element))))
    return [...element.children].flatMap((child) => blocksIn(child as HTMLElement, room));
  return isSeen(element) ? [element] : [];
};

const boxOf = (block: HTMLElement): Box => {
  const { top, bottom } = block.getBoundingClientRect();
  const next = block.nextElementSibling;
  const speaks = block.matches("p, .counterpart") && /[:：]\s*$/.test(block.textContent ?? "");
  const leads = speaks || top === bottom || Boolean(next?.matches(".counterpart"));
  return { top, bottom, alone: hasFigure(block), leads };
};

/** Which boxes share a screen: from the first number to before the second. */
const split = (boxes: Box[], room: number): [number, number][] => {
  const parts: [number, number][] = [];
  for (let first = 0, end; first < boxes.length; first = end) {
    const top = boxes[first].top;
    const fits = (box: Box) => !box.alone && box.bottom - top <= room;
    end = first + 1;
    if (!boxes[first].alone) while (end < boxes.length && fits(boxes[end])) end++;
    // What leads up to a block goes with it, unless that one stands alone, or nothing else is there.
    let led = end;
    if (end < boxes.length && !boxes[end].alone) while (led > first && boxes[led - 1].leads) led--;
    if (led > first) end = led;
    parts.push([first, end]);
  }
  return parts;
};

/** How far to scroll for each screenful of what is too long by `over`; they overlap a little. */
const screenfuls = (over: number, room: number) => {
  const count = over > 1 ? 1 + Math.ceil(over / (room * 0.85)) : 1;
  return Array.from({ length: count }, (_, i) => (over * i) / Math.max(1, count - 1));
};

/**
 * Takes the largest size with which these blocks, which stand there at size 1, are on the screen as
 * a whole, in the best of the ways in which they can; else the last, or none.
 */
const fill = (blocks: HTMLElement[], room: number, sizes: number[], always: boolean) => {
  const share = room / (room + excess(blocks)); // about the size with which they fill the room
  const least = LEAST_TEXT / parseFloat(getComputedStyle(page).fontSize);
  const fits = (look: Look) => {
    wear(look);
    return excess(blocks) < 1 && isWideEnough();
  };
  const largest = (ways: Ways) => {
    let found: Look | undefined;
    for (const way of ways) {
      // Large letters in a figure are not paid for with a heading that nobody can read.
      const low = way.legible ? least : 0;
      const larger = sizes.filter((size) => size > (found?.size ?? 0) && size >= low);
      const looks = larger.map((size) => ({ ...way, size }));
      const guess = found ? looks.length : larger.filter((size) => size > share).length;
      found = looks[firstOf(looks.length, (i) => fits(looks[i]), guess)] ?? found;
    }
    return found;
  };
  let look: Look | undefined;
  for (const ways of waysOf(blocks)) look ??= largest(ways);
  look ??= { size: always ? sizes.at(-1)! : 1, wraps: true };
  wear(look);
  return look;
};

/** On a small screen figures are as on their page, and code has never room for its lines. */
const waysOf = (blocks: HTMLElement[]) => {
  if (innerWidth < NARROW) return [[{ wraps: true }]];
  return blocks.some(hasFigure) ? FIGURE_WAYS : TEXT_WAYS;
};

/**
 * The first of n for which something holds, as it does for all after it: looked for near the guess,
 * then by halves, since a try is a layout.
 */
const firstOf = (n: number, holds: (i: number) => boolean, guess: number) => {
  let [low, high, i] = [0, n, Math.min(guess, n - 1)];
  for (let step = 1; low < high; step *= 2) {
    if (holds(i)) high = i;
    else low = i + 1;
    if (low === 0) i = Math.max(0, high - step);
    else if (high === n) i = Math.min(n - 1, low + step - 1);
    else i = (low + high) >> 1;
  }
  return low;
};

/** The sizes of a figure, the largest first, while the text is at its own size. */
const figureSizes = () => {
  if (innerWidth >= NARROW) return FIGURE_SIZES;
  const least = LEAST / parseFloat(getComputedStyle(page).fontSize);
  return [...FIGURE_SIZES.filter((size) => size > least), least];
};

/** Does all fit in the width, also code, and what scrolls by itself or has words for its columns? */
const isWideEnough = () => {
  const isWide = (box: Element) => box.scrollWidth > box.clientWidth + 1;
  const heads = page.hasAttribute("data-whole") ? [...stage.querySelectorAll(HEADS)] : [];
  const boxes = [stage, ...stage.querySelectorAll(`${FIGURE} div, pre`)].filter(isWide);
  return (
    boxes.every((box) => getComputedStyle(box).overflowX === "visible") &&
    !heads.some((head) => head.clientWidth && isWide(head))
  );
};

/** Where the screen ends for what stands on it. */
const bottom = () =>
  stage.getBoundingClientRect().bottom - parseFloat(getComputedStyle(stage).paddingBottom);

/** How much too long the screen's blocks are for it. */
const excess = (blocks: HTMLElement[]) => {
  const end = blocks.at(-1)?.getBoundingClientRect().bottom ?? 0;
  return end + stage.scrollTop - bottom();
};

// Splits a section into parts that fit the screen, and finds the largest type size for each.
import {
  FIGURE,
  hasFigure,
  isVisible,
  onScreen,
  page,
  showBlocks,
  stage,
  applyLayout,
  type Layout,
} from "./screen.ts";

/** What one screen shows; `first`: the first new block, `top`: the scroll offset. */
export interface Part {
  blocks: HTMLElement[];
  first: HTMLElement | undefined;
  layout: Layout;
  top: number;
  alone: boolean;
}

interface Box {
  top: number;
  bottom: number;
  alone: boolean;
  leadsOn: boolean;
}

const LONG =
  ".cell, .cell_output, .docstring, .admonition, blockquote, dl, ol, ul, :has(> [data-stand]), [data-stand], [data-stand] form";
const ITEM = "[data-stand] [data-item]"; // of "Where do I stand?"
const FIGURE_SIZES = [
  1.6, 1.45, 1.3, 1.2, 1.1, 1, 0.92, 0.85, 0.78, 0.72, 0.66, 0.62, 0.58, 0.54, 0.5, 0.46,
];
const TEXT_SIZES = [1, 0.9, 0.8]; // below 1 only if it would not fit
const SLIDE_SIZES = [1.45, 1.3, 1.15, ...TEXT_SIZES, 0.72, 0.64]; // slides have little text
type LayoutOptions = Omit<Layout, "size">[];
/** Where the text of a figure may be; the likeliest first, since each try costs a layout. */
const PLACES: LayoutOptions = [
  { beside: 30, under: true },
  { beside: 38, under: true },
  { beside: 46, under: true },
  { beside: 40 },
  { beside: 28 },
  {},
];
/** Layouts of a figure, best first: its question matters most to the last row of a room. */
const FIGURE_LAYOUTS: LayoutOptions[] = [
  { legible: true, whole: true, reading: 2.8, letters: 2.5 },
  { legible: true, whole: true, reading: 2.8, letters: 2.2 },
  { legible: true, whole: true, reading: 2.8 },
  { legible: true, whole: true, reading: 2.4 },
  { whole: true, reading: 2.8 },
  { reading: 2.4 },
  {},
].map((wish) => PLACES.map((place) => ({ ...wish, ...place })));
const PLOT = `${FIGURE} .plot:not(.legend *)`;
const PLOTS = [1.1, 1.25, 1.45, 1.7, 2, 2.4];
const READINGS = [3.5, 3.35, 3.15, 2.95]; // of the question, where there is room
const TEXT_LAYOUTS: LayoutOptions[] = [
  [{ legible: true }],
  [{ legible: true, wraps: true }],
  [{ wraps: true }],
];
const HEADS = "thead th, tbody td, .key-word, .grown-head";
const MIN_HEADING = 14; // px, of a heading above a figure with large letters
const [NARROW, MIN_FIGURE_TEXT] = [900, 16]; // px: on a narrow screen a figure is at least as large as on its page

/** Returns the parts of a section, or of some of its blocks. */
export const partsOf = (
  heading: HTMLElement,
  holds: (block: HTMLElement) => boolean = () => true,
): Part[] => {
  const children = [...heading.parentElement!.children] as HTMLElement[];
  const rest = children
    .slice(children.indexOf(heading) + 1)
    .filter((child) => !child.matches("section"));
  applyLayout({ size: 1 });
  showBlocks(heading, rest);
  stage.scrollTop = 0;
  const room = bottom() - (rest.find(isVisible) ?? heading).getBoundingClientRect().top;
  const blocks = rest.flatMap((child) => blocksIn(child, room)).filter(holds);
  const ranges = split(blocks.map(boxOf), room);
  return (ranges.length ? ranges : [[0, 0]]).flatMap(([first, end]) => {
    const shown = blocks.slice(first, end);
    applyLayout({ size: 1 });
    showBlocks(heading, shown);
    const alone = shown.some(hasFigure);
    const sizes = alone ? figureSizes() : shown.some(isItem) ? SLIDE_SIZES : TEXT_SIZES;
    const layout = fill(shown, room, sizes, alone);
    return screenfuls(excess(shown), room).map((top) => {
      return { blocks: shown, first: shown[0], layout, top, alone };
    });
  });
};

/** Returns the parts of a slide, each with one more step; a new step does not move the others. */
export const partsOfSlide = (heading: HTMLElement, steps: HTMLElement[][]): Part[] => {
  const all = steps.flat();
  applyLayout({ size: 1 });
  showBlocks(heading, all);
  stage.scrollTop = 0;
  const room = bottom() - (all.find(isVisible) ?? heading).getBoundingClientRect().top;
  const alone = all.some(hasFigure);
  const layout = fill(all, room, alone ? figureSizes() : SLIDE_SIZES, true);
  const parts = steps.map((step, i) => {
    return { blocks: steps.slice(0, i + 1).flat(), first: step[0], layout, top: 0, alone };
  });
  const [, ...tops] = screenfuls(excess(all), room); // on a small screen the last may be too long
  return [...parts, ...tops.map((top) => ({ ...parts[parts.length - 1], top }))];
};

const isItem = (block: Element) => block.matches(ITEM);

/** The blocks at which a screen can begin. */
const blocksIn = (element: HTMLElement, room: number): HTMLElement[] => {
  const high = element.getBoundingClientRect().height > room;
  if (element.matches(LONG) && (high || (element.matches(".cell") && hasFigure(element))))
    return [...element.children].flatMap((child) => blocksIn(child as HTMLElement, room));
  return isVisible(element) ? [element] : [];
};

const boxOf = (block: HTMLElement): Box => {
  const { top, bottom } = block.getBoundingClientRect();
  const next = block.nextElementSibling;
  const endsInColon = block.matches("p, .counterpart") && /[:：]\s*$/.test(block.textContent ?? "");
  const leadsOn = endsInColon || top === bottom || Boolean(next?.matches(".counterpart"));
  return { top, bottom, alone: hasFigure(block) || isItem(block), leadsOn };
};

/** Groups boxes into screens: ranges [first, end). */
const split = (boxes: Box[], room: number): [number, number][] => {
  const parts: [number, number][] = [];
  for (let first = 0, end; first < boxes.length; first = end) {
    const top = boxes[first].top;
    const fits = (box: Box) => !box.alone && box.bottom - top <= room;
    end = first + 1;
    if (!boxes[first].alone) while (end < boxes.length && fits(boxes[end])) end++;
    // What leadsOn up to a block goes with it, unless that one stands alone, or nothing else is there.
    let keep = end;
    if (end < boxes.length && !boxes[end].alone)
      while (keep > first && boxes[keep - 1].leadsOn) keep--;
    if (keep > first) end = keep;
    parts.push([first, end]);
  }
  return parts;
};

/** Scroll offsets for content that is too long by `over`; the screenfuls overlap a little. */
const screenfuls = (over: number, room: number) => {
  const count = over > 1 ? 1 + Math.ceil(over / (room * 0.85)) : 1;
  return Array.from({ length: count }, (_, i) => (over * i) / Math.max(1, count - 1));
};

/**
 * Applies the largest size at which these blocks (shown at size 1) fit the screen, in the best layout
 * that fits; otherwise the smallest size if `always`, or size 1.
 */
const fill = (blocks: HTMLElement[], room: number, sizes: number[], always: boolean) => {
  const share = room / (room + excess(blocks)); // estimate of the size that fills the screen
  const least = MIN_HEADING / parseFloat(getComputedStyle(page).fontSize);
  const alone = blocks.some(hasFigure) && innerWidth >= NARROW;
  const fits = (layout: Layout) => {
    applyLayout(layout);
    return excess(blocks) < 1 && isWideEnough();
  };
  const first = (layouts: Layout[], guess: number) =>
    layouts[firstOf(layouts.length, (i) => fits(layouts[i]), guess)];
  const largest = (options: LayoutOptions) => {
    let found: Layout | undefined;
    for (const way of options) {
      // A figure with large letters must not make the heading illegible.
      const low = way.legible ? least : 0;
      const larger = sizes.filter((size) => size > (found?.size ?? 0) && size >= low);
      const layouts = larger.map((size) => ({ ...way, size }));
      if (!layouts.length || !fits(layouts.at(-1)!)) continue;
      const guess = found ? layouts.length : larger.filter((size) => size > share).length;
      found = first(layouts.slice(0, -1), guess) ?? layouts.at(-1);
    }
    return found && alone ? roomy(withPlots(found, options)) : found;
  };
  /** The layout of this size that has the largest plots. */
  const withPlots = (found: Layout, options: LayoutOptions) => {
    if (!onScreen(PLOT).length) return found;
    applyLayout(found);
    let [best, most, step] = [found, areaOfPlots(), 0];
    for (const way of [found, ...options])
      for (; step < PLOTS.length; step++) {
        const layout = { ...way, size: found.size, plot: PLOTS[step] };
        if (!fits(layout) || areaOfPlots() <= most) break;
        [best, most] = [layout, areaOfPlots()];
      }
    return best;
  };
  /** The layout with the largest letters of the question. */
  const roomy = (found: Layout) => {
    const larger = READINGS.filter((reading) => reading > (found.reading ?? 9));
    const layouts = larger.map((reading) => ({ ...found, reading }));
    return first(layouts, layouts.length) ?? found;
  };
  let layout: Layout | undefined;
  for (const options of layoutsFor(blocks)) layout ??= largest(options);
  layout ??= { size: always ? sizes.at(-1)! : 1, wraps: true };
  applyLayout(layout);
  return layout;
};

const areaOfPlots = () =>
  onScreen(PLOT)
    .map((plot) => plot.getBoundingClientRect())
    .reduce((sum, { width, height }) => sum + width * height, 0);

/** On a narrow screen figures look as on the page, and lines of code always wrap. */
const layoutsFor = (blocks: HTMLElement[]) => {
  if (innerWidth < NARROW) return [[{ wraps: true }]];
  return blocks.some(hasFigure) ? FIGURE_LAYOUTS : TEXT_LAYOUTS;
};

/**
 * Returns the first of n for which a monotonic predicate holds: galloping search from the guess, then
 * bisection, since each try costs a layout.
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

/** The sizes of a figure, largest first. */
const figureSizes = () => {
  if (innerWidth >= NARROW) return FIGURE_SIZES;
  const least = MIN_FIGURE_TEXT / parseFloat(getComputedStyle(page).fontSize);
  return [...FIGURE_SIZES.filter((size) => size > least), least];
};

/** Whether everything fits the width, including code, scroll boxes and column headings. */
const isWideEnough = () => {
  const isWide = (box: Element) => box.scrollWidth > box.clientWidth + 1;
  const figures = onScreen(FIGURE);
  const within = (selector: string) =>
    figures.flatMap((figure) => [...figure.querySelectorAll(selector)]);
  const boxes = [stage, ...within("div"), ...stage.querySelectorAll("pre")].filter(isWide);
  const heads = page.hasAttribute("data-whole") ? within(HEADS) : [];
  return (
    boxes.every((box) => getComputedStyle(box).overflowX === "visible") &&
    !heads.some((head) => head.clientWidth && isWide(head))
  );
};

/** The bottom of the content area. */
const bottom = () =>
  stage.getBoundingClientRect().bottom - parseFloat(getComputedStyle(stage).paddingBottom);

/** By how much the blocks exceed the screen. */
const excess = (blocks: HTMLElement[]) => {
  const end = blocks.at(-1)?.getBoundingClientRect().bottom ?? 0;
  return end + stage.scrollTop - bottom();
};

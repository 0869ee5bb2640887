// Finds the screens of a lecture: slides from Jupyter's slideshow metadata (markers from slides.py), or
// the page's sections.
import { partsOf, partsOfSlide, type Part } from "./parts.ts";
import { stage } from "./screen.ts";

/** A heading and the parts shown under it. */
export interface Screen {
  heading: HTMLElement;
  start: HTMLElement;
  parts: () => Part[];
  /** What the list of screens shows instead of the heading. */
  label?: HTMLElement;
}

/** `steps`: the blocks that each key press adds; `notes`: the speaker notes. */
export interface Slide extends Screen {
  steps: HTMLElement[][];
  notes: HTMLElement[];
}

const HEADING = ":is(h1, h2, h3)";
const ITEM = "[data-stand] fieldset[data-item]"; // of "Where do I stand?", before the result

/** The sections; each item of "Where do I stand?" is a screen of its own. */
export const sections = (): Screen[] =>
  [...stage.querySelectorAll<HTMLElement>(`section > ${HEADING}`)].flatMap((heading) => {
    const items = [...heading.parentElement!.querySelectorAll<HTMLElement>(ITEM)];
    const [first, last] = [items[0], items.at(-1)];
    if (!first || !last || first.closest("section") !== heading.parentElement)
      return { heading, start: heading, parts: () => partsOf(heading) };
    const screen = (start: HTMLElement, holds: (block: Node) => boolean, label = heading) => ({
      heading,
      start,
      label,
      parts: () => partsOf(heading, holds),
    });
    const after = last.nextElementSibling as HTMLElement | null;
    return [
      screen(heading, (block) => isBefore(block, first)),
      ...items.map((item) => {
        return screen(item, (block) => block === item, item.querySelector("legend") ?? heading);
      }),
      ...(after ? [screen(after, (block) => isBefore(last, block))] : []),
    ];
  });

const isBefore = (one: Node, other: Node) =>
  one !== other && isWithinOrAfter(other, one) && !one.contains(other);

/** The slides that the markers define, without skipped cells; empty if there are no markers. */
export const slides = (): Slide[] => {
  const all: Slide[] = [];
  let heading = stage.querySelector<HTMLElement>(HEADING)!;
  let kind = "skip"; // slide type of the current cell
  let notes = ""; // speaker notes from the marker
  const nodes = "[data-slide], section > :not(section, span)"; // a span is a link target
  for (const node of stage.querySelectorAll<HTMLElement>(nodes)) {
    if (node.dataset.slide) {
      kind = node.dataset.slide;
      notes = node.dataset.say ?? notes;
      if (kind === "fragment") all.at(-1)?.steps.push([]);
      continue;
    }
    if (node.matches(HEADING)) heading = node;
    if (kind.endsWith("slide")) {
      all.push(slide(heading, node));
      if (notes) all.at(-1)!.notes.push(paragraph(notes));
      [kind, notes] = ["-", ""];
    }
    if (kind === "notes") all.at(-1)?.notes.push(node);
    else if (kind !== "skip" && node !== heading) all.at(-1)?.steps.at(-1)!.push(node);
  }
  return all;
};

const paragraph = (text: string) =>
  Object.assign(document.createElement("p"), { textContent: text });

const slide = (heading: HTMLElement, start: HTMLElement): Slide => {
  const steps: HTMLElement[][] = [[]];
  return { heading, start, steps, notes: [], parts: () => partsOfSlide(heading, steps) };
};

/** The index of the screen that shows an element, or of the last screen before it. */
export const screenOf = (all: Screen[], place: Element): number => {
  const heading = (place.closest("section") ?? stage).querySelector(HEADING);
  const from = heading && !isWithinOrAfter(place, heading) ? heading : place;
  const found = all.filter(({ start }) => isWithinOrAfter(from, start));
  return Math.max(0, found.length - 1);
};

const isWithinOrAfter = (node: Node, start: Node) =>
  node === start || (start.compareDocumentPosition(node) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;

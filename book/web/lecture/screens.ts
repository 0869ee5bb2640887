// The screens of a lecture: those that the chapter's cells ask for (Jupyter's slideshow metadata, which
// the build marks on the page), or else its sections.
import { partsOf, partsOfSlide, type Part } from "./parts.ts";
import { stage } from "./screen.ts";

/** What is shown under one heading, in parts. */
export interface Screen {
  heading: HTMLElement;
  start: HTMLElement;
  parts: () => Part[];
}

/** `steps`: what comes with one press after the other; `notes`: what a lecturer says meanwhile. */
export interface Slide extends Screen {
  steps: HTMLElement[][];
  notes: HTMLElement[];
}

const HEADING = ":is(h1, h2, h3)";

export const sections = (): Screen[] =>
  [...stage.querySelectorAll<HTMLElement>(`section > ${HEADING}`)].map((heading) => ({
    heading,
    start: heading,
    parts: () => partsOf(heading),
  }));

/** What the cells ask for: none, if they say nothing. What is skipped is on no screen. */
export const slides = (): Slide[] => {
  const all: Slide[] = [];
  let heading = stage.querySelector<HTMLElement>(HEADING)!;
  let kind = "skip"; // of the cell that a block is from
  let said = ""; // about the slide that it begins
  const nodes = "[data-slide], section > :not(section, span)"; // a span is where a link leads
  for (const node of stage.querySelectorAll<HTMLElement>(nodes)) {
    if (node.dataset.slide) {
      kind = node.dataset.slide;
      said = node.dataset.say ?? said;
      if (kind === "fragment") all.at(-1)?.steps.push([]);
      continue;
    }
    if (node.matches(HEADING)) heading = node;
    if (kind.endsWith("slide")) {
      all.push(slide(heading, node));
      if (said) all.at(-1)!.notes.push(paragraph(said));
      [kind, said] = ["-", ""];
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

/** The number of the screen that shows a place of the page, or of the last before it. */
export const screenOf = (all: Screen[], place: Element): number => {
  const heading = (place.closest("section") ?? stage).querySelector(HEADING);
  const from = heading && !isWithinOrAfter(place, heading) ? heading : place;
  const found = all.filter(({ start }) => isWithinOrAfter(from, start));
  return Math.max(0, found.length - 1);
};

const isWithinOrAfter = (node: Node, start: Node) =>
  node === start || (start.compareDocumentPosition(node) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;

// Reads the items of "Where do I stand?" from the page, and the links that its static answers have.

export interface Option {
  text: string;
  /** The misconception of who chooses it, or why it is right. */
  said: string;
  /** Anchor of the misconception's source; the right option has none. */
  source?: string;
}

export interface Item {
  key: string;
  text: string;
  options: Option[];
  right: number;
  /** Anchor of the section that treats it. */
  treated: string;
}

/** An item that a room is asked about. */
export interface Asked extends Item {
  /** The option "I do not know". */
  unknown: string;
  hide: () => void;
  /** Shows the answer, with what the reader's own answer means; undefined: the reader gave none. */
  tell: (answer: number | null | undefined) => void;
}

export interface Link {
  href: string;
  title: string;
}

/** The items, and the links by anchor. */
export interface Questionnaire {
  items: Item[];
  links: Map<string, Link>;
}

export function readQuestionnaire(root: HTMLElement): Questionnaire {
  const { items } = JSON.parse(root.querySelector("script")!.textContent!) as { items: Item[] };
  const links = [...root.querySelectorAll<HTMLAnchorElement>("details a")].map(
    (a) => [a.hash.slice(1), { href: a.getAttribute("href")!, title: a.textContent! }] as const,
  );
  return { items, links: new Map(links) };
}

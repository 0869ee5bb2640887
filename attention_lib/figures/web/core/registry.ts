// The kinds of figures and the words that this page, or Jupyter, has loaded.

/** What a file of `kinds` exports by default. */
export interface Kind {
  /** Its file's name, and what a figure's state calls it. */
  name: string;
  /** Brings a figure alive in an element that holds its state and tables; return what ends it. */
  mount(root: HTMLElement, state: Record<string, unknown>, said: Words): () => void;
}

/** What a file of `words` exports by default. */
export type Words = Readonly<Record<string, string>>;

export const kinds = new Map<string, Kind>();
export const words = new Map<string, Words>();

export function register(kind: Kind) {
  kinds.set(kind.name, kind);
}

export function speak(lang: string, said: Words) {
  words.set(lang, said);
}

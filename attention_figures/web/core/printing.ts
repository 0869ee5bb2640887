// Tells whether the page is on paper, where nobody can answer: figures then show what they ask about.
import { signal } from "@preact/signals";

export const printing = signal(false);

const print = (is: boolean) => () => {
  printing.value = is;
};
globalThis.addEventListener?.("beforeprint", print(true));
globalThis.addEventListener?.("afterprint", print(false));
// An emulated page has no such events.
globalThis.matchMedia?.("print").addEventListener("change", ({ matches }) => print(matches)());

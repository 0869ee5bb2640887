// Detects printing, where nobody can answer: figures then reveal the answers to their questions.
import { signal } from "@preact/signals";

export const printing = signal(false);

const set = (is: boolean) => () => {
  printing.value = is;
};
globalThis.addEventListener?.("beforeprint", set(true));
globalThis.addEventListener?.("afterprint", set(false));
// Chromium's emulated print media fires no such events.
globalThis.matchMedia?.("print").addEventListener("change", ({ matches }) => set(matches)());

// Hydrates the figures of a page without a kernel, from the initial states that it stores.
import { effect } from "@preact/signals";
import type { Figure } from "./figure.ts";
import { hasState, LINK_EVENT, linkModels } from "./kernel_link.ts";
import { localModel, type Model } from "./model.ts";
import { mount } from "./mount.tsx";
import type { Question } from "./question.ts";
import {
  kinds,
  register as addKind,
  addStrings as storeStrings,
  strings,
  type Strings,
} from "./registry.ts";
import type { Kind } from "./kind.ts";
import { translator } from "./strings.ts";

declare global {
  interface Window {
    /** Called in a script below each figure, so that the figure is hydrated before first paint. */
    hydrateFigures?: (page: ParentNode) => void;
  }
}

const hydrated = new Set<Figure>();
const states = new Map<string, Record<string, unknown>>(); // initial states by the figures' names

/** Mounts the figures within `page` whose kinds are loaded. One that fails keeps its tables. */
export function hydrate(page: ParentNode) {
  for (const root of page.querySelectorAll<HTMLElement>("[data-figure]:not([data-live])")) {
    // While the parser has reached nothing after the figure, the figure may be incomplete.
    if (document.readyState === "loading" && !root.nextSibling) continue;
    try {
      const stored = storedStateOf(root);
      const kind = kinds.get(String(stored.kind));
      const localised = strings.get(String(stored.lang));
      if (!kind) continue;
      if (!localised && document.readyState === "loading") continue; // the strings load later
      if (!localised) throw new Error(`no strings in ${stored.lang}`);
      const question = root.querySelector("[data-ask]") && read(root, "[data-ask]");
      const model = localModel(stored);
      const props = { kind, model, t: translator(localised), stored };
      const { figure } = mount(root, { ...props, question: question as Question | null });
      hydrated.add(figure);
      reportProgress(figure, root);
      listenForKernelLink(root, model, kind, stored);
    } catch (error) {
      reportError(error); // as an uncaught error, but the loop continues
    }
  }
}

/** Dispatches attention-progress events, which the page records as the reader's progress. */
function reportProgress(
  { name, touched, answerRequested, questionState }: Figure,
  root: HTMLElement,
) {
  const report = (kind: string, correct?: boolean) => {
    const detail = { kind, id: name, correct };
    root.dispatchEvent(new CustomEvent("attention-progress", { bubbles: true, detail }));
  };
  effect(() => {
    if (touched.value) report("figure");
  });
  effect(() => {
    if (answerRequested.value) report("shown");
  });
  effect(() => {
    if (questionState.verdict.value) report("question", questionState.verdict.value.right);
  });
}

/** Links the figure with a kernel's figure on request, if both have the same initial state. */
function listenForKernelLink(
  root: HTMLElement,
  page: Model,
  kind: Kind,
  stored: Record<string, unknown>,
) {
  let unlink = () => {};
  root.addEventListener(LINK_EVENT, (event) => {
    const kernel = (event as CustomEvent<Model>).detail;
    unlink();
    unlink = () => {};
    if (!hasState(kernel, stored)) return;
    unlink = linkModels({ page, kernel }, Object.keys(kind.state));
    event.preventDefault();
  });
}

/**
 * Reads the state that the page stores, merged with the values that book/site/output/states.py
 * stores once for several figures.
 */
function storedStateOf(root: HTMLElement): Record<string, unknown> {
  const { rest, traits = "" } = root.querySelector<HTMLElement>("script:not([data-ask])")!.dataset;
  const state = { ...read(root, "script:not([data-ask])") };
  if (rest) {
    // The other figure's kind may load later than this one's.
    const find = () => document.querySelector<HTMLElement>(`[data-figure="${rest}"]`)!;
    const full = states.get(rest) ?? storedStateOf(find());
    for (const trait of traits.split(" ")) state[trait] = full[trait];
  }
  states.set(root.dataset.figure!, state);
  return state;
}

const read = (root: Element, which: string): Record<string, unknown> =>
  JSON.parse(root.querySelector(which)?.textContent ?? "{}");

/** Called by a kind's script. */
export function register(kind: Kind) {
  addKind(kind);
  hydrate(document);
}

/** Called by a script of interface strings. */
export function addStrings(lang: string, added: Strings) {
  storeStrings(lang, added);
  hydrate(document);
}

const others = window.hydrateFigures; // a page may load two scripts, each with its kinds
window.hydrateFigures = (page) => {
  others?.(page);
  hydrate(page);
};
document.addEventListener("DOMContentLoaded", () => hydrate(document));

/** Hides every figure of the page, or shows all of them again, for a lecturer. */
document.addEventListener("attention:hide", (event) => {
  for (const figure of hydrated) figure.hidden.value = (event as CustomEvent<boolean>).detail;
});

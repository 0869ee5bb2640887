// The figures of a page without a kernel.
import { effect } from "@preact/signals";
import type { Figure } from "./figure.ts";
import { isSame, LINK, link } from "./linked.ts";
import { localModel, type Model } from "./model.ts";
import { mount } from "./mount.tsx";
import type { Question } from "./question.ts";
import { kinds, register as enter, speak as learn, words, type Said } from "./registry.ts";
import type { Kind } from "./kind.ts";
import { wordsOf } from "./words.ts";

declare global {
  interface Window {
    /** Called below each figure of a page, so that it is alive before it is painted. */
    hydrateFigures?: (page: ParentNode) => void;
  }
}

const shown = new Set<Figure>();
const states = new Map<string, Record<string, unknown>>(); // that the page stores, by figures' names

/** Brings the figures within `page` alive whose kinds are here. One that fails keeps its tables. */
export function hydrate(page: ParentNode) {
  for (const root of page.querySelectorAll<HTMLElement>("[data-figure]:not([data-live])")) {
    // Until something follows it, a part of it may still be on its way.
    if (document.readyState === "loading" && !root.nextSibling) continue;
    try {
      const stored = stateOf(root);
      const kind = kinds.get(String(stored.kind));
      const said = words.get(String(stored.lang));
      if (!kind) continue;
      if (!said && document.readyState === "loading") continue; // its words may be on their way
      if (!said) throw new Error(`no words in ${stored.lang}`);
      const question = root.querySelector("[data-ask]") && read(root, "[data-ask]");
      const model = localModel(stored);
      const given = { kind, model, words: wordsOf(said), stored };
      const { figure } = mount(root, { ...given, question: question as Question | null });
      shown.add(figure);
      tellOf(figure, root);
      offerLink(root, model, kind, stored);
    } catch (error) {
      reportError(error); // as if nobody had caught it, but the other figures go on
    }
  }
}

/** Tells the page what its reader does with a figure, for whoever keeps that. */
function tellOf({ name, touched, shown, asking }: Figure, root: HTMLElement) {
  const tell = (kind: string, correct?: boolean) => {
    const detail = { kind, id: name, correct };
    root.dispatchEvent(new CustomEvent("attention-progress", { bubbles: true, detail }));
  };
  effect(() => {
    if (touched.value) tell("figure");
  });
  effect(() => {
    if (shown.value) tell("shown");
  });
  effect(() => {
    if (asking.verdict.value) tell("question", asking.verdict.value.right);
  });
}

/** A kernel that has made the same figure may be linked with the one that is there. */
function offerLink(root: HTMLElement, page: Model, kind: Kind, stored: Record<string, unknown>) {
  let end = () => {};
  root.addEventListener(LINK, (event) => {
    const kernel = (event as CustomEvent<Model>).detail;
    end();
    end = () => {};
    if (!isSame(kernel, stored)) return;
    end = link({ page, kernel }, Object.keys(kind.state));
    event.preventDefault();
  });
}

/** What the page stores of a figure, with what only the first of its kind has: states.py. */
function stateOf(root: HTMLElement) {
  const script = root.querySelector<HTMLElement>("script:not([data-ask])");
  const state = {
    ...states.get(script?.dataset.rest ?? ""),
    ...read(root, "script:not([data-ask])"),
  };
  states.set(root.dataset.figure!, state);
  return state;
}

const read = (root: Element, which: string): Record<string, unknown> =>
  JSON.parse(root.querySelector(which)?.textContent ?? "{}");

/** Called by a kind's script. */
export function register(kind: Kind) {
  enter(kind);
  hydrate(document);
}

/** Called by a script of words. */
export function speak(lang: string, said: Said) {
  learn(lang, said);
  hydrate(document);
}

const others = window.hydrateFigures; // a page may have two scripts, each with its kinds
window.hydrateFigures = (page) => {
  others?.(page);
  hydrate(page);
};
document.addEventListener("DOMContentLoaded", () => hydrate(document));

/** A lecturer covers every figure of the page, or uncovers all of them again. */
document.addEventListener("attention:hide", (event) => {
  for (const figure of shown) figure.hidden.value = (event as CustomEvent<boolean>).detail;
});

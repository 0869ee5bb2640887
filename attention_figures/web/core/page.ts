// Hydrates the figures of a page without a kernel, from the initial states that it stores. A script below
// the first figure hydrates it at once; the others follow when they come near the viewport.
import { effect } from "@preact/signals";
import type { Figure } from "./figure.ts";
import { hasState, LINK_EVENT, linkModels } from "./kernel_link.ts";
import { localModel, type Model } from "./model.ts";
import { mount } from "./mount.tsx";
import { hydrateNearby } from "./nearby.ts";
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
import { figureIn } from "./url_hash.ts";

declare global {
  interface Window {
    /** Hydrates all figures within `page`, for example the lead figure before it is painted. */
    hydrateFigures?: (page: ParentNode) => void;
  }
}

const WAITING = "[data-figure]:not([data-live], [data-static])";
const STATE = "script:not([data-ask], [data-observe])";
const hydrated = new Set<Figure>();
const states = new Map<string, Record<string, unknown>>(); // initial states by the figures' names
let hidden = false;

/** Mounts all figures within `page` whose kinds are loaded. */
function hydrate(page: ParentNode) {
  for (const root of page.querySelectorAll<HTMLElement>(WAITING)) hydrateFigure(root);
}

/** Mounts a figure if its kind is loaded. One that fails keeps its tables. */
function hydrateFigure(root: HTMLElement) {
  try {
    const stored = storedStateOf(root);
    const kind = kinds.get(String(stored.kind));
    if (!kind) return;
    const localised = strings.get(String(stored.lang));
    if (!localised) throw new Error(`no strings in ${stored.lang}`);
    const question = root.querySelector("[data-ask]") && read(root, "[data-ask]");
    const observation = root.querySelector("[data-observe]") && read(root, "[data-observe]");
    const model = localModel(stored);
    const props = { kind, model, t: translator(localised), stored };
    const { figure } = mount(root, {
      ...props,
      question: question as Question | null,
      observation: observation as Question | null,
    });
    if (hidden) figure.hidden.value = true;
    hydrated.add(figure);
    reportProgress(figure, root);
    listenForKernelLink(root, model, kind, stored);
    // The script of a room asks a figure's question itself: book/web/room/subject.ts.
    root.addEventListener("attention:asked", (event) => {
      (event as CustomEvent<{ figure?: Figure }>).detail.figure = figure;
    });
  } catch (error) {
    root.toggleAttribute("data-static", true);
    reportError(error); // as an uncaught error, but the other figures are hydrated
  }
}

/** Dispatches attention-progress events, which the page records as the reader's progress. */
function reportProgress(
  { name, touched, answerRequested, questionState, observationState }: Figure,
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
    // Moving the figure skips its question, too.
    const skipped = touched.value && questionState.status.value === "skipped";
    if (questionState.question && (answerRequested.value || skipped)) report("shown");
  });
  effect(() => {
    if (questionState.verdict.value) report("question", questionState.verdict.value.right);
  });
  effect(() => {
    if (observationState.verdict.value) report("observation", observationState.verdict.value.right);
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
  const { rest, traits = "" } = root.querySelector<HTMLElement>(STATE)!.dataset;
  const state = { ...read(root, STATE) };
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
  if (document.readyState !== "loading") observe(); // the script was added later
}

/** Called by a script of interface strings. */
export const addStrings = (lang: string, added: Strings) => storeStrings(lang, added);

const others = window.hydrateFigures; // a page may load two scripts, each with its kinds
window.hydrateFigures = (page) => {
  others?.(page);
  hydrate(page);
};
const observe = hydrateNearby(WAITING, hydrateFigure);

/** Hydrates the figure whose state the URL hash holds; the figure then scrolls into view. */
const hydrateLinked = () => {
  const name = figureIn(location.hash);
  const root = name && document.querySelector<HTMLElement>(`${WAITING}[data-figure="${name}"]`);
  if (root) hydrateFigure(root);
};
document.addEventListener("DOMContentLoaded", hydrateLinked);
addEventListener("hashchange", hydrateLinked);

// Captured, so that the figure has its own listener before the event reaches it.
document.addEventListener(
  LINK_EVENT,
  ({ target }) => hydrate((target as Element).parentNode!),
  true,
);

/** Hides every figure of the page, or shows all of them again, for a lecturer. */
document.addEventListener("attention:hide", (event) => {
  hidden = (event as CustomEvent<boolean>).detail;
  for (const figure of hydrated) figure.hidden.value = hidden;
});

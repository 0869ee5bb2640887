// Makes an element live: renders a component in place of its static content.
import { render, type JSX } from "preact";

/** The JSON that the page stores in an element. */
export const readState = (root: Element) =>
  JSON.parse(root.querySelector("script")?.textContent ?? "null");

/** Selects the elements that are not live yet. */
export const waiting = (elements: string) => `:is(${elements}):not([data-live], [data-static])`;

/** Renders what `component` returns. If it fails, the static content stays. */
export function hydrateWith(root: HTMLElement, component: (root: HTMLElement) => JSX.Element) {
  try {
    const made = component(root);
    root.replaceChildren();
    render(made, root);
    root.dataset.live = "";
  } catch (error) {
    root.dataset.static = "";
    reportError(error); // like an uncaught error, but the others are still hydrated
  }
}

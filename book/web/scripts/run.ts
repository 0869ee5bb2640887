// Makes the code cells of a page ready to run. What runs them is loaded at the first click, or at once
// if the reader has changed a cell before.
import type { Notebook } from "../modules/notebook.ts";
import { changedCells } from "../running/remembered.ts";

const script = document.currentScript as HTMLScriptElement;
const { dataset } = document.documentElement;
document.body.dataset.kernel = "none";
for (const place of document.querySelectorAll(".cell_output"))
  place.setAttribute("data-output", "");

let loading: Promise<Notebook> | undefined;

/** The page's notebook; a script that does not load says so as any other does: start.ts. */
const load = () =>
  (loading ??= import(new URL("modules/notebook.js", script.src).href)
    .then(({ open }) => open(dataset.kernels) as Promise<Notebook>)
    .catch((fault) => {
      script.dispatchEvent(new Event("error"));
      throw fault;
    }));

/** What is asked of a cell by a button in its bar, or by Shift+Enter anywhere in it. */
const asked = (event: Event) => {
  const { target } = event;
  if (!(target instanceof Element)) return;
  const button = target.closest<HTMLElement>(".cell-bar button");
  if (event.type === "click") return button;
  const { key, shiftKey, ctrlKey, altKey, metaKey } = event as KeyboardEvent;
  if (key !== "Enter" || !shiftKey || ctrlKey || altKey || metaKey) return;
  return target.closest(".cell:not([data-output] *)")?.querySelector<HTMLElement>("[data-run]");
};

const answer = (event: Event) => {
  const button = asked(event);
  if (!button) return;
  event.preventDefault();
  if (!loading && "run" in button.dataset) document.body.dataset.kernel = "starting";
  load().then(
    (notebook) => notebook.act(button),
    () => {
      document.body.dataset.kernel = "none";
      for (const place of document.querySelectorAll(".cell_output"))
        place.setAttribute("data-output", "");
    },
  );
};

if (dataset.kernels && dataset.closed === undefined) {
  document.addEventListener("click", answer);
  document.addEventListener("keydown", answer);
  if (Object.keys(changedCells()).length) void load();
}

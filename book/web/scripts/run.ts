// Makes the code cells of a page runnable, where the server has kernels or the page offers to find one that
// has. The notebook module is loaded at the first click, or at once if the reader has edited a cell before
// or chosen a server in this tab.
import type { Notebook } from "../modules/notebook.ts";
import { storedCells } from "../running/persistence.ts";

declare global {
  interface Window {
    /** Runs code in the page's kernel and returns what it printed; absent if there is no kernel. */
    askKernel?: (code: string) => Promise<string>;
  }
}

const script = document.currentScript as HTMLScriptElement;
const { dataset } = document.documentElement;
document.body.dataset.kernel = "none";
for (const place of document.querySelectorAll(".cell_output"))
  place.setAttribute("data-output", "");

let loading: Promise<Notebook> | undefined;

/** Loads the page's notebook; on failure start.ts shows the message of this script. */
const load = () =>
  (loading ??= import(new URL("modules/notebook.js", script.src).href)
    .then(({ open }) => open(dataset.kernels) as Promise<Notebook>)
    .catch((error) => {
      script.dispatchEvent(new Event("error"));
      throw error;
    }));

/** The button in a cell's bar that was clicked, or its Run button on Shift+Enter in the cell. */
const buttonOf = (event: Event) => {
  const { target } = event;
  if (!(target instanceof Element)) return;
  const button = target.closest<HTMLElement>(".cell-bar button");
  if (event.type === "click") return button;
  const { key, shiftKey, ctrlKey, altKey, metaKey } = event as KeyboardEvent;
  if (key !== "Enter" || !shiftKey || ctrlKey || altKey || metaKey) return;
  return target.closest(".cell:not([data-output] *)")?.querySelector<HTMLElement>("[data-run]");
};

const handle = (event: Event) => {
  const button = buttonOf(event);
  if (!button) return;
  event.preventDefault();
  if (!loading && "run" in button.dataset && dataset.kernels)
    document.body.dataset.kernel = "starting";
  load().then(
    (notebook) => notebook.act(button),
    () => {
      document.body.dataset.kernel = "none";
      for (const place of document.querySelectorAll(".cell_output"))
        place.setAttribute("data-output", "");
    },
  );
};

const isOpen = dataset.kernels && dataset.closed === undefined;
if (isOpen || dataset.builds) {
  document.addEventListener("click", handle);
  document.addEventListener("keydown", handle);
  if (isOpen) window.askKernel = (code) => load().then((notebook) => notebook.ask(code));
  const hasServer = dataset.builds && sessionStorage.getItem("server");
  if (hasServer || Object.keys(storedCells()).length) void load();
}

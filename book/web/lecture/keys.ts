// The keys of a lecture, and those that it leaves to controls, dialogs and the browser.
import { onScreen } from "./screen.ts";

const CONTROL = "[data-figure] [data-control]:enabled";
const MOVES = "[type=range], [role=slider]";

/** The controls on the screen: first those that are moved. */
const controls = () => {
  const moves = (control: Element) => Number(control.matches(MOVES));
  return onScreen(CONTROL).sort((a, b) => moves(b) - moves(a));
};

const KEYS: Record<string, string[]> = {
  next: ["PageDown", " ", "ArrowRight", "ArrowDown"],
  back: ["PageUp", "ArrowLeft", "ArrowUp"],
  first: ["Home"],
  last: ["End"],
  hide: ["h"],
  reveal: ["r"],
  hideAll: ["a"],
  theme: ["t"],
  notes: ["s"],
  keys: ["?"],
  leave: ["Escape"],
};

/** What can be done in a lecture, by name. */
export type Acts = Record<string, () => void>;

/** Does a control want this key for itself? */
const belongsTo = (control: Element, key: string) => {
  if (/^(Page|Escape)/.test(key)) return false;
  if (control.matches("[type=range], [type=checkbox]")) return /^(Arrow|Home|End| )/.test(key);
  if (control.matches("input, select, textarea")) return true;
  return key === " " && control.matches("button, summary");
};

/** What to do when a key is pressed; `list`: of the keys, `places`: whose controls a lecturer uses. */
export const keyListener =
  (acts: Acts, list: HTMLDialogElement, places: HTMLElement[]) => (event: KeyboardEvent) => {
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key; // Caps Lock or not
    const control = event.target as Element;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.defaultPrevented && key !== "Escape") return; // the theme prevents that one always
    // A key pressed in a dialog is the dialog's; only "?" closes the list that it opened.
    if (list.open) {
      if (key === "?") list.close();
      return;
    }
    if (control !== document.body && !places.some((place) => place.contains(control))) return;
    if (belongsTo(control, key)) return;
    const name = Object.keys(KEYS).find((name) => KEYS[name].includes(key)) ?? "";
    const act = acts[event.shiftKey && key === " " ? "back" : name];
    const nth = controls()[key === "f" ? 0 : Number(key) - 1];
    if (!act && !nth) return;
    event.preventDefault();
    act?.();
    nth?.focus();
  };

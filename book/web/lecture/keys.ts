// The keys of a lecture, and those that it leaves to controls, dialogs and the browser.
import { onScreen, page } from "./screen.ts";

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
  jump: ["g"],
  black: ["b", "."],
  white: ["w"],
  pause: ["p"],
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

let typed = ""; // digits of a number, one after the other

/** Puts the focus on the numbered button whose number is being typed. */
const findByNumber = (list: HTMLDialogElement, key: string) => {
  const find = (number: string) =>
    list.querySelector<HTMLElement>(`[data-screen-number="${Number(number)}"]`);
  if (key === "Enter" && list.contains(document.activeElement)) return;
  if (!/^\d$/.test(key)) return void (typed = "");
  typed = find(typed + key) ? typed + key : key;
  find(typed)?.focus();
};

/** What to do when a key is pressed; `bar`: with its dialogs, `places`: whose controls a lecturer uses. */
export const keyListener =
  (acts: Acts, bar: HTMLElement, places: HTMLElement[]) => (event: KeyboardEvent) => {
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key; // Caps Lock or not
    const control = event.target as Element;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.defaultPrevented && key !== "Escape") return; // the theme prevents that one always
    // A key pressed in a dialog is the dialog's; only the key that opened it closes it.
    const list = bar.querySelector<HTMLDialogElement>("dialog[open]");
    if (list) {
      if (key === list.dataset.key) list.close();
      else findByNumber(list, key);
      return;
    }
    if (control !== document.body && !places.some((place) => place.contains(control))) return;
    if (belongsTo(control, key)) return;
    const name = Object.keys(KEYS).find((name) => KEYS[name].includes(key)) ?? "";
    if (page.dataset.blank && name && !/^(black|white|pause|notes)$/.test(name)) {
      event.preventDefault();
      return acts.unblank(); // and nothing moves unseen
    }
    const act = acts[event.shiftKey && key === " " ? "back" : name];
    const nth = controls()[key === "f" ? 0 : Number(key) - 1];
    if (!act && !nth) return;
    event.preventDefault();
    act?.();
    nth?.focus();
  };

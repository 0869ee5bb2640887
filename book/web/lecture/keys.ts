// Keyboard shortcuts of lecture mode; keys of controls, dialogs and the browser are left to them.
import { onScreen, page } from "./screen.ts";

const CONTROL = "[data-figure] [data-control]:enabled";
const SLIDERS = "[type=range], [role=slider]";

/** The controls on the screen, sliders first. */
const controls = () => {
  const isSlider = (control: Element) => Number(control.matches(SLIDERS));
  return onScreen(CONTROL).sort((a, b) => isSlider(b) - isSlider(a));
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

/** The actions of lecture mode, by name. */
export type Actions = Record<string, () => void>;

/** Whether a control handles this key itself. */
const isHandledBy = (control: Element, key: string) => {
  if (/^(Page|Escape)/.test(key)) return false;
  if (control.matches("[type=range], [type=checkbox]")) return /^(Arrow|Home|End| )/.test(key);
  if (control.matches("input, select, textarea")) return true;
  return key === " " && control.matches("button, summary");
};

/** Whether a key is not a modifier, nor one of the browser's or the computer's, such as F5. */
const isTyped = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent) =>
  !(ctrlKey || metaKey || altKey) &&
  /^(.|Arrow.*|Page.*|Home|End|Enter|Tab|Escape|Backspace|Delete)$/u.test(key);

/** Forgets the number that was typed into the list of screens. */
export const forgetNumber = (list: HTMLDialogElement) => {
  list.dataset.typed = "";
  list.querySelector("[role=status]")?.replaceChildren();
};

/** Focuses the button with the number that is being typed, digit by digit, or says that there is none. */
const findByNumber = (list: HTMLDialogElement, key: string) => {
  const status = list.querySelector<HTMLElement>("[role=status]");
  if (!status || key === "Enter") return; // Enter presses the button
  const number = list.dataset.typed + key;
  forgetNumber(list);
  if (!/^\d$/.test(key)) return;
  const found = list.querySelector<HTMLElement>(`[data-screen-number="${Number(number)}"]`);
  if (found) list.dataset.typed = number;
  else status.textContent = status.dataset.none!.replace("{number}", number);
  (found ?? list).focus(); // Enter does nothing on the list
};

/** Creates the key listener; `bar`: contains the dialogs, `places`: elements whose keys are handled. */
export const keyListener =
  (actions: Actions, bar: HTMLElement, places: HTMLElement[]) => (event: KeyboardEvent) => {
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key; // Caps Lock or not
    const control = event.target as Element;
    if (page.dataset.blank && isTyped(event)) {
      event.preventDefault();
      return actions.unblank(); // so that nothing changes while the screen is blank
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.defaultPrevented && key !== "Escape") return; // the theme always prevents Escape
    // An open dialog handles its keys; the key that opened it closes it.
    const list = bar.querySelector<HTMLDialogElement>("dialog[open]");
    if (list) {
      if (key === list.dataset.key) list.close();
      else findByNumber(list, key);
      return;
    }
    if (control !== document.body && !places.some((place) => place.contains(control))) return;
    if (isHandledBy(control, key)) return;
    const name = Object.keys(KEYS).find((name) => KEYS[name].includes(key)) ?? "";
    const action = actions[event.shiftKey && key === " " ? "back" : name];
    const nth = controls()[key === "f" ? 0 : Number(key) - 1];
    if (!action && !nth) return;
    event.preventDefault();
    action?.();
    nth?.focus();
  };

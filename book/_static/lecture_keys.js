// @ts-check
// The keys of a lecture, and those that it leaves to controls, dialogs and the browser.
"use strict";

const lectureKeys = (() => {
  const CONTROL = "[data-figure] [data-control]:enabled";

  /** @type {Record<string, string[]>} */
  const KEYS = {
    next: ["PageDown", " ", "ArrowRight", "ArrowDown"],
    back: ["PageUp", "ArrowLeft", "ArrowUp"],
    first: ["Home"],
    last: ["End"],
    hide: ["h"],
    reveal: ["r"],
    theme: ["t"],
    keys: ["?"],
    leave: ["Escape"],
  };

  /** Does a control want this key for itself? @param {Element} control @param {string} key */
  const belongsTo = (control, key) => {
    if (/^(Page|Escape)/.test(key)) return false;
    if (control.matches("[type=range], [type=checkbox]")) return /^(Arrow|Home|End| )/.test(key);
    if (control.matches("input, select, textarea")) return true;
    return key === " " && control.matches("button, summary");
  };

  /**
   * What to do when a key is pressed.
   * @param {Record<string, () => void>} acts @param {HTMLDialogElement} list of the keys
   * @param {HTMLElement[]} places whose controls a lecturer uses
   */
  return (acts, list, places) => (/** @type {KeyboardEvent} */ event) => {
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key; // Caps Lock or not
    const control = /** @type {Element} */ (event.target);
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.defaultPrevented && key !== "Escape") return; // the theme prevents that one always
    // A key pressed in a dialog is the dialog's; only "?" closes the list that it opened.
    if (list.open) return key === "?" ? list.close() : undefined;
    if (control !== document.body && !places.some((place) => place.contains(control))) return;
    if (belongsTo(control, key)) return;
    const name = Object.keys(KEYS).find((name) => KEYS[name].includes(key)) ?? "";
    const act = acts[event.shiftKey && key === " " ? "back" : name];
    const nth = lectureParts.onScreen(CONTROL)[key === "f" ? 0 : Number(key) - 1];
    if (!act && !nth) return;
    event.preventDefault();
    act?.();
    nth?.focus();
  };
})();

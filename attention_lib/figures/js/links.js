// @ts-check
// A state as a link: the fragment names the figure and says what differs from its start. It is a
// fragment, and no query, so that no server reads or shortens it.
import { copyButton } from "./copying.js";
import { element } from "./dom.js";
import { EARLIER } from "./earlier_starts.js";
import { LIMIT } from "./model.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {Record<string, any>} Values */

/** Hundredths below 1, which nobody types. @param {number} x */
const isDraw = (x) => x >= 0 && x < 1 && Math.round(100 * x) / 100 === x;
const SLIGHTLY = 8; // pixels
const FRAGMENT = /^#figure-([a-z0-9-]+):(.*)$/;

/** A short mark of a text: FNV-1a, in 32 bits. @param {string} text */
export function markOf(text) {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  }
  return (hash >>> 0).toString(36);
}

/** Any JSON as letters, digits, "-" and "_". @param {any} content */
export function packed(content) {
  const bytes = new TextEncoder().encode(JSON.stringify(content));
  const text = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  return text.replace(/=+$/, "").replaceAll("+", "-").replaceAll("/", "_");
}

/** What was packed; an error if nothing was. @param {string} text @returns {any} */
export function unpacked(text) {
  const bytes = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  const codes = Uint8Array.from(bytes, (byte) => byte.charCodeAt(0));
  return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(codes));
}

/** The values that differ from those at the start. @param {Values} now @param {Values} start */
export function differences(now, start) {
  const differs = (/** @type {string} */ name) =>
    JSON.stringify(now[name]) !== JSON.stringify(start[name]);
  return Object.fromEntries(Object.entries(now).filter(([name]) => differs(name)));
}

/**
 * Whether a value has the form of another, with numbers that a reader can enter. valid_lens has
 * two forms, and a control that knows both.
 * @param {string} name @param {any} value @param {any} start @returns {boolean}
 */
export function isAlike(name, value, start) {
  const inner = (/** @type {string} */ key) => isAlike(name, value[key], start[key]);
  if (name === "valid_lens") return true;
  if (typeof value !== typeof start || Array.isArray(value) !== Array.isArray(start)) return false;
  if (typeof start === "number") {
    return value === start || (name === "draws" ? isDraw(value) : Math.abs(value) <= LIMIT);
  }
  if (typeof start !== "object") return true;
  const keys = Object.keys(start);
  return value !== null && String(Object.keys(value)) === String(keys) && keys.every(inner);
}

/** What a fragment says about the figure of this name; null if it is about something else. */
/** @param {string} hash @param {string} name */
function saidOf(hash, name) {
  const [, figure, text] = FRAGMENT.exec(hash.replace("%3A", ":")) ?? []; // as some write a colon
  return figure === name ? text : null;
}

/**
 * The state that a link describes, or the word for what is wrong with it.
 * @param {string} text @param {string} mark of the start @param {State} state
 * @returns {{ wrong: string } | { values: Values, hidden: boolean }}
 */
function describedBy(text, mark, { start, allows }) {
  try {
    const [startThen, values, hidden = false] = unpacked(text);
    if (startThen !== mark && !EARLIER.has(startThen)) return { wrong: "linkOld" };
    const then = { ...start, ...EARLIER.get(startThen) };
    if (values.constructor !== Object) return { wrong: "linkBroken" };
    const good = Object.entries(values).every(
      ([name, x]) => Object.hasOwn(start, name) && isAlike(name, x, start[name]) && allows(name, x),
    );
    return good ? { values: { ...then, ...values }, hidden } : { wrong: "linkBroken" };
  } catch {
    return { wrong: "linkBroken" };
  }
}

/** Scrolls to a figure, and again when the whole page is there: below it may be no room yet. */
/** @param {HTMLElement} root */
function bringIntoView(root) {
  const distance = () => root.getBoundingClientRect().top;
  root.scrollIntoView();
  const [place, top] = [scrollY, distance()];
  const again = () => {
    const unmoved = scrollY === place || Math.abs(distance() - top) < SLIGHTLY;
    if (unmoved) root.scrollIntoView(); // else the reader has gone on
  };
  if (document.readyState !== "complete") addEventListener("load", again, { once: true });
}

/**
 * Opens the state that the address asks for, now and whenever the address changes. `page` is all
 * that the page stores of the figure. Gives what mount adds to the figure.
 * @param {import("./figure.js").Shared} shared @param {Values} page
 */
export function linked({ root, words, state, hiding }, page) {
  const mark = markOf(JSON.stringify({ ...page, lang: "" })); // the twin in the other language's too
  const notice = element("p", { class: "refused", role: "status" });
  const say = (/** @type {string} */ wrong) => {
    notice.textContent = wrong && words(wrong);
    notice.toggleAttribute("data-link-refused", wrong !== "");
  };
  /** Its controls have the last word: one that refuses its value has put another one there. */
  const shows = (/** @type {Values} */ values, /** @type {boolean} */ hidden) => {
    state.set(values);
    hiding.set(hidden);
    return Object.keys(differences(values, state.read())).length === 0;
  };
  const open = () => {
    const text = saidOf(location.hash, page.name);
    if (text === null) return;
    const link = describedBy(text, mark, state);
    const wrong = "wrong" in link ? link.wrong : "linkBroken";
    const good = "values" in link && shows(link.values, link.hidden === true);
    if (!good) state.reset();
    say(good ? "" : wrong);
    bringIntoView(root);
  };
  const address = () => {
    const content = [mark, differences(state.read(), state.start)];
    const own = packed(hiding.isHidden() ? [...content, true] : content);
    return `${location.href.split(/[?#]/)[0]}#figure-${page.name}:${own}`;
  };
  /** The language switch takes along the state in the address: that of the figure by then. */
  const renew = (/** @type {Event} */ { target }) => {
    const leaves = target instanceof Element && target.closest("a[hreflang]");
    if (leaves && saidOf(location.hash, page.name) !== null) {
      history.replaceState(history.state, "", address());
    }
  };
  for (const event of ["click", "auxclick"]) document.addEventListener(event, renew, true);
  for (const event of ["input", "click"]) root.addEventListener(event, () => say(""));
  addEventListener("hashchange", open);
  open();
  const copy = copyButton({ name: "copy-link", label: words("copyLink"), text: address, words });
  return { notices: [notice], entries: [copy] };
}

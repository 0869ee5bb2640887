// @ts-check
// For those who listen: what a change made of the weights, once the reader pauses.
import { element } from "./dom.js";

/** @typedef {import("./controls.js").Words} Words */
/** @typedef {{ name: string, keys: string[], weights: string[] }} Row as its texts */

const PAUSE = 500; // milliseconds
const FEW = 16; // weights that are all told
const TOLD = 4; // of more weights, these many rows are

/** All weights in words; of many the largest in each of the first rows. */
/** @param {Row[]} rows @param {Words} words */
export function weightsInWords(rows, words) {
  const few = rows.flatMap(({ weights }) => weights).length <= FEW;
  const told = few ? rows : rows.slice(0, TOLD);
  const list = told.map(({ name, keys, weights }) => {
    const numbers = weights.map((text) => Number(text.replace("−", "-")));
    const largest = numbers.indexOf(Math.max(...numbers));
    if (few) return words("rowWeights", { name, weights: weights.join(words("comma")) });
    if (numbers.every((x) => x === 0)) return words("rowOfZeros", { name });
    return words("rowLargest", { name, key: keys[largest], weight: weights[largest] });
  });
  return list.length ? words("weightsAre", { list: list.join(words("semicolon")) }) : "";
}

/** The rows of weights that are shown. @param {HTMLElement} root @param {Words} words @returns {Row[]} */
function shownRows(root, words) {
  // Where the weights are changed before they are used, these are told.
  const place = root.querySelector("[data-used-at]") ? "data-used-at" : "data-at";
  const lines = [...root.querySelectorAll(`tr:has(> [${place}])`)].filter(
    (line) => !line.closest("[hidden], [data-ahead]"),
  );
  const tables = new Set(lines.map((line) => line.closest("table")));
  return lines.map((line) => {
    const [head, ...cells] = line.children;
    const own = line.closest("table");
    const row = withKind(head.textContent ?? "", words("query"));
    const [b] = (cells[0].getAttribute(place) ?? "").split(",");
    const heads = [...(own?.tHead?.rows[0].cells ?? [])].slice(1);
    return {
      name: tables.size > 1 ? words("rowOfExample", { b, row }) : row,
      keys: heads.map((key) => withKind(key.textContent ?? "", words("legendPlainKey"))),
      weights: cells.map((cell) => cell.textContent ?? ""),
    };
  });
}

/** A bare number says what it numbers. @param {string} text @param {string} kind */
const withKind = (text, kind) => (/^\d+$/.test(text) ? `${kind} ${text}` : text);

/**
 * Says the weights half a second after the last change that the reader made; never at the start,
 * and nothing twice.
 * @param {{ root: HTMLElement, words: Words, hiding: import("./hiding.js").Hiding }} options
 */
export function announcer({ root, words, hiding }) {
  const status = element("p", { class: "unseen", role: "status", "data-announced": true });
  const inWords = () =>
    hiding.isHidden() ? words("weightsHidden") : weightsInWords(shownRows(root, words), words);
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  let last = inWords();
  const say = () => {
    const now = inWords();
    if (now !== last) status.textContent = last = now;
  };
  const soon = () => {
    clearTimeout(timer);
    timer = setTimeout(say, PAUSE);
  };
  for (const event of ["input", "click", "pointerup"]) root.addEventListener(event, soon);
  return { element: status, stop: () => clearTimeout(timer) };
}

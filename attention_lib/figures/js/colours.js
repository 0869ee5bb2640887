// @ts-check
// How numbers become colours: those that the stylesheet has at the moment.
import { extent } from "./arithmetic.js";
import { range } from "./dom.js";

/** @typedef {import("./arithmetic.js").Matrix} Matrix */
/** @typedef {import("./arithmetic.js").Tensor} Tensor */
/** @typedef {import("./heatmap.js").Look} Look */
/**
 * @typedef {object} Colours each as channels
 * @property {number[][]} shades from pale to strong
 * @property {number} flip how far along the way text turns from ink to contrast
 * @property {number[]} ink
 * @property {number[]} contrast
 * @property {number[]} hatch
 */

export const SHADES = 64; // finer ones would be repainted without being seen

/**
 * From the smallest number to the largest, at least about ten times the last digit that is shown:
 * numbers that read the same then look the same.
 * @param {Tensor} tensor @returns {[number, number]}
 */
export function colourRange(tensor) {
  const [low, high] = extent(tensor);
  const size = Math.max(Math.abs(low), Math.abs(high));
  return [low, Math.max(high, low + (size < 1000 ? 0.1 : size / 10))];
}

/** Which of the shades x gets, from 0 to SHADES. */
/** @param {number} x @param {[number, number]} domain */
export function shade(x, [low, high]) {
  const way = high > low ? Math.min(1, Math.max(0, (x - low) / (high - low))) : 0;
  return Math.round(way * SHADES);
}

/**
 * An update that paints in the colours that the stylesheet gives the node, and paints again when
 * the node hears of other colours; they are unknown until it stands on a page.
 * @param {HTMLElement} node
 * @param {(matrix: Matrix, look: Look, colours: Colours | undefined) => void} paint
 * @returns {(matrix: Matrix, look: Look) => void}
 */
export function painter(node, paint) {
  /** @type {[Matrix, Look] | undefined} */
  let shown;
  /** @type {Colours | undefined} */
  let colours;
  node.addEventListener("colours", () => {
    colours = coloursOf(node);
    if (shown) paint(...shown, colours);
  });
  return (matrix, look) => {
    shown = [matrix, look];
    paint(matrix, look, colours);
  };
}

/** Tells the heatmaps within root that there are colours to read, perhaps others than before. */
/** @param {HTMLElement} root */
export const recolour = (root) =>
  root.querySelectorAll("table, canvas").forEach((map) => map.dispatchEvent(new Event("colours")));

/** What the stylesheet says at the moment. @param {Element} node @returns {Colours} */
function coloursOf(node) {
  const style = getComputedStyle(node);
  const value = (/** @type {string} */ name) => style.getPropertyValue(`--${name}`).trim();
  const channels = (/** @type {string} */ name) => value(name).split(/\s+/).map(Number);
  const [pale, strong] = [channels("pale"), channels("strong")];
  return {
    shades: range(SHADES + 1).map((level) =>
      pale.map((channel, i) => Math.round(channel + (level / SHADES) * (strong[i] - channel))),
    ),
    flip: Number(value("flip")),
    ink: channels("ink"),
    contrast: channels("contrast"),
    hatch: channels("hatch"),
  };
}

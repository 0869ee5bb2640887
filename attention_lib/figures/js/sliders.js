// @ts-check
// Sliders over numbers that are not evenly spaced.
import { slider } from "./controls.js";

/** Ten numbers in each power of ten, evenly spaced in their logarithm, of two digits. */
/** @param {number} low a power of ten @param {number} high another */
export function decades(low, high) {
  const steps = Math.round(10 * Math.log10(high / low));
  return Array.from({ length: steps + 1 }, (_, i) => Number((low * 10 ** (i / 10)).toPrecision(2)));
}

/** Where the number nearest to x is in a list. @param {number[]} numbers @param {number} x */
export function indexOfNearest(numbers, x) {
  const distances = numbers.map((number) => Math.abs(number - x));
  return distances.indexOf(Math.min(...distances));
}

/**
 * A slider over a list of numbers. A number between them, typed in Python, is shown as it is.
 * @param {{ name: string, numbers: number[], change: (value: number) => void }} options
 */
export function listSlider({ name, numbers, change }) {
  let shown = NaN;
  const control = slider({
    name,
    max: numbers.length - 1,
    say: () => String(shown),
    change: (i) => change(numbers[i]),
  });
  const update = (/** @type {number} */ value) => {
    shown = value;
    control.update(indexOfNearest(numbers, value));
  };
  return { element: control.element, update };
}

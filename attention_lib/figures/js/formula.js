// @ts-check
// A line of mathematics as text: letters in italics, indices below, transposes above.
import { element } from "./dom.js";

const PARTS = /_(\w)|\^(\w)|([a-zA-Z]+)|([^])/g;

/** What "w_v^T tanh(W k)" says, as nodes. @param {string} text */
export function formula(text) {
  return [...text.matchAll(PARTS)].map(([, index, power, word, other]) => {
    if (index) return element("sub", {}, element("i", {}, index));
    if (power) return element("sup", {}, power);
    return word?.length === 1 ? element("i", {}, word) : (word ?? other);
  });
}

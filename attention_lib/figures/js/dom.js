// @ts-check

/**
 * An element with attributes (a function is a listener, null and false are left out) and children.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag @param {Record<string, any>} [attributes] @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") node.addEventListener(name, value);
    else if (value !== null && value !== false)
      node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children);
  return node;
}

/** Numbers 0 … n − 1. @param {number} n */
export const range = (n) => Array.from({ length: n }, (_, i) => i);

/** Says whether it is called with other arguments than the last time; arrays count by identity. */
export function watcher() {
  /** @type {any[]} */
  let last = [];
  return (/** @type {any[]} */ ...now) => {
    const changed = now.length !== last.length || now.some((x, i) => x !== last[i]);
    last = now;
    return changed;
  };
}

/**
 * The same function, computing anew only for other arguments than the last time.
 * @template {(...args: any[]) => any} F
 * @param {F} f
 */
export function remembered(f) {
  const changed = watcher();
  /** @type {ReturnType<F>} */
  let result;
  return (/** @type {Parameters<F>} */ ...args) =>
    changed(...args) ? (result = f(...args)) : result;
}

/** Two decimals; an exact zero, infinities and large numbers in short form. @param {number} x */
export function formatNumber(x) {
  if (x === 0) return "0";
  if (x === -Infinity) return "−∞";
  const text = Math.abs(x) < 1000 ? x.toFixed(2) : x.toExponential(1);
  return text.replace("-0.00", "0.00").replace("-", "−").replace("e+", "e");
}

/** A weight in a small cell: no zero before the point. @param {number} x */
export const shortNumber = (x) =>
  x === 0 ? "0" : x.toFixed(2).replace("1.00", "1").replace("0.", ".");

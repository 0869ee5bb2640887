// @ts-check
// A figure's state. In Jupyter anywidget provides it; on a page without a kernel, localModel does.

/**
 * @typedef {object} Model
 * @property {(name: string) => any} get
 * @property {(name: string, value: any) => void} set
 * @property {(event: string, listener: () => void) => void} on
 * @property {(event: string, listener: () => void) => void} off
 * @property {() => void} save_changes
 */

/** @param {Model} model @param {string} name @param {any} value */
export function write(model, name, value) {
  model.set(name, value);
  model.save_changes();
}

export const LIMIT = 1000; // of numbers that a reader enters

/** To 4 decimals, as Python rounds a figure's state. @param {number} x */
export const rounded = (x) => Math.round(x * 1e4) / 1e4;

/** The same state without a kernel: listeners hear of a change at once, nothing is saved. */
/** @param {Record<string, any>} state @returns {Model} */
export function localModel(state) {
  const values = { ...state };
  /** @type {Map<string, Set<() => void>>} */
  const listeners = new Map();
  return {
    get: (name) => values[name],
    set: (name, value) => {
      values[name] = value;
      listeners.get(`change:${name}`)?.forEach((listener) => listener());
    },
    on: (event, listener) => {
      listeners.set(event, (listeners.get(event) ?? new Set()).add(listener));
    },
    off: (event, listener) => {
      listeners.get(event)?.delete(listener);
    },
    save_changes: () => {},
  };
}

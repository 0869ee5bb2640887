// @ts-check
// What a page remembers. A browser may deny its storages, run out of room or clear them, at any
// moment. So a page goes by what it has stored itself, and nothing is thrown: at worst the next page
// does not know of it. What another page or version has stored may be anything.
"use strict";

for (const name of /** @type {const} */ (["localStorage", "sessionStorage"])) {
  /** @type {Storage | null} */
  let storage = null;
  try {
    storage = window[name];
  } catch {
    // denied
  }
  /** What this page has stored, and null where it has removed something. */
  /** @type {Map<string, string | null>} */
  const own = new Map();
  /** @template T @param {() => T} act */
  const attempt = (act) => {
    try {
      return act();
    } catch {
      return null;
    }
  };
  /** @type {Pick<Storage, "getItem" | "setItem" | "removeItem"> & {keeps: (key: string) => boolean}} */
  const value = {
    getItem: (key) => {
      const stored = own.has(key) ? own.get(key) : attempt(() => storage?.getItem(key));
      return stored ?? null;
    },
    setItem: (key, text) => {
      own.set(key, String(text));
      attempt(() => storage?.setItem(key, text));
    },
    removeItem: (key) => {
      own.set(key, null);
      attempt(() => storage?.removeItem(key));
    },
    /** Whether the next page will know of it; where there is nothing yet, whether it could. */
    keeps: (key) =>
      Boolean(attempt(() => storage && (!own.has(key) || storage.getItem(key) === own.get(key)))),
  };
  Object.defineProperty(window, name, { value });
}

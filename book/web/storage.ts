// Wraps localStorage and sessionStorage so that they never throw. A browser may deny storage, exceed its
// quota or clear it at any time; then a page still reads the values that it has written itself, and only
// the next page misses them. Values stored by other pages or versions may be invalid.

declare global {
  interface Storage {
    /** Whether the next page can read the value; if nothing was written yet, whether storage exists. */
    persists(key: string): boolean;
    /** The stored value, also if another page wrote it after this one; null if there is none. */
    stored(key: string): string | null;
  }
}

type SafeStorage = Pick<Storage, "getItem" | "setItem" | "removeItem" | "persists" | "stored">;

const orNull = <T>(action: () => T) => {
  try {
    return action();
  } catch {
    return null;
  }
};

/** The key in storage: in a class, several readers share an origin, so theirs have a prefix. */
export const storageKey = (key: string) => (document.documentElement.dataset.reader ?? "") + key;

const safeStorage = (storage: Storage | null): SafeStorage => {
  /** Values that this page has written; null if removed. */
  const written = new Map<string, string | null>();
  return {
    getItem: (key) => {
      const stored = written.has(key)
        ? written.get(key)
        : orNull(() => storage?.getItem(storageKey(key)));
      return stored ?? null;
    },
    setItem: (key, text) => {
      written.set(key, String(text));
      orNull(() => storage?.setItem(storageKey(key), text));
    },
    removeItem: (key) => {
      written.set(key, null);
      orNull(() => storage?.removeItem(storageKey(key)));
    },
    stored: (key) => orNull(() => storage?.getItem(storageKey(key))) ?? null,
    persists: (key) =>
      Boolean(
        orNull(
          () =>
            storage && (!written.has(key) || storage.getItem(storageKey(key)) === written.get(key)),
        ),
      ),
  };
};

/** Replaces the window's storages, also for third-party scripts. */
export const guardStorages = () => {
  for (const name of ["localStorage", "sessionStorage"] as const) {
    const value = safeStorage(orNull(() => window[name]));
    Object.defineProperty(window, name, { value });
  }
};

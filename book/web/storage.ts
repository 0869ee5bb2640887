// What a page remembers. A browser may deny its storages, run out of room or clear them, at any
// moment. So a page goes by what it has stored itself, and nothing is thrown: at worst the next page
// does not know of it. What another page or version has stored may be anything.

declare global {
  interface Storage {
    /** Whether the next page will know of it; where there is nothing yet, whether it could. */
    keeps(key: string): boolean;
  }
}

type Kept = Pick<Storage, "getItem" | "setItem" | "removeItem" | "keeps">;

const attempt = <T>(act: () => T) => {
  try {
    return act();
  } catch {
    return null;
  }
};

/** The name of what is stored: in a class, the readers of one origin are many, and keep apart. */
export const nameOf = (key: string) => (document.documentElement.dataset.reader ?? "") + key;

const kept = (storage: Storage | null): Kept => {
  /** What this page has stored, and null where it has removed something. */
  const own = new Map<string, string | null>();
  return {
    getItem: (key) => {
      const stored = own.has(key) ? own.get(key) : attempt(() => storage?.getItem(nameOf(key)));
      return stored ?? null;
    },
    setItem: (key, text) => {
      own.set(key, String(text));
      attempt(() => storage?.setItem(nameOf(key), text));
    },
    removeItem: (key) => {
      own.set(key, null);
      attempt(() => storage?.removeItem(nameOf(key)));
    },
    keeps: (key) =>
      Boolean(
        attempt(() => storage && (!own.has(key) || storage.getItem(nameOf(key)) === own.get(key))),
      ),
  };
};

/** Puts such storages in the place of the window's, for the scripts of others too. */
export const guardStorages = () => {
  for (const name of ["localStorage", "sessionStorage"] as const) {
    const value = kept(attempt(() => window[name]));
    Object.defineProperty(window, name, { value });
  }
};

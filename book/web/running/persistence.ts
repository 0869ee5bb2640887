// Persists edited cells (localStorage) and the kernel (sessionStorage) of a page. Storages never throw
// (storage.ts), but stored values are validated.

const path = location.pathname;

const read = (storage: Storage, key: string): unknown => {
  try {
    return JSON.parse(storage.getItem(`${key}:${path}`) ?? "");
  } catch {
    return null;
  }
};

const isText = (value: unknown): value is string => typeof value === "string";

/** The reader's edits, by cell name. */
export const storedCells = (): Record<string, string> => {
  const stored = read(localStorage, "cells");
  const entries = stored && typeof stored === "object" ? Object.entries(stored) : [];
  return Object.fromEntries(entries.filter(([, text]) => isText(text)));
};

/** Stores the edited text of a cell; null removes it. */
export const storeCell = (name: string, text: string | null) => {
  const { [name]: _, ...others } = storedCells();
  const cells = text === null ? others : { ...others, [name]: text };
  if (Object.keys(cells).length) localStorage.setItem(`cells:${path}`, JSON.stringify(cells));
  else localStorage.removeItem(`cells:${path}`);
};

/** The kernel of this tab, and the cells that have run in it. */
export interface KernelRecord {
  id: string;
  ran: string[];
}

export const storedKernel = (): KernelRecord | null => {
  const stored = read(sessionStorage, "kernel") as Partial<KernelRecord> | null;
  if (!stored || !isText(stored.id) || !Array.isArray(stored.ran)) return null;
  return { id: stored.id, ran: stored.ran.filter(isText) };
};

export const storeKernel = (record: KernelRecord | null) => {
  if (record) sessionStorage.setItem(`kernel:${path}`, JSON.stringify(record));
  else sessionStorage.removeItem(`kernel:${path}`);
};

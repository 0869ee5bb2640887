// What a page remembers of its cells. The storages never throw (storage.ts), but may hold anything.

const place = location.pathname;

const read = (storage: Storage, key: string): unknown => {
  try {
    return JSON.parse(storage.getItem(`${key}:${place}`) ?? "");
  } catch {
    return null;
  }
};

const isText = (value: unknown): value is string => typeof value === "string";

/** What the reader has written, by the names of the cells. */
export const changedCells = (): Record<string, string> => {
  const stored = read(localStorage, "cells");
  const entries = stored && typeof stored === "object" ? Object.entries(stored) : [];
  return Object.fromEntries(entries.filter(([, text]) => isText(text)));
};

/** Remembers the text of a cell, or with null that it is the book's. */
export const rememberCell = (name: string, text: string | null) => {
  const { [name]: _, ...others } = changedCells();
  const cells = text === null ? others : { ...others, [name]: text };
  if (Object.keys(cells).length) localStorage.setItem(`cells:${place}`, JSON.stringify(cells));
  else localStorage.removeItem(`cells:${place}`);
};

/** The kernel of this tab, and the names of the cells that have run in it. */
export interface Running {
  id: string;
  ran: string[];
}

export const runningKernel = (): Running | null => {
  const stored = read(sessionStorage, "kernel") as Partial<Running> | null;
  if (!stored || !isText(stored.id) || !Array.isArray(stored.ran)) return null;
  return { id: stored.id, ran: stored.ran.filter(isText) };
};

export const rememberKernel = (running: Running | null) => {
  if (running) sessionStorage.setItem(`kernel:${place}`, JSON.stringify(running));
  else sessionStorage.removeItem(`kernel:${place}`);
};

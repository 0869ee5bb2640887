// The record of this device. Whatever becomes of the storage, only progress is lost.
import { signal } from "@preact/signals";
import { add, merge, read, type Kind, type Record_ } from "./record.ts";

const KEY = "progress";

/** What book/_static/storage.js adds to a storage. */
interface Keeping {
  keeps?: (key: string) => boolean;
}

function keeps(): boolean {
  return (localStorage as Keeping).keeps?.(KEY) ?? true;
}

export const record = signal<Record_>(read(localStorage.getItem(KEY)));
/** Whether another page would know of it. */
export const isKept = signal(keeps());

function store(next: Record_) {
  record.value = next;
  localStorage.setItem(KEY, JSON.stringify(next));
  isKept.value = keeps();
}

export function done(chapter: string, kind: Kind, id: string) {
  const next = add(record.value, chapter, kind, id);
  if (next !== record.value || !isKept.value) store(next);
}

export function clear() {
  record.value = {};
  localStorage.removeItem(KEY);
}

// Another page has something to add, or was told to forget.
addEventListener("storage", ({ key, newValue }) => {
  if (key !== KEY && key !== null) return;
  record.value = newValue === null ? {} : merge(record.value, read(newValue));
});

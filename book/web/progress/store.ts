// The record of this device, and in a class of this reader. Whatever becomes of the storage, only
// progress is lost.
import { signal } from "@preact/signals";
import { nameOf } from "../storage.ts";
import { add, merge, read, type Kind, type Record_ } from "./record.ts";
import { fetchShelf, putOnShelf } from "./shelf.ts";

const KEY = "progress";

export const record = signal<Record_>(read(localStorage.getItem(KEY)));
/** Whether another page would know of it. */
export const isKept = signal(localStorage.keeps(KEY));

function store(next: Record_) {
  record.value = next;
  localStorage.setItem(KEY, JSON.stringify(next));
  isKept.value = localStorage.keeps(KEY);
}

// In a class, what was done at another device comes in.
void fetchShelf().then((text) => {
  const both = merge(record.value, read(text));
  if (both !== record.value) store(both);
});

export function done(chapter: string, kind: Kind, id: string) {
  const next = add(record.value, chapter, kind, id);
  const isNew = next !== record.value;
  if (isNew || !isKept.value) store(next);
  if (isNew) putOnShelf(JSON.stringify(next));
}

export function clear() {
  record.value = {};
  localStorage.removeItem(KEY);
  putOnShelf("{}");
}

// Another page has something to add, or was told to forget.
addEventListener("storage", ({ key, newValue }) => {
  if (key !== nameOf(KEY) && key !== null) return;
  record.value = newValue === null ? {} : merge(record.value, read(newValue));
});

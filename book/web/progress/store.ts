// Stores the progress record in localStorage and, in a class, on the server. If storage fails, only
// progress is lost.
import { signal } from "@preact/signals";
import { storageKey } from "../storage.ts";
import { add, merge, parseRecord, type Kind, type ProgressRecord } from "./record.ts";
import { fetchRecord, uploadRecord } from "./server.ts";

const KEY = "progress";

export const record = signal<ProgressRecord>(parseRecord(localStorage.getItem(KEY)));
/** Whether other pages can read the record. */
export const isPersistent = signal(localStorage.persists(KEY));

function store(next: ProgressRecord) {
  record.value = next;
  localStorage.setItem(KEY, JSON.stringify(next));
  isPersistent.value = localStorage.persists(KEY);
}

// In a class, merge the progress made on other devices.
void fetchRecord().then((text) => {
  const both = merge(record.value, parseRecord(text));
  if (both !== record.value) store(both);
});

export function addToRecord(chapter: string, kind: Kind, id: string) {
  const next = add(record.value, chapter, kind, id);
  const isNew = next !== record.value;
  if (isNew || !isPersistent.value) store(next);
  if (isNew) uploadRecord(JSON.stringify(next));
}

export function clearRecord() {
  record.value = {};
  localStorage.removeItem(KEY);
  uploadRecord("{}");
}

// Another tab has added to the record or cleared it.
addEventListener("storage", ({ key, newValue }) => {
  if (key !== storageKey(KEY) && key !== null) return;
  record.value = newValue === null ? {} : merge(record.value, parseRecord(newValue));
});

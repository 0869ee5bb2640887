// Stores the progress record in localStorage and, in a class, on the server. If storage fails, only
// progress is lost.
import { signal } from "@preact/signals";
import { storageKey } from "../storage.ts";
import { MAX_BYTES, merge, parseRecord, readRecord, type ProgressRecord } from "./record.ts";
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
  const theirs = parseRecord(text);
  if (Object.keys(theirs).length) store(merge(record.value, theirs));
});

/** Replaces the record by one with more in it. */
export function update(change: (before: ProgressRecord) => ProgressRecord) {
  const next = change(record.value);
  const isNew = next !== record.value;
  if (isNew || !isPersistent.value) store(next);
  if (isNew) uploadRecord(JSON.stringify(next));
}

export function clearRecord() {
  record.value = {};
  localStorage.removeItem(KEY);
  uploadRecord("{}");
}

/** Adds an exported record to the one that is here; changes nothing if it is damaged or too large. */
export function importRecord(text: string): "imported" | "damaged" | "full" {
  const { record: imported, damaged } = readRecord(text);
  if (damaged) return "damaged";
  const both = merge(record.value, imported);
  if (new TextEncoder().encode(JSON.stringify(both)).length > MAX_BYTES) return "full";
  update(() => both);
  return "imported";
}

/** Takes over what another tab has added, or that it has cleared everything. */
const takeOver = (stored: string | null) => {
  record.value = stored === null ? {} : merge(record.value, parseRecord(stored));
};
addEventListener("storage", ({ key, newValue }) => {
  if (key === storageKey(KEY) || key === null) takeOver(newValue);
});
// A page that comes back from the browser's cache has missed these events.
addEventListener("pageshow", ({ persisted }) => {
  if (persisted && isPersistent.value) takeOver(localStorage.stored(KEY));
});

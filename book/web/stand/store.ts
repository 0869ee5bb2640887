// Stores the record of "Where do I stand?" on this device; nothing is sent. If storage fails, only the
// record is lost.
import { signal } from "@preact/signals";
import { storageKey } from "../storage.ts";
import type { Item } from "./items.ts";
import { parseRecord, type StandRecord } from "./record.ts";

const KEY = "stand";

export type Store = ReturnType<typeof openStore>;

export function openStore(items: readonly Item[]) {
  const record = signal<StandRecord>(parseRecord(localStorage.getItem(KEY), items));
  /** Whether another visit will find the record. */
  const isPersistent = signal(localStorage.persists(KEY));
  const update = (next: StandRecord) => {
    record.value = next;
    localStorage.setItem(KEY, JSON.stringify(next));
    isPersistent.value = localStorage.persists(KEY);
  };
  const clear = () => {
    record.value = {};
    localStorage.removeItem(KEY);
  };
  // Another tab has changed the record.
  addEventListener("storage", ({ key, newValue }) => {
    if (key === storageKey(KEY) || key === null) record.value = parseRecord(newValue, items);
  });
  return { record, isPersistent, update, clear };
}

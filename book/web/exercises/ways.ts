// The three ways into an exercise, and the way in which each starts. Both are stored on the device.
import { signal } from "@preact/signals";
import { WAYS, type Way } from "../progress/record.ts";

const isWay = (text: unknown): text is Way => WAYS.includes(text as Way);
const stored = (key: string) => {
  const text = localStorage.getItem(key);
  return isWay(text) ? text : null;
};
const keyOf = (slug: string) => `way:${location.pathname}:${slug}`;

/** The way in which exercises start that the reader has not begun. */
export const start = signal<Way>(stored("way") ?? "lines");

/** The way that the reader has chosen for an exercise, or in which it was begun. */
export const storedWay = (slug: string): Way | null => stored(keyOf(slug));

export const storeWay = (slug: string, way: Way) => localStorage.setItem(keyOf(slug), way);

/** After a success, the next exercises start one way harder. */
export function raiseStart(solved: Way) {
  start.value = WAYS[Math.min(WAYS.indexOf(solved) + 1, WAYS.length - 1)]!;
  localStorage.setItem("way", start.value);
}

// Keeps the votes of a lecture in the lecturer's browser, for a server that restarts.
import type { Asking, LecturerState, Phase } from "./messages.ts";
import { readStored, store } from "./storage.ts";

const KEY = "room-lecture"; // in localStorage
const LONG = 12 * 3600 * 1000; // milliseconds after which a lecture is over

interface Kept {
  /** When it was last changed, in milliseconds. */
  at: number;
  /** Of the server that has them. */
  run: string;
  current: string | null;
  phase: Phase;
  askings: Asking[];
}

const read = (): Kept | null => {
  const kept = readStored<Kept>(KEY);
  return kept && Date.now() - kept.at < LONG && Array.isArray(kept.askings) ? kept : null;
};

/** Returns the command that gives a restarted server what it does not have; null if it has all. */
export function restoring({ run, known }: LecturerState): object | null {
  const kept = read();
  if (!kept || kept.run === run) return null;
  if (kept.askings.every(({ id }) => known.includes(id))) return null;
  const { askings, current, phase } = kept;
  return { type: "restore", askings, current: phase === "idle" ? null : current, phase };
}

/** Stores what the server has said. */
export function keep({ run, asking, phase }: LecturerState) {
  const kept = read();
  const others = (kept?.askings ?? []).filter(({ id }) => id !== asking?.id);
  const askings = asking ? [...others, asking] : others;
  store(KEY, { at: Date.now(), run, current: asking?.id ?? null, phase, askings });
}

export const forgetKept = () => localStorage.removeItem(KEY);

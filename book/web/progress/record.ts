// The progress record: by chapter, the ids of figures that were moved, questions that were answered
// (rightly or not) or revealed, observations that were made, and exercises that were solved.

export const KINDS = ["figure", "question", "shown", "observation", "exercise", "puzzle"] as const;
export type Kind = (typeof KINDS)[number];
/** The kinds shown to readers. A figure counts as tried by any of TRIED. */
export const COUNTED = ["figure", "question", "exercise", "puzzle"] as const;
const TRIED = ["figure", "question", "shown"] as const;
/** Chapter → kind → ids. */
export type ProgressRecord = Record<string, Partial<Record<Kind, string[]>>>;

const MAX_IDS = 200; // ids per kind: the book has fewer, so the rest is invalid

const isObject = (x: unknown): x is Record<string, unknown> =>
  typeof x === "object" && x !== null && !Array.isArray(x);

/** Parses a stored record, dropping all that is invalid. */
export function parseRecord(text: string | null): ProgressRecord {
  let stored: unknown;
  try {
    stored = JSON.parse(text ?? "{}");
  } catch {
    return {};
  }
  const found: ProgressRecord = {};
  for (const [chapter, done] of isObject(stored) ? Object.entries(stored) : []) {
    if (!/^\d\d-[\w-]{1,60}$/.test(chapter) || !isObject(done)) continue;
    found[chapter] = {};
    for (const kind of KINDS) {
      const ids = done[kind];
      if (!Array.isArray(ids)) continue;
      const ours = ids.filter((id) => typeof id === "string" && /^[\w-]{1,80}$/.test(id));
      found[chapter]![kind] = [...new Set<string>(ours)].slice(0, MAX_IDS);
    }
  }
  return found;
}

export const has = (record: ProgressRecord, chapter: string, kind: Kind, id: string): boolean =>
  record[chapter]?.[kind]?.includes(id) ?? false;

/** How many of these ids are done. */
export const count = (
  record: ProgressRecord,
  chapter: string,
  kind: (typeof COUNTED)[number],
  ids: readonly string[],
): number =>
  ids.filter((id) =>
    (kind === "figure" ? TRIED : [kind]).some((way) => has(record, chapter, way, id)),
  ).length;

export function add(
  record: ProgressRecord,
  chapter: string,
  kind: Kind,
  id: string,
): ProgressRecord {
  if (has(record, chapter, kind, id)) return record;
  const done = record[chapter] ?? {};
  return { ...record, [chapter]: { ...done, [kind]: [...(done[kind] ?? []), id] } };
}

/** Returns the union of two records. */
export function merge(one: ProgressRecord, other: ProgressRecord): ProgressRecord {
  let both = one;
  for (const [chapter, done] of Object.entries(other))
    for (const kind of KINDS)
      for (const id of done[kind] ?? []) both = add(both, chapter, kind, id);
  return both;
}

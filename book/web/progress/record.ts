// What a reader has done: by chapter, the ids of figures whose handle was moved, whose question was
// answered, rightly or not, or whose answer was shown instead, and of exercises that were solved.

export const KINDS = ["figure", "question", "shown", "exercise", "puzzle"] as const;
export type Kind = (typeof KINDS)[number];
/** What is counted. A figure was tried in any of the first three ways. */
export const COUNTED = ["figure", "question", "exercise", "puzzle"] as const;
const TRIED = ["figure", "question", "shown"] as const;
/** Chapter → kind → ids. */
export type Record_ = Record<string, Partial<Record<Kind, string[]>>>;

const MOST = 200; // ids of a kind: there are fewer, so more are none of ours

const isObject = (x: unknown): x is Record<string, unknown> =>
  typeof x === "object" && x !== null && !Array.isArray(x);

/** Takes of whatever was stored what can be a record. */
export function read(text: string | null): Record_ {
  let stored: unknown;
  try {
    stored = JSON.parse(text ?? "{}");
  } catch {
    return {};
  }
  const found: Record_ = {};
  for (const [chapter, done] of isObject(stored) ? Object.entries(stored) : []) {
    if (!/^\d\d-[\w-]{1,60}$/.test(chapter) || !isObject(done)) continue;
    found[chapter] = {};
    for (const kind of KINDS) {
      const ids = done[kind];
      if (!Array.isArray(ids)) continue;
      const ours = ids.filter((id) => typeof id === "string" && /^[\w-]{1,80}$/.test(id));
      found[chapter]![kind] = [...new Set<string>(ours)].slice(0, MOST);
    }
  }
  return found;
}

export const has = (record: Record_, chapter: string, kind: Kind, id: string): boolean =>
  record[chapter]?.[kind]?.includes(id) ?? false;

/** How many of these were done. */
export const count = (
  record: Record_,
  chapter: string,
  kind: (typeof COUNTED)[number],
  ids: readonly string[],
): number =>
  ids.filter((id) =>
    (kind === "figure" ? TRIED : [kind]).some((way) => has(record, chapter, way, id)),
  ).length;

export function add(record: Record_, chapter: string, kind: Kind, id: string): Record_ {
  if (has(record, chapter, kind, id)) return record;
  const done = record[chapter] ?? {};
  return { ...record, [chapter]: { ...done, [kind]: [...(done[kind] ?? []), id] } };
}

/** What either of two records holds. */
export function merge(one: Record_, other: Record_): Record_ {
  let both = one;
  for (const [chapter, done] of Object.entries(other))
    for (const kind of KINDS)
      for (const id of done[kind] ?? []) both = add(both, chapter, kind, id);
  return both;
}

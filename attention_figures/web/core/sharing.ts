// What stays the same when something changes: whoever draws a part of it can tell by the part itself.

/** `now`, with the arrays of `before` in the same places wherever they hold the same. */
export function shared<T>(now: T, before: unknown): T {
  if (!Array.isArray(now) || !Array.isArray(before)) return now;
  const parts = Array.isArray(now[0]) ? now.map((part, i) => shared(part, before[i])) : now;
  const same =
    parts.length === before.length && parts.every((part, i) => Object.is(part, before[i]));
  return (same ? before : parts) as T;
}

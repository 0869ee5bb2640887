// Structural sharing: unchanged sub-arrays keep their identity, so memoised views can skip them.

/** Returns `next`, with every sub-array replaced by that of `before` if the two are equal. */
export function shareUnchanged<T>(next: T, before: unknown): T {
  if (!Array.isArray(next) || !Array.isArray(before)) return next;
  const parts = Array.isArray(next[0])
    ? next.map((part, i) => shareUnchanged(part, before[i]))
    : next;
  const same =
    parts.length === before.length && parts.every((part, i) => Object.is(part, before[i]));
  return (same ? before : parts) as T;
}

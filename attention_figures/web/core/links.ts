// A state as a link: the fragment names the figure and says what differs from its start. It is a
// fragment, and no query, so that no server reads or shortens it.

export type Values = Record<string, unknown>;

const FRAGMENT = /^#figure-([a-z0-9-]+):(.*)$/;

/** A short mark of a text: FNV-1a, in 32 bits. */
export function markOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash >>> 0).toString(36);
}

/** Any JSON as letters, digits, "-" and "_". */
export function packed(content: unknown): string {
  const bytes = new TextEncoder().encode(JSON.stringify(content));
  const text = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  return text.replace(/=+$/, "").replaceAll("+", "-").replaceAll("/", "_");
}

/** What was packed; an error if nothing was. */
export function unpacked(text: string): unknown {
  const bytes = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  const codes = Uint8Array.from(bytes, (byte) => byte.charCodeAt(0));
  return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(codes));
}

/** The values that differ from those at the start. */
export function differences(now: Values, start: Values): Values {
  const differs = (name: string) => JSON.stringify(now[name]) !== JSON.stringify(start[name]);
  return Object.fromEntries(Object.entries(now).filter(([name]) => differs(name)));
}

/** What a fragment says about the figure of this name; null if it is about something else. */
export function saidOf(hash: string, name: string): string | null {
  const [, figure, text] = FRAGMENT.exec(hash.replace("%3A", ":")) ?? []; // as some write a colon
  return figure === name ? text : null;
}

/** What a link describes, or the word for what is wrong with it; `mark` is that of the start. */
export function describedBy(
  text: string,
  mark: string,
  start: Values,
): { wrong: string } | { changes: Values; hidden: boolean } {
  try {
    const [startThen, changes, hidden = false] = unpacked(text) as unknown[];
    if (startThen !== mark) return { wrong: "linkOld" };
    const known = (name: string) => Object.hasOwn(start, name);
    const good = Object(changes).constructor === Object && Object.keys(changes as {}).every(known);
    if (!good) return { wrong: "linkBroken" };
    return { changes: changes as Values, hidden: hidden === true };
  } catch {
    return { wrong: "linkBroken" };
  }
}

// Encodes a figure's state in the URL hash and decodes it: the hash names the figure and lists what
// differs from its initial state. Servers never see a hash, unlike a query.

export type Values = Record<string, unknown>;

const FRAGMENT = /^#figure-([a-z0-9-]+):(.*)$/;

/** Hashes a text with FNV-1a, 32 bits. */
export function fnv1a(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash >>> 0).toString(36);
}

/** Encodes JSON as base64url without padding: letters, digits, "-" and "_". */
export function encodeJson(content: unknown): string {
  const bytes = new TextEncoder().encode(JSON.stringify(content));
  const text = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  return text.replace(/=+$/, "").replaceAll("+", "-").replaceAll("/", "_");
}

/** Decodes what encodeJson returned; throws if the text is something else. */
export function decodeJson(text: string): unknown {
  const bytes = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  const codes = Uint8Array.from(bytes, (byte) => byte.charCodeAt(0));
  return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(codes));
}

/** Returns the values of `state` that differ from the initial ones. */
export function differences(state: Values, initial: Values): Values {
  const differs = (name: string) => JSON.stringify(state[name]) !== JSON.stringify(initial[name]);
  return Object.fromEntries(Object.entries(state).filter(([name]) => differs(name)));
}

const parts = (hash: string) => FRAGMENT.exec(hash.replace("%3A", ":")) ?? []; // some programs escape the colon

/** Returns the name of the figure whose state a URL hash holds. */
export const figureIn = (hash: string): string | undefined => parts(hash)[1];

/** Returns the encoded state in a URL hash; null if the hash does not name this figure. */
export function encodedStateIn(hash: string, name: string): string | null {
  const [, figure, text] = parts(hash);
  return figure === name ? text! : null;
}

/** Decodes a state, or returns the key of an error message. `fingerprint`: of the initial state. */
export function decodeState(
  text: string,
  fingerprint: string,
  initial: Values,
): { error: string } | { changes: Values; hidden: boolean } {
  try {
    const [fingerprintThen, changes, hidden = false] = decodeJson(text) as unknown[];
    if (fingerprintThen !== fingerprint) return { error: "linkOld" };
    const isKnown = (name: string) => Object.hasOwn(initial, name);
    const valid =
      Object(changes).constructor === Object && Object.keys(changes as {}).every(isKnown);
    if (!valid) return { error: "linkBroken" };
    return { changes: changes as Values, hidden: hidden === true };
  } catch {
    return { error: "linkBroken" };
  }
}

// Reads the address and the token of a reader's own Jupyter server, and asks the server whether they are right.
import type { Server } from "./server.ts";

/** What is wrong with what was typed: found before anything is sent. */
export type Slip = "empty" | "address" | "password" | "insecure" | "token";
/** How the server answers, or does not. */
export type Refusal = "missing" | "wrong" | "foreign" | "origin" | "silent";

const LOCAL = /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/;
const SCHEME = /^[a-z][a-z\d+.-]*:\/\//i;
// Paths of Jupyter's pages, which a copied address may end in; a JupyterHub puts a server below /user/NAME.
const PAGES =
  /^((?:\/.*)?\/user\/[^/]+)?(.*?)\/(?:lab|tree|notebooks|nbclassic|doc|edit|login|api)(?:\/.*)?$/;

const parse = (typed: string): URL | null => {
  if (SCHEME.test(typed)) return URL.canParse(typed) ? new URL(typed) : null;
  if (!URL.canParse(`http://${typed}`)) return null;
  const url = new URL(`http://${typed}`);
  return LOCAL.test(url.hostname) ? url : new URL(`https://${typed}`);
};

/** Moves the token out of an address such as Jupyter prints. */
export const splitToken = (typed: string): [address: string, token: string] => {
  const url = parse(typed.trim());
  const token = url?.searchParams.get("token");
  if (!url || !token) return [typed, ""];
  url.searchParams.delete("token");
  return [url.href, token];
};

/**
 * Returns the server that an address and a token mean, or what is wrong with them.
 * @param isSecure whether the page came through https
 */
export function readServer(
  typed: string,
  token: string,
  isSecure = location.protocol === "https:",
): Server | Slip {
  if (!typed.trim()) return "empty";
  const url = parse(typed.trim());
  if (!url || !/^https?:$/.test(url.protocol)) return "address";
  if (url.username || url.password) return "password";
  // From a page with encryption, browsers only reach this machine without it.
  if (isSecure && url.protocol === "http:" && !LOCAL.test(url.hostname)) return "insecure";
  const given = token.trim() || (url.searchParams.get("token") ?? "");
  if (!/^[\x21-\x7e]*$/.test(given)) return "token"; // no header may have it
  const path = url.pathname.replace(PAGES, "$1$2").replace(/\/*$/, "/");
  return { base: url.origin + path, token: given, by: "reader" };
}

/**
 * Asks a server for its kernels; returns why it refuses, or null if it gives them.
 *
 * Jupyter gives its version to every page that it lets in, but an answer that refuses a token to none. So the
 * first question, which has no token, tells the two apart; and the token is only sent to a server that knows
 * this page.
 */
export async function check({ base, token }: Server, signal: AbortSignal): Promise<Refusal | null> {
  const options: RequestInit = { credentials: "omit", cache: "no-store", signal };
  const ask = (path: string, more: RequestInit = {}) =>
    fetch(base + path, { ...options, ...more }).catch(() => {
      signal.throwIfAborted();
      return null;
    });
  const about = await ask("api");
  if (!about) return (await ask("api", { mode: "no-cors" })) ? "origin" : "silent";
  if (!((await answerOf(about)) as { version?: string } | null)?.version) return "foreign";
  const headers: HeadersInit = token ? { Authorization: `token ${token}` } : {};
  const kernels = await ask("api/kernels", { headers });
  if (!kernels || [401, 403].includes(kernels.status)) return token ? "wrong" : "missing";
  return Array.isArray(await answerOf(kernels)) ? null : "foreign";
}

const answerOf = async (response: Response): Promise<unknown> =>
  response.ok ? response.json().catch(() => null) : null;

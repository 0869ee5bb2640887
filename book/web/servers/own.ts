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

/** Asks a server for its kernels; returns why it refuses, or null if it gives them. */
export async function check({ base, token }: Server, signal: AbortSignal): Promise<Refusal | null> {
  const headers: HeadersInit = token ? { Authorization: `token ${token}` } : {};
  try {
    const options: RequestInit = { credentials: "omit", cache: "no-store", signal };
    const response = await fetch(`${base}api/kernels`, { ...options, headers });
    if (response.status === 401 || response.status === 403) return token ? "wrong" : "missing";
    const kernels: unknown = response.ok && (await response.json().catch(() => null));
    return Array.isArray(kernels) ? null : "foreign";
  } catch {
    signal.throwIfAborted();
    return (await answers(base, signal)) ? "origin" : "silent";
  }
}

/** Whether anything answers there: asked without the token, and without reading the answer. */
const answers = async (base: string, signal: AbortSignal) => {
  try {
    const options: RequestInit = { credentials: "omit", cache: "no-store", signal };
    await fetch(`${base}api`, { ...options, mode: "no-cors" });
    return true;
  } catch {
    signal.throwIfAborted();
    return false;
  }
};

// Names the Jupyter server that runs a page's code, and keeps the one that the reader has chosen.
// It is kept in sessionStorage: for this tab, over reloads and chapters, until the tab is closed.

export interface Server {
  /** Its base URL, with a slash at the end. */
  base: string;
  /** Sent to this server alone. */
  token: string;
  /** Who started it: what serves the page, Binder, or the reader. */
  by: "page" | "binder" | "reader";
}

const KEY = "server";

/** The server that the reader has chosen in this tab; null if there is none, or what is stored is not valid. */
export const keptServer = (): Server | null => {
  try {
    const { base, token, by } = JSON.parse(sessionStorage.getItem(KEY) ?? "") as Server;
    const { protocol } = new URL(base);
    const isValid = /^https?:$/.test(protocol) && base.endsWith("/") && typeof token === "string";
    return isValid ? { base, token, by: by === "binder" ? by : "reader" } : null;
  } catch {
    return null;
  }
};

export const keepServer = (server: Server) => sessionStorage.setItem(KEY, JSON.stringify(server));

export const forgetServer = () => sessionStorage.removeItem(KEY);

/** What readers know it by: its host, with the port. */
export const hostOf = (address: string) => new URL(address, location.href).host;

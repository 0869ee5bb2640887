// Finds the server that runs the code of a published page: the one kept for this tab, or one that the reader
// chooses in a panel below the cell. Until then no other host is contacted.
import { h, render } from "preact";
import { Choice } from "../servers/choice.tsx";
import { hostOf, keepServer, keptServer, type Server } from "../servers/server.ts";
import { t } from "../strings/servers.ts";

interface Choosing {
  panel: HTMLElement;
  server: Promise<Server | null>;
}

let choosing: Choosing | null = null;

/**
 * Returns the server; null if the reader chooses none.
 * @param bar the bar of the cell that needs it; null: do not ask
 */
export const findServer = async (bar: HTMLElement | null): Promise<Server | null> => {
  const kept = keptServer();
  if (kept || !bar) return kept;
  await styled;
  if (choosing)
    bar.after(choosing.panel); // the reader has pressed Run at another cell
  else choosing = choose(bar);
  choosing.panel.scrollIntoView({ block: "nearest" });
  return choosing.server;
};

const choose = (bar: HTMLElement): Choosing => {
  const panel = document.createElement("div");
  const { builds: api = "", project = "" } = document.documentElement.dataset;
  bar.after(panel);
  const server = new Promise<Server | null>((resolve) => {
    const settle = (server: Server | null) => {
      const hadFocus = panel.contains(document.activeElement);
      const run = panel.previousElementSibling?.querySelector<HTMLElement>("[data-run]");
      render(null, panel);
      panel.remove();
      choosing = null;
      if (hadFocus) run?.focus({ preventScroll: true });
      if (server) keepServer(server);
      resolve(server);
    };
    render(h(Choice, { api, project, settle }), panel);
  });
  return { panel, server };
};

/**
 * Says above the code which server is used, with a button for leaving it; returns what removes that.
 * @param leave is called when the reader presses the button
 */
export const showUse = ({ by, base }: Server, leave: () => void) => {
  const hint = document.querySelector(".no-kernel:not(.closed)");
  const used = document.createElement("p");
  used.className = "server-used";
  const button = document.createElement("button");
  button.type = "button";
  button.dataset.disconnect = "";
  button.textContent = t("disconnect");
  button.onclick = () => {
    hint?.closest(".cell")?.querySelector<HTMLElement>("[data-run]")?.focus();
    leave();
  };
  used.append(`${t(by === "binder" ? "usesBinder" : "usesOwn", { host: hostOf(base) })} `, button);
  hint?.prepend(used);
  return () => used.remove();
};

/** Loads servers.css. */
const styled = new Promise<void>((resolve) => {
  const sheet = document.createElement("link");
  sheet.rel = "stylesheet";
  sheet.href = new URL("servers.css", import.meta.url).href;
  sheet.onload = sheet.onerror = () => resolve();
  document.head.append(sheet);
});

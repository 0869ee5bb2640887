// @ts-check
// What must be settled before the first paint, and before any other script.
"use strict";

// A page may find its storage closed, on file:// or in a private window: then it forgets, but works.
for (const name of /** @type {const} */ (["localStorage", "sessionStorage"])) {
  try {
    window[name].getItem("");
  } catch {
    /** @type {Map<string, string>} */
    const kept = new Map();
    /** @type {Pick<Storage, "getItem" | "setItem" | "removeItem">} */
    const value = {
      getItem: (key) => kept.get(key) ?? null,
      setItem: (key, text) => void kept.set(key, text),
      removeItem: (key) => void kept.delete(key),
    };
    Object.defineProperty(window, name, { value });
  }
}

// The page is light without JavaScript; here it takes the reader's choice, or else the system's.
{
  const page = document.documentElement.dataset;
  const system = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  page.mode = localStorage.getItem("mode") ?? "auto";
  let onScreen = page.mode === "auto" ? system : page.mode;
  page.theme = onScreen;

  // Paper is always light.
  addEventListener("beforeprint", () => {
    onScreen = page.theme ?? onScreen;
    page.theme = "light";
  });
  addEventListener("afterprint", () => {
    page.theme = onScreen;
  });
}

// A script or style sheet that does not load leaves a sentence: failures.py.
addEventListener(
  "error",
  ({ target }) => {
    if (!(target instanceof HTMLElement) || !target.dataset.failed) return;
    const { part, where, failed } = target.dataset;
    const page = document.documentElement.dataset;
    page.failed = `${page.failed ?? ""} ${part}`;
    const tell = () => {
      for (const place of document.querySelectorAll(where ?? "article")) {
        const said = [...place.querySelectorAll(":scope > .not-loaded")];
        if (said.some(({ textContent }) => textContent === failed)) continue;
        const sentence = document.createElement("p");
        sentence.className = "not-loaded";
        sentence.setAttribute("role", "status");
        sentence.textContent = failed;
        place.prepend(sentence);
      }
    };
    if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", tell);
    else tell();
  },
  true,
);

// What must be settled before the first paint, and before any other script: each page has it inline.
import { guardStorages } from "../storage.ts";

guardStorages();

const page = document.documentElement.dataset;

// The page is light without JavaScript; here it takes the reader's choice, or else the system's.
const system = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
const chosen = localStorage.getItem("mode");
page.mode = chosen === "light" || chosen === "dark" ? chosen : "auto";
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

// A script or style sheet that does not load leaves a sentence: failures.py.
addEventListener(
  "error",
  ({ target }) => {
    if (!(target instanceof HTMLElement) || !target.dataset.failed) return;
    const { part, where, failed } = target.dataset;
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

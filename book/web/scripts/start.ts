// Sets up storage, the theme and error messages before the first paint; inlined into each page.
import { guardStorages } from "../storage.ts";

guardStorages();

const page = document.documentElement.dataset;

// The page is light without JavaScript; here it gets the reader's theme, or the system's.
const system = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
const chosen = localStorage.getItem("mode");
page.mode = chosen === "light" || chosen === "dark" ? chosen : "auto";
let theme = page.mode === "auto" ? system : page.mode;
page.theme = theme;

// Always print in the light theme.
addEventListener("beforeprint", () => {
  theme = page.theme ?? theme;
  page.theme = "light";
});
addEventListener("afterprint", () => {
  page.theme = theme;
});

// Show an error message for a script or style sheet that does not load (failures.py).
addEventListener(
  "error",
  ({ target }) => {
    if (!(target instanceof HTMLElement) || !target.dataset.failed) return;
    const { part, where, failed } = target.dataset;
    page.failed = `${page.failed ?? ""} ${part}`;
    const showMessage = () => {
      for (const place of document.querySelectorAll(where ?? "article")) {
        const messages = [...place.querySelectorAll(":scope > .not-loaded")];
        if (messages.some(({ textContent }) => textContent === failed)) continue;
        const sentence = document.createElement("p");
        sentence.className = "not-loaded";
        sentence.setAttribute("role", "status");
        sentence.textContent = failed;
        place.prepend(sentence);
      }
    };
    if (document.readyState === "loading")
      document.addEventListener("DOMContentLoaded", showMessage);
    else showMessage();
  },
  true,
);

// @ts-check
// What must be settled before the first paint, and before any other script.
"use strict";

// A page may find its storage closed, on file:// or in a private window: then it forgets, but works.
for (const name of ["localStorage", "sessionStorage"]) {
  try {
    window[name].getItem("");
  } catch {
    const kept = new Map();
    const value = {
      getItem: (key) => kept.get(key) ?? null,
      setItem: (key, text) => kept.set(key, text),
      removeItem: (key) => kept.delete(key),
    };
    Object.defineProperty(window, name, { value });
  }
}

// The page is light without JavaScript; here it takes the reader's choice, or else the system's.
{
  const page = document.documentElement.dataset;
  const system = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  page.mode = localStorage.getItem("mode") ?? "auto";
  page.theme = page.mode === "auto" ? system : page.mode;

  // Paper is always light.
  let onScreen = page.theme;
  addEventListener("beforeprint", () => {
    onScreen = page.theme;
    page.theme = "light";
  });
  addEventListener("afterprint", () => {
    page.theme = onScreen;
  });
}

// @ts-check
// A button that copies a text, and says so.
import { element } from "./dom.js";

/**
 * Where the clipboard is closed, the text stands below the button, selected.
 * @param {{ name: string, label: string, text: () => string,
 *   words: import("./controls.js").Words }} options text: of the moment
 */
export function copyButton({ name, label, text, words }) {
  const said = element("span", { role: "status" });
  const field = element("textarea", { readonly: true, hidden: true, rows: 4, "aria-label": label });
  const button = element(
    "button",
    {
      type: "button",
      "data-control": name,
      click: async () => {
        said.textContent = ""; // so that the same words are said again
        field.value = text();
        field.hidden = await couldCopy(field.value);
        field.focus();
        field.select();
        said.textContent = words(field.hidden ? "copied" : "copyByHand");
      },
      blur: () => {
        said.textContent = "";
      },
    },
    label,
  );
  return element("div", { class: "copying" }, button, said, field);
}

/** @param {string} text */
async function couldCopy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false; // refused, or no clipboard at all where the page is not secure
  }
}

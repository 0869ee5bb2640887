// Shows a text field among a cell's outputs for Python's `input()`.
import { strings } from "../strings/cells.ts";

/** Resolves with the line once Enter is pressed, and restores the focus. */
export const promptFor = (place: HTMLElement, prompt: string, isSecret: boolean) =>
  new Promise<string>((resolve) => {
    const form = document.createElement("form");
    const field = document.createElement("input");
    const label = document.createElement("label");
    const before = document.activeElement;
    form.dataset.prompt = "";
    field.type = isSecret ? "password" : "text";
    field.autocomplete = "off";
    field.spellcheck = false;
    field.setAttribute("aria-label", `${prompt} ${strings.input}`.trim());
    label.append(prompt, field);
    form.append(label);
    form.onsubmit = (event) => {
      event.preventDefault();
      const hadFocus = form.contains(document.activeElement);
      resolve(field.value);
      if (hadFocus && before instanceof HTMLElement) before.focus({ preventScroll: true });
    };
    place.replaceChildren(form);
    const cell = place.closest(".cell");
    if (!before || before === document.body || cell?.contains(before)) field.focus();
  });

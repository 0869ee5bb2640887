// @ts-check
// The search fields: the dialog's, and that of a search page. What finds is loaded at first use.
"use strict";

{
  const here = /** @type {HTMLScriptElement} */ (document.currentScript).src;
  const state = document.documentElement.dataset;

  /** A panel says what went wrong once nobody waits for it. @param {HTMLFormElement} form */
  const fail = (form) => {
    state.search = "failed";
    form.nextElementSibling?.removeAttribute("aria-busy");
  };

  /** @param {HTMLFormElement} form */
  const start = async (form) => {
    if (location.protocol === "file:") {
      state.search = "closed"; // browsers refuse to read the index from there
      return;
    }
    form.nextElementSibling?.setAttribute("aria-busy", "true");
    try {
      const { attach } = await import(new URL("search_results.js", here).href);
      await attach(form, () => fail(form));
    } catch {
      fail(form);
    }
  };

  /** @param {HTMLElement} dialog @param {HTMLInputElement} field */
  const closeAsADialog = (dialog, field) => {
    /** @type {EventTarget | null} */
    let opener = null;
    const close = () => dialog.classList.remove("show");
    field.addEventListener("focus", ({ relatedTarget }) => {
      if (!(relatedTarget instanceof Node && dialog.contains(relatedTarget)))
        opener = relatedTarget;
    });
    dialog.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || event.isComposing) return;
      event.preventDefault(); // it would empty the field
      event.stopPropagation();
      close();
      if (opener instanceof HTMLElement) opener.focus();
    });
    dialog.addEventListener("focusout", ({ relatedTarget }) => {
      if (relatedTarget instanceof Node && !dialog.contains(relatedTarget)) close();
    });
    dialog.addEventListener("click", ({ target }) => {
      if (target instanceof Element && target.closest("a")) close(); // it may lead to this page
    });
  };

  /** @type {NodeListOf<HTMLFormElement>} */
  const forms = document.querySelectorAll("form.bd-search");
  for (const form of forms) {
    const field = /** @type {HTMLInputElement} */ (form.elements.namedItem("q"));
    const dialog = /** @type {HTMLElement | null} */ (form.closest(".search-button__wrapper"));
    field.addEventListener("focus", () => start(form), { once: true });
    field.addEventListener("compositionstart", () => form.setAttribute("data-composing", ""));
    field.addEventListener("compositionend", () => form.removeAttribute("data-composing"));
    if (dialog) closeAsADialog(dialog, field);
    else {
      field.value = new URLSearchParams(location.search).get("q") ?? "";
      field.focus();
    }
  }
}

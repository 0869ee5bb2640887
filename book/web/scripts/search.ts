// Sets up the search fields, in the dialog and on search pages. The search itself is loaded on first use.

const scriptUrl = (document.currentScript as HTMLScriptElement).src;
const state = document.documentElement.dataset;

/** Shows the error message of a panel. */
const fail = (form: HTMLFormElement) => {
  state.search = "failed";
  form.nextElementSibling?.removeAttribute("aria-busy");
};

const start = async (form: HTMLFormElement) => {
  if (location.protocol === "file:") {
    state.search = "closed"; // browsers cannot fetch the index from file://
    return;
  }
  form.nextElementSibling?.setAttribute("aria-busy", "true");
  try {
    const { attach } = await import(new URL("modules/search_results.js", scriptUrl).href);
    await attach(form, () => fail(form));
  } catch {
    fail(form);
  }
};

const makeClosable = (dialog: HTMLElement, field: HTMLInputElement) => {
  let opener: EventTarget | null = null;
  const close = () => dialog.classList.remove("show");
  field.addEventListener("focus", ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Node && dialog.contains(relatedTarget))) opener = relatedTarget;
  });
  dialog.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.isComposing) return;
    event.preventDefault(); // Escape would clear the field
    event.stopPropagation();
    close();
    if (opener instanceof HTMLElement) opener.focus();
  });
  dialog.addEventListener("focusout", ({ relatedTarget }) => {
    if (relatedTarget instanceof Node && !dialog.contains(relatedTarget)) close();
  });
  dialog.addEventListener("click", ({ target }) => {
    if (target instanceof Element && target.closest("a")) close(); // the link may lead to this page
  });
};

for (const form of document.querySelectorAll<HTMLFormElement>("form.bd-search")) {
  const field = form.elements.namedItem("q") as HTMLInputElement;
  const dialog = form.closest<HTMLElement>(".search-button__wrapper");
  field.addEventListener("focus", () => start(form), { once: true });
  field.addEventListener("compositionstart", () => form.setAttribute("data-composing", ""));
  field.addEventListener("compositionend", () => form.removeAttribute("data-composing"));
  if (dialog) makeClosable(dialog, field);
  else {
    field.value = new URLSearchParams(location.search).get("q") ?? "";
    field.focus();
    field.addEventListener("keydown", () => {
      if (document.activeElement === field) return;
      field.select(); // the theme's Ctrl+K has taken the focus away
      field.focus();
    });
  }
}

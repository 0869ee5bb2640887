// @ts-check
// Which language: the root page goes to the reader's, the switch keeps the place on the page.
"use strict";

{
  const script = /** @type {HTMLScriptElement} */ (document.currentScript);

  /** @param {string} language */
  const code = (language) => language.slice(0, 2).toLowerCase();

  const goToReadersLanguage = () => {
    const chosen = localStorage.getItem("language") ?? "";
    /** @type {NodeListOf<HTMLLinkElement>} */
    const links = document.querySelectorAll("link[rel=alternate]");
    const pages = new Map([...links].map((link) => [code(link.hreflang), link.href]));
    const language = [chosen, ...navigator.languages].map(code).find((wanted) => pages.has(wanted));
    location.replace(pages.get(language ?? "en") ?? "");
  };

  const own = code(document.documentElement.lang);

  /** The id of the last section or figure that begins at or above the top of what is visible. */
  const place = () => {
    const marks = document.querySelectorAll(`article [id^="${own}-"], article [id^="figure-"]`);
    const top = parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop);
    const passed = [...marks].filter(
      (mark) => mark.getClientRects().length && mark.getBoundingClientRect().top < top + 8,
    );
    const id = passed.at(-1)?.id ?? "";
    // The state of a figure comes along: it is the same in both languages.
    return location.hash.startsWith(`#${id}:`) ? location.hash.slice(1) : id;
  };

  /** @param {Event} event */
  const follow = (event) => {
    const link = event.target instanceof Element && event.target.closest("a[hreflang]");
    if (!(link instanceof HTMLAnchorElement)) return;
    localStorage.setItem("language", link.hreflang);
    link.hash = place().replace(RegExp(`^${own}-`), `${code(link.hreflang)}-`);
  };

  if ("choose" in script.dataset) goToReadersLanguage();
  for (const event of ["click", "auxclick"]) document.addEventListener(event, follow);
}

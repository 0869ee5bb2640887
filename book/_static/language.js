// @ts-check
// Which language: the root page goes to the reader's, the switch keeps the place on the page.
"use strict";

(() => {
  const script = /** @type {HTMLScriptElement} */ (document.currentScript);
  const key = "language";

  /** @param {string} language */
  const family = (language) => language.slice(0, 2).toLowerCase();

  // Storage may be closed to a page, on file:// for one.
  const remembered = () => {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  };

  /** @param {string} language */
  const remember = (language) => {
    try {
      localStorage.setItem(key, language);
    } catch {
      // Then the reader chooses again next time.
    }
  };

  /** @returns {void} */
  const goToReadersLanguage = () => {
    const wanted = [remembered() ?? "", ...navigator.languages, "en"].map(family);
    /** @type {HTMLLinkElement[]} */
    const offered = [...document.querySelectorAll("link[rel=alternate]:not([hreflang=x-default])")];
    const language = wanted.find((code) => offered.some((link) => family(link.hreflang) === code));
    const page = offered.find((link) => family(link.hreflang) === language);
    if (page) location.replace(page.href);
  };

  /** The id of the last section or figure that begins at or above the top of what is visible. */
  const place = () => {
    const page = family(document.documentElement.lang);
    const marks = document.querySelectorAll(`article [id^="${page}-"], article [id^="figure-"]`);
    const top = parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) || 0;
    const passed = [...marks].filter(
      (mark) => mark.getClientRects().length && mark.getBoundingClientRect().top <= top + 8,
    );
    return passed.at(-1)?.id ?? "";
  };

  /** @param {Event} event */
  const follow = (event) => {
    const link = event.target instanceof Element && event.target.closest("a[hreflang]");
    if (!(link instanceof HTMLAnchorElement)) return;
    remember(link.hreflang);
    const from = `${family(document.documentElement.lang)}-`;
    const to = `${family(link.hreflang)}-`;
    link.hash = place().replace(new RegExp(`^${from}`), to);
  };

  if ("choose" in script.dataset) goToReadersLanguage();
  for (const event of ["click", "auxclick"]) document.addEventListener(event, follow);
})();

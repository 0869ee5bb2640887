// Redirects the root page to the reader's language; the language switch keeps the scroll position.

const { dataset } = document.currentScript as HTMLScriptElement;

const code = (language: string) => language.slice(0, 2).toLowerCase();

/** `pages` has the front page of each language. */
const goToReadersLanguage = (pages: Record<string, string>) => {
  const preferred = [localStorage.getItem("language") ?? "", ...navigator.languages].map(code);
  const language = preferred.find((candidate) => Object.hasOwn(pages, candidate)) ?? "en";
  location.replace(pages[language] ?? "");
};

const own = code(document.documentElement.lang);

/** The id of the last section or figure that begins at or above the top of the viewport. */
const currentHash = () => {
  const marks = document.querySelectorAll(`article [id^="${own}-"], article [id^="figure-"]`);
  const top = parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop);
  const passed = [...marks].filter(
    (mark) => mark.getClientRects().length && mark.getBoundingClientRect().top < top + 8,
  );
  const id = passed.at(-1)?.id ?? "";
  // Keep a figure's state in the hash: it is valid in both languages.
  return location.hash.startsWith(`#${id}:`) ? location.hash.slice(1) : id;
};

const keepPosition = ({ target }: Event) => {
  const link = target instanceof Element && target.closest<HTMLAnchorElement>("a[hreflang]");
  if (!link) return;
  localStorage.setItem("language", link.hreflang);
  link.hash = currentHash().replace(RegExp(`^${own}-`), `${code(link.hreflang)}-`);
};

if (dataset.choose) goToReadersLanguage(JSON.parse(dataset.choose));
for (const event of ["click", "auxclick"]) document.addEventListener(event, keepPosition);

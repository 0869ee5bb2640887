// Shows search results while a reader types, in the language of the page.
import { normalised } from "../search/normalise.ts";
import { matchedShare, best, hasChinese, inOrder, pieces, tokens } from "../search/ranking.ts";
import type { Found, FoundPage, Section } from "../search/ranking.ts";

interface Index {
  search(query: string, options: object): Promise<Found>;
}

const PAGES = 5; // in the dialog; a search page shows all
const AHEAD = 15; // pages that are ranked to choose them
const SECTIONS = 3;
const DEBOUNCE = 120; // ms without a key before we search

const filled = (sentence: string | undefined, what: string | number) =>
  (sentence ?? "").replace("{}", () => String(what));

const element = (name: string, ...content: (Node | string)[]) => {
  const made = document.createElement(name);
  made.append(...content);
  return made;
};

const link = (href: string, textContent: string) =>
  Object.assign(document.createElement("a"), { href, textContent });

const plain = (text: string) =>
  pieces(text)
    .map((piece) => piece.text)
    .join("");

const excerpt = (section: Section, query: string) => {
  const marks = pieces(section.excerpt, query);
  return element("p", ...marks.map((p) => (p.marked ? element("mark", p.text) : p.text)));
};

/** The title of a page; of a chapter with its number. */
const titleOf = ({ url, meta }: FoundPage) => {
  const [, number] = /\/0?(\d+)-[^/]*$/.exec(url) ?? [];
  return (number ? `${number} · ` : "") + plain(meta.title);
};

const entry = (page: FoundPage, query: string) => {
  const made = element("li", link(page.url, titleOf(page)));
  const list = element("ul");
  for (const section of best(page, query, SECTIONS)) {
    const found = excerpt(section, query);
    // the opening of a page, under its title, is not listed as a section
    if (section.title === page.meta.title) made.append(found);
    else list.append(element("li", link(section.url, plain(section.title)), found));
  }
  if (list.hasChildNodes()) made.append(list);
  return made;
};

/**
 * Opens the index. Pagefind reads `lang` from the page and would segment Chinese queries by a
 * dictionary; ours are already split into pairs.
 */
const open = async (language: string): Promise<Index> => {
  const site = new URL("../../", import.meta.url);
  const { createInstance } = await import(new URL("pagefind/pagefind.js", site).href);
  const page = document.documentElement;
  const { lang } = page;
  page.lang = "en";
  try {
    // each Chinese pair in the index adds one character to an excerpt
    const excerptLength = language === "zh" ? 60 : 30;
    return createInstance({ baseUrl: site.pathname, excerptLength, noWorker: true });
  } finally {
    page.lang = lang;
  }
};

const CHINESE = { language: "zh" }; // a filter of the index
const NOTHING = { here: 0, elsewhere: 0, pages: [] };

/** Returns the number of pages in this language and in the other, and the best pages of this one. */
const find = async (index: Index, query: string, language: string, limit?: number) => {
  if (!query) return NOTHING;
  const [all, ours] = await Promise.all(
    [{}, language === "zh" ? CHINESE : { not: CHINESE }].map((filters) =>
      index.search(tokens(query), { filters }),
    ),
  );
  const ahead = ours.results.slice(0, limit && AHEAD);
  const pages = await Promise.all(ahead.map((result) => result.data()));
  const first = pages[0] ?? (await all.results[0]?.data());
  if (!first || matchedShare(first, query)(first.locations) < 1) return NOTHING;
  const here = ours.results.length;
  const found = inOrder(pages, query).slice(0, limit);
  return { here, elsewhere: all.results.length - here, pages: found };
};

const inDialog = (form: HTMLFormElement) => form.closest(".search-button__wrapper") !== null;

const searchUrl = (page: string, query: string) => `${page}?q=${encodeURIComponent(query)}`;

/** Creates a function that searches for a field's value and renders the results into the panel. */
const createSearch = (form: HTMLFormElement, field: HTMLInputElement, panel: HTMLElement) => {
  const { language = "", otherPage = "", ...messages } = panel.dataset;
  const limit = inDialog(form) ? PAGES : undefined;
  const index = open(language);
  const [count, list, more] = [".search-count", ".search-pages", ".search-more"].map((name) =>
    panel.querySelector(name)!,
  );
  let latest = "";
  return async () => {
    const query = field.value.trim();
    latest = query;
    const normalisedQuery = await normalised(query);
    const { here, elsewhere, pages } = await find(await index, normalisedQuery, language, limit);
    if (query !== latest) return; // superseded by a later query
    panel.ariaBusy = String(query !== field.value.trim());
    const sentence = here > 1 ? messages.many : here ? messages.one : query && messages.none;
    count.textContent = filled(sentence, here || query);
    list.replaceChildren(...pages.map((page) => entry(page, normalisedQuery)));
    more.replaceChildren();
    if (here > pages.length)
      more.append(link(searchUrl(form.action, query), filled(messages.all, here)));
    // offer the other language if the query is in it, or has no results in this one
    const isForeign = hasChinese(query) !== (language === "zh");
    const message = elsewhere > 1 ? messages.elsewhere : messages.elsewhereOne;
    if (elsewhere && (isForeign || !here))
      more.append(link(searchUrl(otherPage, query), filled(message, elsewhere)));
  };
};

const handleArrowKeys = (field: HTMLElement, panel: HTMLElement) => {
  const moveFocus = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Escape") field.focus();
    if (!step || event.isComposing) return;
    const stops = [field, ...panel.querySelectorAll("a")];
    const next = stops[stops.indexOf(document.activeElement as HTMLElement) + step];
    event.preventDefault();
    next?.focus();
  };
  for (const place of [field, panel]) place.addEventListener("keydown", moveFocus);
};

/** Attaches the search to a field and the panel after it. */
export async function attach(form: HTMLFormElement, fail: () => void) {
  const field = form.elements.namedItem("q") as HTMLInputElement;
  const panel = form.nextElementSibling as HTMLElement;
  const search = createSearch(form, field, panel);
  const searchOrFail = () => search().catch(fail);
  let timer: number;
  field.addEventListener("input", (event) => {
    clearTimeout(timer);
    panel.ariaBusy = "true";
    // an unfinished IME composition is not a query
    if (!(event instanceof InputEvent && event.isComposing))
      timer = setTimeout(searchOrFail, DEBOUNCE);
  });
  field.addEventListener("compositionend", searchOrFail);
  handleArrowKeys(field, panel);
  if (inDialog(form)) openSearchPage(form, field);
  else keepQueryInUrl(form, field, searchOrFail);
  if (!form.hasAttribute("data-composing")) await search(); // the reader may have typed before this script loaded
}

/** In the dialog, lets Enter open the search page: by a link, because `make serve` forbids all forms. */
const openSearchPage = (form: HTMLFormElement, field: HTMLInputElement) =>
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    location.href = searchUrl(form.action, field.value.trim());
  });

/** On a search page, keeps the query in the URL and in the link to the other language. */
const keepQueryInUrl = (form: HTMLFormElement, field: HTMLInputElement, search: () => void) => {
  const update = () => {
    const query = searchUrl("", field.value.trim());
    history.replaceState(null, "", query);
    for (const other of document.querySelectorAll<HTMLAnchorElement>("a.language-switch"))
      other.search = query;
  };
  field.addEventListener("input", update);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    search();
  });
  update();
};

// What a search field finds while a reader types, in the language of the page.
import { folded } from "../search/folded.ts";
import { answered, best, hasChinese, inOrder, pieces, terms } from "../search/words.ts";
import type { Found, FoundPage, Section } from "../search/words.ts";

interface Index {
  search(terms: string, options: object): Promise<Found>;
}

const PAGES = 5; // in the dialog; a search page shows all
const AHEAD = 15; // pages among which those are chosen
const SECTIONS = 3;
const PAUSE = 120; // ms without a key, after which we look

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

const entry = (page: FoundPage, query: string) => {
  const made = element("li", link(page.url, plain(page.meta.title)));
  const list = element("ul");
  for (const section of best(page, query, SECTIONS)) {
    const found = excerpt(section, query);
    // the beginning of a page, under its title, is no section of its own
    if (section.title === page.meta.title) made.append(found);
    else list.append(element("li", link(section.url, plain(section.title)), found));
  }
  if (list.hasChildNodes()) made.append(list);
  return made;
};

/**
 * Opens the index. Pagefind asks the page for its language, and would cut Chinese queries by a
 * dictionary; ours are cut already.
 */
const open = async (language: string): Promise<Index> => {
  const site = new URL("../../", import.meta.url);
  const { createInstance } = await import(new URL("pagefind/pagefind.js", site).href);
  const page = document.documentElement;
  const { lang } = page;
  page.lang = "en";
  try {
    // a Chinese word of the index shows one character
    const excerptLength = language === "zh" ? 60 : 30;
    return createInstance({ baseUrl: site.pathname, excerptLength, noWorker: true });
  } finally {
    page.lang = lang;
  }
};

const CHINESE = { language: "zh" }; // what the index marks
const NOTHING = { here: 0, elsewhere: 0, pages: [] };

/** What a query finds: how many pages in this language and in the other, and the best of ours. */
const find = async (index: Index, query: string, language: string, most?: number) => {
  if (!query) return NOTHING;
  const [all, ours] = await Promise.all(
    [{}, language === "zh" ? CHINESE : { not: CHINESE }].map((filters) =>
      index.search(terms(query), { filters }),
    ),
  );
  const ahead = ours.results.slice(0, most && AHEAD);
  const pages = await Promise.all(ahead.map((result) => result.data()));
  const first = pages[0] ?? (await all.results[0]?.data());
  if (!first || answered(first, query)(first.locations) < 1) return NOTHING;
  const here = ours.results.length;
  const found = inOrder(pages, query).slice(0, most);
  return { here, elsewhere: all.results.length - here, pages: found };
};

const inDialog = (form: HTMLFormElement) => form.closest(".search-button__wrapper") !== null;

const address = (page: string, query: string) => `${page}?q=${encodeURIComponent(query)}`;

/** A search from a field into the panel that follows it. */
const finder = (form: HTMLFormElement, field: HTMLInputElement, panel: HTMLElement) => {
  const { language = "", otherPage = "", ...says } = panel.dataset;
  const most = inDialog(form) ? PAGES : undefined;
  const index = open(language);
  const [count, list, more] = [".search-count", ".search-pages", ".search-more"].map((name) =>
    panel.querySelector(name)!,
  );
  let latest = "";
  return async () => {
    const query = field.value.trim();
    latest = query;
    const asked = await folded(query);
    const { here, elsewhere, pages } = await find(await index, asked, language, most);
    if (query !== latest) return; // a later one was quicker
    panel.ariaBusy = String(query !== field.value.trim());
    const sentence = here > 1 ? says.many : here ? says.one : query && says.none;
    count.textContent = filled(sentence, here || query);
    list.replaceChildren(...pages.map((page) => entry(page, asked)));
    more.replaceChildren();
    if (here > pages.length) more.append(link(address(form.action, query), filled(says.all, here)));
    // pages in the other language if the query is in it, or finds nothing in this one
    const isForeign = hasChinese(query) !== (language === "zh");
    const words = elsewhere > 1 ? says.elsewhere : says.elsewhereOne;
    if (elsewhere && (isForeign || !here))
      more.append(link(address(otherPage, query), filled(words, elsewhere)));
  };
};

const goByArrows = (field: HTMLElement, panel: HTMLElement) => {
  const go = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Escape") field.focus();
    if (!step || event.isComposing) return;
    const stops = [field, ...panel.querySelectorAll("a")];
    const next = stops[stops.indexOf(document.activeElement as HTMLElement) + step];
    event.preventDefault();
    next?.focus();
  };
  for (const place of [field, panel]) place.addEventListener("keydown", go);
};

/** Brings a search field alive, and the panel that follows it. */
export async function attach(form: HTMLFormElement, fail: () => void) {
  const field = form.elements.namedItem("q") as HTMLInputElement;
  const panel = form.nextElementSibling as HTMLElement;
  const look = finder(form, field, panel);
  const lookOrSay = () => look().catch(fail);
  let timer: number;
  field.addEventListener("input", (event) => {
    clearTimeout(timer);
    panel.ariaBusy = "true";
    // letters on their way to being characters are no query yet
    if (!(event instanceof InputEvent && event.isComposing)) timer = setTimeout(lookOrSay, PAUSE);
  });
  field.addEventListener("compositionend", lookOrSay);
  goByArrows(field, panel);
  if (!inDialog(form)) keepInAddress(form, field, lookOrSay);
  if (!form.hasAttribute("data-composing")) await look(); // as somebody may be already
}

/** On a search page the address keeps the query, and the language switch takes it along. */
const keepInAddress = (form: HTMLFormElement, field: HTMLInputElement, look: () => void) => {
  const keep = () => {
    const query = address("", field.value.trim());
    history.replaceState(null, "", query);
    for (const other of document.querySelectorAll<HTMLAnchorElement>("a.language-switch"))
      other.search = query;
  };
  field.addEventListener("input", keep);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    look();
  });
  keep();
};

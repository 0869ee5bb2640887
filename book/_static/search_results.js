// @ts-check
// What a search field finds while a reader types, in the language of the page.
import { answered, best, pieces, terms } from "./search_words.js";

/** @import { Found, FoundPage, Section } from "./search_words.js" */
/** @typedef {{ search(terms: string, options: object): Promise<Found> }} Index */

const PAGES = 5; // in the dialog; a search page shows all
const SECTIONS = 3;
const PAUSE = 120; // ms without a key, after which we look

/** @param {string | undefined} sentence @param {string | number} what */
const filled = (sentence, what) => (sentence ?? "").replace("{}", () => String(what));

/** @param {string} name @param {...(Node | string)} content */
const element = (name, ...content) => {
  const made = document.createElement(name);
  made.append(...content);
  return made;
};

/** @param {string} url @param {string} text */
const link = (url, text) =>
  Object.assign(document.createElement("a"), { href: url, textContent: text });

/** @param {string} text */
const plain = (text) =>
  pieces(text)
    .map((piece) => piece.text)
    .join("");

/** @param {Section} section @param {string} query */
const excerpt = (section, query) => {
  const marks = pieces(section.excerpt, query);
  return element("p", ...marks.map((p) => (p.marked ? element("mark", p.text) : p.text)));
};

/** @param {FoundPage} page @param {string} query */
const entry = (page, query) => {
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
 * Open the index. Pagefind asks the page for its language, and would cut Chinese queries by a
 * dictionary; ours are cut already.
 * @param {string} language
 * @returns {Promise<Index>}
 */
const open = async (language) => {
  const { createInstance } = await import(new URL("../pagefind/pagefind.js", import.meta.url).href);
  const page = document.documentElement;
  const { lang } = page;
  page.lang = "en";
  try {
    const baseUrl = new URL("..", import.meta.url).pathname;
    // a Chinese word of the index shows one character
    return createInstance({ baseUrl, excerptLength: language === "zh" ? 60 : 30, noWorker: true });
  } finally {
    page.lang = lang;
  }
};

const CHINESE = { language: "zh" }; // what the index marks
const NOTHING = { here: 0, elsewhere: 0, pages: [] };

/**
 * What a query finds: how many pages in this language and in the other, and the best of ours.
 * @param {Index} index
 * @param {string} query
 * @param {string} language
 * @param {number} [most]
 */
const find = async (index, query, language, most) => {
  if (!query) return NOTHING;
  const [all, ours] = await Promise.all(
    [{}, language === "zh" ? CHINESE : { not: CHINESE }].map((filters) =>
      index.search(terms(query), { filters }),
    ),
  );
  const pages = await Promise.all(ours.results.slice(0, most).map((result) => result.data()));
  const first = pages[0] ?? (await all.results[0]?.data());
  if (!first || answered(first.content, first.locations, query) < 1) return NOTHING;
  const here = ours.results.length;
  return { here, elsewhere: all.results.length - here, pages };
};

/** @param {HTMLFormElement} form */
const inDialog = (form) => form.closest(".search-button__wrapper") !== null;

/** @param {string} page @param {string} query */
const address = (page, query) => `${page}?q=${encodeURIComponent(query)}`;

/**
 * A search from a field into the panel that follows it.
 * @param {HTMLFormElement} form
 * @param {HTMLInputElement} field
 * @param {HTMLElement} panel
 */
const finder = (form, field, panel) => {
  const { language = "", otherPage = "", ...says } = panel.dataset;
  const most = inDialog(form) ? PAGES : undefined;
  const index = open(language);
  const [count, list, more] = [".search-count", ".search-pages", ".search-more"].map(
    (name) => /** @type {HTMLElement} */ (panel.querySelector(name)),
  );
  let latest = "";
  return async () => {
    const query = field.value.trim();
    latest = query;
    const { here, elsewhere, pages } = await find(await index, query, language, most);
    if (query !== latest) return; // a later one was quicker
    panel.ariaBusy = String(query !== field.value.trim());
    const sentence = here > 1 ? says.many : here ? says.one : query && says.none;
    count.textContent = filled(sentence, here || query);
    list.replaceChildren(...pages.map((page) => entry(page, query)));
    more.replaceChildren();
    if (here > pages.length) more.append(link(address(form.action, query), filled(says.all, here)));
    // pages in the other language if the query is in it, or finds nothing in this one
    const isForeign = /[\u4e00-\u9fff]/.test(query) !== (language === "zh");
    const words = elsewhere > 1 ? says.elsewhere : says.elsewhereOne;
    if (elsewhere && (isForeign || !here))
      more.append(link(address(otherPage, query), filled(words, elsewhere)));
  };
};

/** @param {HTMLElement} field @param {HTMLElement} panel */
const goByArrows = (field, panel) => {
  /** @param {KeyboardEvent} event */
  const go = (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Escape") field.focus();
    if (!step || event.isComposing) return;
    const stops = [field, ...panel.querySelectorAll("a")];
    const next = stops[stops.indexOf(/** @type {HTMLElement} */ (document.activeElement)) + step];
    event.preventDefault();
    next?.focus();
  };
  for (const place of [field, panel]) place.addEventListener("keydown", go);
};

/**
 * Bring a search field alive, and the panel that follows it.
 * @param {HTMLFormElement} form
 * @param {() => void} fail
 */
export async function attach(form, fail) {
  const field = /** @type {HTMLInputElement} */ (form.elements.namedItem("q"));
  const panel = /** @type {HTMLElement} */ (form.nextElementSibling);
  const look = finder(form, field, panel);
  const lookOrSay = () => look().catch(fail);
  let timer = 0;
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

/**
 * On a search page the address keeps the query, and the language switch takes it along.
 * @param {HTMLFormElement} form
 * @param {HTMLInputElement} field
 * @param {() => void} look
 */
const keepInAddress = (form, field, look) => {
  const keep = () => {
    const query = address("", field.value.trim());
    history.replaceState(null, "", query);
    for (const other of document.querySelectorAll("a.language-switch"))
      /** @type {HTMLAnchorElement} */ (other).search = query;
  };
  field.addEventListener("input", keep);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    look();
  });
  keep();
};

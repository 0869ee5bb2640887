// @ts-check
// Queries and finds, in the words of the search index and in those of a reader. Nothing here draws.

const CHINESE = /[\u4e00-\u9fff]+/g;
const PAIR = /^[\u4e00-\u9fff]{2}$/;
const WIDE = /[\u3000-\u303f\u4e00-\u9fff\uff00-\uffef‘’“”…—]/;
const BARE = /^([^\p{L}\p{N}]*)(.*?)([^\p{L}\p{N}]*)$/u;
const PUNCTUATION = /[\u3000-\u303f\uff00-\uffef]/;

/** @typedef {{ title: string, url: string, excerpt: string, locations: number[], weighted_locations: { balanced_score: number }[] }} Section */
/** @typedef {{ url: string, meta: { title: string }, content: string, locations: number[], sub_results: Section[] }} FoundPage */
/** @typedef {{ results: { data(): Promise<FoundPage> }[] }} Found */
/** @typedef {{ text: string, marked: boolean }} Piece */

/**
 * A query in the words of the index: Chinese as pairs of characters, as search.py writes it.
 * @param {string} query
 */
export function terms(query) {
  const pairs = (/** @type {string} */ run) =>
    run.length < 2 ? run : Array.from(run.slice(1), (end, i) => run[i] + end).join(" ");
  return query.replace(CHINESE, (run) => ` ${pairs(run)} `).trim();
}

/**
 * A text of the index as it stands on the page, in pieces that a query marks or does not. Beside
 * others, a word of one or two letters marks nothing but itself; alone it is the beginning of one.
 * @param {string} text
 * @param {string} [query]
 * @returns {Piece[]}
 */
export function pieces(text, query = "") {
  const answers = answering(query.trim().includes(" ") ? query : "", query);
  /** @type {Piece[]} */
  const all = [];
  let before = "";
  let second = false; // whether the last character ended a pair of the query
  for (const token of text.split(" ")) {
    const word = token
      .replace(/<\/?mark>/g, "")
      .replaceAll("&lt;", "<")
      .replaceAll("&gt;", ">")
      .replace(/(?<=[\u4e00-\u9fff])\.$/, "。"); // with which Pagefind ends a heading
    if (!word) continue;
    const isPair = PAIR.test(word);
    const hit = token.startsWith("<mark>") && (isPair || answers.some((isOne) => isOne(word)));
    const marked = hit || second;
    second = hit && isPair && query.includes(word);
    if (before && !touch(before, word)) add(all, " ", false);
    before = isPair ? word[0] : word;
    const [, left, core, right] = before.match(BARE) ?? ["", "", before, ""];
    add(all, left, false);
    add(all, core, marked);
    add(all, right, false);
  }
  return all;
}

/** @param {string} before @param {string} after */
const touch = (before, after) => {
  const [last, first] = [before.slice(-1), after[0]];
  return PUNCTUATION.test(last + first) || (WIDE.test(last) && WIDE.test(first));
};

/** @param {Piece[]} all @param {string} text @param {boolean} marked */
const add = (all, text, marked) => {
  const last = all.at(-1);
  if (last?.marked === marked) last.text += text;
  else if (text) all.push({ text, marked });
};

/** @param {string | undefined} word */
const letters = (word = "") =>
  word
    .normalize("NFD")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");

/** The words in a word, which signs may hold together: q/√d. @param {string} word */
const parts = (word) => word.split(/[^\p{L}\p{N}]+/u).map(letters);

/**
 * For each word of a query, whether a word of a text answers it. For a word that no page has, Pagefind
 * takes words that begin like it, be it with one letter: it helps with a typing error, as long as
 * half the word is there. For a word that a page has it takes these besides: one or two letters, such
 * as "d", would find half the language, and are answered by themselves alone.
 * @param {string} content
 * @param {string} query
 * @returns {((word: string) => boolean)[]}
 */
function answering(content, query) {
  const asked = terms(query).split(/\s+/).map(letters);
  const short = asked.filter((term) => /^[^\u4e00-\u9fff]{1,2}$/.test(term));
  const there = new Set(short.length ? content.split(/\s+/).flatMap(parts) : []);
  return asked.map((term) => {
    if (short.includes(term) && there.has(term)) return (word) => parts(word).includes(term);
    const begin = PAIR.test(term) ? term : term.slice(0, Math.ceil(term.length / 2));
    return (word) => letters(word).includes(begin);
  });
}

/**
 * How many words of a query some places of a text answer, as a part of all.
 * @param {string} content
 * @param {number[]} locations
 * @param {string} query
 */
export function answered(content, locations, query) {
  const words = content.split(/\s+/);
  const hits = locations.map((at) => words[at] ?? "");
  const answers = answering(content, query);
  return answers.filter((isOne) => hits.some(isOne)).length / answers.length;
}

/**
 * The sections of a page that answer best, best first.
 * @param {FoundPage} page
 * @param {string} query
 * @param {number} most
 */
export function best(page, query, most) {
  const rank = (/** @type {Section} */ section) => [
    answered(page.content, section.locations, query),
    section.weighted_locations.reduce((sum, word) => sum + word.balanced_score, 0),
  ];
  return page.sub_results
    .map((section) => ({ section, rank: rank(section) }))
    .sort(({ rank: [a, s] }, { rank: [b, t] }) => b - a || t - s)
    .slice(0, most)
    .map(({ section }) => section);
}

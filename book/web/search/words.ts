// Queries and finds, in the words of the search index and in those of a reader. Nothing here draws.
import { HAN } from "../../../attention_figures/web/core/han.ts";

/** What Pagefind tells of a section, of a page, and of a query. */
export interface Section {
  title: string;
  url: string;
  excerpt: string;
  locations: number[];
  weighted_locations: { weight: number; balanced_score: number; location: number }[];
}

export interface FoundPage {
  url: string;
  meta: { title: string };
  content: string;
  locations: number[];
  sub_results: Section[];
}

export interface Found {
  results: { data(): Promise<FoundPage> }[];
}

interface Piece {
  text: string;
  marked: boolean;
}

const CHINESE = new RegExp(`[${HAN}]`, "u");
const RUN = new RegExp(`[${HAN}]+`, "gu");
const PAIR = new RegExp(`^[${HAN}]{2}$`, "u");
const WIDE = new RegExp(`[\\u3000-\\u303f${HAN}\\uff00-\\uffef‘’“”…—]`, "u");
const BEGINS = new RegExp(`^(<mark>)?[${HAN}]`, "u");
const STOP = new RegExp(`(?<=[${HAN}])\\.$`, "u");
const SHORT = new RegExp(`^[^${HAN}]{1,2}$`, "u");
const BARE = /^([^\p{L}\p{N}]*)(.*?)([^\p{L}\p{N}]*)$/u;
/** Names of a term, which search.py writes below a heading and no page shows. */
const NAMES = /⟦[^⟧]*(⟧\S*|$)|^[^⟦]*⟧\S*/g;
/** How much a word of a heading weighs at least, and one of those names. */
const HEADING = 3;
const CHAPTER = /\/\d\d-[^/]*$/;
const BESIDE_THE_LESSON = /-(exercises|summary|sources)$/;
const PUNCTUATION = new RegExp(`(?![${HAN}])[\\u3000-\\u303f\\uff00-\\uffef]`, "u");

export const hasChinese = (text: string) => CHINESE.test(text);

/** A query in the words of the index: Chinese as pairs of characters, as search.py writes it. */
export function terms(query: string) {
  const pairs = ([first = "", ...rest]: string[]) =>
    rest.length ? rest.map((end, i) => (rest[i - 1] ?? first) + end).join(" ") : first;
  return query.replace(RUN, (run) => ` ${pairs([...run])} `).trim();
}

/**
 * A text of the index as it stands on the page, in pieces that a query marks or does not. Beside
 * others, a word of one or two letters marks nothing but itself; alone it is the beginning of one.
 */
export function pieces(text: string, query = "") {
  const answers = answering(query.trim().includes(" ") ? query : "", query);
  const all: Piece[] = [];
  let before = "";
  let second = false; // whether the last character ended a pair of the query
  const tokens = text.replace(NAMES, "").split(" ");
  for (const [i, token] of tokens.entries()) {
    const word = token
      .replace(/<\/?mark>/g, "")
      .replaceAll("&lt;", "<")
      .replaceAll("&gt;", ">")
      .replace(stopBefore(tokens[i + 1]), "。"); // for that with which Pagefind ends a heading
    if (!word) continue;
    const isPair = PAIR.test(word);
    const hit = token.startsWith("<mark>") && (isPair || answers.some((isOne) => isOne(word)));
    const marked = hit || second;
    second = hit && isPair && query.includes(word);
    if (before && !touch(before, word)) add(all, " ", false);
    before = isPair ? [...word][0]! : word;
    const [, left, core, right] = before.match(BARE) ?? ["", "", before, ""];
    add(all, left, false);
    add(all, core, marked);
    add(all, right, false);
  }
  return all;
}

/** A stop after Chinese, or between a letter and Chinese; numbers of exercises keep theirs. */
const stopBefore = (next = "") => (BEGINS.test(next) ? /(?<=[\p{L})])\.$/u : STOP);

const touch = (before: string, after: string) => {
  const [last, first] = [[...before].at(-1)!, [...after][0]!];
  return PUNCTUATION.test(last + first) || (WIDE.test(last) && WIDE.test(first));
};

const add = (all: Piece[], text: string, marked: boolean) => {
  const last = all.at(-1);
  if (last?.marked === marked) last.text += text;
  else if (text) all.push({ text, marked });
};

const letters = (word = "") =>
  word
    .normalize("NFD")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");

/** The words in a word, which signs may hold together: q/√d. */
const parts = (word: string) => word.split(/[^\p{L}\p{N}]+/u).map(letters);

/**
 * For each word of a query, whether a word of a text answers it. For a word that no page has, Pagefind
 * takes words that begin like it, be it with one letter: it helps with a typing error, as long as
 * half the word is there. For a word that a page has it takes these besides: one or two letters, such
 * as "d", would find half the language, and are answered by themselves alone.
 */
function answering(content: string, query: string): ((word: string) => boolean)[] {
  const asked = terms(query).split(/\s+/).map(letters);
  const short = asked.filter((term) => SHORT.test(term));
  const there = new Set(short.length ? content.split(/\s+/).flatMap(parts) : []);
  return asked.map((term) => {
    if (short.includes(term) && there.has(term)) return (word) => parts(word).includes(term);
    const begin = PAIR.test(term) ? term : term.slice(0, Math.ceil(term.length / 2));
    return (word) => letters(word).includes(begin);
  });
}

/** How many words of a query places of a page answer, as a part of all; for any of its places. */
export function answered(page: FoundPage, query: string) {
  const words = page.content.split(/\s+/);
  const answers = answering(page.content, query);
  return (locations: number[]) => {
    const hits = locations.map((at) => words[at] ?? "");
    return answers.filter((isOne) => hits.some(isOne)).length / answers.length;
  };
}

/**
 * The sections of a page, best first, and how well each answers, to be compared number by number:
 * whether its heading, or a term that it introduces, has all words of the query; how many of them
 * it has at all; whether it teaches; and how often it has them, by Pagefind's score.
 */
function ranked(page: FoundPage, query: string) {
  const part = answered(page, query);
  const rank = ({ url, locations, weighted_locations: words }: Section) => [
    Number(part(words.filter((w) => w.weight >= HEADING).map((w) => w.location)) === 1),
    part(locations),
    Number(!BESIDE_THE_LESSON.test(url)),
    words.reduce((sum, word) => sum + word.balanced_score, 0),
  ];
  return page.sub_results
    .map((section) => ({ section, rank: rank(section) }))
    .sort((a, b) => descending(a.rank, b.rank));
}

const descending = (a: number[], b: number[]) =>
  b.map((x, i) => x - a[i]).find((difference) => difference !== 0) ?? 0;

/** The sections of a page that answer best, best first. */
export const best = (page: FoundPage, query: string, most: number) =>
  ranked(page, query)
    .slice(0, most)
    .map(({ section }) => section);

/**
 * Pages as a reader should meet them: first those of which a heading or a term is what was asked,
 * then the others, and among both the chapters before pages for reference; otherwise as they came.
 */
export function inOrder(pages: FoundPage[], query: string) {
  const place = (page: FoundPage) => {
    const [named = 0, part = 0] = ranked(page, query)[0]?.rank ?? [];
    return [named, Number(CHAPTER.test(page.url)), part];
  };
  return pages
    .map((page) => ({ page, place: place(page) }))
    .sort((a, b) => descending(a.place, b.place))
    .map(({ page }) => page);
}

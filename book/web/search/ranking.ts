// Splits queries into the tokens of the search index, joins excerpts, and ranks pages. No rendering.
import { HAN } from "../../../attention_figures/web/core/han.ts";

/** Pagefind's results: a section, a page, and a query. */
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
/** Names of a term between delimiters, which search.py inserts below a heading of the index. */
const NAMES = /⟦[^⟧]*(⟧\S*|$)|^[^⟦]*⟧\S*/g;
/** The least weight of a word in a heading, or in the names of a term. */
const HEADING = 3;
const CHAPTER = /\/\d\d-[^/]*$/;
const NOT_TEACHING = /-(exercises|summary|sources)$/;
const PUNCTUATION = new RegExp(`(?![${HAN}])[\\u3000-\\u303f\\uff00-\\uffef]`, "u");

export const hasChinese = (text: string) => CHINESE.test(text);

/** Splits a query into the tokens of the index: Chinese into pairs of characters, as in search.py. */
export function tokens(query: string) {
  const pairs = ([first = "", ...rest]: string[]) =>
    rest.length ? rest.map((end, i) => (rest[i - 1] ?? first) + end).join(" ") : first;
  return query.replace(RUN, (run) => ` ${pairs([...run])} `).trim();
}

/**
 * Restores a text of the index to that on the page, in pieces that are highlighted or not. A word of
 * one or two letters highlights only itself next to other words; alone it is a prefix.
 */
export function pieces(text: string, query = "") {
  const matches = matchers(query.trim().includes(" ") ? query : "", query);
  const all: Piece[] = [];
  let before = "";
  let second = false; // whether the last character ended a pair of the query
  const indexed = text.replace(NAMES, "").split(" ");
  for (const [i, token] of indexed.entries()) {
    const word = token
      .replace(/<\/?mark>/g, "")
      .replaceAll("&lt;", "<")
      .replaceAll("&gt;", ">")
      .replace(stopBefore(indexed[i + 1]), "。"); // Pagefind ends headings with a full stop
    if (!word) continue;
    const isPair = PAIR.test(word);
    const hit = token.startsWith("<mark>") && (isPair || matches.some((isOne) => isOne(word)));
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

/** A full stop after Chinese, or between a letter and Chinese; numbers of exercises keep theirs. */
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

/** Splits a word at signs: q/√d. */
const parts = (word: string) => word.split(/[^\p{L}\p{N}]+/u).map(letters);

/**
 * Returns a predicate for each word of a query: does a word of a text match it? For an unknown word,
 * Pagefind returns words with any common prefix; we require half the word, which still forgives typing
 * errors. Pagefind does so for known words as well: one or two letters, such as "d", would match half
 * the language, so they only match themselves.
 */
function matchers(content: string, query: string): ((word: string) => boolean)[] {
  const words = tokens(query).split(/\s+/).map(letters);
  const short = words.filter((term) => SHORT.test(term));
  const there = new Set(short.length ? content.split(/\s+/).flatMap(parts) : []);
  return words.map((term) => {
    if (short.includes(term) && there.has(term)) return (word) => parts(word).includes(term);
    const begin = PAIR.test(term) ? term : term.slice(0, Math.ceil(term.length / 2));
    return (word) => letters(word).includes(begin);
  });
}

/** Returns a function: the share of a query's words that the words at some locations match. */
export function matchedShare(page: FoundPage, query: string) {
  const words = page.content.split(/\s+/);
  const matches = matchers(page.content, query);
  return (locations: number[]) => {
    const hits = locations.map((at) => words[at] ?? "");
    return matches.filter((isOne) => hits.some(isOne)).length / matches.length;
  };
}

/**
 * Returns the sections of a page, best first, with a rank that is compared lexicographically: whether
 * its heading or a term that it introduces matches the whole query; the share of the query that its
 * text matches; whether it is no exercise, summary or source; and Pagefind's score.
 */
function ranked(page: FoundPage, query: string) {
  const part = matchedShare(page, query);
  const rank = ({ url, locations, weighted_locations: words }: Section) => [
    Number(part(words.filter((w) => w.weight >= HEADING).map((w) => w.location)) === 1),
    part(locations),
    Number(!NOT_TEACHING.test(url)),
    words.reduce((sum, word) => sum + word.balanced_score, 0),
  ];
  return page.sub_results
    .map((section) => ({ section, rank: rank(section) }))
    .sort((a, b) => descending(a.rank, b.rank));
}

const descending = (a: number[], b: number[]) =>
  b.map((x, i) => x - a[i]).find((difference) => difference !== 0) ?? 0;

/** Returns the best sections of a page, best first. */
export const best = (page: FoundPage, query: string, most: number) =>
  ranked(page, query)
    .slice(0, most)
    .map(({ section }) => section);

/**
 * Sorts pages: first those with a heading or a term that matches the query, then the others; in both
 * groups chapters before reference pages; otherwise in Pagefind's order.
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

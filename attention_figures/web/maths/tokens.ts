// Sentences as words, and words as ids: what attention_course.nli.Vocabulary does, in the browser.
// The words of a vocabulary stand in the order of their ids.
import { HAN } from "../core/han.ts";

const UNKNOWN = 1; // id of <unk>
const RUNS = new RegExp(`([${HAN}]+)|(?:(?![${HAN}])[\\p{L}\\p{N}'])+`, "gu");

interface Known {
  ids: ReadonlyMap<string, number>;
  longest: number; // word, in characters
}

/** Of each vocabulary, as long as it is in use: it may have thousands of words. */
const vocabularies = new WeakMap<readonly string[], Known>();

function knownOf(words: readonly string[]): Known {
  const known = vocabularies.get(words) ?? {
    ids: new Map(words.map((word, id) => [word, id])),
    longest: Math.max(...words.map((word) => word.length)),
  };
  vocabularies.set(words, known);
  return known;
}

/** Whether a vocabulary has a word. */
export const isKnown = (words: readonly string[], word: string) => knownOf(words).ids.has(word);

export function split(words: readonly string[], sentence: string): string[] {
  const runs = sentence.toLowerCase().replaceAll("’", "'").matchAll(RUNS);
  return [...runs].flatMap(([run, chinese]) =>
    chinese ? segments(chinese, knownOf(words)) : [run],
  );
}

/** The ids of a sentence's words. */
export function encode(words: readonly string[], sentence: string): number[] {
  const { ids } = knownOf(words);
  return split(words, sentence).map((word) => ids.get(word) ?? UNKNOWN);
}

/** The words of a sentence that the vocabulary lacks, each once. */
export const unknown = (words: readonly string[], sentence: string): string[] =>
  [...new Set(split(words, sentence))].filter((word) => !isKnown(words, word));

/** Greedy longest match; characters of no word are joined. */
function segments(run: string, { ids, longest }: Known): string[] {
  const found: string[] = [];
  let strange = "";
  for (let start = 0, end: number; start < run.length; start = end) {
    end = Math.min(run.length, start + longest);
    while (end > start && !ids.has(run.slice(start, end))) end--;
    if (end > start) {
      if (strange) found.push(strange);
      found.push(run.slice(start, end));
      strange = "";
    } else strange += run[end++];
  }
  return strange ? [...found, strange] : found;
}

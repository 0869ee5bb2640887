// Tokenises sentences and maps words to ids, as attention_course.nli.Vocabulary. The words of a
// vocabulary are in the order of their ids.
import { HAN } from "../core/han.ts";

const UNKNOWN = 1; // id of <unk>
const RUNS = new RegExp(`([${HAN}]+)|(?:(?![${HAN}])[\\p{L}\\p{N}'])+`, "gu");

interface VocabularyIndex {
  ids: ReadonlyMap<string, number>;
  longest: number; // characters of the longest word
}

/** A cache of indices: a vocabulary may have thousands of words. */
const indices = new WeakMap<readonly string[], VocabularyIndex>();

function vocabularyIndex(words: readonly string[]): VocabularyIndex {
  const index = indices.get(words) ?? {
    ids: new Map(words.map((word, id) => [word, id])),
    longest: Math.max(...words.map((word) => word.length)),
  };
  indices.set(words, index);
  return index;
}

/** Whether a vocabulary has a word. */
export const isKnown = (words: readonly string[], word: string) =>
  vocabularyIndex(words).ids.has(word);

export function split(words: readonly string[], sentence: string): string[] {
  const runs = sentence.toLowerCase().replaceAll("’", "'").matchAll(RUNS);
  return [...runs].flatMap(([run, chinese]) =>
    chinese ? segments(chinese, vocabularyIndex(words)) : [run],
  );
}

/** Returns the ids of a sentence's words. */
export function encode(words: readonly string[], sentence: string): number[] {
  const { ids } = vocabularyIndex(words);
  return split(words, sentence).map((word) => ids.get(word) ?? UNKNOWN);
}

/** Returns the words of a sentence that the vocabulary lacks, each once. */
export const unknown = (words: readonly string[], sentence: string): string[] =>
  [...new Set(split(words, sentence))].filter((word) => !isKnown(words, word));

/** Splits a run of Chinese by greedy longest match; unknown characters are joined. */
function segments(run: string, { ids, longest }: VocabularyIndex): string[] {
  const found: string[] = [];
  let unmatched = "";
  for (let start = 0, end: number; start < run.length; start = end) {
    end = Math.min(run.length, start + longest);
    while (end > start && !ids.has(run.slice(start, end))) end--;
    if (end > start) {
      if (unmatched) found.push(unmatched);
      found.push(run.slice(start, end));
      unmatched = "";
    } else unmatched += run[end++];
  }
  return unmatched ? [...found, unmatched] : found;
}

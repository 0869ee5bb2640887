// @ts-check
// Sentences as words, and words as ids: what attention_lib.nli.Vocabulary does, in the browser.

const UNKNOWN = 1; // id of <unk>
const HAN = "\\u3400-\\u4dbf\\u4e00-\\u9fff\\uf900-\\ufaff";
const RUNS = new RegExp(`([${HAN}]+)|(?:(?![${HAN}])[\\p{L}\\p{N}'])+`, "gu");

/** A vocabulary's own way to split a sentence. @param {string[]} words by id */
export function tokeniser(words) {
  const ids = new Map(words.map((word, id) => [word, id]));
  const longest = Math.max(...words.map((word) => word.length));

  /** Greedy longest match; characters of no word are joined. @param {string} run */
  const segmented = (run) => {
    /** @type {string[]} */
    const found = [];
    let unknown = "";
    for (let start = 0, end; start < run.length; start = end) {
      end = Math.min(run.length, start + longest);
      while (end > start && !ids.has(run.slice(start, end))) end--;
      if (end > start) {
        found.push(...(unknown ? [unknown] : []), run.slice(start, end));
        unknown = "";
      } else unknown += run[end++];
    }
    return unknown ? [...found, unknown] : found;
  };
  return {
    split: (/** @type {string} */ sentence) =>
      [...sentence.toLowerCase().replaceAll("’", "'").matchAll(RUNS)].flatMap(([piece, chinese]) =>
        chinese ? segmented(chinese) : [piece],
      ),
    knows: (/** @type {string} */ word) => ids.has(word),
    id: (/** @type {string} */ word) => ids.get(word) ?? UNKNOWN,
  };
}

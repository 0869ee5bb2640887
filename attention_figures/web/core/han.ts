// The Chinese script, for a class of characters in a regular expression with the flag u.

/**
 * Letters and numerals of Unicode's script Han, among them 々 and 〇, and 〆. All of planes 2 and
 * 3 is kept for ideographs, those that a later Unicode adds too: the same as in attention_figures.languages.
 */
export const HAN =
  "\\u3005-\\u3007\\u3021-\\u3029\\u3038-\\u303b\\u3400-\\u4dbf\\u4e00-\\u9fff\\uf900-\\ufaff" +
  "\\u{16fe3}\\u{16ff0}-\\u{16fff}\\u{20000}-\\u{3fffd}";

// Defines the Chinese script as a character class for a regular expression with the flag u.

/**
 * Letters and numerals of Unicode's script Han (including 々 and 〇) and 〆. Planes 2 and 3 are
 * reserved for ideographs, so both are included. Keep in sync with attention_figures.languages.
 */
export const HAN =
  "\\u3005-\\u3007\\u3021-\\u3029\\u3038-\\u303b\\u3400-\\u4dbf\\u4e00-\\u9fff\\uf900-\\ufaff" +
  "\\u{16fe3}\\u{16ff0}-\\u{16fff}\\u{20000}-\\u{3fffd}";

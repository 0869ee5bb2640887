// Judges typed code in the browser: loads the engine and an exercise's data at the first call.

/** The verdict on a source text. */
export interface CodeVerdict {
  /** Paragraphs, as `Verdict._repr_html_` writes them. */
  html: string;
  /** Whether everything that was checked is right. */
  passed: boolean;
  /** Whether nothing was left unchecked. */
  complete: boolean;
  /** What the browser did not check, as phrases in the language, such as "gradients". */
  unchecked: string[];
}

/**
 * Judges a source text, which defines the function `name`, in the browser.
 *
 * @throws if the engine or the data of the exercise do not load.
 */
export function judgeInBrowser(
  slug: string,
  source: string,
  name: string,
  lang: "en" | "zh",
): Promise<CodeVerdict> {
  return Promise.reject(new Error(`no engine for ${slug}: ${name}, ${lang}, ${source.length}`));
}

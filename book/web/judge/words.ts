// Fills texts in one language, and writes numbers, sizes and paragraphs as Python does.
import type { Exercise, Lang, Text } from "./data.ts";

/** What fills a gap of a text. */
export type Filler = string | number | Text;

export class Words {
  constructor(
    private readonly texts: Exercise["texts"],
    readonly lang: Lang,
  ) {}

  /** Return a text in the language. */
  in(text: Text): string {
    return this.lang === "en" ? text[0] : text[1];
  }

  /** Return a shared text by its name in texts.py, filled. */
  filled(name: string, parts: Record<string, Filler> = {}): string {
    return this.fill(this.texts[name]!, parts);
  }

  fill(text: Text, parts: Record<string, Filler>): string {
    return this.in(text).replace(/\{(\w+)\}/g, (gap, name: string) => {
      const part = parts[name];
      return part === undefined ? gap : Array.isArray(part) ? this.in(part) : String(part);
    });
  }

  /** List names as code. */
  listed(names: Iterable<string>): string {
    return [...names].map((name) => `\`${name}\``).join(this.lang === "en" ? ", " : "、");
  }
}

/** Write a shape as a tuple. */
export const tuple = (shape: readonly number[]) =>
  shape.length === 1 ? `(${shape[0]},)` : `(${shape.join(", ")})`;

/** Round as `f"{x:z.{digits}f}"`: half to even, and without a negative zero. */
export function rounded(x: number, digits: number): string {
  if (!Number.isFinite(x)) return Number.isNaN(x) ? "nan" : x > 0 ? "inf" : "-inf";
  const size = Math.abs(x);
  if (size >= 1e21)
    return `${x < 0 ? "-" : ""}${BigInt(size)}${digits ? `.${"0".repeat(digits)}` : ""}`;
  let text = size.toFixed(digits);
  const isTie = /^50*$/.test(size.toFixed(100).split(".")[1]!.slice(digits));
  // toFixed rounds a tie up; the even neighbour is the one below if the last digit is odd.
  if (isTie && Number(text.at(-1)) % 2) text = (size - 0.25 * 10 ** -digits).toFixed(digits);
  return x < 0 && Number(text) ? `-${text}` : text;
}

const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** Write paragraphs as HTML, as `Verdict._repr_html_` does. */
export const html = (paragraphs: readonly string[]) =>
  paragraphs
    .map((one) => escaped(one).replace(/`([^`]+)`/g, "<code>$1</code>"))
    .map((one) => one.replace(/(?<=<\/code>：)[ -~…]+$/, '<span lang="en">$&</span>'))
    .map((one) => `<p>${one}</p>`)
    .join("");

// Formats numbers for readers and parses the numbers that they type.

export const LIMIT = 1000; // largest absolute value that a reader can enter

/** Rounds to 4 decimals, as Python rounds a figure's state. */
export const rounded = (x: number) => Math.round(x * 1e4) / 1e4;

export const clamped = (x: number, low: number, high: number) => Math.min(high, Math.max(low, x));

/** Formats with two decimals; zero, infinities and large numbers are shorter. */
export function formatNumber(x: number): string {
  if (x === 0) return "0";
  if (!Number.isFinite(x)) return x > 0 ? "∞" : x < 0 ? "−∞" : "NaN";
  const text = Math.abs(x) < 1000 ? x.toFixed(2) : x.toExponential(1);
  return text.replace("-0.00", "0.00").replace("-", "−").replace("e+", "e").replace("e-", "e−");
}

/** Formats a weight for a small cell: no zero before the decimal point. */
export const shortNumber = (x: number) =>
  x === 0 ? "0" : x.toFixed(2).replace("1.00", "1").replace("0.", ".");

/** Formats a share in whole percent; a positive share is never 0%. */
export function percent(x: number): string {
  if (x > 0 && x < 0.005) return "<1%";
  return `${plainNumber(Math.round(100 * x))}%`;
}

/** Formats all digits, with a typographic minus (U+2212). */
export const plainNumber = (x: number) => String(x).replace("-", "−").replace("e-", "e−");

const normalised = (text: string) =>
  text
    .normalize("NFKC")
    .trim()
    .replace(/[−–—﹣]/g, "-")
    .replaceAll("，", ",");

/** Whether a comma before three digits could separate decimals or thousands. */
export const isAmbiguous = (text: string) => /^[+-]?[1-9]\d{0,2},\d{3}$/.test(normalised(text));

/**
 * Parses a number, or returns null. Accepts any minus sign, full-width digits and a decimal comma;
 * other characters are an error, never dropped.
 */
export function parseNumber(text: string): number | null {
  if (isAmbiguous(text)) return null;
  const plain = normalised(text).replace(",", ".");
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain) ? Number(plain) : null;
}

/** Formats a nested list as torch prints a tensor: 4 decimals, or scientific notation. */
export function torchText(nested: unknown): string {
  const all = [nested].flat(Infinity) as number[];
  const write = writer(all);
  const width = Math.max(...all.map((x) => write(x).length));
  const lists = (x: unknown, indent: number): string => {
    if (!Array.isArray(x)) return write(x as number).padStart(width);
    const deep = depth(x) - 1;
    const between = deep ? `,${"\n".repeat(deep)}${" ".repeat(indent + 1)}` : ", ";
    return `[${x.map((item) => lists(item, indent + 1)).join(between)}]`;
  };
  return `tensor(${lists(nested, "tensor(".length)})`;
}

const depth = (x: unknown): number => (Array.isArray(x) ? 1 + depth(x[0]) : 0);

function writer(all: number[]): (x: number) => string {
  const sizes = all.filter((x) => Number.isFinite(x) && x !== 0).map(Math.abs);
  const whole = sizes.every(Number.isInteger);
  const [low, high] = [Math.min(...sizes), Math.max(...sizes)];
  const far = sizes.length > 0 && (high / low > 1000 || high > 1e8 || (!whole && low < 1e-4));
  return (x) => {
    if (!Number.isFinite(x)) return Number.isNaN(x) ? "nan" : x > 0 ? "inf" : "-inf";
    if (far) return x.toExponential(4).replace(/e([+-])(\d)$/, "e$10$2");
    return whole ? `${x}.` : x.toFixed(4);
  };
}

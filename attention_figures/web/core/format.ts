// Numbers as readers see and type them.

export const LIMIT = 1000; // of numbers that a reader enters

/** To 4 decimals, as Python rounds a figure's state. */
export const rounded = (x: number) => Math.round(x * 1e4) / 1e4;

export const clamped = (x: number, low: number, high: number) => Math.min(high, Math.max(low, x));

/** Two decimals; an exact zero, infinities and large numbers in short form. */
export function formatNumber(x: number): string {
  if (x === 0) return "0";
  if (!Number.isFinite(x)) return x > 0 ? "∞" : x < 0 ? "−∞" : "NaN";
  const text = Math.abs(x) < 1000 ? x.toFixed(2) : x.toExponential(1);
  return text.replace("-0.00", "0.00").replace("-", "−").replace("e+", "e").replace("e-", "e−");
}

/** A weight in a small cell: no zero before the point. */
export const shortNumber = (x: number) =>
  x === 0 ? "0" : x.toFixed(2).replace("1.00", "1").replace("0.", ".");

/** A share in whole percent; what is more than nothing is not 0%. */
export function percent(x: number): string {
  if (x > 0 && x < 0.005) return "<1%";
  return `${plainNumber(Math.round(100 * x))}%`;
}

/** As it is, with a minus that can be told from a dash. */
export const plainNumber = (x: number) => String(x).replace("-", "−").replace("e-", "e−");

const plainly = (text: string) =>
  text
    .normalize("NFKC")
    .trim()
    .replace(/[−–—﹣]/g, "-")
    .replaceAll("，", ",");

/** Whether a text has a comma before three digits, which is one for decimals or one for thousands. */
export const isAmbiguous = (text: string) => /^[+-]?[1-9]\d{0,2},\d{3}$/.test(plainly(text));

/**
 * The number that a text says, or null: with any minus, in digits of full width, and with the
 * decimal comma of other languages. What is left of a text when signs were dropped is no number.
 */
export function parseNumber(text: string): number | null {
  if (isAmbiguous(text)) return null;
  const plain = plainly(text).replace(",", ".");
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain) ? Number(plain) : null;
}

/** Numbers as torch prints them, in nested brackets: 4 decimals, or all as powers of ten. */
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

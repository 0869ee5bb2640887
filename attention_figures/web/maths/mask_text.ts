// Reads a mask that was typed or pasted, in the notation of Python lists, torch or numpy, and writes one.

/** An entry of a mask; JSON has no infinity. */
export type Entry = number | "-inf";
export type Table = Entry[][];
/** A mask, or why there is none: the key of a message and its values. */
export type Reading = { table: Table } | { refusal: [string, Record<string, unknown>] };

export const numberOf = (entry: Entry) => (entry === "-inf" ? -Infinity : entry);

const LOWEST: Record<string, number> = {
  float16: -65504,
  half: -65504,
  bfloat16: -3.3895313892515355e38,
  float32: -3.4028234663852886e38,
  float: -3.4028234663852886e38,
  float64: -Number.MAX_VALUE,
  double: -Number.MAX_VALUE,
};
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const MINUS_INFINITY = /^-((torch|np|numpy|math)\.)?(inf|infinity|∞)$/i;
const LONGEST = 24; // characters of what came, in a message

/** Returns an entry, or null. */
function entryOf(word: string): Entry | null {
  if (/^true$/i.test(word)) return 1;
  if (/^false$/i.test(word)) return 0;
  if (MINUS_INFINITY.test(word)) return "-inf";
  const x = NUMBER.test(word) ? Number(word) : NaN;
  return Number.isFinite(x) ? x : null;
}

/** Removes what torch and numpy write around lists, and settles on one kind of bracket. */
function plain(text: string): string {
  const bare = text
    .normalize("NFKC")
    .replace(/[−–—]/g, "-")
    .replace(/[，、]/g, ",")
    .replace(/torch\.finfo\(\s*(?:torch\.)?(\w+)\s*\)\.min/g, (all, dtype: string) =>
      dtype in LOWEST ? String(LOWEST[dtype]) : all,
    )
    .replace(/float\(\s*["']([+-]?\w+)["']\s*\)/g, "$1")
    .replace(/\b((torch|np|numpy)\.)?(\w*tensor|array|asarray)\s*(?=\()/gi, "")
    .replace(/,?\s*\b(dtype|device|requires_grad)\s*=\s*[^,)]+/g, "");
  return bare.includes("[")
    ? bare.replace(/[()]/g, " ")
    : bare.replaceAll("(", "[").replaceAll(")", "]");
}

/**
 * Reads a mask. One list without brackets around it, or with one pair, counts for every query.
 * `limit`: the largest number of columns.
 */
export function readMask(text: string, limit: number): Reading {
  const bare = plain(text);
  const nested = (bare.match(/\[/g) ?? []).length > 1;
  const lines = nested
    ? [...bare.matchAll(/\[([^[\]]*)\]/g)].map(([, inner]) => inner)
    : bare.replace(/[[\]]/g, " ").split(/[;\n]/);
  const rows = lines.map((line) => line.split(/[\s,]+/).filter(Boolean));
  const filled = rows.filter((row) => row.length);
  if (!filled.length) return { refusal: ["maskNothing", {}] };
  const table: Table = [];
  for (const row of filled) {
    const entries = row.map(entryOf);
    const wrong = entries.indexOf(null);
    if (wrong >= 0) return { refusal: ["maskWord", { got: shortened(row[wrong]) }] };
    table.push(entries as Entry[]);
  }
  const [first] = table;
  const other = table.findIndex((row) => row.length !== first.length);
  if (other > 0) {
    const values = { size: first.length, row: other, got: table[other].length };
    return { refusal: ["maskRagged", values] };
  }
  if (first.length > limit) return { refusal: ["maskWide", { limit, got: first.length }] };
  if (!nested && table.length === 1) return { table: first.map(() => first) };
  if (table.length > first.length)
    return { refusal: ["maskTall", { size: first.length, got: table.length }] };
  return { table };
}

const shortened = (word: string) =>
  [...word].length > LONGEST ? `${[...word].slice(0, LONGEST).join("")}…` : word;

/** Writes a mask as a Python list. */
export const maskText = (table: Table): string =>
  `[${table.map((row) => `[${row.join(", ")}]`).join(", ")}]`;

/** Whether these are rows of entries, 1 ≤ Q ≤ K ≤ limit. */
export function isTable(got: unknown, limit: number): got is Table {
  if (!Array.isArray(got) || !got.length || !Array.isArray(got[0])) return false;
  const size = got[0].length;
  const isEntry = (x: unknown) => x === "-inf" || (typeof x === "number" && Number.isFinite(x));
  return (
    got.length <= size &&
    size <= limit &&
    got.every((row) => Array.isArray(row) && row.length === size && row.every(isEntry))
  );
}

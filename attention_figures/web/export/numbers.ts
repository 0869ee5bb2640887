// Exports a figure's numbers as tab-separated text, to full precision.

/** The trait keys_ is exported as "keys". */
const publicName = (name: string) => name.replace(/_$/, "");

/** Returns state and stages by their names in Python, the state first. */
export const numbersOf = (
  state: Record<string, unknown>,
  stages: Record<string, unknown>,
): Map<string, unknown> =>
  new Map([state, stages, state].flatMap(Object.entries).map(([name, x]) => [publicName(name), x]));

/** Writes a block for each entry: a name with its values, or a name above the rows of a matrix. */
export const numbersText = (all: Map<string, unknown>) =>
  [...all].flatMap(([name, x]) => blocks(name, x)).join("\n\n") + "\n";

function blocks(name: string, x: any): string[] {
  if (x == null) return []; // a parameter that the figure was not given
  const all = [x].flat(Infinity);
  if (!all.length || String(x) === String({})) return []; // an empty list; presets
  if (!Array.isArray(x?.[0])) return [[name, ...all.map(cell)].join("\t")];
  if (Array.isArray(x[0][0]))
    return x.flatMap((matrix: unknown, b: number) => blocks(`${name}[${b}]`, matrix));
  return [[name, ...x.map((row: unknown[]) => row.map(cell).join("\t"))].join("\n")];
}

/** Writes a number in the fewest digits that identify it. */
const cell = (x: unknown) => String(x).replace(/[\t\r\n]/g, " ");

// What a figure shows as text, to full precision, for spreadsheets and programs.

/** keys_ is the trait of what everyone calls keys. */
const publicName = (name: string) => name.replace(/_$/, "");

/** A state and what follows from it, by the names that Python gives them; the state comes first. */
export const numbersOf = (
  state: Record<string, unknown>,
  stages: Record<string, unknown>,
): Map<string, unknown> =>
  new Map([state, stages, state].flatMap(Object.entries).map(([name, x]) => [publicName(name), x]));

/** A block for each: a name and what it is, or a name above the rows of a matrix. */
export const numbersText = (all: Map<string, unknown>) =>
  [...all].flatMap(([name, x]) => blocks(name, x)).join("\n\n") + "\n";

function blocks(name: string, x: any): string[] {
  if (x == null) return []; // a parameter that the figure was not given
  const all = [x].flat(Infinity);
  if (!all.length || String(x) === String({})) return []; // no words; keys to choose from
  if (!Array.isArray(x?.[0])) return [[name, ...all.map(cell)].join("\t")];
  if (Array.isArray(x[0][0]))
    return x.flatMap((matrix: unknown, b: number) => blocks(`${name}[${b}]`, matrix));
  return [[name, ...x.map((row: unknown[]) => row.map(cell).join("\t"))].join("\n")];
}

/** A number in the fewest digits that tell it from all others. */
const cell = (x: unknown) => String(x).replace(/[\t\r\n]/g, " ");

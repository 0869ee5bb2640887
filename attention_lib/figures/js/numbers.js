// @ts-check
// What a figure shows as text, to full precision, for spreadsheets and programs.

/** The name that Python gives a trait or a stage. @param {string} name */
const pythonName = (name) =>
  name === "weights"
    ? "attention_weights"
    : name.replace(/_$/, "").replace(/[a-z][A-Z]/g, ([a, b]) => `${a}_${b.toLowerCase()}`);

/** A state and what follows from it, by the names that Python gives them; the state comes first. */
/** @param {Record<string, any>} state @param {Record<string, any>} stages */
export const numbersOf = (state, stages) =>
  new Map([state, stages, state].flatMap(Object.entries).map(([name, x]) => [pythonName(name), x]));

/** A block for each: a name and what it is, or a name above the rows of a matrix. */
/** @param {Map<string, any>} all */
export const numbersText = (all) =>
  [...all].flatMap(([name, x]) => blocks(name, x)).join("\n\n") + "\n";

/** @param {string} name @param {any} x nested @returns {string[]} */
function blocks(name, x) {
  const all = [x].flat(Infinity);
  if (!all.length || String(x) === String({})) return []; // no words; keys to choose from
  if (!Array.isArray(x?.[0])) return [[name, ...all.map(cell)].join("\t")];
  if (Array.isArray(x[0][0]))
    return x.flatMap((/** @type {any} */ matrix, /** @type {number} */ b) =>
      blocks(`${name}[${b}]`, matrix),
    );
  return [[name, ...x.map((/** @type {any[]} */ row) => row.map(cell).join("\t"))].join("\n")];
}

/** A number in the fewest digits that tell it from all others. @param {any} x */
const cell = (x) => String(x).replace(/[\t\r\n]/g, " ");

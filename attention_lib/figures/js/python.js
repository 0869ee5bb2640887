// @ts-check
// The text of a Python program that computes what a figure shows.

/** @typedef {import("./controls.js").Words} Words */

const LINE_WIDTH = 96; // of a line

/** A number as a Python float. @param {number} x */
export const pythonFloat = (x) =>
  Number.isInteger(x) && Math.abs(x) < 1e21 ? `${x}.0` : String(x);

/** Nested lists, over several lines where they are too long for one. */
/** @param {any} x @param {(item: any) => string} write @param {number} indent @returns {string} */
function lists(x, write, indent) {
  if (!Array.isArray(x)) return write(x);
  const items = x.map((item) => lists(item, write, indent + 1));
  const line = `[${items.join(", ")}]`;
  if (!line.includes("\n") && indent + line.length < LINE_WIDTH) return line;
  const next = `,\n${" ".repeat(indent + 1)}`;
  const apart = Array.isArray(x[0]) && (x[0].length > 1 || line.includes("\n")); // not a column
  return `[${apart ? items.join(next) : filled(items, LINE_WIDTH - indent - 2, next)}]`;
}

/** As many items on a line as have room. */
/** @param {string[]} items @param {number} room @param {string} next between two lines */
function filled(items, room, next) {
  let text = "";
  let length = 0; // of the last line
  for (const item of items) {
    const fits = length + item.length < room;
    text += text && (fits ? ", " : next);
    text += item;
    length = (fits ? length + 2 : 0) + item.length;
  }
  return text;
}

/** Gives a name to a tensor. */
/** @param {string} name @param {any} x nested @param {(item: any) => string} write */
function assignment(name, x, write, dtype = "") {
  const line = `${name} = torch.tensor(${[lists(x, write, 0), dtype].filter(Boolean).join(", ")})`;
  if (!line.includes("\n") && line.length <= LINE_WIDTH) return line;
  const lines = [lists(x, write, 4), dtype].filter(Boolean).map((part) => `    ${part},\n`);
  return `${name} = torch.tensor(\n${lines.join("")})`;
}

/** A tensor of float64. @param {string} name @param {any} x nested */
export const floats = (name, x) => assignment(name, x, pythonFloat, "dtype=torch.float64");

/** A tensor of integers. @param {string} name @param {any} x nested */
export const integers = (name, x) => assignment(name, x, String);

/** The traits of a model as tensors, by the names that everyone calls them. */
/** @param {Pick<import("./model.js").Model, "get">} model @param {string[]} traits */
export const tensors = (model, traits) =>
  traits.map((trait) => floats(trait.replace(/_$/, ""), model.get(trait)));

/**
 * A program that ends in printing the weights.
 * @param {Words} words @param {string[]} imports from attention_lib @param {string[]} lines
 */
export const program = (words, imports, lines) =>
  [
    `# ${words("programIs")}`,
    ...["import torch", "", ...imports, ...(imports.length ? [""] : []), ...lines],
    "print(attention_weights)\n",
  ].join("\n");

/** A line with a remark, unless that is but its name. @param {string} line @param {string} text */
export const remark = (line, text) =>
  line.startsWith(`${text.replaceAll(" ", "_")} =`) ? line : `${line}  # ${text}`;

// Writes the Python program that computes what a figure shows.

import type { Translate } from "../core/strings.ts";
import { byRow, type Tensor } from "../maths/tensor.ts";

const LINE_WIDTH = 96; // characters

/** Writes a number as a Python float. */
export const pythonFloat = (x: number) =>
  x === -Infinity ? "-torch.inf" : Number.isInteger(x) && Math.abs(x) < 1e21 ? `${x}.0` : String(x);

/** Writes nested lists, on several lines if they are too long for one. */
function lists(x: unknown, write: (item: number) => string, indent: number): string {
  if (!Array.isArray(x)) return write(x as number);
  const items = x.map((item) => lists(item, write, indent + 1));
  const line = `[${items.join(", ")}]`;
  if (!line.includes("\n") && indent + line.length < LINE_WIDTH) return line;
  const next = `,\n${" ".repeat(indent + 1)}`;
  const apart = Array.isArray(x[0]) && (x[0].length > 1 || line.includes("\n")); // not a column
  return `[${apart ? items.join(next) : filled(items, LINE_WIDTH - indent - 2, next)}]`;
}

/** Fills each line with as many items as fit. */
function filled(items: string[], room: number, next: string) {
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

/** Writes the assignment of a tensor to a name. */
function assignment(name: string, x: unknown, write: (item: number) => string, dtype = "") {
  const line = `${name} = torch.tensor(${[lists(x, write, 0), dtype].filter(Boolean).join(", ")})`;
  if (!line.includes("\n") && line.length <= LINE_WIDTH) return line;
  const lines = [lists(x, write, 4), dtype].filter(Boolean).map((part) => `    ${part},\n`);
  return `${name} = torch.tensor(\n${lines.join("")})`;
}

/** Assigns a float64 tensor. */
export const floats = (name: string, x: unknown) =>
  assignment(name, x, pythonFloat, "dtype=torch.float64");

/** Assigns an integer tensor. */
export const integers = (name: string, x: unknown) => assignment(name, x, String);

/** Assigns traits as tensors, keys_ under the name "keys". */
export const tensors = (at: object, traits: string[]) =>
  traits.map((trait) => floats(trait.replace(/_$/, ""), (at as Record<string, unknown>)[trait]));

/** Draws of dropout, which have two decimals. */
export const draws = (x: Tensor) => [
  integers(
    "hundredths",
    byRow(x, (row) => row.map((draw) => Math.round(100 * draw))),
  ),
  "draws = hundredths.double() / 100",
];

/** Writes a program that ends by printing the weights, or `printed`. `imports`: from attention_lib. */
export const program = (
  t: Translate,
  imports: string[],
  lines: string[],
  printed = "attention_weights",
) =>
  [
    `# ${t("programIs")}`,
    ...["import torch", "", ...imports, ...(imports.length ? [""] : []), ...lines],
    `print(${printed})\n`,
  ].join("\n");

/** Appends a comment to a line, unless it only repeats the variable's name. */
export const remark = (line: string, text: string) =>
  line.startsWith(`${text.replaceAll(" ", "_")} =`) ? line : `${line}  # ${text}`;

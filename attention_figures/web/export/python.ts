// The text of a Python program that computes what a figure shows.

import type { Translate } from "../core/strings.ts";
import { byRow, type Tensor } from "../maths/tensor.ts";

const LINE_WIDTH = 96; // of a line

/** A number as a Python float. */
export const pythonFloat = (x: number) =>
  Number.isInteger(x) && Math.abs(x) < 1e21 ? `${x}.0` : String(x);

/** Nested lists, over several lines where they are too long for one. */
function lists(x: unknown, write: (item: number) => string, indent: number): string {
  if (!Array.isArray(x)) return write(x as number);
  const items = x.map((item) => lists(item, write, indent + 1));
  const line = `[${items.join(", ")}]`;
  if (!line.includes("\n") && indent + line.length < LINE_WIDTH) return line;
  const next = `,\n${" ".repeat(indent + 1)}`;
  const apart = Array.isArray(x[0]) && (x[0].length > 1 || line.includes("\n")); // not a column
  return `[${apart ? items.join(next) : filled(items, LINE_WIDTH - indent - 2, next)}]`;
}

/** As many items on a line as have room. */
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

/** Gives a name to a tensor. */
function assignment(name: string, x: unknown, write: (item: number) => string, dtype = "") {
  const line = `${name} = torch.tensor(${[lists(x, write, 0), dtype].filter(Boolean).join(", ")})`;
  if (!line.includes("\n") && line.length <= LINE_WIDTH) return line;
  const lines = [lists(x, write, 4), dtype].filter(Boolean).map((part) => `    ${part},\n`);
  return `${name} = torch.tensor(\n${lines.join("")})`;
}

/** A tensor of float64. */
export const floats = (name: string, x: unknown) =>
  assignment(name, x, pythonFloat, "dtype=torch.float64");

/** A tensor of integers. */
export const integers = (name: string, x: unknown) => assignment(name, x, String);

/** Traits as tensors, by the names that everyone calls them. */
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

/** A program that ends in printing the weights, or what is said. `imports`: from attention_lib. */
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

/** A line with a remark, unless that is but its name. */
export const remark = (line: string, text: string) =>
  line.startsWith(`${text.replaceAll(" ", "_")} =`) ? line : `${line}  # ${text}`;

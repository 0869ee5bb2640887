// Describes exceptions of a reader's code in words, as engine/errors.py does.
import type { Exercise, Text } from "./data.ts";
import type { PythonError } from "./running.ts";
import type { Words } from "./words.ts";

const LENGTH = 160;
// What MicroPython says in other words than Python.
const WORDED: [RegExp, string][] = [
  [/^name '(.*)' isn't defined$/, "name '$1' is not defined"],
  [/^divide by zero$/, "division by zero"],
  [/^'(.*)' object isn't (callable|iterable|subscriptable)$/, "'$1' object is not $2"],
  [/^object of type '(.*)' has no len\(\)$/, "object of type '$1' has no len()"],
  [/^need more than (\d+) values to unpack$/, "not enough values to unpack"],
];
const OPERATORS: Record<string, string> = {
  ...{ add: "+", sub: "-", mul: "*", truediv: "/", floordiv: "//", mod: "%", pow: "**" },
  ...{ matmul: "@", and: "&", or: "|", xor: "^" },
};

/** Return an error of MicroPython in Python's words. */
export function translated({ kind, message, line }: PythonError): PythonError {
  const operands = /^unsupported types for __i?(\w+)__: '(.*)', '(.*)'$/.exec(message);
  if (operands && OPERATORS[operands[1]!]) {
    const [, name, a, b] = operands;
    const symbol = name === "pow" ? "** or pow()" : OPERATORS[name!];
    return { kind, line, message: `unsupported operand type(s) for ${symbol}: '${a}' and '${b}'` };
  }
  const known = WORDED.find(([pattern]) => pattern.test(message));
  return { kind, line, message: known ? message.replace(...known) : message };
}

/** Describe an error by its type and message, with a hint at its cause. */
export function raised(
  error: PythonError,
  where: Text,
  hints: Exercise["hints"],
  words: Words,
): string[] {
  const message = words.filled("RAISED", { case: where, error: inWords(error) });
  const searched = `${where[0]} ${oneLine(error.kind)}: ${oneLine(error.message)}`;
  const hint = hints.find(([pattern]) => new RegExp(pattern).test(searched));
  return [message, ...(hint ? [words.in([hint[1], hint[2]])] : [])];
}

/** Return the type of an error and its message, in one line. */
export function inWords(error: PythonError): Text {
  const message = oneLine(error.message);
  const ends = message ? [`: ${message}`, `：${message}`] : [".", "。"];
  return ends.map((end) => `\`${oneLine(error.kind)}\`${end}`) as Text;
}

function oneLine(message: string): string {
  const line = message
    .trim()
    .replace(/\s+/g, " ")
    .replace(/0x[0-9a-fA-F]+/g, "0x…");
  const letters = [...line];
  return letters.length <= LENGTH ? line : `${letters.slice(0, LENGTH - 1).join("")}…`;
}

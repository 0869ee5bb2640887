// Rewrites Python so that MicroPython runs it as Python would, with the functions of _builtins.py.
//
//   x *= y        MicroPython calls x.__mul__, and a view would not be written: _in_place("*=", x, y)
//   0 < x         MicroPython does not ask x: _compare("<", 0, x)
//   flag & mask   MicroPython passes a bool on the left as an int: _binary("&", flag, mask)
//   items.sort()  MicroPython takes a comparison that yields a tensor for false: _sort(items)
//   def f(x, /)   is a syntax error there: def f(x)
//   [*a, b]       is a syntax error there: _list(*a, b)
import { parser } from "@lezer/python";

interface Edit {
  from: number;
  to: number;
  text: string;
}
type Node = ReturnType<typeof parser.parse>["topNode"];

const DISPLAYS: Record<string, string> = {
  ArrayExpression: "_list",
  TupleExpression: "_tuple",
  SetExpression: "_set",
};
const NATIVE = ["+=", "-="];

export function compatible(source: string): string {
  const edits: Edit[] = [];
  const text = ({ from, to }: Node) => source.slice(from, to);
  const edit = (from: number, to: number, text: string) => edits.push({ from, to, text });

  function updated(statement: Node): void {
    const [target, operator] = [statement.firstChild!, statement.getChild("UpdateOp")!];
    if (NATIVE.includes(text(operator))) return;
    const call = ` = _in_place("${text(operator)}", ${text(target)}, (`;
    edit(operator.from, operator.to, call);
    edit(statement.to, statement.to, "))");
  }

  function called(name: string, expression: Node, operator: Node): void {
    edit(expression.from, expression.from, `${name}("${text(operator)}", `);
    edit(operator.from, operator.to, ",");
    edit(expression.to, expression.to, ")");
  }

  function computed(expression: Node): void {
    const [comparison, bits] = ["CompareOp", "BitOp"].map((name) => expression.getChild(name));
    const sum = expression.getChild("ArithOp");
    if (comparison && /[<>=]/.test(text(comparison)) && !chained(expression))
      called("_compare", expression, comparison);
    if (bits) called("_binary", expression, bits);
    if (sum && expression.firstChild!.name === "Boolean") called("_binary", expression, sum);
  }

  function displayed(display: Node): void {
    if (!display.getChildren("*").length) return;
    edit(display.from, display.from + 1, `${DISPLAYS[display.name]}(`);
    edit(display.to - 1, display.to, ")");
  }

  function sorted(call: Node): void {
    const [method, inputs] = [call.getChild("MemberExpression"), call.getChild("ArgList")];
    const name = method?.getChild("PropertyName");
    if (!name || !inputs || text(name) !== "sort") return;
    const dot = method!.getChild(".")!;
    edit(call.from, call.from, "_sort(");
    edit(dot.from, inputs.from + 1, inputs.getChild(")")!.from > inputs.from + 1 ? ", " : "");
  }

  /** Drop the slash after positional parameters, for which the grammar has no node. */
  function declared(parameters: Node): void {
    for (let node = parameters.firstChild; node?.nextSibling; node = node.nextSibling) {
      const at = source.slice(node.to, node.nextSibling.from).indexOf("/");
      if (at >= 0) edit(node.from, node.to + at + 1, "");
    }
  }

  parser.parse(source).iterate({
    enter({ name, node }) {
      if (name === "FormatString") return false; // quotes would end it
      if (name === "ParamList") declared(node);
      if (name === "CallExpression") sorted(node);
      if (name === "UpdateStatement") updated(node);
      if (name === "BinaryExpression") computed(node);
      if (name in DISPLAYS) displayed(node);
    },
  });
  return applied(source, edits);
}

/** Whether a comparison is part of a chain, a < b < c. */
function chained(expression: Node): boolean {
  const isComparison = (node: Node | null) =>
    node?.name === "BinaryExpression" && node.getChild("CompareOp") !== null;
  return isComparison(expression.parent) || isComparison(expression.firstChild);
}

function applied(source: string, edits: Edit[]): string {
  let [made, at] = ["", 0];
  // What ends at a place comes before what begins there.
  for (const { from, to, text } of edits.sort((a, b) => a.from - b.from || a.to - b.to)) {
    made += source.slice(at, from) + text;
    at = to;
  }
  return made + source.slice(at);
}

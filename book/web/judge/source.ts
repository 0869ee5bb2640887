// Reads a reader's source: the parameters of the function, gaps that are left, and syntax errors.
import { parser } from "@lezer/python";

type Node = ReturnType<typeof parser.parse>["topNode"];

export interface Parameter {
  name: string;
  stars: "" | "*" | "**";
  isOptional: boolean;
  isKeywordOnly: boolean;
}

export interface Definition {
  /** Undefined if the source does not tell. */
  parameters?: Parameter[];
  /** Whether a statement is still `...`. */
  hasGap: boolean;
}

/** Return what a source says about a name that it defines at its top level, perhaps as another's. */
export function definition(source: string, name: string): Definition {
  const text = ({ from, to }: Node) => source.slice(from, to);
  let found: Definition = { hasGap: false };
  for (let node = parser.parse(source).topNode.firstChild; node; node = node.nextSibling) {
    const inner = node.getChild("FunctionDefinition") ?? node;
    const [variable, lambda] = [inner.getChild("VariableName"), inner.getChild("LambdaExpression")];
    if (!variable || text(variable) !== name) continue;
    if (inner.name === "AssignStatement" && inner.lastChild!.name === "VariableName") {
      const other = text(inner.lastChild!);
      found = other === name ? found : definition(source.slice(0, inner.from), other);
      continue;
    }
    const made = inner.name === "FunctionDefinition" ? inner : lambda;
    const list = made?.getChild("ParamList");
    found = { parameters: list ? parameters(list, text) : undefined, hasGap: hasGap(inner) };
  }
  return found;
}

function parameters(list: Node, text: (node: Node) => string): Parameter[] {
  const found: Parameter[] = [];
  let [stars, isKeywordOnly]: [Parameter["stars"], boolean] = ["", false];
  for (let node = list.firstChild; node; node = node.nextSibling) {
    if (node.name === "*" || node.name === "**") {
      stars = node.name;
    } else if (node.name === ",") {
      isKeywordOnly ||= stars === "*"; // a bare star
      stars = "";
    } else if (node.name === "AssignOp") {
      found.at(-1)!.isOptional = true;
      node = node.nextSibling ?? node; // the default
    } else if (node.name === "VariableName") {
      found.push({ name: text(node), stars, isOptional: stars !== "", isKeywordOnly });
      isKeywordOnly ||= stars === "*";
      stars = "";
    }
  }
  return found;
}

function hasGap(inside: Node): boolean {
  let found = false;
  inside.cursor().iterate(({ name, node }) => {
    const only = node.firstChild;
    if (name === "ExpressionStatement" && only?.name === "Ellipsis" && !only.nextSibling)
      found = true;
  });
  return found;
}

/** Return the parameters as a signature lists them, unless they accept a number of arguments. */
export function refused(own: Parameter[], count: number): string | null {
  const positional = own.filter((one) => !one.stars && !one.isKeywordOnly);
  const isTooMany = count > positional.length && !own.some((one) => one.stars === "*");
  const isTooFew = positional.slice(count).some((one) => !one.isOptional);
  const needs = own.some((one) => one.isKeywordOnly && !one.isOptional);
  if (!isTooMany && !isTooFew && !needs) return null;
  return own.map((one) => one.stars + one.name).join(", ");
}

/** Whether the grammar of Python, which MicroPython does not know in full, reads a source. */
export function isPython(source: string): boolean {
  let isValid = true;
  parser.parse(source).iterate({
    enter({ type, from, to }) {
      const isText = type.name === "String" || type.name === "FormatString";
      isValid &&= !type.isError && (!isText || isClosed(source.slice(from, to)));
    },
  });
  return isValid;
}

/** Whether the quotation marks of a text are closed, which the grammar does not ask for. */
const isClosed = (text: string) => /^\w*("""|'''|"|')[^]*\1$/.test(text);

/** Return the line of the first bracket that is never closed. */
export function openBracket(source: string): number | undefined {
  const open: number[] = [];
  let line = 1;
  const tokens = /("""|''')[\s\S]*?\1|(["'])(?:\\.|(?!\2)[^\\\n])*\2|#[^\n]*|[([{]|[)\]}]|\n/g;
  for (const [token] of source.matchAll(tokens)) {
    if ("([{".includes(token)) open.push(line);
    else if (")]}".includes(token)) open.pop();
    line += token.split("\n").length - 1;
  }
  return open.at(-1);
}

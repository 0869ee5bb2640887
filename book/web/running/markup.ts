// Renders Markdown and LaTeX outputs as Jupyter does. Formulas are MathML, which needs no fonts.
import { removeMath } from "@jupyter-widgets/base-manager/lib/latex";
import { marked } from "marked";
import { sanitised } from "./sanitise.ts";

const PLACEHOLDER = /@@(\d+)@@/;
const DELIMITERS = /^(\$\$?|\\\\?[([])([^]*?)(\$\$?|\\\\?[)\]])$/;
// KaTeX shows errors in red; links are disabled by default, and maxSize keeps formulas from covering the page.
const KATEX_OPTIONS = {
  output: "mathml",
  throwOnError: false,
  errorColor: "var(--pst-color-danger)",
  strict: false,
  maxSize: 20,
} as const;

/** Undoes the HTML escaping of removeMath: KaTeX expects plain text. */
const unescaped = (text: string) =>
  text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");

const renderFormula = async (source: string) => {
  const { default: katex } = await import("katex");
  const [, begin = "", inside = source] = source.match(DELIMITERS) ?? [];
  const displayMode = begin !== "$" && !begin.endsWith("(");
  const element = document.createElement("span");
  katex.render(unescaped(inside), element, { ...KATEX_OPTIONS, displayMode });
  return element;
};

/** Replaces the placeholders of formulas in text nodes; those in attributes stay. */
const insertFormulas = async (root: Node, sources: string[]) => {
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const found: Text[] = [];
  while (texts.nextNode()) found.push(texts.currentNode as Text);
  for (const text of found) {
    const parts = text.data.split(PLACEHOLDER); // text and number alternate
    const set = parts.map((part, i) => (i % 2 ? renderFormula(sources[Number(part)] ?? "") : part));
    if (parts.length > 1) text.replaceWith(...(await Promise.all(set)));
  }
};

export const renderMarkup = async (kind: string, source: string) => {
  const { text, math } = removeMath(source);
  const template = document.createElement("template");
  if (kind === "text/markdown") template.innerHTML = await sanitised(await marked.parse(text));
  else template.content.append(text);
  await insertFormulas(template.content, math);
  return template.content;
};

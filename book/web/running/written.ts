// Sets Markdown and LaTeX of an output, as Jupyter does. Formulas are MathML, which needs no fonts.
import { removeMath } from "@jupyter-widgets/base-manager/lib/latex";
import { marked } from "marked";
import { harmless } from "./harmless.ts";

const PLACE = /@@(\d+)@@/;
const ENDS = /^(\$\$?|\\\\?[([])([^]*?)(\$\$?|\\\\?[)\]])$/;
// What KaTeX cannot set it shows in red; nothing leads anywhere, and nothing is large enough to cover a page.
const OPTIONS = {
  output: "mathml",
  throwOnError: false,
  errorColor: "var(--pst-color-danger)",
  strict: false,
  maxSize: 20,
} as const;

/** removeMath escapes for HTML, which KaTeX does not read. */
const unescaped = (text: string) =>
  text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");

const formula = async (source: string) => {
  const { default: katex } = await import("katex");
  const [, begin = "", inside = source] = source.match(ENDS) ?? [];
  const displayMode = begin !== "$" && !begin.endsWith("(");
  const element = document.createElement("span");
  katex.render(unescaped(inside), element, { ...OPTIONS, displayMode });
  return element;
};

/** Puts formulas where their numbers stand in the text; in an attribute they stay numbers. */
const setMath = async (root: Node, sources: string[]) => {
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const found: Text[] = [];
  while (texts.nextNode()) found.push(texts.currentNode as Text);
  for (const text of found) {
    const parts = text.data.split(PLACE); // text and number by turns
    const set = parts.map((part, i) => (i % 2 ? formula(sources[Number(part)] ?? "") : part));
    if (parts.length > 1) text.replaceWith(...(await Promise.all(set)));
  }
};

export const written = async (kind: string, source: string) => {
  const { text, math } = removeMath(source);
  const template = document.createElement("template");
  if (kind === "text/markdown") template.innerHTML = await harmless(await marked.parse(text));
  else template.content.append(text);
  await setMath(template.content, math);
  return template.content;
};

// Compares the outputs of a run with the book's outputs.
import { htmlText } from "./outputs.ts";

const normalised = (text: string) => text.trim().replace(/[ \t]+$/gm, "");

/** The texts of the book's outputs. Pictures are not compared: they differ between machines. */
export const bookOutputs = (outputs: Iterable<Element>): string[] => {
  const texts: string[] = [];
  let stream = "";
  for (const element of outputs) {
    const kind = element.matches(".stream") ? "stream" : element.matches(".stderr") ? "stderr" : "";
    const text = outputText(element);
    // The page has an element for each write to a stream.
    if (kind && kind === stream) texts.push((texts.pop() ?? "") + text);
    else texts.push(text);
    stream = kind;
  }
  return texts;
};

const outputText = (element: Element) => {
  if (element.matches("img, svg") || element.querySelector("img")) return "[picture]";
  if (element.matches(".text_html")) return htmlText(element.outerHTML);
  return (element.querySelector("pre") ?? element).textContent ?? ""; // without the copy button
};

export const differ = (texts: string[], book: string[]) => {
  const one = texts.map((text) => normalised(text.replace(/^\[image\/.*\]$/, "[picture]")));
  const other = book.map(normalised);
  return one.length !== other.length || one.some((text, i) => text !== other[i]);
};

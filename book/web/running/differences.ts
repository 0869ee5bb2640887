// Whether a cell says what it says in the book.
import { sayingOfHtml } from "./outputs.ts";

const even = (text: string) => text.trim().replace(/[ \t]+$/gm, "");

/** What the outputs of the book's page say. Pictures are not compared: they differ between machines. */
export const saidByTheBook = (outputs: Iterable<Element>): string[] => {
  const said: string[] = [];
  let stream = "";
  for (const element of outputs) {
    const own = element.matches(".stream") ? "stream" : element.matches(".stderr") ? "stderr" : "";
    const text = saying(element);
    // The page has a frame for each text that was written.
    if (own && own === stream) said.push((said.pop() ?? "") + text);
    else said.push(text);
    stream = own;
  }
  return said;
};

const saying = (element: Element) => {
  if (element.matches("img, svg") || element.querySelector("img")) return "[picture]";
  if (element.matches(".text_html")) return sayingOfHtml(element.outerHTML);
  return (element.querySelector("pre") ?? element).textContent ?? ""; // not its button to copy
};

export const differ = (said: string[], book: string[]) => {
  const one = said.map((text) => even(text.replace(/^\[image\/.*\]$/, "[picture]")));
  const other = book.map(even);
  return one.length !== other.length || one.some((text, i) => text !== other[i]);
};

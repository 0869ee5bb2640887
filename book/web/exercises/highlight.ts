// Colours Python code without the editor, with the classes of Pygments that the editor uses too.

const KEYWORDS =
  "and|as|assert|break|class|continue|def|del|elif|else|except|finally|for|from|if|import|in|is|lambda|not|or|pass|raise|return|try|while|with|yield";
const CLASSES = ["c1", "s2", "blank", "kc", "nf", "k", "mi", "n", "o"];
const TOKEN = new RegExp(
  [
    /(#.*)/,
    /("(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?)/,
    /(\b____\b)/,
    /\b(None|True|False)\b/,
    /(?<=\bdef )(\w+)/,
    new RegExp(`\\b(${KEYWORDS})\\b`),
    /\b(\d[\w.]*)/,
    /([\p{L}_]\w*)/u,
    /([-+*/%@<>=!~&|^]+)/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "gu",
);

const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** Returns HTML. */
export function highlighted(code: string): string {
  let [html, end] = ["", 0];
  for (const found of code.matchAll(TOKEN)) {
    const name = CLASSES[found.slice(1).findIndex((part) => part !== undefined)]!;
    html += escaped(code.slice(end, found.index));
    html += `<span class="${name}">${escaped(found[0])}</span>`;
    end = found.index + found[0].length;
  }
  return html + escaped(code.slice(end));
}

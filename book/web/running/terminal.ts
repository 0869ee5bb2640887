// Renders text as a terminal does: ANSI colours, carriage returns and backspaces.
import { AnsiUp } from "ansi_up";

/** Returns HTML with ANSI colours as classes; all else is escaped. */
export const ansiToHtml = (text: string) => {
  const ansi = new AnsiUp();
  ansi.use_classes = true;
  ansi.url_allowlist = {};
  // RGB colours were chosen for another background: mix them with the text colour.
  return ansi.ansi_to_html(text).replace(/(?<=<span style="[^"]*)color:(rgb\([\d,]+\))/g, MIXED);
};
const MIXED = "color:color-mix(in oklab,$1 50%,var(--pst-color-text-base))";

/** Applies carriage returns and backspaces, as progress bars use them. */
export const applyControlCharacters = (text: string) =>
  text.includes("\r") || text.includes("\b")
    ? text.replace(/\r+\n/g, "\n").split("\n").map(visibleLine).join("\n")
    : text;

const visibleLine = (line: string) =>
  line.split("\r").reduce((shown, next) => {
    let now = next;
    while (/[^\b]\x08/.test(now)) now = now.replace(/[^\b]\x08/, "");
    return now.replace(/\x08/g, "") + shown.slice(now.length);
  }, "");

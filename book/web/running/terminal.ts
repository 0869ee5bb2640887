// Text as a terminal shows it: colours, and what goes back in its line.
import { AnsiUp } from "ansi_up";

/** HTML of a text with ANSI colours, as classes; everything else in it is escaped. */
export const coloured = (text: string) => {
  const colours = new AnsiUp();
  colours.use_classes = true;
  colours.url_allowlist = {};
  // Any other colour was chosen for another ground: half of it is left.
  return colours.ansi_to_html(text).replace(/(?<=<span style="[^"]*)color:(rgb\([\d,]+\))/g, MIXED);
};
const MIXED = "color:color-mix(in oklab,$1 50%,var(--pst-color-text-base))";

/** What is left of lines that are written over, as progress bars do it. */
export const overwritten = (text: string) =>
  text.includes("\r") || text.includes("\b")
    ? text.replace(/\r+\n/g, "\n").split("\n").map(lastOfLine).join("\n")
    : text;

const lastOfLine = (line: string) =>
  line.split("\r").reduce((shown, next) => {
    let now = next;
    while (/[^\b]\x08/.test(now)) now = now.replace(/[^\b]\x08/, "");
    return now.replace(/\x08/g, "") + shown.slice(now.length);
  }, "");

// Text with marks: **strong**, *a word of the figure*, `code`.
import type { ComponentChildren } from "preact";

const MARKS = /(\*\*[^*]+\*\*|\*[^*]+\*|`[^`]+`)/;

export function Marked({ text }: { text: string }): ComponentChildren {
  return text.split(MARKS).map((part, i) => {
    if (i % 2 === 0) return part;
    if (part.startsWith("**")) return <b key={i}>{part.slice(2, -2)}</b>;
    if (part.startsWith("*")) return <em key={i}>{part.slice(1, -1)}</em>;
    return <code key={i}>{part.slice(1, -1)}</code>;
  });
}

/** The same for those who listen. */
export const unmarked = (text: string) =>
  text
    .split(MARKS)
    .map((part, i) => (i % 2 ? part.replace(/^(\*\*|\*|`)|(\*\*|\*|`)$/g, "") : part))
    .join("");

// Renders inline markup in a text: **strong**, *a name in the figure*, `code`.
import type { ComponentChildren } from "preact";

const MARKS = /(\*\*[^*]+\*\*|\*[^*]+\*|`[^`]+`)/;

export function Markup({ text }: { text: string }): ComponentChildren {
  return text.split(MARKS).map((part, i) => {
    if (i % 2 === 0) return part;
    if (part.startsWith("**")) return <b key={i}>{part.slice(2, -2)}</b>;
    if (part.startsWith("*")) return <em key={i}>{part.slice(1, -1)}</em>;
    return <code key={i}>{part.slice(1, -1)}</code>;
  });
}

/** Removes the markup, for screen readers. */
export const withoutMarkup = (text: string) =>
  text
    .split(MARKS)
    .map((part, i) => (i % 2 ? part.replace(/^(\*\*|\*|`)|(\*\*|\*|`)$/g, "") : part))
    .join("");

// Renders a formula as text: letters in italics, subscripts and superscripts.
import type { ComponentChildren } from "preact";

const PARTS = /_(\w)|\^(\w)|([a-zA-Z]+)|([^])/g;

/** `text`: such as "w_v^T tanh(W k)". */
export const Formula = ({ text }: { text: string }) => (
  <span class="formula">
    {[...text.matchAll(PARTS)].map(([, index, power, word, other]): ComponentChildren => {
      if (index) return <sub><i>{index}</i></sub>; // prettier-ignore
      if (power) return <sup><i>{power}</i></sup>; // prettier-ignore
      return word?.length === 1 ? <i>{word}</i> : (word ?? other);
    })}
  </span>
);

// A line of mathematics as text: letters in italics, indices below, transposes above.
import type { ComponentChildren } from "preact";

const PARTS = /_(\w)|\^(\w)|([a-zA-Z]+)|([^])/g;

/** What "w_v^T tanh(W k)" says. */
export const Formula = ({ text }: { text: string }) => (
  <span class="formula">
    {[...text.matchAll(PARTS)].map(([, index, power, word, other]): ComponentChildren => {
      if (index) return <sub><i>{index}</i></sub>; // prettier-ignore
      if (power) return <sup><i>{power}</i></sup>; // prettier-ignore
      return word?.length === 1 ? <i>{word}</i> : (word ?? other);
    })}
  </span>
);

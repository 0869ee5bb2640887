// Prints how weights are drawn in a figure: the same in the whole book, and only what there is.
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Words } from "./words.ts";

/** What is drawn as a length, an area or a colour. Sums and other numbers have axes of their own. */
const DRAWN = new Map([
  ["lengthScale", ".weight-bar, .arc, .link, .bars.weight:not(.spread *)"],
  ["areaScale", "circle.weight, rect.weight"],
  ["colourScale", ".weight-square, .read-token, .weights, [data-hue='weights']:has(tbody, canvas)"],
]);

export function Scales({ root, words }: { root: HTMLElement; words: Words }) {
  const line = useRef<HTMLParagraphElement>(null);
  // Parts come and go with longer sentences and other views. A style sheet would ask again whenever
  // anything in the figure changes.
  useLayoutEffect(() => {
    const show = () => {
      for (const scale of line.current!.querySelectorAll<HTMLElement>("[data-scale]"))
        scale.hidden = !root.querySelector(DRAWN.get(scale.dataset.scale!)!);
    };
    const observer = new MutationObserver(show);
    observer.observe(root, { childList: true, subtree: true });
    show();
    return () => observer.disconnect();
  }, []);
  return (
    <p class="scales" ref={line}>
      {[...DRAWN.keys()].map((name) => (
        <span data-scale={name}>{words(name)}</span>
      ))}
    </p>
  );
}

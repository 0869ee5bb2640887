// Prints the scales by which a figure draws weights: as lengths, areas or colours.
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Translate } from "./strings.ts";

/** Selectors of the weights drawn on each scale. Sums and other numbers have their own axes. */
const DRAWN = new Map([
  ["lengthScale", ".weight-bar, .arc, .link, .bars.weight:not(.spread *)"],
  ["areaScale", "circle.weight, rect.weight"],
  ["colourScale", ".weight-square, .read-token, .weights, [data-hue='weights']:has(tbody, canvas)"],
]);

export function Scales(props: { root: HTMLElement; t: Translate; children: ComponentChildren }) {
  const { root, t, children } = props;
  const line = useRef<HTMLParagraphElement>(null);
  // The view adds and removes elements. A :has() rule instead of an observer would be evaluated on
  // every change within the figure.
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
        <span data-scale={name}>{t(name)}</span>
      ))}
      {children}
    </p>
  );
}

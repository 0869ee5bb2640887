// The colours that the style sheet has at the moment, for what is painted by code.
import { signal, type Signal } from "@preact/signals";

/** Changes whenever colours may have: once on the page, and with each theme. */
export interface Theme {
  count: Signal<number>;
  stop(): void;
}

const themes = new WeakMap<Element, Theme>();

/** The theme of the figure that an element is in. */
export const themeOf = (node: Element): Theme | undefined => {
  const root = node.closest("[data-figure]");
  return root ? themes.get(root) : undefined;
};

export function followColours(root: HTMLElement): Theme {
  const count = signal(0);
  const tell = () => (count.value = count.peek() + 1);
  const placed = new ResizeObserver(tell);
  placed.observe(root);
  const theme = new MutationObserver(tell);
  theme.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  theme.observe(document.body, { attributeFilter: ["data-jp-theme-light"] });
  const own = {
    count,
    stop: () => {
      placed.disconnect();
      theme.disconnect();
    },
  };
  themes.set(root, own);
  return own;
}

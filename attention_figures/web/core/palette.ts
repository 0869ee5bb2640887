// Reads the colours of the current theme from the style sheet, for canvases and inline styles.
import type { Signal } from "@preact/signals";
import { range } from "../maths/tensor.ts";
import { channelsOf } from "../export/svg.ts";

type Colour = readonly number[]; // red, green, blue

/** Shades of a hue with their text colours: from −SHADES, most negative, over 0, pale, to SHADES. */
export interface Shades {
  shades: Colour[];
  /** Black or white, whichever has more contrast with the shade. */
  text: Colour[];
  hatch: Colour;
}

export type Hue = "scores" | "weights" | "queries" | "keys" | "values" | "plain";

export const SHADES = 64; // finer steps would cause repaints that nobody sees

const STRONG: Record<Hue, [positive: string, negative: string]> = {
  scores: ["score", "score-negative"],
  weights: ["weight", "weight"],
  queries: ["query", "score-negative"],
  keys: ["key", "score-negative"],
  values: ["value", "score-negative"],
  plain: ["line", "line"],
};

/** Increments `theme` when colours may have changed: once laid out, then on each theme change. */
export function watchColours(root: HTMLElement, theme: Signal<number>) {
  const notify = () => (theme.value = theme.peek() + 1);
  // There are no styles to read before the first layout; later resizes do not matter.
  const laidOut = new ResizeObserver(([{ contentRect }]) => {
    if (!contentRect.width) return;
    laidOut.disconnect();
    notify();
  });
  laidOut.observe(root);
  const switched = new MutationObserver(notify);
  switched.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  switched.observe(document.body, { attributeFilter: ["data-jp-theme-light"] });
  const system = ["(forced-colors: active)", "(prefers-color-scheme: dark)"].map((query) =>
    matchMedia(query),
  );
  system.forEach((query) => query.addEventListener("change", notify));
  return {
    stop: () => {
      system.forEach((query) => query.removeEventListener("change", notify));
      laidOut.disconnect();
      switched.disconnect();
    },
  };
}

/** Cache of shades for the current theme: reading a style forces a style recalculation. */
const cached = new Map<Hue, Shades>();
let cachedTheme = "";

/** Returns the shades of a hue in a figure, from the cache unless the theme has changed. */
export const shadeReader = () => (node: Element, hue: Hue, theme: number) => {
  if (!theme) return undefined; // no style sheet is applied yet
  const { documentElement: page, body } = document;
  const now = [page.dataset.theme, body.dataset.jpThemeLight, theme].join();
  if (now !== cachedTheme) cached.clear();
  cachedTheme = now;
  const shades = cached.get(hue) ?? shadesOf(node, hue);
  cached.set(hue, shades);
  return shades;
};

/** Returns a palette colour at a node, as a computed colour. */
export function colourOf(node: Element, name: string): string {
  const channels = getComputedStyle(node).getPropertyValue(`--${name}`).trim();
  if (/^[\d.]/.test(channels)) return `rgb(${channels})`;
  // A system colour such as CanvasText: custom properties are not resolved, `color` is.
  const probe = document.createElement("i");
  probe.style.color = `rgb(${channels})`;
  node.closest(".attention-figure")!.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

/** Computes the shades of a hue at a node. */
export function shadesOf(node: Element, hue: Hue): Shades {
  const colour = (name: string): Colour => channelsOf(colourOf(node, name))!;
  const most = parseFloat(getComputedStyle(node).getPropertyValue("--shade")) / 100;
  const [pale, ink, contrast] = ["pale", "ink", "contrast"].map(colour);
  const [positive, negative] = STRONG[hue].map(colour);
  const shades = range(2 * SHADES + 1).map((i) => {
    const strength = (most * Math.abs(i - SHADES)) / SHADES;
    const strong = i < SHADES ? negative : positive;
    return pale.map((channel, c) => Math.round(channel + strength * (strong[c] - channel)));
  });
  const text = shades.map((shade) =>
    contrastOf(shade, ink) >= contrastOf(shade, contrast) ? ink : contrast,
  );
  return { shades, text, hatch: colour("hatch") };
}

/** Contrast ratio of two colours, as WCAG defines it. */
export function contrastOf(a: Colour, b: Colour): number {
  const [light, dark] = [a, b].map(luminance).sort((x, y) => y - x);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: Colour): number {
  const linear = colour.map((channel) => {
    const c = channel / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
}

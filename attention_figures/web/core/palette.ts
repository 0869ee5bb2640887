// The colours that the style sheet has at the moment, for what is painted by code.
import type { Signal } from "@preact/signals";
import { range } from "../maths/tensor.ts";
import { channelsOf } from "../share/svg.ts";

type Colour = readonly number[]; // red, green, blue

/** What stands on what: from −SHADES, the most negative, over 0, pale, to SHADES. */
export interface Shades {
  shades: Colour[];
  /** Black or white, whichever is the easier to read on a shade. */
  text: Colour[];
  hatch: Colour;
}

export type Hue = "scores" | "weights" | "queries" | "keys" | "values" | "plain";

export const SHADES = 64; // finer ones would be repainted without being seen

const STRONG: Record<Hue, [positive: string, negative: string]> = {
  scores: ["score", "score-negative"],
  weights: ["weight", "weight"],
  queries: ["query", "score-negative"],
  keys: ["key", "score-negative"],
  values: ["value", "score-negative"],
  plain: ["line", "line"],
};

/** Tells when colours may have changed: once on the page, and with each theme or system colours. */
export function followColours(root: HTMLElement, theme: Signal<number>) {
  const tell = () => (theme.value = theme.peek() + 1);
  // Before it has a place, there are no styles to read; later sizes mean nothing.
  const placed = new ResizeObserver(([{ contentRect }]) => {
    if (!contentRect.width) return;
    placed.disconnect();
    tell();
  });
  placed.observe(root);
  const switched = new MutationObserver(tell);
  switched.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  switched.observe(document.body, { attributeFilter: ["data-jp-theme-light"] });
  const system = ["(forced-colors: active)", "(prefers-color-scheme: dark)"].map((query) =>
    matchMedia(query),
  );
  system.forEach((query) => query.addEventListener("change", tell));
  return {
    stop: () => {
      system.forEach((query) => query.removeEventListener("change", tell));
      placed.disconnect();
      switched.disconnect();
    },
  };
}

/** By hue, of the theme that was read last: reading a style makes the browser work it all out. */
const known = new Map<Hue, Shades>();
let knownTheme = "";

/** The shades of a hue in a figure, read anew only when its theme has changed. */
export const shadeReader = () => (node: Element, hue: Hue, theme: number) => {
  if (!theme) return undefined; // no style sheet has been applied yet
  const { documentElement: page, body } = document;
  const now = [page.dataset.theme, body.dataset.jpThemeLight, theme].join();
  if (now !== knownTheme) known.clear();
  knownTheme = now;
  const shades = known.get(hue) ?? shadesOf(node, hue);
  known.set(hue, shades);
  return shades;
};

/** A colour of the palette where a node stands, as a computed one. */
export function colourOf(node: Element, name: string): string {
  const channels = getComputedStyle(node).getPropertyValue(`--${name}`).trim();
  if (/^[\d.]/.test(channels)) return `rgb(${channels})`;
  // One of the system's: a property has it as it is written, and only a colour is computed.
  const probe = document.createElement("i");
  probe.style.color = `rgb(${channels})`;
  node.closest(".attention-figure")!.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

/** The shades of a hue where a node stands. */
export function shadesOf(node: Element, hue: Hue): Shades {
  const colour = (name: string): Colour => channelsOf(colourOf(node, name))!;
  const most = parseFloat(getComputedStyle(node).getPropertyValue("--shade")) / 100;
  const [pale, ink, contrast] = ["pale", "ink", "contrast"].map(colour);
  const [positive, negative] = STRONG[hue].map(colour);
  const shades = range(2 * SHADES + 1).map((i) => {
    const way = (most * Math.abs(i - SHADES)) / SHADES;
    const strong = i < SHADES ? negative : positive;
    return pale.map((channel, c) => Math.round(channel + way * (strong[c] - channel)));
  });
  const text = shades.map((shade) =>
    contrastOf(shade, ink) >= contrastOf(shade, contrast) ? ink : contrast,
  );
  return { shades, text, hatch: colour("hatch") };
}

/** Ratio of contrast between two colours, as WCAG defines it. */
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

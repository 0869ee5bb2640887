// Writes SVG as text without a style sheet: colours and fonts are attributes.

export type Attributes = Record<string, string | number | undefined>;

const SIGNS = /[&<>"]/g;

const escaped = (value: string | number | undefined) =>
  (typeof value === "number" ? String(Number(value.toFixed(2))) : String(value)).replace(
    SIGNS,
    (sign) => `&#${sign.charCodeAt(0)};`,
  );

/** Writes an element; attributes without a value are left out. */
export function tag(name: string, attributes: Attributes, ...content: string[]): string {
  const present = Object.entries(attributes).filter(([, value]) => value !== undefined);
  const start = [name, ...present.map(([key, value]) => `${key}="${escaped(value)}"`)].join(" ");
  return `<${start}>${content.join("")}</${name}>`;
}

/** Escapes the text between tags. */
export const escapedText = (text: string) => escaped(text.replace(/\s+/g, " "));

/** Returns the channels of a computed colour, 0 to 255, and its opacity if that is less than 1. */
export function channelsOf(colour: string): number[] | undefined {
  const numbers = colour.match(/[\d.]+/g)?.map(Number);
  const most = colour.startsWith("color(") ? 255 : 1; // color(srgb …) has channels from 0 to 1
  return numbers?.map((x, i) => (i < 3 ? most * x : x));
}

/** Returns the attributes of a computed colour; none if it is transparent. */
export function paint(what: "fill" | "stroke", colour: string, opacity = 1): Attributes {
  const [red, green, blue, alpha = 1] = channelsOf(colour) ?? [0, 0, 0, 0];
  if (alpha * opacity === 0) return {};
  const hex = [red, green, blue].map((x) => Math.round(x).toString(16).padStart(2, "0")).join("");
  const seen = alpha * opacity;
  return { [what]: `#${hex}`, [`${what}-opacity`]: seen < 1 ? seen : undefined };
}

/** Returns the font attributes of a text. */
export const fontOf = ({
  fontFamily,
  fontSize,
  fontWeight,
  fontStyle,
}: CSSStyleDeclaration): Attributes => ({
  "font-family": fontFamily,
  "font-size": parseFloat(fontSize),
  "font-weight": fontWeight === "400" ? undefined : fontWeight,
  "font-style": fontStyle === "normal" ? undefined : fontStyle,
});

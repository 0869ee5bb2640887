// @ts-check
// SVG as text that opens anywhere: colours and fonts are attributes, and there is no style sheet.

/** @typedef {Record<string, string | number | undefined>} Attributes */

const SIGNS = /[&<>"]/g;

/** @param {string | number | undefined} value */
const escaped = (value) =>
  (typeof value === "number" ? String(Number(value.toFixed(2))) : String(value)).replace(
    SIGNS,
    (sign) => `&#${sign.charCodeAt(0)};`,
  );

/** An element; attributes without a value are left out. */
/** @param {string} name @param {Attributes} attributes @param {...string} content as SVG */
export function tag(name, attributes, ...content) {
  const given = Object.entries(attributes).filter(([, value]) => value !== undefined);
  const start = [name, ...given.map(([key, value]) => `${key}="${escaped(value)}"`)].join(" ");
  return `<${start}>${content.join("")}</${name}>`;
}

/** What stands between tags. @param {string} text */
export const written = (text) => escaped(text.replace(/\s+/g, " "));

/**
 * A computed colour as attributes; none where nothing is painted.
 * @param {"fill" | "stroke"} what @param {string} colour @param {number} [opacity]
 * @returns {Attributes}
 */
export function painted(what, colour, opacity = 1) {
  const [red, green, blue, alpha = 1] = (colour.match(/[\d.]+/g) ?? [0, 0, 0, 0]).map(Number);
  if (alpha * opacity === 0) return {};
  const hex = [red, green, blue].map((x) => Math.round(x).toString(16).padStart(2, "0")).join("");
  const seen = alpha * opacity;
  return { [what]: `#${hex}`, [`${what}-opacity`]: seen < 1 ? seen : undefined };
}

/** The font of a text. @param {CSSStyleDeclaration} style @returns {Attributes} */
export const fontOf = ({ fontFamily, fontSize, fontWeight, fontStyle }) => ({
  "font-family": fontFamily,
  "font-size": parseFloat(fontSize),
  "font-weight": fontWeight === "400" ? undefined : fontWeight,
  "font-style": fontStyle === "normal" ? undefined : fontStyle,
});

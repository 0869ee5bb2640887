// Converts text to SVG for a picture: with the page's line breaks, colours and fonts.
import { fontOf, paint, tag, escapedText } from "./svg.ts";

interface Line {
  text: string;
  box: DOMRect;
}

// A word with the space after it, or a Chinese character: a line can break after either.
const UNITS =
  /[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]\s*|[^\s\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]+\s*|\s+/g;
const WIDE = /^[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]/;

const ruler = document.createElement("canvas").getContext("2d");

/** Returns the height of a line's middle above its baseline. */
function middleOf({ fontStyle, fontWeight, fontSize, fontFamily }: CSSStyleDeclaration) {
  if (!ruler) return 0;
  ruler.font = `${fontStyle} ${fontWeight} ${fontSize} ${fontFamily}`;
  const { fontBoundingBoxAscent: above, fontBoundingBoxDescent: below } = ruler.measureText("x");
  return (above - below) / 2;
}

/** Draws a line of text within a box. */
export function linePicture(
  text: string,
  box: DOMRect,
  style: CSSStyleDeclaration,
  anchor: "start" | "middle" | "end",
): string {
  const x = { start: box.left, middle: (box.left + box.right) / 2, end: box.right }[anchor];
  const y = (box.top + box.bottom) / 2 + middleOf(style);
  return tag("text", { x, y, "text-anchor": anchor, ...lookOf(style) }, escapedText(text.trim()));
}

export function textPicture(node: Text, style: CSSStyleDeclaration): string {
  const upright = style.writingMode.startsWith("horizontal");
  const anchors: Record<string, "middle" | "end"> = { center: "middle", right: "end", end: "end" };
  const anchor = anchors[style.textAlign];
  return unitsOf(node)
    .reduce(upright ? joined : separate, [] as Line[])
    .map(({ text, box }) =>
      upright || WIDE.test(text)
        ? linePicture(text, box, style, upright ? (anchor ?? "start") : "middle")
        : turnedPicture(text, box, style),
    )
    .join("");
}

/** Returns the visible units of a text with their boxes. */
function unitsOf(node: Text): Line[] {
  const range = document.createRange();
  return [...node.data.matchAll(UNITS)].flatMap(({ 0: text, index }) => {
    range.setStart(node, index);
    range.setEnd(node, index + text.length);
    const box = range.getBoundingClientRect();
    return text.trim() && box.width ? [{ text, box }] : [];
  });
}

/** Joins adjacent units to a line. */
function joined(lines: Line[], { text, box }: Line) {
  const last = lines[lines.length - 1];
  if (!last || box.top >= last.box.bottom) return [...lines, { text, box }];
  last.text += text;
  last.box = new DOMRect(last.box.x, last.box.y, box.right - last.box.x, last.box.height);
  return lines;
}

const separate = (lines: Line[], unit: Line) => [...lines, unit];

/** Draws a line of vertical text. */
function turnedPicture(text: string, box: DOMRect, style: CSSStyleDeclaration) {
  const x = (box.left + box.right) / 2 - middleOf(style);
  const turn = { transform: `rotate(90 ${x} ${box.top})`, x, y: box.top };
  return tag("text", { ...turn, ...lookOf(style) }, escapedText(text));
}

const lookOf = (style: CSSStyleDeclaration) => ({
  ...fontOf(style),
  ...paint("fill", style.color),
  "text-decoration": style.textDecorationLine === "none" ? undefined : style.textDecorationLine,
});

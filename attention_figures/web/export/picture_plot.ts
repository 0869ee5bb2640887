// Converts a plot to SVG for a picture: shapes with their computed styles as attributes.
import { fontOf, paint, tag, escapedText, type Attributes } from "./svg.ts";

const ONLY_HERE = /^(class|style|role|hidden|aria-|data-)/; // attributes without meaning outside the page

/** `box`: the plot's position; `name`: the id for a clip path. */
export function plotPicture(plot: SVGSVGElement, box: DOMRect, name: string): string {
  const { x, y, width } = plot.viewBox.baseVal;
  const place = `translate(${box.left} ${box.top}) scale(${box.width / width})`;
  const shapes = [...plot.children].map((shape) => shapePicture(shape, name));
  return tag("g", { transform: `${place} translate(${-x} ${-y})` }, ...shapes);
}

function shapePicture(node: Element, name: string): string {
  const style = getComputedStyle(node);
  if (style.display === "none" || node.matches("title, .hit")) return "";
  if (node.matches("g, svg")) {
    const inner = [...node.children].map((child) => shapePicture(child, name));
    return node.matches("g") ? tag("g", attributesOf(node), ...inner) : clipped(node, inner, name);
  }
  if (style.visibility !== "visible") return "";
  if (node.matches("text")) return labelPicture(node, style);
  const look = { fill: "none", ...fillOf(style), ...strokeOf(style) };
  return tag(node.localName, { ...attributesOf(node), ...look });
}

/** Clips the content of a nested svg at its edges. */
function clipped(node: Element, inner: string[], name: string) {
  const { viewBox, ...frame } = attributesOf(node);
  return (
    tag("clipPath", { id: name }, tag("rect", frame)) +
    tag("g", { "clip-path": `url(#${name})` }, ...inner)
  );
}

/** Draws a text's halo as a second text, since some programs draw strokes above fills. */
function labelPicture(node: Element, style: CSSStyleDeclaration) {
  const own = { ...attributesOf(node), ...fontOf(style) };
  const halo = strokeOf(style);
  const text = (look: (part: Element) => Attributes) =>
    tag(
      "text",
      { ...own, ...look(node) },
      ...[...node.childNodes].map((part) => spanPicture(part, look)),
    );
  const behind = halo.stroke ? text(() => ({ fill: "none", ...halo })) : "";
  return node.textContent ? behind + text((part) => fillOf(getComputedStyle(part))) : "";
}

function spanPicture(part: Node, look: (part: Element) => Attributes): string {
  const text = escapedText(part.textContent ?? "");
  if (!(part instanceof Element)) return text;
  return tag("tspan", { ...attributesOf(part), ...look(part) }, text);
}

const attributesOf = (node: Element): Attributes =>
  Object.fromEntries(
    [...node.attributes]
      .filter(({ name }) => !ONLY_HERE.test(name))
      .map(({ name, value }) => [name, value]),
  );

const fillOf = ({ fill, fillOpacity }: CSSStyleDeclaration) =>
  paint("fill", fill, Number(fillOpacity));

function strokeOf({
  stroke,
  strokeWidth,
  strokeDasharray,
  strokeLinecap,
  strokeLinejoin,
}: CSSStyleDeclaration): Attributes {
  const look = paint("stroke", stroke);
  if (!look.stroke) return {};
  return {
    ...look,
    "stroke-width": parseFloat(strokeWidth),
    "stroke-dasharray": strokeDasharray === "none" ? undefined : strokeDasharray.replace(/px/g, ""),
    "stroke-linecap": strokeLinecap,
    "stroke-linejoin": strokeLinejoin,
  };
}

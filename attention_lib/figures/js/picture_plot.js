// @ts-check
// A plot for a picture: its shapes with all that the stylesheet says of them written into them.
import { fontOf, painted, tag, written } from "./svg.js";

/** @typedef {import("./svg.js").Attributes} Attributes */

const ONLY_HERE = /^(class|style|role|hidden|aria-|data-)/; // attributes that mean nothing elsewhere

/** @param {SVGSVGElement} plot @param {DOMRect} box where it stands @param {string} name of a clip */
export function plotPicture(plot, box, name) {
  const { x, y, width } = plot.viewBox.baseVal;
  const place = `translate(${box.left} ${box.top}) scale(${box.width / width})`;
  const shapes = [...plot.children].map((shape) => shapePicture(shape, name));
  return tag("g", { transform: `${place} translate(${-x} ${-y})` }, ...shapes);
}

/** @param {Element} node @param {string} name @returns {string} */
function shapePicture(node, name) {
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

/** What lies in a plot's inside is cut off at its edges. */
/** @param {Element} node @param {string[]} inner @param {string} name */
function clipped(node, inner, name) {
  const { viewBox, ...frame } = attributesOf(node);
  return (
    tag("clipPath", { id: name }, tag("rect", frame)) +
    tag("g", { "clip-path": `url(#${name})` }, ...inner)
  );
}

/** Its halo is a text of its own, since not every program draws strokes below fills. */
/** @param {Element} node @param {CSSStyleDeclaration} style */
function labelPicture(node, style) {
  const own = { ...attributesOf(node), ...fontOf(style) };
  const halo = strokeOf(style);
  const text = (/** @type {(part: Element) => Attributes} */ look) =>
    tag(
      "text",
      { ...own, ...look(node) },
      ...[...node.childNodes].map((part) => words(part, look)),
    );
  const behind = halo.stroke ? text(() => ({ fill: "none", ...halo })) : "";
  return node.textContent ? behind + text((part) => fillOf(getComputedStyle(part))) : "";
}

/** @param {Node} part @param {(part: Element) => Attributes} look */
function words(part, look) {
  const text = written(part.textContent ?? "");
  if (!(part instanceof Element)) return text;
  return tag("tspan", { ...attributesOf(part), ...look(part) }, text);
}

/** @param {Element} node @returns {Attributes} */
const attributesOf = (node) =>
  Object.fromEntries(
    [...node.attributes]
      .filter(({ name }) => !ONLY_HERE.test(name))
      .map(({ name, value }) => [name, value]),
  );

/** @param {CSSStyleDeclaration} style */
const fillOf = ({ fill, fillOpacity }) => painted("fill", fill, Number(fillOpacity));

/** @param {CSSStyleDeclaration} style @returns {Attributes} */
function strokeOf({ stroke, strokeWidth, strokeDasharray, strokeLinecap, strokeLinejoin }) {
  const look = painted("stroke", stroke);
  if (!look.stroke) return {};
  return {
    ...look,
    "stroke-width": parseFloat(strokeWidth),
    "stroke-dasharray": strokeDasharray === "none" ? undefined : strokeDasharray.replace(/px/g, ""),
    "stroke-linecap": strokeLinecap,
    "stroke-linejoin": strokeLinejoin,
  };
}

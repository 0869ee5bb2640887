// @ts-check
// The parts of a figure for its picture: boxes, texts, canvases and plots, each where it stands.
import { element, range } from "./dom.js";
import { plotPicture } from "./picture_plot.js";
import { linePicture, textPicture } from "./picture_text.js";
import { painted, tag } from "./svg.js";

const LEFT_OUT =
  ".controls, .walk-bar, .toolbar, .edges, .refused, .unseen, [data-error], input:not([type=number])";
const FINE = 8; // pixels for each of a canvas, or programs would blur it
const BORDERS = /** @type {const} */ (["Top", "Right", "Bottom", "Left"]);

/** All of them, and how far they reach. @param {Element} root @param {string} name of the figure */
export function drawnParts(root, name) {
  const reach = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  let clips = 0;
  let within = false; // something that is cut off at its edges
  const see = (/** @type {DOMRect} */ box) => {
    if (within || !box.width) return;
    reach.left = Math.min(reach.left, box.left);
    reach.top = Math.min(reach.top, box.top);
    reach.right = Math.max(reach.right, box.right);
    reach.bottom = Math.max(reach.bottom, box.bottom);
  };

  /** @param {Element} node @param {CSSStyleDeclaration} style @param {DOMRect} box */
  const inside = (node, style, box) => {
    if (node.matches(".plot")) {
      see(box);
      return plotPicture(/** @type {SVGSVGElement} */ (node), box, `${name}-clip-${clips++}`);
    }
    const visible = style.visibility === "visible";
    const own = visible ? boxPicture(style, box, name) + contentPicture(node, style, box) : "";
    if (own) see(box);
    const children = [...node.childNodes].map((child) => {
      if (child instanceof Element) return part(child);
      if (!(child instanceof Text) || !visible) return "";
      const text = textPicture(child, style);
      if (text) see(boxOf(child));
      return text;
    });
    const added = generated(node, box).map(({ text, style, place }) => {
      see(place);
      return boxPicture(style, place, name) + linePicture(text, place, style, "middle");
    });
    return own + children.join("") + added.join("");
  };

  /** @param {Element} node @returns {string} */
  const part = (node) => {
    const style = getComputedStyle(node);
    if (style.display === "none" || node.matches(LEFT_OUT)) return "";
    const box = node.getBoundingClientRect();
    const cut = !within && style.overflowX !== "visible" && node.scrollWidth > node.clientWidth + 1;
    if (cut) see(box);
    within ||= cut;
    const drawn = inside(node, style, box);
    if (cut) within = false;
    const opacity = Number(style.opacity) < 1 ? Number(style.opacity) : undefined;
    if (!cut) return opacity && drawn ? tag("g", { opacity }, drawn) : drawn;
    const id = `${name}-clip-${clips++}`;
    const look = { opacity, "clip-path": `url(#${id})` };
    return tag("clipPath", { id }, tag("rect", frameOf(box))) + tag("g", look, drawn);
  };
  const content = [...root.children].map(part).join("");
  return { content, ...reach };
}

/** @param {Node} node */
function boxOf(node) {
  const range = document.createRange();
  range.selectNode(node);
  return range.getBoundingClientRect();
}

/** @param {DOMRect} box @param {number} [inner] how far within it */
const frameOf = ({ left, top, width, height }, inner = 0) => ({
  x: left + inner,
  y: top + inner,
  width: width - 2 * inner,
  height: height - 2 * inner,
});

/** What is behind the content, and around it. */
/** @param {CSSStyleDeclaration} style @param {DOMRect} box @param {string} name */
function boxPicture(style, box, name) {
  const fill = painted("fill", style.backgroundColor);
  const hatched = style.backgroundImage.includes("gradient");
  return [
    fill.fill ? tag("rect", { ...frameOf(box), ...fill }) : "",
    hatched ? tag("rect", { ...frameOf(box), fill: `url(#${name}-hatch)` }) : "",
    borderPicture(style, box),
  ].join("");
}

/** @param {CSSStyleDeclaration} style @param {DOMRect} box */
function borderPicture(style, box) {
  const widths = BORDERS.map((side) => parseFloat(style[`border${side}Width`]));
  if (!widths.some(Boolean)) return "";
  const look = (/** @type {number} */ i) => ({
    ...painted("stroke", style[`border${BORDERS[i]}Color`]),
    "stroke-width": widths[i],
    "stroke-dasharray": style[`border${BORDERS[i]}Style`] === "dashed" ? "3 3" : undefined,
    fill: "none",
  });
  if (widths.every(Boolean)) return tag("rect", { ...frameOf(box, widths[0] / 2), ...look(0) });
  const { left, top, right, bottom } = box;
  const ends = [`${left} ${top}`, `${right} ${top}`, `${right} ${bottom}`, `${left} ${bottom}`];
  const line = (/** @type {number} */ i) =>
    tag("path", { d: `M${ends[i]}L${ends[(i + 1) % 4]}`, ...look(i) });
  return range(4)
    .filter((i) => widths[i])
    .map(line)
    .join("");
}

/** A number to be typed, and a canvas. */
/** @param {Element} node @param {CSSStyleDeclaration} style @param {DOMRect} box */
function contentPicture(node, style, box) {
  if (node instanceof HTMLInputElement) return linePicture(node.value, box, style, "middle");
  if (!(node instanceof HTMLCanvasElement)) return "";
  const [width, height] = [FINE * node.width, FINE * node.height];
  const large = element("canvas", { width, height });
  const context = large.getContext("2d");
  if (!context) return "";
  context.imageSmoothingEnabled = false;
  context.drawImage(node, 0, 0, width, height);
  return tag("image", { ...frameOf(box), href: large.toDataURL(), preserveAspectRatio: "none" });
}

/** The words and arrows that the stylesheet puts there. */
/** @param {Element} node @param {DOMRect} box */
const generated = (node, box) =>
  ["::before", "::after"].flatMap((which) => {
    const style = getComputedStyle(node, which);
    const text = /^"(.+)"$/.exec(style.content)?.[1];
    if (!text || style.position !== "absolute" || style.visibility !== "visible") return [];
    const [x, y, width, height] = [style.left, style.top, style.width, style.height].map(
      parseFloat,
    );
    return [{ text, style, place: new DOMRect(box.left + x, box.top + y, width, height) }];
  });

// Converts the elements of a figure to SVG: boxes, texts, canvases and plots at their positions.
import { range } from "../maths/tensor.ts";
import { plotPicture } from "./picture_plot.ts";
import { linePicture, textPicture } from "./picture_text.ts";
import { paint, tag } from "./svg.ts";

const EXCLUDED =
  ".controls, .walk-bar, .toolbar, .edges, .refused, .unseen, [data-error], .ask form, .room, .reserve, .number-line input, input:not(.number), select, button:not(.query-word)";
const FINE = 8; // pixels per canvas pixel; otherwise some programs blur the image
const BORDERS = ["Top", "Right", "Bottom", "Left"] as const;

/** Returns the SVG of all elements and their bounds. `name`: of the figure. */
export function drawnParts(root: Element, name: string) {
  const bounds = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  let clips = 0;
  let within = false; // an element that clips its content
  const extendBounds = (box: DOMRect) => {
    if (within || !box.width) return;
    bounds.left = Math.min(bounds.left, box.left);
    bounds.top = Math.min(bounds.top, box.top);
    bounds.right = Math.max(bounds.right, box.right);
    bounds.bottom = Math.max(bounds.bottom, box.bottom);
  };

  const inside = (node: Element, style: CSSStyleDeclaration, box: DOMRect): string => {
    if (node.matches(".plot")) {
      extendBounds(box);
      return plotPicture(node as SVGSVGElement, box, `${name}-clip-${clips++}`);
    }
    const visible = style.visibility === "visible";
    const own = visible ? boxPicture(style, box, name) + contentPicture(node, style, box) : "";
    if (own) extendBounds(box);
    const children = [...node.childNodes].map((child) => {
      if (child instanceof Element) return part(child);
      if (!(child instanceof Text) || !visible) return "";
      const text = textPicture(child, style);
      if (text) extendBounds(boxOf(child));
      return text;
    });
    const added = generated(node, box).map(({ text, style, place }) => {
      extendBounds(place);
      return boxPicture(style, place, name) + linePicture(text, place, style, "middle");
    });
    return own + children.join("") + added.join("");
  };

  const part = (node: Element): string => {
    const style = getComputedStyle(node);
    if (style.display === "none" || node.matches(EXCLUDED)) return "";
    const box = node.getBoundingClientRect();
    const cut = !within && style.overflowX !== "visible" && node.scrollWidth > node.clientWidth + 1;
    if (cut) extendBounds(box);
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
  return { content, ...bounds };
}

function boxOf(node: Node) {
  const range = document.createRange();
  range.selectNode(node);
  return range.getBoundingClientRect();
}

/** `inner`: the distance from the box's edges. */
const frameOf = ({ left, top, width, height }: DOMRect, inner = 0) => ({
  x: left + inner,
  y: top + inner,
  width: width - 2 * inner,
  height: height - 2 * inner,
});

/** Draws an element's background and border. */
function boxPicture(style: CSSStyleDeclaration, box: DOMRect, name: string) {
  if (!box.width || !box.height) return "";
  const fill = paint("fill", style.backgroundColor);
  const hatched = style.backgroundImage.includes("gradient");
  return [
    fill.fill ? tag("rect", { ...frameOf(box), ...fill }) : "",
    hatched ? tag("rect", { ...frameOf(box), fill: `url(#${name}-hatch)` }) : "",
    borderPicture(style, box),
  ].join("");
}

function borderPicture(style: CSSStyleDeclaration, box: DOMRect) {
  const widths = BORDERS.map((side) => parseFloat(style[`border${side}Width`]));
  if (!widths.some(Boolean)) return "";
  const look = (i: number) => ({
    ...paint("stroke", style[`border${BORDERS[i]}Color`]),
    "stroke-width": widths[i],
    "stroke-dasharray": style[`border${BORDERS[i]}Style`] === "dashed" ? "3 3" : undefined,
    fill: "none",
  });
  if (widths.every(Boolean)) return tag("rect", { ...frameOf(box, widths[0] / 2), ...look(0) });
  const { left, top, right, bottom } = box;
  const ends = [`${left} ${top}`, `${right} ${top}`, `${right} ${bottom}`, `${left} ${bottom}`];
  const line = (i: number) => tag("path", { d: `M${ends[i]}L${ends[(i + 1) % 4]}`, ...look(i) });
  return range(4)
    .filter((i) => widths[i])
    .map(line)
    .join("");
}

/** Draws the content of a number field or a canvas. */
function contentPicture(node: Element, style: CSSStyleDeclaration, box: DOMRect) {
  if (node instanceof HTMLInputElement) return linePicture(node.value, box, style, "middle");
  if (!(node instanceof HTMLCanvasElement)) return "";
  const [width, height] = [FINE * node.width, FINE * node.height];
  const large = Object.assign(document.createElement("canvas"), { width, height });
  const context = large.getContext("2d");
  if (!context) return "";
  context.imageSmoothingEnabled = false;
  context.drawImage(node, 0, 0, width, height);
  return tag("image", { ...frameOf(box), href: large.toDataURL(), preserveAspectRatio: "none" });
}

/** Returns the texts of ::before and ::after, such as arrows. */
const generated = (node: Element, box: DOMRect) =>
  ["::before", "::after"].flatMap((which) => {
    const style = getComputedStyle(node, which);
    const text = /^"(.+)"$/.exec(style.content)?.[1];
    if (!text || style.position !== "absolute" || style.visibility !== "visible") return [];
    const [x, y, width, height] = [style.left, style.top, style.width, style.height].map(
      parseFloat,
    );
    return [{ text, style, place: new DOMRect(box.left + x, box.top + y, width, height) }];
  });

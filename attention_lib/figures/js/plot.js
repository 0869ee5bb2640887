// @ts-check
// The parts of a plot, as SVG. Its units are CSS pixels at the width of a phone, so that text
// stays legible there; colours come from the stylesheet.
import { range, watcher } from "./dom.js";
import { curvePath, nearest, placeOf } from "./scales.js";

/** @typedef {import("./scales.js").Scale} Scale */
/** @typedef {import("./scales.js").Point} Point */
/** @typedef {ReturnType<typeof plotArea>} Area */

const WIDTH = 340;
const MARGIN = { left: 36, right: 12, top: 20, bottom: 36 };
const TOUCH = 24; // radius of what a finger hits

/**
 * An SVG element with attributes (a function is a listener) and children.
 * @template {keyof SVGElementTagNameMap} T
 * @param {T} tag @param {Record<string, any>} [attributes] @param {...(Node | string)} children
 * @returns {SVGElementTagNameMap[T]}
 */
export function drawn(tag, attributes = {}, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") node.addEventListener(name, value);
    else node.setAttribute(name, String(value));
  }
  node.append(...children);
  return node;
}

/** @param {Element} node @param {Record<string, string | number>} attributes */
export function redraw(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
}

/** A number on an axis. @param {number} x */
export const tickText = (x) => String(x).replace("-", "−");

/**
 * An empty plot with its axes. What lies in `inside` is cut off at its edges, what lies in `over`
 * is not; both are placed in the plot's own units.
 * @param {{ label: string, height: number, xlabel?: string, ylabel?: string,
 *   margin?: Partial<typeof MARGIN> }} options label: what the plot is, for those who do not see it
 */
export function plotArea({ label, height, xlabel = "", ylabel = "", margin = {} }) {
  const { left, right, top, bottom } = { ...MARGIN, ...margin };
  const [w, h] = [WIDTH - left - right, height - top - bottom];
  const grid = drawn("g", { class: "axes" });
  const frame = { x: left, y: top, width: w, height: h };
  const inside = drawn("svg", { ...frame, viewBox: `${left} ${top} ${w} ${h}` });
  const over = drawn("g");
  const size = { viewBox: `0 0 ${WIDTH} ${height}`, role: "img", "aria-label": label };
  const element = drawn(
    "svg",
    { class: "plot", ...size },
    grid,
    drawn("text", { class: "name", x: left + w, y: height - 4, "text-anchor": "end" }, xlabel),
    drawn("text", { class: "name", x: 4, y: 12 }, ylabel),
    inside,
    over,
  );
  const changed = watcher();
  /** Draws the axes of these scales; without y there is only the one below. */
  /** @type {(x: Scale, y?: Scale) => void} */
  const axes = (x, y) => {
    if (!changed(String(x.ticks), String(x.domain), String(y?.ticks), String(y?.domain))) return;
    const below = x.ticks.flatMap((tick) => [
      drawn("path", { d: `M${x.place(tick)} ${top}v${h}` }),
      drawn("text", { x: x.place(tick), y: top + h + 17, "text-anchor": "middle" }, tickText(tick)),
    ]);
    const beside = (y?.ticks ?? []).flatMap((tick) => [
      drawn("path", { d: `M${left} ${y?.place(tick)}h${w}` }),
      drawn(
        "text",
        { x: left - 5, y: (y?.place(tick) ?? 0) + 4, "text-anchor": "end" },
        tickText(tick),
      ),
    ]);
    grid.replaceChildren(
      ...below,
      ...beside,
      drawn("path", { class: "base", d: `M${left} ${top + h}h${w}` }),
    );
  };
  /** Ranges for the scales: from left to right, and from the bottom to the top. */
  const ranges = {
    x: /** @type {Point} */ ([left, left + w]),
    y: /** @type {Point} */ ([top + h, top]),
  };
  return { element, inside, over, axes, ranges, size: { width: WIDTH, height } };
}

/** A curve, whose look is that of its class. @param {Area} area @param {string} name */
export function curve({ inside }, name) {
  const path = drawn("path", { class: `curve ${name}` });
  inside.append(path);
  /** Points as places, y null where there is a gap. */
  const update = (/** @type {(readonly [number, number | null])[]} */ points) =>
    path.setAttribute("d", curvePath(points));
  return { element: path, update };
}

/** Bars that stand on, or hang from, a base line. @param {Area} area @param {string} name */
export function bars({ inside, ranges }, name) {
  const group = drawn("g", { class: `bars ${name}` });
  inside.append(group);
  /** Each from one place to another, and up or down from the base to its top. */
  const update = (
    /** @type {{ from: number, to: number, top: number }[]} */ all,
    base = ranges.y[0],
  ) => {
    while (group.children.length > all.length) group.lastChild?.remove();
    while (group.children.length < all.length) group.append(drawn("rect"));
    all.forEach(({ from, to, top }, i) => {
      const [y, height] = [Math.min(top, base), Math.abs(base - top)];
      redraw(group.children[i], { x: from, width: to - from, y, height });
    });
  };
  return { update };
}

/**
 * Marks that can be dragged. The nearest one follows the pointer, so that near ones do not hide
 * each other; each has the names of the form elements that do the same.
 * @param {Area} area
 * @param {{ names: string[], mark: (i: number) => SVGElement, title: string,
 *   start?: (i: number) => void, move: (i: number, place: Point) => void, end?: () => void }} options
 */
export function draggables(area, { names, mark, title, start, move, end }) {
  /** @type {Point[]} */
  let places = [];
  let chosen = 0;
  let grip = [0, 0]; // where the mark was taken, from its middle
  const show = (/** @type {number} */ near) =>
    nodes.forEach((node, i) => node.toggleAttribute("data-near", i === near));
  const at = (/** @type {PointerEvent} */ event) =>
    placeOf(event, area.element.getBoundingClientRect(), area.size);
  const target = (/** @type {string} */ name, /** @type {number} */ i) =>
    drawn("g", { class: "handle", "data-point": name }, drawn("title", {}, title), hit(), mark(i));
  const hit = () => {
    const node = drawn("circle", {
      class: "hit",
      r: TOUCH,
      pointerdown: (/** @type {PointerEvent} */ event) => {
        event.preventDefault();
        if (event.button !== 0) return;
        node.setPointerCapture(event.pointerId);
        const [x, y] = at(event);
        chosen = nearest(places, [x, y]);
        grip = [x - places[chosen][0], y - places[chosen][1]];
        show(chosen);
        start?.(chosen);
      },
      pointermove: (/** @type {PointerEvent} */ event) => {
        const [x, y] = at(event);
        if (!node.hasPointerCapture(event.pointerId)) return show(nearest(places, [x, y]));
        move(chosen, [x - grip[0], y - grip[1]]);
      },
      // Browsers that scroll all the same, whatever touch-action says of a part of a drawing.
      touchstart: (/** @type {TouchEvent} */ event) => event.preventDefault(),
      pointerleave: () => show(-1),
      lostpointercapture: () => end?.(),
    });
    return node;
  };
  const nodes = names.map(target);
  area.over.append(...nodes);
  const update = (/** @type {Point[]} */ now) => {
    places = now;
    range(nodes.length).forEach((i) => redraw(nodes[i], { transform: `translate(${now[i]})` }));
  };
  return { update };
}

/** Marks the points whose form elements have the focus. @param {HTMLElement} part with both */
export function markFocus(part) {
  const follow = (/** @type {FocusEvent} */ { type, target }) => {
    const name = type === "focusin" && /** @type {HTMLElement} */ (target).dataset.control;
    for (const point of part.querySelectorAll("[data-point]")) {
      const own = point.getAttribute("data-point")?.split(" ") ?? [];
      const focused = own.some((prefix) => name && name.startsWith(prefix));
      point.toggleAttribute("data-focused", focused);
    }
  };
  part.addEventListener("focusin", follow);
  part.addEventListener("focusout", follow);
}

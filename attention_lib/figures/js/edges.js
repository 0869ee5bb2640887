// @ts-check
// Handles on the border between kept keys and padding, laid over a heatmap.
import { element, range } from "./dom.js";

/** The length a pointer at x stands for. */
/** @param {number} x @param {{ left: number, width: number }} box @param {number} numKeys */
export function lengthAt(x, box, numKeys) {
  const length = Math.round(((x - box.left) / box.width) * numKeys);
  return Math.min(numKeys, Math.max(0, length));
}

/**
 * @param {{ numKeys: number, title: string, change: (q: number, length: number) => void }} options
 */
export function edges({ numKeys, title, change }) {
  const overlay = element("div", { class: "edges", "aria-hidden": "true" });
  const handle = (/** @type {number} */ q) => {
    const node = element("div", {
      class: "edge",
      "data-edge": q,
      title,
      pointerdown: (/** @type {PointerEvent} */ event) => {
        event.preventDefault();
        if (event.button !== 0) return;
        node.setPointerCapture(event.pointerId);
      },
      pointermove: (/** @type {PointerEvent} */ event) => {
        if (!node.hasPointerCapture(event.pointerId)) return;
        change(q, lengthAt(event.clientX, overlay.getBoundingClientRect(), numKeys));
      },
    });
    return node;
  };
  /** One handle for each length: of every row, or a single one for all. */
  const update = (/** @type {number[]} */ lengths) => {
    if (overlay.children.length !== lengths.length) {
      overlay.replaceChildren(...range(lengths.length).map(handle));
    }
    lengths.forEach((length, q) => {
      const { style } = /** @type {HTMLElement} */ (overlay.children[q]);
      style.left = `${(100 * length) / numKeys}%`;
    });
  };
  return { element: overlay, update };
}

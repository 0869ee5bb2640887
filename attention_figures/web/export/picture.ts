// Exports a figure as a picture: all of its content except controls, as one SVG.
import { colourOf } from "../core/palette.ts";
import { withDesktopLayout } from "../views/plot.tsx";
import { drawnParts } from "./picture_parts.ts";
import { paint, tag } from "./svg.ts";

export interface Picture {
  text: string;
  width: number;
  height: number;
}

const PICTURE_WIDTH = "56rem"; // on a phone too: a picture is for a slide or for paper
const EDGE_WIDTH = 12;
const STRIPES = { width: 5.5, height: 5.5, patternUnits: "userSpaceOnUse" };

/** Returns the picture of a figure on the page. */
export const picture = (root: HTMLElement): Promise<Picture> =>
  withDesktopLayout(() => copied(root));

function copied(root: HTMLElement): Picture {
  const copy = root.cloneNode(true) as HTMLElement;
  Object.assign(copy.style, { position: "absolute", left: "0", width: PICTURE_WIDTH });
  root.after(copy); // removed before the next paint
  const [shown, blank] = [root, copy].map((node) => [...node.querySelectorAll("canvas")]);
  blank.forEach((canvas, i) => canvas.getContext("2d")?.drawImage(shown[i], 0, 0));
  try {
    return drawing(copy);
  } finally {
    copy.remove();
  }
}

function drawing(root: HTMLElement): Picture {
  const name = String(root.dataset.figure);
  const { content, left, top, right, bottom } = drawnParts(root, name);
  const width = Math.ceil(right - left + 2 * EDGE_WIDTH);
  const height = Math.ceil(bottom - top + 2 * EDGE_WIDTH);
  const text = tag(
    "svg",
    {
      ...{ xmlns: "http://www.w3.org/2000/svg", width, height, viewBox: `0 0 ${width} ${height}` },
      "xml:lang": root.lang,
    },
    tag("title", {}, name),
    tag("defs", {}, hatching(root, name)),
    tag("rect", { width, height, ...backgroundOf(root) }),
    tag("g", { transform: `translate(${EDGE_WIDTH - left} ${EDGE_WIDTH - top})` }, content),
  );
  return { text, width, height };
}

/** The hatching, for which the style sheet uses a gradient. */
function hatching(root: Element, name: string) {
  const look = paint("fill", colourOf(root, "hatch"));
  const stripe = tag("rect", { x: 4, width: 1.5, height: 5.5, ...look });
  return tag(
    "pattern",
    { id: `${name}-hatch`, ...STRIPES, patternTransform: "rotate(-45)" },
    stripe,
  );
}

/** Returns the background colour behind the figure. */
function backgroundOf(root: Element) {
  for (let node: Element | null = root; node; node = node.parentElement) {
    const look = paint("fill", getComputedStyle(node).backgroundColor);
    if (look.fill) return look;
  }
  return paint("fill", colourOf(root, "pale"));
}

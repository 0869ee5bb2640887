// Maps numbers to colours: weights on one scale in the whole book, other numbers on a scale symmetric
// about 0, so that pale always means 0. Prints both scales.
import { formatNumber } from "../core/format.ts";
import { SHADES, type Hue } from "../core/palette.ts";
import { extent, weightDomain } from "../maths/domains.ts";
import type { Tensor } from "../maths/tensor.ts";
import { shadeOf } from "../maths/weights.ts";

export interface Scale {
  hue: Hue;
  /** The number with the strongest colour; its negative has the other strongest colour. */
  top: number;
  /** Maps a number to a shade, −SHADES to SHADES. */
  level(x: number): number;
}

/** Clamps a level to the shades; −∞, a masked score, stays pale. */
const clampedLevel = (level: number) =>
  Number.isFinite(level) ? Math.round(SHADES * Math.max(-1, Math.min(1, level))) : 0;

/** From 0 to 1, by the square root, so that 1/64 is visible. */
export const weightScale: Scale = {
  hue: "weights",
  top: 1,
  level: (x) => clampedLevel(shadeOf(x)),
};

/** From −top to top, where top is the smallest of 0.1, 0.2, 0.5, 1, 2, 5 … that covers all numbers. */
export function symmetricScale(hue: Hue, tensor: Tensor): Scale {
  const [low, high] = extent(tensor);
  const top = weightDomain([low, high].filter(Number.isFinite))[1];
  return { hue, top, level: (x) => clampedLevel(x / top) };
}

export const plainScale: Scale = { hue: "plain", top: 0, level: () => 0 };

/** Prints a scale. `name`: what the scale is for. */
export function ScaleText({ name, scale: { hue, top } }: { name?: string; scale: Scale }) {
  const text = hue === "weights" ? "√, 0 … 1" : `−${formatNumber(top)} … ${formatNumber(top)}`;
  return (
    <span class="printed-scale" data-hue={hue}>
      {name && <code>{name}</code>}
      <i aria-hidden="true" />
      {text}
    </span>
  );
}

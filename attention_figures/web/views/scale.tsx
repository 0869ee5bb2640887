// How numbers become colours: weights on one scale in the whole book, everything else on one that is
// symmetric about 0, so that pale means 0 everywhere. Both are printed.
import { formatNumber } from "../core/format.ts";
import { SHADES, type Hue } from "../core/palette.ts";
import { extent, weightDomain } from "../maths/domains.ts";
import type { Tensor } from "../maths/tensor.ts";
import { shadeOf } from "../maths/weights.ts";

export interface Scale {
  hue: Hue;
  /** The strongest colour is that of this number; of its negative, too. */
  top: number;
  /** How far along the way to the strongest colour a number is: −SHADES to SHADES. */
  level(x: number): number;
}

/** −∞ is no score that could be compared with others: it stays pale. */
const clampedLevel = (way: number) =>
  Number.isFinite(way) ? Math.round(SHADES * Math.max(-1, Math.min(1, way))) : 0;

/** From 0 to 1, by the square root: 1/64 is seen. */
export const weightScale: Scale = {
  hue: "weights",
  top: 1,
  level: (x) => clampedLevel(shadeOf(x)),
};

/** From −top to top, the smallest of 0.1, 0.2, 0.5, 1, 2, 5 … that holds all numbers. */
export function symmetricScale(hue: Hue, tensor: Tensor): Scale {
  const [low, high] = extent(tensor);
  const top = weightDomain([low, high].filter(Number.isFinite))[1];
  return { hue, top, level: (x) => clampedLevel(x / top) };
}

export const plainScale: Scale = { hue: "plain", top: 0, level: () => 0 };

/** The scale, as it is printed. `name`: of what it is for. */
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

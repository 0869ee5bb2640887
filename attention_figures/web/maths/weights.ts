// How a weight is drawn: as a length in proportion to it, as an area in proportion to it, or as a
// colour by its square root, so that 1/64 is seen. The figure prints which (core/scales.tsx).
import { clamped } from "../core/format.ts";

const HAIRLINE = 1; // pixel: a weight that is not 0 is seen

/** How long a bar is, or how thick a line. `full`: of the weight 1; `least`: of any but 0. */
export const lengthOf = (weight: number, full: number, least = HAIRLINE): number =>
  weight === 0 ? 0 : Math.max(least, full * Math.abs(weight));

/** The same for the style of a bar in a box that has the length of the weight 1. */
export const shareOf = (weight: number): string =>
  weight === 0 ? "0" : `max(${HAIRLINE}px, ${100 * Math.abs(weight)}%)`;

/** Radius of a disc, or side of a square, whose area is as large as the weight. */
export const sideOf = (weight: number, full: number): number => full * Math.sqrt(Math.abs(weight));

/** How strong a colour is, from −1 to 1. */
export const shadeOf = (weight: number): number =>
  Math.sign(weight) * Math.sqrt(clamped(Math.abs(weight), 0, 1));

// Maps a weight to a length or an area in proportion to it, or to a colour by its square root, so that
// 1/64 is visible. The figure prints the scale (core/scales.tsx).
import { clamped } from "../core/format.ts";

const HAIRLINE = 1; // pixel: a weight other than 0 is visible

/** Length of a bar or thickness of a line. `full`: for weight 1; `least`: minimum unless 0. */
export const lengthOf = (weight: number, full: number, least = HAIRLINE): number =>
  weight === 0 ? 0 : Math.max(least, full * Math.abs(weight));

/** The length as a CSS value, relative to a box of the length for weight 1. */
export const shareOf = (weight: number): string =>
  weight === 0 ? "0" : `max(${HAIRLINE}px, ${100 * Math.abs(weight)}%)`;

/** Radius of a disc or side of a square whose area is proportional to the weight. */
export const sideOf = (weight: number, full: number): number => full * Math.sqrt(Math.abs(weight));

/** Strength of a colour, from −1 to 1. */
export const shadeOf = (weight: number): number =>
  Math.sign(weight) * Math.sqrt(clamped(Math.abs(weight), 0, 1));
